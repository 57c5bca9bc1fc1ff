/** Conditions that prevent swaps for a while, each with the step that ends it. */
import { type Address, maxUint256, zeroAddress } from "viem";
import type { Random } from "../../../localnet/random.ts";
import { UNLIMITED_INTAKE } from "../contracts/delegate.ts";
import type { Protocol } from "../contracts/protocol.ts";
import { capIntake } from "./administration.ts";
import {
  ACTORS,
  assetId,
  CONTROLLED_RWA,
  GUARDRAIL_BAND,
  RWAS,
  STABLECOINS,
  SWEPT_STABLECOIN,
  TREASURY,
  USERS,
} from "./terms.ts";
import type { Step, World } from "./world.ts";

export interface Disturbance {
  readonly begin: Step;
  readonly end: Step;
  /** The user and the assets whose swaps the disturbance prevents. */
  readonly subject: Subject;
}

/** A user and the symbols of assets. */
export interface Subject {
  readonly user: Address;
  readonly rwa: string;
  readonly stablecoin: string;
  readonly lp: string;
}

export function disturb(random: Random, world: World, protocol: Protocol): Disturbance {
  const step = (from: Address, name: string, functionName: string, ...args: readonly unknown[]): Step => ({
    from,
    call: world.call(name, functionName, ...args),
  });
  const { admin, operator, issuer, blacklister, broker, stablecoinCustody } = ACTORS;
  const user = random.pick(USERS).address;
  const rwa = random.pick(RWAS);
  const stablecoin = random.pick(STABLECOINS);
  const lp = random.pick([TREASURY, ...STABLECOINS.map(({ symbol }) => symbol)]);
  const lpDelegate = `${lp} delegate`;
  const rwaToken = world.address(`${rwa.symbol} token`);
  const risk = rwa.symbol === CONTROLLED_RWA ? world.address("risk") : zeroAddress;
  const stablecoinToken = world.address(`${stablecoin.symbol} token`);
  const acceptance = (symbol: string, accepted: boolean) => [
    ...[assetId(symbol), world.address(`${symbol} delegate`), world.address(`${symbol} token`)],
    ...[accepted, symbol === TREASURY],
  ];
  const guardrail = (enabled: boolean) => [
    ...[assetId(stablecoin.symbol), world.address(`${stablecoin.symbol} price`), GUARDRAIL_BAND, enabled],
  ];
  const drained = protocol.token(stablecoinToken).balanceOf(ACTORS.treasuryStablecoinCustody);
  const barred = random.pick([user, broker, stablecoinCustody]);
  const swept = world.address(`${SWEPT_STABLECOIN} token`);
  const reserveRate = (rate: bigint) => step(issuer, "TRSY delegate", "setStablecoinRedemptionFee", swept, rate);
  const pairs: readonly (readonly [begin: Step, end: Step, subject?: Partial<Subject>])[] = [
    [
      step(issuer, lpDelegate, "setIntakeCap", rwaToken, random.pick([0n, 1n, 10n ** 7n])),
      capIntake(world, lp, rwa.symbol, UNLIMITED_INTAKE),
    ],
    [
      step(admin, "TRSY delegate", "setIntakeCap", stablecoinToken, random.pick([0n, 10n, 10n ** 9n])),
      capIntake(world, TREASURY, stablecoin.symbol, UNLIMITED_INTAKE),
    ],
    ...[10n ** 16n + 1n, 10n ** 17n].map((rate): [Step, Step, Partial<Subject>] => [
      ...([reserveRate(rate), reserveRate(10n ** 16n)] as const),
      { stablecoin: SWEPT_STABLECOIN, lp: SWEPT_STABLECOIN },
    ]),
    [step(admin, lpDelegate, "removeIssuerAdmin", issuer), step(admin, lpDelegate, "addIssuerAdmin", issuer)],
    [
      step(ACTORS.stablecoinCustody, `${SWEPT_STABLECOIN} delegate`, "revokeCustody"),
      step(ACTORS.stablecoinCustody, `${SWEPT_STABLECOIN} delegate`, "acceptCustody"),
    ],
    [step(ACTORS.pauser, "core", "pause"), step(operator, "core", "unpause")],
    [step(operator, "core", "pause"), step(operator, "core", "unpause")],
    [step(admin, lpDelegate, "pause"), step(admin, lpDelegate, "unpause")],
    [step(issuer, lpDelegate, "pauseCore"), step(issuer, lpDelegate, "unpause")],
    [
      step(blacklister, "core", "setBlacklisted", barred, true),
      step(blacklister, "core", "setBlacklisted", barred, false),
    ],
    [step(issuer, lpDelegate, "setBlacklist", user, true), step(issuer, lpDelegate, "setBlacklist", user, false)],
    [step(admin, "TRSY token", "addToBlacklist", user), step(admin, "TRSY token", "removeFromBlacklist", user)],
    [step(admin, "TRSY token", "removeFromWhitelist", user), step(admin, "TRSY token", "addToWhitelist", user)],
    [step(admin, "TRSY token", "pause"), step(admin, "TRSY token", "unpause")],
    [step(user, "register", "set", user, false), step(user, "register", "set", user, true)],
    [
      step(operator, "core", "setRwaPriceAdapter", assetId(rwa.symbol), world.address("no price")),
      step(operator, "core", "setRwaPriceAdapter", assetId(rwa.symbol), world.address(`${rwa.symbol} price`)),
    ],
    [
      step(operator, "core", "setRWAAcceptance", assetId(rwa.symbol), risk, rwaToken, false),
      step(operator, "core", "setRWAAcceptance", assetId(rwa.symbol), risk, rwaToken, true),
    ],
    [
      step(operator, "core", "setStablecoinAcceptance", ...acceptance(lp, false)),
      step(operator, "core", "setStablecoinAcceptance", ...acceptance(lp, true)),
    ],
    [
      step(issuer, lpDelegate, "whitelistRWA", rwaToken, false),
      step(issuer, lpDelegate, "whitelistRWA", rwaToken, true),
    ],
    [
      step(issuer, "TRSY delegate", "whitelistStablecoin", stablecoinToken, false),
      step(issuer, "TRSY delegate", "whitelistStablecoin", stablecoinToken, true),
    ],
    [
      step(operator, "core", "setStablecoinUSDValue", assetId(stablecoin.symbol), 0n),
      step(operator, "core", "setStablecoinUSDValue", assetId(stablecoin.symbol), stablecoin.usdWad),
    ],
    [
      step(operator, "core", "configureStablecoinGuardrail", ...guardrail(false)),
      step(operator, "core", "configureStablecoinGuardrail", ...guardrail(true)),
    ],
    [
      step(user, `${stablecoin.symbol} price`, "setPrice", random.pick([0n, (stablecoin.usdWad * 102n) / 100n])),
      step(user, `${stablecoin.symbol} price`, "setPrice", stablecoin.usdWad),
    ],
    [
      step(user, "TRSY token", "approve", world.address("TRSY delegate"), random.between(0n, 10n ** 18n)),
      step(user, "TRSY token", "approve", world.address("TRSY delegate"), maxUint256),
    ],
    [
      step(ACTORS.treasuryStablecoinCustody, `${stablecoin.symbol} token`, "transfer", ACTORS.stranger, drained),
      step(ACTORS.stranger, `${stablecoin.symbol} token`, "transfer", ACTORS.treasuryStablecoinCustody, drained),
    ],
    [
      step(issuer, `${SWEPT_STABLECOIN} delegate`, "setAutoLiquidityStablecoinID", `0x${"0".repeat(64)}`),
      step(issuer, `${SWEPT_STABLECOIN} delegate`, "setAutoLiquidityStablecoinID", assetId(TREASURY)),
    ],
    [
      step(stablecoinCustody, `${SWEPT_STABLECOIN} token`, "approve", world.address("TRSY delegate"), 0n),
      step(stablecoinCustody, `${SWEPT_STABLECOIN} token`, "approve", world.address("TRSY delegate"), maxUint256),
    ],
  ];
  const [begin, end, subject] = random.pick(pairs);
  return { begin, end, subject: { user, rwa: rwa.symbol, stablecoin: stablecoin.symbol, lp, ...subject } };
}
