/** Handles events of CoreSwap. */
import { priceAdapterChange, rwa, stablecoin, swap } from "ponder:schema";
import { lowerCase } from "../../config/rpc/hex.ts";
import { recordActivity, transactionKey } from "../indexing/history.ts";
import { legFees, legValue } from "../indexing/legValue.ts";
import { on } from "../indexing/on.ts";
import { addressOrNull, registeredAssets, registerRwa, registerStablecoin } from "../indexing/registry.ts";
import { addLeg } from "../indexing/volumeTotals.ts";

on("CoreSwap:Swap", async ({ event, context }) => {
  const { args } = event;
  const [assetIn, assetOut, settling] = await registeredAssets(context, event, [
    args.assetInID,
    args.assetOutID,
    args.stablecoinDelegateID,
  ]);
  if (settling.kind !== "stablecoin") {
    throw new Error(`${context.chain.name}: the settling asset ${settling.id} of a Swap is not a stablecoin`);
  }
  const lpAddress = settling.delegateAddress;
  const user = lowerCase(args.user);
  const operator = lowerCase(args.operator);
  const receiver = lowerCase(args.receiver);

  await context.db.insert(swap).values({
    ...transactionKey(context, event),
    logIndex: event.log.logIndex,
    contract: lowerCase(event.log.address),
    user,
    operator,
    receiver,
    routeId: args.routeId,
    assetInId: assetIn.id,
    assetOutId: assetOut.id,
    stablecoinDelegateId: settling.id,
    lpAddress,
    amountIn: args.amountIn,
    amountOut: args.amountOut,
    issuerFee: args.issuerFeeAmt,
    spreadFee: args.spreadFeeAmt,
    lpFee: args.lpFeeAmt,
  });
  await recordActivity(context, event, { type: "swap", wallets: [user, operator, receiver] });

  const fees = args.issuerFeeAmt + args.spreadFeeAmt + args.lpFeeAmt;
  const value = legValue(assetIn, assetOut, { amountIn: args.amountIn, amountOut: args.amountOut, fees });
  await addLeg(context, event, { lpAddress, value, fees: legFees(settling, args) });
});

on("CoreSwap:StablecoinAcceptanceSet", async ({ event, context }) => {
  await registerStablecoin(context, event.args.stablecoinID, event.args);
});

on("CoreSwap:RWAAcceptanceSet", async ({ event, context }) => {
  await registerRwa(context, event.args.rwaID, event.args);
});

on("CoreSwap:RwaPriceAdapterSet", async ({ event, context }) => {
  const priceAdapter = addressOrNull(event.args.priceAdapter);
  const key = { chainId: context.chain.id, rwaId: lowerCase(event.args.rwaID) };
  await context.db
    .insert(rwa)
    .values({ ...key, priceAdapter })
    .onConflictDoUpdate({ priceAdapter });
  await context.db.insert(priceAdapterChange).values({
    ...key,
    second: event.block.timestamp,
    blockNumber: Number(event.block.number),
    logIndex: event.log.logIndex,
    adapterAddress: priceAdapter,
    transactionHash: lowerCase(event.transaction.hash),
  });
});

on("CoreSwap:RwaWhitelistAdapterSet", async ({ event, context }) => {
  const whitelistAdapter = addressOrNull(event.args.adapter);
  await context.db
    .insert(rwa)
    .values({ chainId: context.chain.id, rwaId: lowerCase(event.args.rwaID), whitelistAdapter })
    .onConflictDoUpdate({ whitelistAdapter });
});

on("CoreSwap:StablecoinPriceGuardrailSet", async ({ event, context }) => {
  const guardrail = {
    guardrailPriceAdapter: addressOrNull(event.args.priceAdapter),
    guardrailBandWad: event.args.band,
  };
  await context.db
    .insert(stablecoin)
    .values({ chainId: context.chain.id, stablecoinId: lowerCase(event.args.stablecoinID), ...guardrail })
    .onConflictDoUpdate(guardrail);
});

/** Follows each `StablecoinPriceGuardrailSet`, which does not say whether the guardrail is enabled. */
on("CoreSwap:StablecoinGuardrailEnabledSet", async ({ event, context }) => {
  const guardrailEnabled = event.args.enabled;
  await context.db
    .insert(stablecoin)
    .values({ chainId: context.chain.id, stablecoinId: lowerCase(event.args.stablecoinID), guardrailEnabled })
    .onConflictDoUpdate({ guardrailEnabled });
});
