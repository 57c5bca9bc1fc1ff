/** SVM deployments, as the API shows them and as `<DEPLOYMENTS_DIR>/svm/<chain>.json` contains them. */
import { z } from "@hono/zod-openapi";
import { isAddress } from "@solana/addresses";
import { decimals } from "../../shared/fields.ts";

/** Chains of the SVM runtime, in the order in which they are listed. */
export const SVM_CHAINS = ["mainnet", "devnet"] as const;

type SvmChain = (typeof SVM_CHAINS)[number];

const publicKey = (description: string) =>
  z
    .string()
    .refine(isAddress, "expected the base58 text of 32 bytes")
    .openapi({ description, example: "11111111111111111111111111111111" });

const basisPoints = (description: string) => z.int().min(0).max(10_000).openapi({ description, example: 25 });

const priceSource = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("fixed_address").openapi({ description: "The price is read from an account" }),
      account: publicKey("Account that holds the price"),
      offset: z.int().nonnegative().openapi({ description: "Byte offset of the price in the account", example: 8 }),
      decimals,
    }),
    z.strictObject({
      kind: z.literal("hardcoded").openapi({ description: "The price is a constant" }),
      price: z
        .string()
        .regex(/^[1-9][0-9]*$/)
        .openapi({ description: "Price in units of 10^-decimals USD", example: "1000000" }),
      decimals,
    }),
    z.strictObject({
      kind: z.literal("pyth_push").openapi({ description: "The price is read from a Pyth feed" }),
      account: publicKey("Pyth price account"),
      feed_id: z
        .string()
        .regex(/^0x[0-9a-f]{64}$/)
        .openapi({ description: "Pyth feed id", example: `0x${"ab".repeat(32)}` }),
      max_age_seconds: z.int().positive().openapi({ description: "Maximum age of a price, in seconds", example: 60 }),
      max_confidence_bps: basisPoints("Largest confidence interval accepted, relative to the price"),
    }),
  ])
  .openapi("SvmPriceSource", { description: "Source of a price" });

const svmAsset = z
  .strictObject({
    name: z.string().min(1).openapi({ description: "Name of the asset", example: "USD Coin" }),
    mint: publicKey("Mint"),
    decimals,
    price_sources: z.array(priceSource).min(1).max(5).openapi({ description: "In order of preference" }),
  })
  .openapi("SvmAsset", { description: "An asset on an SVM chain" });

const pair = z
  .strictObject({
    pair: publicKey("Pair account"),
    stable_mint: publicKey("Mint of the stable asset"),
    rwa_mint: publicKey("Mint of the RWA"),
    stable_vault: publicKey("Vault of the stable asset"),
    rwa_vault: publicKey("Vault of the RWA"),
    discount_rate_bps: basisPoints("LP rate from RWA to stable asset"),
    redemption_fee_bps: basisPoints("LP rate from stable asset to RWA"),
  })
  .openapi("SvmPair", { description: "A stable asset and an RWA that an LP swaps" });

/** A deployment on an SVM chain, in files and in answers. */
export const svmDeployment = z
  .strictObject({
    program_id: publicKey("Program"),
    rwa_assets: z.array(svmAsset).openapi({ description: "RWAs" }),
    stable_assets: z.array(svmAsset).openapi({ description: "Stable assets" }),
    lp_info: z
      .array(
        z
          .strictObject({
            administrator: publicKey("LP administrator"),
            vault_authority: publicKey("Owner of the vaults"),
            pairs: z.array(pair).openapi({ description: "Pairs that the LP swaps" }),
          })
          .openapi("SvmLp", { description: "Liquidity provider" }),
      )
      .openapi({ description: "Liquidity providers" }),
  })
  .openapi("SvmDeployment", { description: "Deployment on an SVM chain" });

/** A deployment on an SVM chain. */
export type SvmDeployment = z.output<typeof svmDeployment>;

/** Deployments by chain. A chain without a file is disabled. */
export type SvmDeployments = { readonly [chain in SvmChain]?: SvmDeployment };
