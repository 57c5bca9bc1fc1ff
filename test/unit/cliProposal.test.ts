/** Which proposals of an upgrade the command line accepts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, concat, encodeFunctionData, getAddress, type Hex, keccak256, zeroHash } from "viem";
import { afterAll, describe, expect, it } from "vitest";
import { timelockControllerAbi, treasuryAbi } from "../../abis/index.ts";
import type { NodeClient } from "../../packages/cli/src/chain/connect.ts";
import { readProposal, requireNotOverdue, requireSimulatedCode } from "../../packages/cli/src/chain/proposal.ts";

const [TIMELOCK, PROXY, IMPLEMENTATION, LIBRARY] = ["11", "22", "33", "44"].map((byte) =>
  getAddress(`0x${byte.repeat(20)}`),
) as [Address, Address, Address, Address];
const [REPLACED, NEWER] = [getAddress(`0x${"55".repeat(20)}`), getAddress(`0x${"66".repeat(20)}`)];

/** PUSH20 of the library, between other instructions. */
const LINKED_CODE = concat(["0x6001", "0x73", LIBRARY, "0xf4"]);
const LIBRARY_CODE = "0x6002";

const directory = mkdtempSync(join(tmpdir(), "coreswap-proposal-"));
afterAll(() => rmSync(directory, { recursive: true }));

const path = join(directory, "mainnet.proposal.json");

/** What `pnpm contracts:upgrade` writes. */
function proposed(changed: object = {}) {
  const data = encodeFunctionData({
    abi: treasuryAbi,
    functionName: "upgradeToAndCall",
    args: [IMPLEMENTATION, "0x"],
  });
  const execute = encodeFunctionData({
    abi: timelockControllerAbi,
    functionName: "executeBatch",
    args: [[PROXY], [0n], [data], zeroHash, zeroHash],
  });
  const codeHashes = { [IMPLEMENTATION]: keccak256(LINKED_CODE), [LIBRARY]: keccak256(LIBRARY_CODE) };
  const replaced = { [PROXY]: REPLACED };
  writeFileSync(path, JSON.stringify({ timelock: TIMELOCK, execute, codeHashes, replaced, ...changed }));
  return readProposal(path);
}

function clientWith(codes: Readonly<Record<Address, Hex>>): NodeClient {
  return { getCode: ({ address }: { address: Address }) => Promise.resolve(codes[address]) } as unknown as NodeClient;
}

const deployed = { [IMPLEMENTATION]: LINKED_CODE, [LIBRARY]: LIBRARY_CODE } as const;

describe("A proposal", () => {
  it("is accepted if it has the hash of all code", async () => {
    expect(proposed().upgrades).toMatchObject([{ proxy: PROXY, replaced: REPLACED, implementation: IMPLEMENTATION }]);
    await requireSimulatedCode(clientWith(deployed), proposed());
  });

  it("is refused without the hash of a new implementation", () => {
    expect(() => proposed({ codeHashes: { [LIBRARY]: keccak256(LIBRARY_CODE) } })).toThrow(
      `${path} is not a proposal of pnpm contracts:upgrade: it has no hash of the code of ${IMPLEMENTATION}`,
    );
  });

  it("is refused if it does not say what each proxy ran when it was simulated", () => {
    expect(() => proposed({ replaced: undefined })).toThrow(`${path} is not a proposal of pnpm contracts:upgrade`);
    expect(() => proposed({ replaced: {} })).toThrow(`it does not say what ${PROXY} ran`);
  });

  it("is refused once a proxy runs something else", () => {
    const [upgrade] = proposed().upgrades;
    if (upgrade === undefined) throw new Error("the proposal upgrades nothing");
    for (const current of [REPLACED, IMPLEMENTATION]) requireNotOverdue(upgrade, current, "treasury");
    expect(() => requireNotOverdue(upgrade, NEWER, "treasury")).toThrow(
      `treasury runs ${NEWER}, and when the upgrade to ${IMPLEMENTATION} was simulated it ran ${REPLACED}`,
    );
  });

  it("is refused without the hash of a library, but not for a constant that looks like an address", async () => {
    const unlinked = proposed({ codeHashes: { [IMPLEMENTATION]: keccak256(LINKED_CODE) } });
    await expect(requireSimulatedCode(clientWith(deployed), unlinked)).rejects.toThrow(
      `${IMPLEMENTATION} is linked to ${LIBRARY}, of whose code the proposal has no hash`,
    );
    await requireSimulatedCode(clientWith({ [IMPLEMENTATION]: LINKED_CODE }), unlinked);
  });

  it("is refused if the chain has other code", async () => {
    await expect(requireSimulatedCode(clientWith({ ...deployed, [LIBRARY]: "0x6003" }), proposed())).rejects.toThrow(
      `${LIBRARY} does not have the code that was simulated`,
    );
  });
});
