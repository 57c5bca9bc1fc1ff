/** Compares the reasons of failed transactions with calls of the same transactions on the state on which they ran. */
import type { Schemas } from "@coreswap/client";
import { BaseError, type Hex, isHex } from "viem";
import { expect, inject, test } from "vitest";
import { ApiClient } from "./harness/api.ts";
import { chainClient } from "./oracle/chain.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);

test("the reason of each failed call equals the reason of the same call on the state before its block", async () => {
  const client = chainClient(stack.networks.mainnet.rpcUrl);
  const { transactions } = await api.json<Schemas["TransactionHistory"]>(
    "/v1/transactions?network=evm-mainnet&outcome=revert&limit=20",
  );
  // The first transaction of a block ran on exactly that state.
  const failed = transactions.filter(({ inclusion }) => inclusion.transactionIndex === "0");
  expect(failed.length).toBeGreaterThan(2);
  const texts: string[] = [];
  for (const { transactionHash, inclusion } of failed) {
    const {
      from: account,
      to,
      input: data,
      value,
      gas,
    } = await client.getTransaction({ hash: transactionHash as Hex });
    const blockNumber = BigInt(inclusion.blockNumber) - 1n;
    const expected = await client.call({ account, to, data, value, gas, blockNumber }).then(
      () => null,
      (error: unknown) => {
        let found: Hex | null = null;
        if (error instanceof BaseError) {
          error.walk((cause) => {
            const { data: inside } = cause as { data?: unknown };
            if (isHex(inside)) found = inside;
            return false;
          });
        }
        return found;
      },
    );
    const answer = await api.json<Schemas["TransactionRevert"]>(
      `/v1/transactions/${transactionHash}/revert?network=evm-mainnet`,
    );
    expect(answer).toMatchObject({ outcome: "revert", revert: { source: "trace", data: expected } });
    const text = answer.revert?.text ?? "";
    if (expected === "0x") expect(text).toBe("a revert without data");
    else expect(text).toMatch(/^[A-Z][A-Za-z0-9]+\(.*\)$/);
    texts.push(text);
  }
  expect(texts.filter((text) => text.includes("(")).length).toBeGreaterThan(2);
});
