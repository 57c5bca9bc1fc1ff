/** The hash and the sender of transactions of geth, and of every type as viem signs them. */
import type { TransactionSerializable } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import type { Answer } from "../../../../config/rpc/header/encoding.ts";
import { hasOwnHash, hasOwnSender } from "../../../../config/rpc/header/signature.ts";
import geth from "../../../fixtures/blocks/geth.json" with { type: "json" };
import { signedTransaction } from "../../../support/signedTransaction.ts";

const account = privateKeyToAccount(`0x${"42".repeat(32)}`);
const authorization = await account.signAuthorization({ address: account.address, chainId: 1, nonce: 7 });

const common = { nonce: 5, gas: 90_000n, to: account.address, value: 10n ** 30n, data: "0xabcdef" } as const;
const fees = { chainId: 11_155_111, maxFeePerGas: 30n, maxPriorityFeePerGas: 2n };
const accessList = [{ address: account.address, storageKeys: [geth.block.hash as `0x${string}`] }];

const SIGNED: readonly (readonly [string, TransactionSerializable])[] = [
  ["0x0", { ...common, type: "legacy", gasPrice: 7n }],
  ["0x0", { ...common, type: "legacy", gasPrice: 7n, chainId: 1 }],
  ["0x1", { ...common, type: "eip2930", gasPrice: 7n, chainId: 1, accessList }],
  ["0x2", { ...common, ...fees, type: "eip1559", accessList }],
  [
    "0x3",
    { ...common, ...fees, type: "eip4844", maxFeePerBlobGas: 9n, blobVersionedHashes: [`0x01${"7".repeat(62)}`] },
  ],
  ["0x4", { ...common, ...fees, type: "eip7702", authorizationList: [authorization] }],
];

const cases = [
  ...SIGNED.map(([type, transaction]) => ({ type, by: "viem", answer: signedTransaction(account, type, transaction) })),
  ...(geth.block.transactions as readonly Answer[]).map((transaction) => ({
    type: String(transaction.type),
    by: "geth",
    answer: Promise.resolve(transaction),
  })),
];

it.each(cases)(
  "a transaction of type $type by $by has the hash of its fields and the sender that signed",
  async (item) => {
    const transaction = await item.answer;
    expect(hasOwnHash(transaction)).toBe(true);
    expect(hasOwnHash({ ...transaction, hash: geth.block.hash })).toBe(false);
    expect(await hasOwnSender(transaction)).toBe(true);
    expect(await hasOwnSender({ ...transaction, from: geth.block.miner })).toBe(false);
  },
);

it("a transaction with an invalid signature has no sender", async () => {
  expect(await hasOwnSender({ ...geth.block.transactions[0], r: `0x${"f".repeat(64)}` })).toBe(false);
});

it("a transaction without a signature can have any hash and sender", async () => {
  const unsigned = { ...geth.block.transactions[0], r: "0x0", s: "0x0", hash: geth.block.hash };
  expect(hasOwnHash(unsigned)).toBe(true);
  expect(await hasOwnSender(unsigned)).toBe(true);
});
