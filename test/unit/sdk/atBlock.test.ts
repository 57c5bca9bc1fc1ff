import { ReplacedBlockError, readAtBlock } from "@coreswap/sdk";
import { createPublicClient, custom, HttpRequestError, numberToHex } from "viem";
import { expect, it } from "vitest";

const BLOCK = { number: 7n, hash: `0x${"11".repeat(32)}` } as const;

/** A node that has a block of any number, and records what it is asked. */
function nodeWith(hash: string) {
  const asked: string[] = [];
  const request = async ({ method }: { method: string }) => {
    asked.push(method);
    return { number: numberToHex(BLOCK.number), hash, timestamp: "0x64", transactions: [] };
  };
  return { asked, client: createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }) };
}

const failure = new HttpRequestError({ url: "http://node.example" });

it("passes on the hash of the block, and asks nothing else while reads succeed", async () => {
  const { client, asked } = nodeWith(BLOCK.hash);
  const at = await readAtBlock(client, BLOCK, async (options) => options);
  expect(at).toEqual({ blockHash: BLOCK.hash, requireCanonical: true });
  expect(asked).toEqual([]);
});

it("tells a replaced block from a failure of the node", async () => {
  const fail = () => Promise.reject(failure);
  await expect(readAtBlock(nodeWith(BLOCK.hash).client, BLOCK, fail)).rejects.toBe(failure);
  const replaced = readAtBlock(nodeWith(`0x${"22".repeat(32)}`).client, BLOCK, fail);
  await expect(replaced).rejects.toThrow(new ReplacedBlockError(BLOCK.number));
  await expect(replaced).rejects.toMatchObject({ cause: failure });
});

it("asks nothing more when the data that were read are refused", async () => {
  const { client, asked } = nodeWith(`0x${"22".repeat(32)}`);
  const refusal = new Error("the contract refuses");
  await expect(readAtBlock(client, BLOCK, () => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(asked).toEqual([]);
});
