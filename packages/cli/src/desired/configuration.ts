/** The configuration file, from which the deployment script deploys. It defines the desired state of a deployment. */
import { WAD } from "@coreswap/sdk";
import { type Hex, maxUint64, maxUint88, maxUint192, stringToHex, zeroAddress } from "viem";
import { z } from "zod";
import { Failure } from "../failure.ts";
import { address as anyAddress, assetId, readJson } from "../jsonFile.ts";
import { NO_DAILY_LIMIT } from "../text.ts";

/** Highest rate that CoreSwap accepts. */
const MAX_RATE_WAD = (WAD * 99n) / 100n;
const DAY_SECONDS = 86_400n;
/** Bounds of the deployment script on the delay of the timelock. */
export const MIN_DELAY_SECONDS = DAY_SECONDS;
const MAX_DELAY_SECONDS = 30n * DAY_SECONDS;

const address = anyAddress.refine((account) => account !== zeroAddress, "the zero address is not accepted");

const optionalAddress = address.nullish().transform((account) => account ?? null);
const whole = z
  .union([z.string().regex(/^\d+$/, "expected a whole number"), z.int().min(0)])
  .transform((value) => BigInt(value));
const within = (least: bigint, most: bigint) =>
  whole.refine((value) => value >= least && value <= most, `expected a number from ${least} to ${most}`);
const rate = within(0n, MAX_RATE_WAD);
const cap = within(0n, NO_DAILY_LIMIT);
const accounts = z
  .array(address)
  .nullish()
  .transform((given) => given ?? []);
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

const guardrail = z
  .strictObject({ priceAdapter: address, bandWad: within(1n, WAD - 1n), enabled: z.boolean() })
  .nullish()
  .transform((given) => given ?? { priceAdapter: zeroAddress, bandWad: 0n, enabled: false });

const asset = {
  symbol: z.string().min(1),
  id: assetId.nullish(),
};
const token = { ...asset, name: z.string(), token: optionalAddress, decimals: z.int().min(0).max(18) };

/** Bounds with which a treasury delegate starts. */
const INITIAL_MAX_DAILY_RATE_WAD = WAD / 5n;
const INITIAL_FALLBACK_WINDOW_SECONDS = 3n * DAY_SECONDS;

const lp = {
  issuerAdmin: address,
  // The deployment script does not set these three.
  furtherIssuerAdmins: accounts,
  rwaColdStorage: accounts,
  stablecoinColdStorage: accounts,
  rwaCustody: optionalAddress,
  stablecoinCustody: optionalAddress,
  issuerPaidProtocolFeeRateWad: rate,
  protocolFeeExempt: z.boolean(),
  guardrail,
  rwas: z.array(z.strictObject({ symbol: z.string(), discountRateWad: rate, redemptionFeeWad: rate, intakeCap: cap })),
  stablecoins: z.array(
    z.strictObject({ symbol: z.string(), acceptanceFeeWad: rate, redemptionFeeWad: rate, intakeCap: cap }),
  ),
};

