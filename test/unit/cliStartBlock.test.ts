/** Whether `core verify` notices a start block that is later than the contracts. */
import { createPublicClient, custom, getAddress, type Hex, hexToBigInt } from "viem";
import { expect, it } from "vitest";
import type { NodeClient } from "../../packages/cli/src/chain/connect.ts";
import { olderContracts } from "../../packages/cli/src/chain/events.ts";

const CONTRACT = getAddress(`0x${"11".repeat(20)}`);
const CREATED_IN = 100n;
const OLDEST_STATE = 50n;

const request = async ({ method, params }: { method: string; params: [Hex, Hex] }) => {
  if (method !== "eth_getCode") throw new Error(`unexpected ${method}`);
  const block = hexToBigInt(params[1]);
  if (block < OLDEST_STATE) throw Object.assign(new Error("missing trie node"), { code: -32000 });
  return block >= CREATED_IN ? "0x6001" : "0x";
};
const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }) as unknown as NodeClient;

it("accepts the block of the creation, and the first block of the chain", async () => {
  expect(await olderContracts(client, [CONTRACT], CREATED_IN)).toEqual([]);
  expect(await olderContracts(client, [CONTRACT], 0n)).toEqual([]);
});

it("names a contract that is older", async () => {
  expect(await olderContracts(client, [CONTRACT], CREATED_IN + 1n)).toEqual([
    `${CONTRACT} has code before startBlock 101 of the deployment file: earlier events are missing`,
  ]);
});

it("says that it cannot tell with a node that lacks the state", async () => {
  expect(await olderContracts(client, [CONTRACT], OLDEST_STATE)).toEqual([
    expect.stringMatching(/^cannot tell .+ startBlock 50 .+missing trie node.*Use a node with the state of block 49$/),
  ]);
});
