/** `pnpm contracts:upgrade` on a chain with live state. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Address, encodeFunctionData, type Hex, hexToBytes, parseAbi, slice } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChainClient, createChainClient } from "../../localnet/chain.ts";
import { buildContracts, type DeployedNetwork, deployNetwork } from "../../localnet/deployment.ts";
import { playHistory } from "../../localnet/history.ts";
import { type ChainNode, startNode } from "../../localnet/nodes.ts";
import { Random } from "../../localnet/random.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { documentedArguments } from "../support/documented.ts";
import { pnpm } from "../support/pnpm.ts";

const DIRECTORY = join(".demo", "e2e-upgrade");
const VERSIONS = "contracts/test/upgrade/versions";
const NEXT_VERSIONS = [
  `coreSwap=${VERSIONS}/NextVersions.sol:NextCoreSwap`,
  `treasury=${VERSIONS}/NextVersions.sol:NextTreasuryToken`,
  `treasuryDelegate=${VERSIONS}/NextVersions.sol:NextTreasuryDelegate`,
  `balanceSheetDelegate=${VERSIONS}/NextVersions.sol:NextBalanceSheetDelegate`,
];
const IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn;
const DAY_SECONDS = 86_400;

interface Deployment {
  readonly coreSwap: Address;
  readonly treasury: Address;
  readonly implementations: Readonly<Record<string, Address>>;
  readonly libraries: { readonly treasuryDelegate: Address };
  readonly treasuryStablecoin: { readonly delegate: Address };
  readonly stablecoins: readonly { readonly delegate: Address }[];
}

let node: ChainNode;
let client: ChainClient;
let deployed: DeployedNetwork;

beforeAll(async () => {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  await buildContracts(join(DIRECTORY, "build.log"));
  const now = Math.floor(Date.now() / 1000);
  node = await startNode({
    chainId: 1,
    timestamp: now - 30 * DAY_SECONDS,
    logFile: join(DIRECTORY, "node.log"),
  });
  client = createChainClient(node.rpcUrl);
  deployed = await deployNetwork({ node, network: "mainnet", directory: DIRECTORY });
  await playHistory({ deployed, seed: 3, transactionCount: 120, now });
});

afterAll(() => node?.stop());

describe("upgrading a chain with live state", () => {
  test("X3: an unsafe version is refused with the reason, and nothing is sent", async () => {
    const block = await client.getBlockNumber();
    const { status, output } = upgrade(`treasury=${VERSIONS}/UnsafeVersions.sol:ReorderedTreasury`);
    expect(status).toBe(1);
    expect(output).toContain("refused to upgrade to");
    expect(output).toContain("Deleted `accounts`");
    expect(await client.getBlockNumber()).toBe(block);
  });

  test("X3: a migration that changes the result of a view is refused, and nothing is sent", async () => {
    const block = await client.getBlockNumber();
    const issuerAdmin = WALLETS.treasuryIssuerAdmin.address;
    const migration = encodeFunctionData({
      abi: parseAbi(["function grantRole(bytes32 role, address account)"]),
      args: [`0x${"0".repeat(64)}`, issuerAdmin],
    });
    const { status, output } = upgrade("--migrate", `treasuryDelegate=${migration}`, "treasuryDelegate");
    expect(status, output).toBe(1);
    expect(output).toContain("ViewChanged");
    expect(await client.getBlockNumber()).toBe(block);
  });

  test("X3: a version whose initializer no migration calls is refused, and nothing is sent", async () => {
    const block = await client.getBlockNumber();
    const { status, output } = upgrade(`treasury=${VERSIONS}/NextVersions.sol:ReinitializedTreasury`);
    expect(status, output).toBe(1);
    expect(output).toContain("initializeV2 initializes version 2, and a proxy has 1");
    expect(await client.getBlockNumber()).toBe(block);
  });

  test("X3: after the upgrade, every proxy runs its next version, and no other word of its storage differs", async () => {
    const before = readDeployment();
    const storageBefore = await readStorage();
    const { status, output } = upgrade(...NEXT_VERSIONS);
    expect(status, output).toBe(0);

    const after = readDeployment();
    const storageAfter = await readStorage();
    const proxies = proxiesOf(before);
    expect(proxies).toHaveLength(5);
    for (const proxy of proxies) {
      const wordsBefore = storageBefore.get(proxy) ?? new Map<bigint, bigint>();
      const wordsAfter = storageAfter.get(proxy) ?? new Map<bigint, bigint>();
      expect(wordsBefore.size, `${proxy} has state`).toBeGreaterThan(15);
      const implementation = await client.getStorageAt({ address: proxy, slot: toSlot(IMPLEMENTATION_SLOT) });
      expect(Object.values(after.implementations).map((address) => address.toLowerCase())).toContain(
        slice(implementation ?? "0x", 12),
      );
      wordsBefore.delete(IMPLEMENTATION_SLOT);
      wordsAfter.delete(IMPLEMENTATION_SLOT);
      expect(wordsAfter).toEqual(wordsBefore);
      const version = await client.readContract({
        address: proxy,
        abi: parseAbi(["function version() view returns (uint256)"]),
        functionName: "version",
      });
      expect(version).toBe(2n);
    }
    for (const name of Object.keys(before.implementations)) {
      expect(after.implementations[name]).not.toBe(before.implementations[name]);
    }
    const { treasuryDelegate: library } = after.libraries;
    expect(library).not.toBe(before.libraries.treasuryDelegate);
    expect(await client.getCode({ address: library })).toBeDefined();
    const { implementations, libraries } = after;
    expect(after).toEqual({ ...before, implementations, libraries });
  });

  test("swaps still work after the upgrade", async () => {
    const random = new Random(5n);
    for (let count = 0; count < 15; count += 1) await sendOne({ deployed, random });
  });
});

function upgrade(...targets: string[]): { status: number | null; output: string } {
  const args = documentedArguments("docs/operate/contracts.md", /pnpm contracts:upgrade (?=.* coreSwap )/, {
    ...{ $RPC_URL: node.rpcUrl, $ADMIN: WALLETS.admin.address },
    "--ledger": "--unlocked",
  }).flatMap((word) => (word === "coreSwap" ? targets : word));
  return pnpm(["contracts:upgrade", ...args], {
    env: {
      DEPLOYMENTS_DIR: deployed.deploymentsDirectory,
      FOUNDRY_BROADCAST: join(DIRECTORY, "broadcast"),
    },
  });
}

function readDeployment(): Deployment {
  return JSON.parse(readFileSync(join(deployed.deploymentsDirectory, "evm", "mainnet.json"), "utf8")) as Deployment;
}

function proxiesOf({ coreSwap, treasury, treasuryStablecoin, stablecoins }: Deployment): Address[] {
  return [coreSwap, treasury, treasuryStablecoin.delegate, ...stablecoins.map(({ delegate }) => delegate)].map(
    (address) => address.toLowerCase() as Address,
  );
}

/** Every storage word of every account that is not zero. */
async function readStorage(): Promise<Map<string, Map<bigint, bigint>>> {
  const dump = (await client.request({ method: "anvil_dumpState" } as never)) as Hex;
  const { accounts } = JSON.parse(gunzipSync(hexToBytes(dump)).toString("utf8")) as {
    accounts: Record<string, { storage: Record<string, string> }>;
  };
  return new Map(
    Object.entries(accounts).map(([address, { storage }]) => [
      address.toLowerCase(),
      new Map(
        Object.entries(storage)
          .map(([slot, word]) => [BigInt(slot), BigInt(word)] as const)
          .filter(([, word]) => word !== 0n),
      ),
    ]),
  );
}

function toSlot(slot: bigint): Hex {
  return `0x${slot.toString(16).padStart(64, "0")}`;
}
