/** Handles daily rates of the treasury token, which yield-bearing delegates post and correct. */
import { dailyRate, dailyRateCorrection, rateStart } from "ponder:schema";
import { lowerCase } from "../../config/rpc/hex.ts";
import { on } from "../indexing/on.ts";

on("TreasuryDelegate:DailyRatePosted", async ({ event, context }) => {
  await context.db
    .insert(dailyRate)
    .values({
      chainId: context.chain.id,
      delegateAddress: lowerCase(event.log.address),
      dayNumber: event.args.dayNumber,
      rateWad: event.args.rate,
      poster: lowerCase(event.args.poster),
      postedAt: event.block.timestamp,
      blockNumber: Number(event.block.number),
      transactionHash: lowerCase(event.transaction.hash),
    })
    // A delegate posts each day once. Any contract can emit the event again, though, which may neither stop the indexer
    // nor change a final row.
    .onConflictDoNothing();
});

on("TreasuryDelegate:DailyRateCorrected", async ({ event, context }) => {
  await context.db.insert(dailyRateCorrection).values({
    chainId: context.chain.id,
    delegateAddress: lowerCase(event.log.address),
    dayNumber: event.args.dayNumber,
    blockNumber: Number(event.block.number),
    logIndex: event.log.logIndex,
    oldRateWad: event.args.oldRate,
    newRateWad: event.args.newRate,
    corrector: lowerCase(event.args.corrector),
    correctedAt: event.block.timestamp,
    transactionHash: lowerCase(event.transaction.hash),
  });
});

on("TreasuryDelegate:FirstRatePosted", async ({ event, context }) => {
  const firstRateDay = event.args.dayNumber;
  await context.db
    .insert(rateStart)
    .values({ chainId: context.chain.id, delegateAddress: lowerCase(event.log.address), firstRateDay })
    .onConflictDoUpdate({ firstRateDay });
});
