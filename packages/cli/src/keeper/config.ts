/** The keeper's configuration: one JSON file, which is checked completely before anything else happens. */
import { isAbsolute } from "node:path";
import { WAD } from "@coreswap/sdk";
import { parseUnits } from "viem";
import { z } from "zod";
import { bySymbol, type Deployment, liquidityProviders, type Rwa } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { address, readJson } from "../jsonFile.ts";
import { GWEI_DECIMALS, isGuarded, readAmount } from "../text.ts";

/** Lets a round fail, and the next ones succeed, before the alert CoreSwapKeeperBlind after 300 seconds. */
const MAX_POLL_SECONDS = 60;

const seconds = z.int("expected a whole number of seconds").positive("expected at least 1 second");
const units = (decimals: number, example: string) =>
  z
    .string(`expected a decimal number in quotes, such as "${example}"`)
    .refine(
      (text) => new RegExp(`^\\d+(\\.\\d{1,${decimals}})?$`).test(text),
      `expected a number such as "${example}", with at most ${decimals} decimals`,
    )
    .transform((text) => parseUnits(text, decimals));
const ratio = z
  .string()
  .regex(/^\d+(\.\d{1,16})?%$/, 'expected a percentage such as "100%"')
  .transform((text) => parseUnits(text.slice(0, -1), 16));

const guardedUrl = z
  .string()
  .refine(isGuarded, "expected an https URL without a password; http is accepted for this machine only");
const navSource = z
  .string()
  .refine(
    (text) => isGuarded(text) || isAbsolute(text),
    "expected an https URL without a password, or the absolute path of a file",
  );

const fields = z.strictObject({
  network: z.string().min(1),
  rpcUrl: z.string().refine((text) => /^https?:/.test(text) && URL.canParse(text), "expected an http or https URL"),
  keystore: z.string().min(1).optional(),
  passwordFile: z.string().min(1).optional(),
  remoteSigner: z.strictObject({ url: guardedUrl, address }).optional(),
  /** Null if this is the only keeper. */
  databaseUrl: z
    .string()
    .refine((text) => /^postgres(ql)?:/.test(text) && URL.canParse(text), "expected a postgresql URL")
    .nullable(),
  host: z.string().min(1).default("127.0.0.1"),
  port: z.int().min(0).max(65_535).default(42_080),
  pollSeconds: seconds.max(MAX_POLL_SECONDS, `expected at most ${MAX_POLL_SECONDS} seconds`).default(15),
  gas: z
    .strictObject({
      maxFeeGwei: units(GWEI_DECIMALS, "60"),
      priorityFeeGwei: units(GWEI_DECIMALS, "1"),
      replaceAfterSeconds: seconds.default(120),
      minBalanceEth: units(18, "0.05"),
    })
    .refine(({ maxFeeGwei, priorityFeeGwei }) => maxFeeGwei > 0n && priorityFeeGwei <= maxFeeGwei, {
      message: "expected maxFeeGwei above zero, and priorityFeeGwei at most maxFeeGwei",
    }),
  rates: z.strictObject({ adapter: address, lateAfterSeconds: seconds.default(43_200) }).optional(),
  navs: z
    .array(
      z.strictObject({
        rwa: z.string().min(1),
        source: navSource,
        signer: address,
        maxAgeSeconds: seconds,
        minIntervalSeconds: seconds.default(3_600),
      }),
    )
    .default([]),
  accounts: z
    .strictObject({
      blocksPerRequest: z.int().positive().default(10_000),
      everySeconds: seconds.default(3_600),
      minimumSolvency: ratio.default(WAD),
    })
    .optional(),
  minimums: z.array(z.strictObject({ lp: z.string(), asset: z.string(), amount: z.string() })).default([]),
  alerts: z
    .strictObject({
      webhookUrl: guardedUrl.nullable(),
      graceSeconds: seconds.default(120),
      repeatSeconds: seconds.default(21_600),
      ignore: z.array(z.string()).default([]),
    })
    .prefault({ webhookUrl: null }),
});

/** The fields, of which those that say what signs become one. */
const configSchema = fields.transform(({ keystore, passwordFile, remoteSigner, ...config }, context) => {
  const isKeystore = keystore !== undefined && passwordFile !== undefined;
  if (isKeystore && remoteSigner === undefined) return { ...config, signer: { keystore, passwordFile } };
  if (remoteSigner !== undefined && keystore === undefined && passwordFile === undefined) {
    return { ...config, signer: remoteSigner };
  }
  const message = "expected keystore and passwordFile, or remoteSigner alone";
  context.issues.push({ code: "custom", message, input: keystore });
  return z.NEVER;
});

export type KeeperConfig = z.infer<typeof configSchema>;
export type GasSettings = KeeperConfig["gas"];

/** How the keeper posts the NAV of one RWA. */
export interface NavDuty extends Omit<KeeperConfig["navs"][number], "rwa"> {
  readonly rwa: Rwa;
}

/** The least amount that an LP must be able to take from its custody. */
export interface Minimum {
  readonly lp: string;
  readonly asset: string;
  /** In token units. */
  readonly amount: bigint;
}

/**
 * Reads the configuration.
 * @throws Failure that names each invalid field and what it accepts
 */
export function readKeeperConfig(path: string): KeeperConfig {
  const parsed = configSchema.safeParse(readJson(path));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const field = issue.path.join(".") || "the file";
    return issue.code === "unrecognized_keys"
      ? `${field} has unknown fields: ${issue.keys.join(", ")}`
      : `${field}: ${issue.message}`;
  });
  throw new Failure(`${path}: ${problems.join("; ")}`);
}

/** @throws Failure if the deployment has no such RWA, or an RWA is named twice */
export function navDuties({ navs }: KeeperConfig, deployment: Deployment): NavDuty[] {
  const duties = navs.map((nav, index) => ({
    ...nav,
    rwa: inField(`navs.${index}.rwa`, () => bySymbol("RWA", deployment.rwas, nav.rwa)),
  }));
  const names = duties.map(({ rwa }) => rwa.symbol);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Failure(`navs names ${twice} twice`);
  return duties;
}

/**
 * @throws Failure that names the field if the deployment has no such LP or asset, the LP keeps nothing of the asset, or
 * the amount is not valid for the asset's decimals
 */
export function minimumsOf({ minimums }: Pick<KeeperConfig, "minimums">, deployment: Deployment): Minimum[] {
  const assets = [...deployment.rwas, ...liquidityProviders(deployment)];
  return minimums.map((minimum, index) => {
    const field = (name: keyof typeof minimum) => `minimums.${index}.${name}`;
    const lp = inField(field("lp"), () => bySymbol("LP", liquidityProviders(deployment), minimum.lp));
    const { symbol, decimals } = inField(field("asset"), () => bySymbol("asset", assets, minimum.asset));
    if (lp.yieldBearing && symbol === lp.symbol) {
      throw new Failure(
        `${field("asset")}: lp:${symbol} mints ${symbol} and burns it, so it keeps none: expected an asset that it pays out`,
      );
    }
    return { lp: lp.symbol, asset: symbol, amount: readAmount(field("amount"), minimum.amount, decimals) };
  });
}

/** Names the field in the failure of what reads it. */
function inField<Value>(field: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof Failure ? new Failure(`${field}: ${error.message}`) : error;
  }
}
