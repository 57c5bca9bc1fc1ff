/** The configuration file, from which the deployment script deploys. It defines the desired state of a deployment. */
import { type Hex, stringToHex, zeroAddress } from "viem";
import { z } from "zod";
import { Failure } from "../failure.ts";
import { address, assetId, readJson } from "../jsonFile.ts";

const optionalAddress = address.nullish().transform((account) => account ?? null);
const whole = z
  .union([z.string().regex(/^\d+$/, "expected a whole number"), z.int().min(0)])
  .transform((value) => BigInt(value));
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

const guardrail = z
  .strictObject({ priceAdapter: address, bandWad: whole, enabled: z.boolean() })
  .nullish()
  .transform((given) => given ?? { priceAdapter: zeroAddress, bandWad: 0n, enabled: false });

const asset = {
  symbol: z.string().min(1),
  id: assetId.nullish(),
};
const token = { ...asset, name: z.string(), token: optionalAddress, decimals: z.int().min(0).max(18) };

const lp = {
  issuerAdmin: address,
  rwaCustody: optionalAddress,
  stablecoinCustody: optionalAddress,
  issuerPaidProtocolFeeRateWad: whole,
  protocolFeeExempt: z.boolean(),
  guardrail,
  rwas: z.array(
    z.strictObject({ symbol: z.string(), discountRateWad: whole, redemptionFeeWad: whole, intakeCap: whole }),
  ),
  stablecoins: z.array(
    z.strictObject({ symbol: z.string(), acceptanceFeeWad: whole, redemptionFeeWad: whole, intakeCap: whole }),
  ),
};

const configurationSchema = z.strictObject({
  network: z.string(),
  chainId: z.int().positive(),
  deployTestTokens: flag,
  broadcastPartySteps: flag,
  governance: z.enum(["timelock", "accounts"]),
  timelock: z.strictObject({ delaySeconds: whole, proposer: address, recovery: optionalAddress }).nullish(),
  plainAccounts: z.array(address).nullish(),
  roles: z.strictObject({
    admin: optionalAddress,
    operator: optionalAddress,
    guardian: address,
    blacklister: address,
    externalPauser: address,
    vault: address,
  }),
  maxSwapLegs: whole,
  spreadProtocolTakeRateWad: whole,
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
    initialRateWad: whole,
    managementFeeWad: whole,
  }),
  rwas: z.array(
    z.strictObject({
      ...token,
      navWad: whole,
      maxMovePerPostWad: whole,
      maxMovePerDayWad: whole,
      maxAgeSeconds: whole,
      navPoster: address,
    }),
  ),
  stablecoins: z.array(
    z.strictObject({
      ...token,
      ...lp,
      usdValueWad: whole,
      autoLiquidity: flag,
      sweepAllowance: whole.nullish(),
      intakeCap: whole.nullish(),
    }),
  ),
});

export type Configuration = z.infer<typeof configurationSchema>;
export type ConfiguredRwa = Configuration["rwas"][number];
export type ConfiguredStablecoin = Configuration["stablecoins"][number];

/**
 * Reads a configuration file. Does not check the bounds that the deployment script checks when it deploys.
 * @param option path; default: the variable DEPLOY_CONFIG
 * @throws Failure when there is no file, or a field is missing, unknown or of another kind
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
