/** Answers of `/v1/info`, `/v1/info/evm` and `/v1/info/svm`. Their keys are snake_case. */
import { z } from "@hono/zod-openapi";
import { type CHAIN_IDS, NETWORK_NAMES } from "../../../config/networks.ts";
import { address, bytes32, chainId, decimals, integerText } from "../shared/fields.ts";
import { svmDeployment } from "./svm/schema.ts";

const tokenText = (description: string) => z.string().nullable().openapi({ description, example: "USDC" });
const accepted = z.boolean().openapi({ description: "Whether the asset can be swapped" });

const stablecoinDelegate = z
  .strictObject({
    delegate_address: address("LP of the stablecoin; users approve this contract, not the swap contract"),
    stablecoin_id: bytes32("ID of the stablecoin"),
    token_address: address("Token contract of the stablecoin"),
    yield_bearing: z.boolean().openapi({ description: "Whether the LP pays yield when its tokens are redeemed" }),
    accepted,
    administrators: z.array(address("Issuer admin")).openapi({ description: "Issuer admins, ordered by address" }),
    guardrail: z
      .strictObject({
        price_adapter: address("Oracle that is compared with the set value; null if none is set").nullable(),
        band_wad: integerText("Largest deviation allowed, as a fraction times 10^18"),
        enabled: z.boolean().openapi({ description: "Whether swaps outside the band revert" }),
      })
      .nullable()
      .openapi({ description: "Band around the set USD value; null if none was configured" }),
  })
  .openapi("StablecoinDelegate", { description: "LP of a stablecoin" });

const stableAsset = z
  .strictObject({
    name: tokenText("Name of the token; null if it has none"),
    symbol: tokenText("Symbol of the token; null if it has none"),
    stablecoin_id: bytes32("ID of the stablecoin"),
    token_address: address("Token"),
    decimals,
    accepted,
  })
  .openapi("StableAsset", { description: "A stablecoin" });

const rwaAsset = z
  .strictObject({
    name: tokenText("Name of the token; null if it has none"),
    symbol: tokenText("Symbol of the token; null if it has none"),
    rwa_id: bytes32("ID of the RWA"),
    token_address: address("Token"),
    decimals,
    price_adapter: address("Price adapter; null if none is set").nullable(),
    delegate: address("Risk delegate; null if none is set").nullable(),
    whitelist_adapter: address("Whitelist adapter; null if none is set").nullable(),
    accepted,
  })
  .openapi("RwaAsset", { description: "A tokenized real-world asset" });

/** A deployment on an EVM chain. */
export const evmDeployment = z
  .strictObject({
    chain_id: chainId,
    swap_contract: address("Swap contract"),
    treasury_contract: address("Treasury token"),
    stablecoin_delegate_contracts: z
      .array(stablecoinDelegate)
      .openapi({ description: "LPs, ordered by stablecoin id" }),
    stable_assets: z.array(stableAsset).openapi({ description: "All stablecoins ever registered, ordered by id" }),
    rwa_assets: z.array(rwaAsset).openapi({ description: "All RWAs ever registered, ordered by id" }),
  })
  .openapi("EvmDeployment", { description: "Deployment on an EVM chain" });

/** A deployment on an EVM chain. */
export type EvmDeployment = z.output<typeof evmDeployment>;

/** EVM deployments by chain. A disabled chain is absent. */
export const evmDeployments = z
  .strictObject({ mainnet: evmDeployment.optional(), sepolia: evmDeployment.optional() } satisfies Record<
    keyof typeof CHAIN_IDS,
    z.ZodType
  >)
  .openapi("EvmDeployments", { description: `By chain (${NETWORK_NAMES.join(", ")}); a chain that is off is absent` });

/** EVM deployments by chain. A disabled chain is absent. */
export type EvmDeployments = z.output<typeof evmDeployments>;

/** SVM deployments by chain. A disabled chain is absent. */
export const svmDeployments = z
  .strictObject({ mainnet: svmDeployment.optional(), devnet: svmDeployment.optional() })
  .openapi("SvmDeployments", { description: "By chain, without the chains that are off" });

/** Answer of `/v1/info`. */
export const infoAnswer = z
  .strictObject({ evm: evmDeployments.optional(), svm: svmDeployments.optional() })
  .openapi("Deployments", {
    description: "Deployments by runtime and chain; with `runtime`, only those of that runtime",
  });

/** Answer of `/v1/info`. */
export type InfoAnswer = z.output<typeof infoAnswer>;