const configurationSchema = z
  .strictObject({
    network: z.string(),
    chainId: z.int().positive(),
    deployTestTokens: flag,
    broadcastPartySteps: flag,
    governance: z.enum(["timelock", "accounts"]),
    timelock: z
      .strictObject({
        delaySeconds: within(MIN_DELAY_SECONDS, MAX_DELAY_SECONDS),
        proposer: address,
        recovery: optionalAddress,
      })
      .refine(({ proposer, recovery }) => recovery !== proposer, {
        path: ["recovery"],
        error: "expected an account other than the proposer, or null",
      })
      .nullish(),
    plainAccounts: z.array(address).nullish(),
    roles: z.strictObject({
      admin: optionalAddress,
      operator: optionalAddress,
      guardian: address,
      blacklister: address,
      externalPauser: address,
      vault: address,
    }),
    maxSwapLegs: within(1n, 32n),
    spreadProtocolTakeRateWad: within(0n, WAD),
    treasury: z.strictObject({
      ...asset,
      ...lp,
      admin: optionalAddress,
      operator: optionalAddress,
      pauser: address,
      whitelister: address,
      blacklister: address,
      delegateOperator: address,
      ratePoster: address,
      initialRateWad: within(0n, WAD / 5n),
      managementFeeWad: within(0n, WAD / 20n),
      // The deployment script does not set what follows.
      maxDailyRateWad: within(0n, WAD)
        .nullish()
        .transform((value) => value ?? INITIAL_MAX_DAILY_RATE_WAD),
      maxFallbackRateSeconds: whole
        .refine(
          (value) => value === 0n || (value >= DAY_SECONDS && value <= 7n * DAY_SECONDS),
          "expected 0, or a number from 86400 to 604800",
        )
        .nullish()
        .transform((value) => value ?? INITIAL_FALLBACK_WINDOW_SECONDS),
      bridges: z.array(z.strictObject({ address, limitPerDay: within(0n, NO_DAILY_LIMIT - 1n) })).nullish(),
    }),
    rwas: z.array(
      z
        .strictObject({
          ...token,
          navWad: within(1n, maxUint192),
          maxMovePerPostWad: within(1n, WAD - 1n),
          maxMovePerDayWad: within(1n, WAD - 1n),
          maxAgeSeconds: within(0n, maxUint64),
          navPoster: address,
        })
        .refine(({ maxMovePerPostWad, maxMovePerDayWad }) => maxMovePerDayWad >= maxMovePerPostWad, {
          path: ["maxMovePerDayWad"],
          error: "expected at least maxMovePerPostWad",
        }),
    ),
    stablecoins: z.array(
      z
        .strictObject({
          ...token,
          ...lp,
          usdValueWad: within(1n, maxUint88),
          autoLiquidity: flag,
          sweepAllowance: whole.nullish(),
          intakeCap: cap.nullish(),
        })
        .refine(({ autoLiquidity, sweepAllowance }) => !autoLiquidity || (sweepAllowance ?? 0n) > 0n, {
          path: ["sweepAllowance"],
          error: "expected an amount, since autoLiquidity is on",
        })
        // Otherwise the stolen key of a stablecoin custody could take all RWAs of another custody, and the keys of an
        // issuer admin and a cold storage all RWAs of the delegate.
        .refine(
          ({ rwaCustody, stablecoinCustody, intakeCap }) =>
            (stablecoinCustody !== null && stablecoinCustody === rwaCustody) === ((intakeCap ?? null) === null),
          {
            path: ["intakeCap"],
            error: "expected a cap, but null if one account other than the delegate is both custodies",
          },
        ),
    ),
  })
  // Without it, nothing would be compared with the timelock of the deployment.
  .refine(({ governance, timelock }) => (governance === "timelock") === !!timelock, {
    path: ["timelock"],
    error: 'expected its terms if governance is "timelock", and null if it is "accounts"',
  })
  .refine(
    ({ governance, roles, treasury }) =>
      governance === "accounts" ||
      [roles.admin, roles.operator, treasury.admin, treasury.operator].every((account) => account === null),
    {
      path: ["roles"],
      error: "expected null as admin and operator, also of the treasury, since the timelock takes their place",
    },
  )
  // A proposer that can cancel would cancel its own removal.
  .refine(({ roles: { guardian }, timelock }) => guardian !== timelock?.proposer && guardian !== timelock?.recovery, {
    path: ["roles", "guardian"],
    error: "expected an account other than the proposers of the timelock",
  });

export type Configuration = z.infer<typeof configurationSchema>;
export type ConfiguredRwa = Configuration["rwas"][number];
export type ConfiguredStablecoin = Configuration["stablecoins"][number];
export type ConfiguredBridge = NonNullable<Configuration["treasury"]["bridges"]>[number];

/**
 * Reads a configuration file. Checks accounts and bounds as the deployment script does, but not what takes a node, such
 * as whether an account has code.
 * @param option path; default: the variable DEPLOY_CONFIG
 * @throws Failure when there is no file, or a field is missing, unknown, of another kind or out of bounds
 */
export function readConfiguration(option: string | undefined): Configuration {
  const path = option ?? process.env.DEPLOY_CONFIG;
  if (!path) throw new Failure("no configuration: give --config, or set DEPLOY_CONFIG");
  const parsed = configurationSchema.safeParse(readJson(path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure(`${path}: ${issue?.path.join(".") || "the file"}: ${issue?.message}`);
}

/** The ID of an asset. Without an ID in the file, it is the bytes of the symbol. */
export function configuredId({ id, symbol }: { readonly id?: Hex | null | undefined; readonly symbol: string }): Hex {
  return id ?? stringToHex(symbol, { size: 32 });
}
