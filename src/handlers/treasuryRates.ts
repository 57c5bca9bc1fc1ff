/** Daily rates of the treasury token, as yield-bearing delegates post and correct them. */
import { ponder } from "ponder:registry";
import { dailyRate, dailyRateCorrection, rateStart } from "ponder:schema";
import { touchChainState } from "../indexing/chainState.ts";
import { lowerCase } from "../indexing/events.ts";

ponder.on("TreasuryDelegate:DailyRatePosted", async ({ event, context }) => {
  await touchChainState(context, event);
  const posting = {
    rateWad: event.args.rate,
    poster: lowerCase(event.args.poster),
    postedAt: event.block.timestamp,
    transactionHash: lowerCase(event.transaction.hash),
  };
  await context.db
    .insert(dailyRate)
    .values({
      chainId: context.chain.id,
      delegateAddress: lowerCase(event.log.address),
      dayNumber: event.args.dayNumber,
      ...posting,
    })
    // A delegate posts a day once. Any contract may emit the event, and none may stop the indexer.
    .onConflictDoUpdate(posting);
});

ponder.on("TreasuryDelegate:DailyRateCorrected", async ({ event, context }) => {
  await touchChainState(context, event);
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

ponder.on("TreasuryDelegate:FirstRatePosted", async ({ event, context }) => {
  await touchChainState(context, event);
  const firstRateDay = event.args.dayNumber;
  await context.db
    .insert(rateStart)
    .values({ chainId: context.chain.id, delegateAddress: lowerCase(event.log.address), firstRateDay })
    .onConflictDoUpdate({ firstRateDay });
});
