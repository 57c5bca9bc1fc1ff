/** Changes of the credits of an account with a yield-bearing delegate: `credit_entry`, with sums in `credited_account`. */
import { creditEntry, creditedAccount } from "ponder:schema";
import type { Address } from "viem";
import { lowerCase } from "../../config/rpc/hex.ts";
import type { Context, LogEvent } from "./events.ts";

/** A change of an account's credits, according to an event of its delegate. */
interface CreditChange {
  readonly delegateAddress: Address;
  readonly account: Address;
  readonly kind: (typeof creditEntry.$inferSelect)["kind"];
  readonly credits: bigint;
  /** Yield of a redemption, and otherwise 0. */
  readonly yieldAmount: bigint;
}

/** Sums over all entries of an account. */
type PositionTotals = Pick<
  typeof creditedAccount.$inferSelect,
  "depositedTotal" | "redeemedTotal" | "yieldClaimedTotal" | "movedInTotal" | "movedOutTotal"
>;

const NOTHING: PositionTotals = {
  depositedTotal: 0n,
  redeemedTotal: 0n,
  yieldClaimedTotal: 0n,
  movedInTotal: 0n,
  movedOutTotal: 0n,
};

const TOTAL_OF = {
  deposit: "depositedTotal",
  redemption: "redeemedTotal",
  movedIn: "movedInTotal",
  movedOut: "movedOutTotal",
} as const;

/** Adds a change to the sums of its account, and stores both. The account begins with its first change. */
export async function addCreditEntry(context: Context, event: LogEvent, change: CreditChange): Promise<void> {
  const { db, chain } = context;
  const { kind, credits, yieldAmount } = change;
  const key = {
    chainId: chain.id,
    delegateAddress: lowerCase(change.delegateAddress),
    account: lowerCase(change.account),
  };
  const { depositedTotal, redeemedTotal, yieldClaimedTotal, movedInTotal, movedOutTotal } =
    (await db.find(creditedAccount, key)) ?? NOTHING;
  const before = { depositedTotal, redeemedTotal, yieldClaimedTotal, movedInTotal, movedOutTotal };
  const totals: PositionTotals = {
    ...before,
    yieldClaimedTotal: yieldClaimedTotal + yieldAmount,
    [TOTAL_OF[kind]]: before[TOTAL_OF[kind]] + credits,
  };
  await db
    .insert(creditedAccount)
    .values({ ...key, ...totals })
    .onConflictDoUpdate(totals);
  await db.insert(creditEntry).values({
    ...key,
    second: event.block.timestamp,
    blockNumber: Number(event.block.number),
    logIndex: event.log.logIndex,
    kind,
    credits,
    yieldAmount,
    ...totals,
  });
}
