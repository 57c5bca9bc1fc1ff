import { ponder } from "ponder:registry";
import { call, notice, swap } from "ponder:schema";

const CHAIN_ID = 1;

ponder.on("CoreSwap:Swap", async ({ event, context }) => {
  const { args } = event;
  await context.db.insert(swap).values({
    chainId: CHAIN_ID,
    blockNumber: Number(event.block.number),
    logIndex: event.log.logIndex,
    user: args.user,
    operator: args.operator,
    receiver: args.receiver,
    routeId: args.routeId,
    assetInId: args.assetInID,
    assetOutId: args.assetOutID,
    stablecoinDelegateId: args.stablecoinDelegateID,
    amountIn: args.amountIn,
    amountOut: args.amountOut,
    issuerFee: args.issuerFeeAmt,
    spreadFee: args.spreadFeeAmt,
    lpFee: args.lpFeeAmt,
  });
});

for (const source of ["CoreSwapCalls:transaction:to", "TreasuryCalls:transaction:to"] as const) {
  ponder.on(source, async ({ event, context }) => {
    await context.db.insert(call).values({
      chainId: CHAIN_ID,
      blockNumber: Number(event.block.number),
      transactionIndex: event.transaction.transactionIndex,
      hash: event.transaction.hash,
      sender: event.transaction.from,
      recipient: event.transaction.to,
      input: event.transaction.input,
      outcome: event.transactionReceipt.status,
      gasUsed: event.transactionReceipt.gasUsed,
    });
  });
}

for (const name of [
  "CoreSwap:StablecoinAcceptanceSet",
  "CoreSwap:RWAAcceptanceSet",
  "CoreSwap:RwaPriceAdapterSet",
  "CoreSwap:RwaWhitelistAdapterSet",
  "CoreSwap:StablecoinPriceGuardrailSet",
  "Treasury:AddedToWhitelist",
  "Treasury:RemovedFromWhitelist",
  "StablecoinDelegate:IssuerAdminAdded",
  "StablecoinDelegate:IssuerAdminRemoved",
  "TreasuryDelegate:DailyRatePosted",
  "TreasuryDelegate:DailyRateCorrected",
  "TreasuryDelegate:FirstRatePosted",
] as const) {
  ponder.on(name, async ({ event, context }) => {
    await context.db.insert(notice).values({
      chainId: CHAIN_ID,
      blockNumber: Number(event.block.number),
      logIndex: event.log.logIndex,
      name,
      contract: event.log.address,
    });
  });
}
