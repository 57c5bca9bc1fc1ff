import fc from "fast-check";
import { maxUint256 } from "viem";
import { expect, it } from "vitest";
import * as schema from "../../ponder.schema.ts";
import { addCreditEntry } from "../../src/indexing/creditEntries.ts";
import { handlerContext } from "./support/indexingStore.ts";

const DELEGATES = ["0xaa", "0xbb"] as const;
const ACCOUNTS = ["0xcc", "0xdd"] as const;
const KINDS = ["deposit", "redemption", "movedIn", "movedOut"] as const;
const amount = fc.bigInt(0n, maxUint256);
const change = fc.record({
  delegateAddress: fc.constantFrom(...DELEGATES),
  account: fc.constantFrom(...ACCOUNTS),
  kind: fc.constantFrom(...KINDS),
  credits: amount,
  yieldAmount: amount,
});
/** Blocks, given as seconds since the previous one, possibly zero, and the changes in them. */
const blocks = fc.array(fc.tuple(fc.nat(2), fc.array(change, { maxLength: 5 })), { minLength: 1, maxLength: 8 });

it("an account and each of its entries have the sums of all entries so far, of that account alone", async () => {
  await fc.assert(
    fc.asyncProperty(blocks, async (history) => {
      const context = await handlerContext();
      const { db, chain } = context;
      const chainId = chain.id;
      const written: { key: object; change: typeof change extends fc.Arbitrary<infer Change> ? Change : never }[] = [];
      let second = 1_700_000_000n;
      for (const [blockNumber, [pause, changes]] of history.entries()) {
        second += BigInt(pause);
        for (const [logIndex, entry] of changes.entries()) {
          const block = { number: BigInt(blockNumber), hash: "0x01", timestamp: second } as const;
          await addCreditEntry(context, { id: "1", block, log: { logIndex } }, entry);
          const { delegateAddress, account } = entry;
          const key = { chainId, delegateAddress, account, second, blockNumber, logIndex };
          written.push({ key, change: entry });
          const own = written.filter(
            (other) => other.change.account === account && other.change.delegateAddress === delegateAddress,
          );
          const sumOf = (kind: string) =>
            own.reduce((sum, other) => sum + (other.change.kind === kind ? other.change.credits : 0n), 0n);
          const totals = {
            depositedTotal: sumOf("deposit"),
            redeemedTotal: sumOf("redemption"),
            yieldClaimedTotal: own.reduce((sum, other) => sum + other.change.yieldAmount, 0n),
            movedInTotal: sumOf("movedIn"),
            movedOutTotal: sumOf("movedOut"),
          };
          expect(await db.find(schema.creditEntry, key)).toEqual({ ...key, ...entry, ...totals });
          expect(await db.find(schema.creditedAccount, { chainId, delegateAddress, account })).toEqual({
            ...{ chainId, delegateAddress, account },
            ...totals,
          });
        }
      }
    }),
    { numRuns: 50 },
  );
});
