/** Handles events by which CoreSwap announces values, rates and settings. */
import { lpRwaRate, lpStablecoinRate, protocolSettings, stablecoin } from "ponder:schema";
import type { Address, Hex } from "viem";
import { lowerCase } from "../../config/rpc/hex.ts";
import type { Context } from "../indexing/events.ts";
import { on } from "../indexing/on.ts";

on("CoreSwap:StablecoinUSDValueSet", async ({ event, context }) => {
  await setTerms(context, event.args.stablecoinID, {
    usdValueWad: event.args.value,
    usdValueSetAt: event.block.timestamp,
    usdValueBlockNumber: Number(event.block.number),
  });
});

on("CoreSwap:IssuerPaidProtocolFeeRateSet", async ({ event, context }) => {
  await setTerms(context, event.args.stablecoinID, { issuerPaidProtocolFeeRateWad: event.args.newRate });
});

on("CoreSwap:ProtocolFeeExemptSet", async ({ event, context }) => {
  await setTerms(context, event.args.stablecoinID, { protocolFeeExempt: event.args.exempt });
});

on("CoreSwap:DiscountRateSet", async ({ event, context }) => {
  await setRwaRate(context, event.args, { discountRateWad: event.args.rate });
});

on("CoreSwap:RedemptionFeeSet", async ({ event, context }) => {
  await setRwaRate(context, event.args, { redemptionFeeWad: event.args.rate });
});

on("CoreSwap:StablecoinAcceptanceFeeSet", async ({ event, context }) => {
  await setStablecoinRate(context, event.args, { acceptanceFeeWad: event.args.rate });
});

on("CoreSwap:StablecoinRedemptionFeeSet", async ({ event, context }) => {
  await setStablecoinRate(context, event.args, { redemptionFeeWad: event.args.rate });
});

on("CoreSwap:SpreadProtocolTakeRateSet", async ({ event, context }) => {
  await setProtocol(context, { spreadProtocolTakeRateWad: event.args.newRate });
});

on("CoreSwap:Paused", async ({ context }) => {
  await setProtocol(context, { paused: true });
});

on("CoreSwap:Unpaused", async ({ context }) => {
  await setProtocol(context, { paused: false });
});

async function setTerms(context: Context, stablecoinId: Hex, terms: Partial<typeof stablecoin.$inferInsert>) {
  await context.db
    .insert(stablecoin)
    .values({ chainId: context.chain.id, stablecoinId: lowerCase(stablecoinId), ...terms })
    .onConflictDoUpdate(terms);
}

interface RwaPair {
  readonly stablecoinID: Hex;
  readonly rwaID: Hex;
}

async function setRwaRate(context: Context, pair: RwaPair, rate: Partial<typeof lpRwaRate.$inferInsert>) {
  await context.db
    .insert(lpRwaRate)
    .values({
      chainId: context.chain.id,
      stablecoinId: lowerCase(pair.stablecoinID),
      rwaId: lowerCase(pair.rwaID),
      ...rate,
    })
    .onConflictDoUpdate(rate);
}

interface StablecoinPair {
  /** The LP's stablecoin, in both directions of a swap with the foreign stablecoin. */
  readonly stablecoinOutID: Hex;
  /** The foreign stablecoin. */
  readonly stablecoinIn: Address;
}

async function setStablecoinRate(
  context: Context,
  pair: StablecoinPair,
  rate: Partial<typeof lpStablecoinRate.$inferInsert>,
) {
  await context.db
    .insert(lpStablecoinRate)
    .values({
      chainId: context.chain.id,
      stablecoinId: lowerCase(pair.stablecoinOutID),
      tokenAddress: lowerCase(pair.stablecoinIn),
      ...rate,
    })
    .onConflictDoUpdate(rate);
}

async function setProtocol(context: Context, settings: Partial<typeof protocolSettings.$inferInsert>) {
  await context.db
    .insert(protocolSettings)
    .values({ chainId: context.chain.id, ...settings })
    .onConflictDoUpdate(settings);
}
