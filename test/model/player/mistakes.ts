/** Transactions that must fail, each for a different reason. */
import { type Address, maxUint256, parseEther, zeroAddress, zeroHash } from "viem";
import type { Random } from "../../../localnet/random.ts";
import { dayOf, MAX_WAD } from "../arithmetic.ts";
import type { SwapInputs } from "../contracts/quoting.ts";
import type { Legs } from "./legs.ts";
import { ACTORS, assetId, RWAS, STABLECOINS, SWEPT_STABLECOIN, TREASURY, USERS } from "./terms.ts";
import type { Step, World } from "./world.ts";

export const NO_PERMIT = { deadline: 0n, signature: "0x" } as const;

export function mistake(random: Random, world: World, legs: Legs, now: bigint): Step {
  const step = (from: Address, name: string, functionName: string, ...args: readonly unknown[]): Step => ({
    from,
    call: world.call(name, functionName, ...args),
  });
  const user = random.pick(USERS).address;
  const { operator, issuer, ratePoster, stranger, admin } = ACTORS;
  const delegate = legs.treasuryDelegate;
  const today = dayOf(now);
  const last = delegate.lastRatePostingDay();
  const rate = parseEther("0.05");
  const swap = (inputs: readonly SwapInputs[], from = user, receiver: Address = user) =>
    step(from, "core", "swap", from, receiver, inputs, NO_PERMIT);
  const changed = (change: Partial<SwapInputs>) => swap([{ ...legs.random(now, user), ...change }]);
  const yearly = (functionName: string, ...args: readonly unknown[]) =>
    step(admin, "TRSY delegate", functionName, ...args);
  const rwa = random.pick(RWAS);
  const stablecoin = random.pick(STABLECOINS);
  const steps: readonly Step[] = [
    step(ratePoster, "TRSY delegate", "postDailyRate", today, rate),
    step(ratePoster, "TRSY delegate", "postDailyRate", today + 2n, rate),
    step(ratePoster, "TRSY delegate", "postDailyRate", last, rate),
    step(ratePoster, "TRSY delegate", "postDailyRate", last === 0n ? 19_990n : last + 2n, rate),
    step(ratePoster, "TRSY delegate", "postDailyRate", last + 1n, parseEther("0.5")),
    step(stranger, "TRSY delegate", "postDailyRate", last + 1n, rate),
    yearly("correctDailyRate", delegate.firstRateDay() - (last === 0n ? 0n : 1n), rate),
    yearly("correctDailyRate", last + 1n, rate),
    yearly("correctDailyRate", last, parseEther("1.01")),
    step(stranger, "TRSY delegate", "correctDailyRate", last, rate),
    step(stranger, "TRSY delegate", "accrueInterest", user, 0n, 1n),
    step(stranger, "TRSY delegate", "accrueInterest", user, 1n, 0n),
    yearly("setUserYieldMultiplier", user, parseEther("1") - 1n),
    yearly("setUserYieldMultiplier", user, parseEther("10") + 1n),
    yearly("setUserYieldMultiplier", stranger, parseEther("2")),
    step(stranger, "TRSY delegate", "setUserYieldMultiplier", user, parseEther("2")),
    yearly("setMaxDailyRate", parseEther("1") + 1n),
    yearly("setMaxFallbackRateSeconds", random.between(1n, 86_399n)),
    yearly("setMaxFallbackRateSeconds", 7n * 86_400n + 1n),
    step(issuer, "TRSY delegate", "setManagementFee", parseEther("0.05") + 1n),
    step(stranger, "TRSY delegate", "setManagementFee", 0n),
    step(issuer, "TRSY delegate", "setRWADiscountRate", assetId(rwa.symbol), parseEther("0.99") + 1n),
    step(issuer, "TRSY delegate", "setRWACustodyAddress", user),
    step(issuer, "TRSY delegate", "setStablecoinCustodyAddress", zeroAddress),
    step(issuer, `${stablecoin.symbol} delegate`, "setAutoLiquidityStablecoinID", assetId(stablecoin.symbol)),
    step(issuer, `${stablecoin.symbol} delegate`, "setAutoLiquidityStablecoinID", assetId(rwa.symbol)),
    step(operator, "core", "setStablecoinUSDValue", assetId(TREASURY), parseEther("1") - 1n),
    step(operator, "core", "setSpreadProtocolTakeRate", parseEther("1") + 1n),
    step(operator, "core", "setIssuerPaidProtocolFeeRate", assetId(TREASURY), parseEther("0.99") + 1n),
    step(operator, "core", "setMaxSwapLegs", random.pick([0n, 33n])),
    step(stranger, "core", "setSpreadProtocolTakeRate", 0n),
    step(stranger, "core", "pause"),
    step(operator, "core", "unpause"),
    step(admin, "TRSY delegate", "unpause"),
    swap([]),
    swap(Array.from({ length: 11 }, () => legs.random(now, user))),
    swap([legs.random(now, user)], user, zeroAddress),
    swap([legs.random(now, user)], user, world.address("core")),
    step(user, "core", "swap", zeroAddress, user, [legs.random(now, user)], NO_PERMIT),
    swap([legs.random(now, user)], ACTORS.stablecoinCustody),
    swap([legs.random(now, user)], user, ACTORS.rwaCustody),
    swap([legs.random(now, user)], user, world.address("S18 delegate")),
    swap([legs.random(now, user)], stranger),
    changed({ routeId: random.pick([0n, 9n, maxUint256]) }),
    changed({ assetInID: zeroHash }),
    changed({ assetOutID: assetId("an unknown asset") }),
    changed({ stablecoinDelegateID: assetId(rwa.symbol) }),
    changed({ stablecoinDelegateID: assetId(SWEPT_STABLECOIN) }),
    changed({ stablecoinDelegateID: assetId(TREASURY) }),
    changed({ assetInAmt: 0n, assetOutAmt: 0n }),
    changed({ assetInAmt: 0n }),
    changed({ routeId: random.pick([5n, 6n]), assetInID: assetId(rwa.symbol), assetOutID: assetId(rwa.symbol) }),
    changed({
      ...{ routeId: random.pick([7n, 8n]), stablecoinDelegateID: assetId(stablecoin.symbol) },
      ...{ assetInID: assetId(stablecoin.symbol), assetOutID: assetId(stablecoin.symbol) },
    }),
    swap([huge(random, now, user, legs)]),
    step(user, "core", "swap", user, user, [legs.random(now, user)], { deadline: now - 1n, signature: "0x" }),
  ];
  return random.pick(steps);
}

/** A leg whose exact side is the largest allowed amount, one unit above it, or the largest number. */
function huge(random: Random, now: bigint, user: Address, legs: Legs): SwapInputs {
  const rwa = random.pick(RWAS);
  const stablecoin = random.pick(STABLECOINS);
  const routeId = random.pick([1n, 2n, 3n, 4n]);
  const [assetIn, assetOut] = routeId <= 2n ? [rwa, stablecoin] : [stablecoin, rwa];
  const isExactIn = routeId % 2n === 1n;
  const largest = MAX_WAD / 10n ** BigInt(18 - (isExactIn ? assetIn : assetOut).decimals);
  const amount = random.pick([largest, largest + 1n, maxUint256]);
  const pair = { assetIn: assetIn.symbol, assetOut: assetOut.symbol, lp: stablecoin.symbol };
  const leg = legs.onRoute(now, user, routeId, pair);
  return isExactIn
    ? { ...leg, assetInAmt: amount, assetOutAmt: 0n }
    : { ...leg, assetInAmt: maxUint256, assetOutAmt: amount };
}
