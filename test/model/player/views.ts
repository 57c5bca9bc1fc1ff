/** The views that are compared, with arguments near the bounds of their results. */
import type { Address } from "viem";
import type { Random } from "../../../localnet/random.ts";
import type { Call } from "../contracts/protocol.ts";
import type { Legs } from "./legs.ts";
import { ACTORS, assetId, RWAS, STABLECOINS, SWEPT_STABLECOIN, TREASURY, USERS } from "./terms.ts";
import type { World } from "./world.ts";

/** Views of the credits, values and balances of one account. */
export function accountViews(random: Random, world: World, legs: Legs, account: Address): Call[] {
  const credits = (functionName: string, ...args: readonly unknown[]) =>
    world.call("TRSY delegate", functionName, account, ...args);
  const available = legs.treasuryDelegate.creditsOf(account);
  const withheld = legs.treasuryDelegate.totalWithheldCredits(account);
  const amounts = [0n, 1n, withheld, available, available + 1n, random.between(0n, 1000n) * (available / 1000n)];
  return [
    ...["credits", "totalWithheldCredits", "getWithheldCredits", "yieldMultiplier", "lastAccrualDay"].map((name) =>
      credits(name),
    ),
    ...amounts.flatMap((amount) =>
      [true, false].flatMap((isStablecoin) => [
        credits("getYieldAmount", amount, isStablecoin),
        credits("getAmountForTargetValue", amount, isStablecoin),
      ]),
    ),
    credits("getAmountForTargetValue", (available * random.between(1000n, 1200n)) / 1000n, true),
    ...[...STABLECOINS, ...RWAS, { symbol: TREASURY }].map(({ symbol }) =>
      world.call(`${symbol} token`, "balanceOf", account),
    ),
    world.call("core", "nonces", account),
    ...[...STABLECOINS, ...RWAS, { symbol: TREASURY }].map(({ symbol }) =>
      world.call("core", "swapInputAllowances", account, ACTORS.broker, assetId(symbol)),
    ),
    world.call("TRSY token", "allowance", account, world.address("TRSY delegate")),
  ];
}

/** Views of one LP: caps and what is left of them, custody, pause and issuer admins. */
function intakeViews(world: World, lp: string): Call[] {
  const name = `${lp} delegate`;
  return [
    ...[...STABLECOINS, ...RWAS].map(({ symbol }) => world.call(name, "intakeCap", world.address(`${symbol} token`))),
    ...["balanceSheetCustodyAddress", "stablecoinCustodyAddress", "emergencyPaused", "issuerPaused"].map((view) =>
      world.call(name, view),
    ),
    ...[ACTORS.rwaCustody, ACTORS.treasuryRwaCustody, ACTORS.unlistedCustody].map((account) =>
      world.call(name, "custodyListing", account),
    ),
    ...[ACTORS.issuer, ACTORS.stranger].map((account) => world.call(name, "issuerAdmins", account)),
  ];
}

/** Views of rates, supplies and settings, and of what the delegates store themselves. */
export function protocolViews(random: Random, world: World, legs: Legs): Call[] {
  const delegate = legs.treasuryDelegate;
  const first = delegate.firstRateDay();
  const last = delegate.lastRatePostingDay();
  const days = [first - 1n, first, last, last + 1n, ...Array.from({ length: 5 }, () => random.between(first, last))];
  const symbols = [TREASURY, ...STABLECOINS.map(({ symbol }) => symbol)];
  return [
    ...[
      ...["firstRateDay", "lastRatePostingDay", "managementFee", "maxDailyRate", "maxFallbackRateSeconds", "paused"],
      ...["getCurrentDay"],
    ].map((name) => world.call("TRSY delegate", name)),
    ...days
      .filter((day) => day >= 0n)
      .flatMap((day) =>
        ["dailyRates", "ratePosted", "getDailyRate"].map((name) => world.call("TRSY delegate", name, day)),
      ),
    ...[...symbols, ...RWAS.map(({ symbol }) => symbol)].flatMap((symbol) => [
      world.call(`${symbol} token`, "totalSupply"),
      ...symbols.map((lp) => world.call(`${symbol} token`, "balanceOf", world.address(`${lp} delegate`))),
    ]),
    ...symbols.flatMap((symbol) =>
      ["stablecoinUSDValue", "issuerPaidProtocolFeeRates", "protocolFeeExempt", "autoLiquidityStablecoinIDs"].map(
        (name) => world.call("core", name, assetId(symbol)),
      ),
    ),
    ...[SWEPT_STABLECOIN, TREASURY].map((symbol) =>
      world.call("core", "swapInputAllowances", ACTORS.stablecoinCustody, world.address("core"), assetId(symbol)),
    ),
    ...RWAS.flatMap(({ symbol }) =>
      ["getPrice", "availableMoveWad"].map((name) => world.call(`${symbol} price`, name)),
    ),
    ...symbols.flatMap((lp) => intakeViews(world, lp)),
    world.call("TRSY token", "bridgeLimit", ACTORS.bridge),
    ...symbols.map((symbol) => world.call("core", "stablecoinInfo", assetId(symbol))),
    ...RWAS.map(({ symbol }) => world.call("core", "rwaInfo", assetId(symbol))),
    ...["capIn", "capOut", "lastUser", "lastReceiver"].map((name) => world.call("risk", name)),
    ...USERS.map(({ address }) => world.call("TRSY token", "whitelisted", address)),
    ...["paused", "coreVault"].map((name) => world.call("core", name)),
  ];
}
