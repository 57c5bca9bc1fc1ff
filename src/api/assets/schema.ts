/** Answer of `/v1/assets`. */
import { z } from "@hono/zod-openapi";
import { cachedPrice } from "../shared/cachedPrices.ts";
import { address, bytes32, chainId, coverage, decimals, integerText, networkName, time } from "../shared/fields.ts";

const rate = (description: string) => integerText(`${description}, as a fraction times 10^18`, "1000000000000000");

const asset = {
  tokenAddress: address("Token"),
  name: z.string().nullable().openapi({ description: "Name of the token; null if it has none", example: "USD Coin" }),
  symbol: z.string().nullable().openapi({ description: "Symbol of the token; null if it has none", example: "USDC" }),
  decimals,
  accepted: z.boolean().openapi({ description: "Whether the asset can be swapped" }),
};

const rwaRates = z
  .strictObject({
    rwaId: bytes32("ID of the RWA"),
    discountRateWad: rate("Rate when the LP takes the RWA in"),
    redemptionFeeWad: rate("Rate when the LP pays the RWA out"),
  })
  .openapi("RwaRates", { description: "What an LP charges for an RWA" });

const stablecoinRates = z
  .strictObject({
    tokenAddress: address("Token of the foreign stablecoin"),
    acceptanceFeeWad: rate("Rate when the LP takes the stablecoin in"),
    redemptionFeeWad: rate("Rate when the LP pays the stablecoin out"),
  })
  .openapi("StablecoinRates", { description: "What an LP charges for a foreign stablecoin" });

const stablecoin = z
  .strictObject({
    stablecoinId: bytes32("ID of the stablecoin"),
    ...asset,
    yieldBearing: z.boolean().openapi({ description: "Whether the LP pays yield when its tokens are redeemed" }),
    lpAddress: address("LP: the delegate that settles its legs"),
    usdValueWad: integerText(
      "USD per whole token at which it is swapped, times 10^18; null before it was set",
      "1000000000000000000",
    ).nullable(),
    usdValueSetAt: time("When the USD value was set").nullable(),
    issuerPaidProtocolFeeRateWad: rate("Protocol fee on the gross value of the LP's legs"),
    protocolFeeExempt: z.boolean().openapi({ description: "Whether the LP's legs pay no protocol fee" }),
    guardrail: z
      .strictObject({
        priceAdapter: address("Oracle that is compared with the USD value; null if none is set").nullable(),
        bandWad: rate("Largest deviation allowed"),
        enabled: z.boolean().openapi({ description: "Whether swaps outside the band revert" }),
      })
      .nullable()
      .openapi({ description: "Band around the USD value; null if none was configured" }),
    rwaRates: z.array(rwaRates).openapi({ description: "Pairs with an RWA, ordered by its id" }),
    stablecoinRates: z.array(stablecoinRates).openapi({ description: "Pairs with a stablecoin, ordered by its token" }),
  })
  .openapi("StablecoinTerms", { description: "A stablecoin, and the terms of its LP" });

const rwa = z
  .strictObject({
    rwaId: bytes32("ID of the RWA"),
    ...asset,
    priceAdapter: address("Price adapter; null if none is set").nullable(),
    // Zod's own `nullable` would make the document's UsedPrice nullable wherever it is used.
    price: z.union([cachedPrice, z.null()]).openapi({
      description:
        "Newest price read from an adapter, at most a day old while the adapter answers, with which `/v1/volume` values legs; " +
        "null if there is none. Swaps read the adapter themselves",
    }),
    nav: z
      .strictObject({
        navWad: integerText("USD per whole token, times 10^18", "1052300000000000000"),
        postedAt: time("When it was posted"),
      })
      .nullable()
      .openapi({
        description:
          "Newest NAV that the price adapter posted; null if it posts none, because it takes its price from elsewhere. " +
          "Swaps are at this NAV, unless the adapter refuses it as too old",
      }),
    riskDelegate: address("Contract with risk controls of its own; null if none is set").nullable(),
    whitelistAdapter: address("Contract that says who may hold it; null if none is set").nullable(),
  })
  .openapi("RwaTerms", { description: "A tokenized real-world asset, and its price" });

/** Answer of `/v1/assets`. */
export const assetsAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    paused: z.boolean().openapi({ description: "Whether all swaps are paused. LPs can be paused on their own" }),
    spreadProtocolTakeRateWad: rate("Part of each LP's spread that the protocol takes"),
    stablecoins: z.array(stablecoin).openapi({ description: "All stablecoins ever registered, ordered by id" }),
    rwas: z.array(rwa).openapi({ description: "All RWAs ever registered, ordered by id" }),
    coverage,
  })
  .openapi("Assets", { description: "Assets of a network, with their prices and rates" });

/** Answer of `/v1/assets`. */
export type AssetsAnswer = z.output<typeof assetsAnswer>;
