/** Whether `core verify` notices who controls a bridge. */
import {
  type Address,
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  parseAbi,
  zeroAddress,
} from "viem";
import { expect, it } from "vitest";
import type { NodeClient } from "../../packages/cli/src/chain/connect.ts";
import { compareBridges } from "../../packages/cli/src/desired/bridges.ts";
import type { System } from "../../packages/cli/src/desired/system.ts";

const [TIMELOCK, BRIDGE, ENDPOINT, STRANGER] = ["11", "22", "33", "44"].map((byte) =>
  getAddress(`0x${byte.repeat(20)}`),
) as [Address, Address, Address, Address];

const abi = parseAbi([
  "function owner() view returns (address)",
  "function pendingOwner() view returns (address)",
  "function endpoint() view returns (address)",
  "function delegates(address) view returns (address)",
]);

type Answers = Partial<Record<"owner" | "pendingOwner" | "endpoint" | "delegates", Address>>;

/** Compares a bridge whose functions are these, and which answers all others with nothing. */
function compare(answers: Answers) {
  const request = async ({ method, params }: { method: string; params: [{ to: Address; data: Hex }] }) => {
    if (method !== "eth_call") throw new Error(`unexpected ${method}`);
    const [{ to, data }] = params;
    const { functionName } = decodeFunctionData({ abi, data });
    const result = answers[functionName];
    const isAsked = getAddress(to) === (functionName === "delegates" ? ENDPOINT : BRIDGE);
    return result !== undefined && isAsked ? encodeFunctionResult({ abi, functionName, result }) : "0x";
  };
  const client = createPublicClient({ transport: custom({ request }) }) as unknown as NodeClient;
  const configuration = { treasury: { bridges: [{ address: BRIDGE, limitPerDay: 1n }] } };
  const system = { configuration, treasuryAdmin: TIMELOCK } as unknown as System;
  return compareBridges(client, system, 1n);
}

const handedOver = { owner: TIMELOCK, pendingOwner: zeroAddress, endpoint: ENDPOINT, delegates: TIMELOCK };

it("accepts a bridge that the timelock owns", async () => {
  expect(await compare(handedOver)).toEqual({ differences: [], notCompared: [] });
});

it.each<[string, Answers, string]>([
  ["owner", { owner: STRANGER }, `owner of the bridge ${BRIDGE}: ${STRANGER}, configured ${TIMELOCK}`],
  [
    "pending owner",
    { pendingOwner: STRANGER },
    `pending owner of the bridge ${BRIDGE}: ${STRANGER}, configured nobody`,
  ],
  [
    "delegate at the endpoint",
    { delegates: STRANGER },
    `delegate of the bridge ${BRIDGE} at its endpoint ${ENDPOINT}: ${STRANGER}, configured ${TIMELOCK}`,
  ],
])("names another %s", async (_, changed, text) => {
  expect(await compare({ ...handedOver, ...changed })).toEqual({ differences: [text], notCompared: [] });
});

it("compares what a bridge of another kind has, and names one that has no owner", async () => {
  expect(await compare({ owner: TIMELOCK })).toEqual({ differences: [], notCompared: [] });
  expect(await compare({})).toEqual({
    differences: [],
    notCompared: [`the bridge ${BRIDGE} has no owner() to compare`],
  });
});
