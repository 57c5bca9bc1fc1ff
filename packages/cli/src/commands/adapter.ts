/** `core adapter deploy`: deploys contracts that provide prices and rates. */
import { Argument } from "@commander-js/extra-typings";
import { chainlinkPriceAdapterAbi, erc4626PriceAdapterAbi, iPriceAdapterAbi, tBillRateAdapterAbi } from "@coreswap/abi";
import type { Address } from "viem";
import { wholeNumber } from "../commandLine.ts";
import { type Creation, chainlinkAdapterOf, rateAdapterOf, vaultAdapterOf } from "../desired/creations.ts";
import { Failure } from "../failure.ts";
import { refusalOf } from "../refusal.ts";
import { percent, readAddress, readPercentWad, readPriceWad, showDuration, usd } from "../text.ts";
import { writeCommand } from "../write/options.ts";
import { type Observation, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

interface Options {
  readonly maxAge?: number | undefined;
  readonly assetAdapter?: Address | undefined;
  readonly maxMove?: bigint | undefined;
  readonly reference?: bigint | undefined;
  readonly inPercent?: true | undefined;
  readonly minRate?: bigint | undefined;
  readonly maxRate?: bigint | undefined;
}

interface Adapter {
  readonly creation: Creation;
  readonly observations: readonly Observation[];
}

const KINDS: Readonly<Record<"chainlink" | "erc4626" | "tbill", (source: Address, options: Options) => Adapter>> = {
  chainlink(source, { maxAge }) {
    const creation = chainlinkAdapterOf(source, BigInt(needed("max-age", maxAge)));
    const view = { address: creation.address, abi: chainlinkPriceAdapterAbi } as const;
    return {
      creation,
      observations: [price(creation), observe("serves for", { ...view, functionName: "maxAgeSeconds" }, showDuration)],
    };
  },
  erc4626(source, { assetAdapter, maxMove, reference }) {
    const creation = vaultAdapterOf(
      source,
      needed("asset-adapter", assetAdapter),
      needed("max-move", maxMove),
      needed("reference", reference),
    );
    const view = { address: creation.address, abi: erc4626PriceAdapterAbi } as const;
    return {
      creation,
      observations: [
        price(creation),
        observe("moves at most, in a day", { ...view, functionName: "maxMovePerDayWad" }, percent),
      ],
    };
  },
  tbill(source, { inPercent = false, maxAge, minRate, maxRate }) {
    const [minRateWad, maxRateWad] = [needed("min-rate", minRate), needed("max-rate", maxRate)];
    const maxAgeSeconds = BigInt(needed("max-age", maxAge));
    const creation = rateAdapterOf(source, inPercent, maxAgeSeconds, minRateWad, maxRateWad);
    const view = { address: creation.address, abi: tBillRateAdapterAbi } as const;
    return {
      creation,
      observations: [
        observe("rate", { ...view, functionName: "getRate" }, percent),
        observe("least rate", { ...view, functionName: "minRateWad" }, percent),
        observe("largest rate", { ...view, functionName: "maxRateWad" }, percent),
      ],
    };
  },
};

export const adapterDeploy = writeCommand("deploy", "create an adapter of a feed or a vault")
  .description(
    "Creates an adapter at an address that follows from its code and settings. Anybody may; a second run does nothing. " +
      "The NAV adapter of an RWA comes from the configuration: core asset add. Naming an adapter in CoreSwap takes its " +
      "operator.",
  )
  .addArgument(new Argument("<kind>", "of adapter").choices(["chainlink", "erc4626", "tbill"] as const))
  .argument("<feed or vault>", "address", (text) => readAddress("the feed or vault", text))
  .option("--max-age <seconds>", "chainlink, tbill: age up to which an answer is served", wholeNumber("--max-age"))
  .option("--asset-adapter <address>", "erc4626: adapter of the price of the vault's asset", (text) =>
    readAddress("--asset-adapter", text),
  )
  .option("--max-move <percent>", "erc4626: how far the share's price may move in a day", (text) =>
    readPercentWad("--max-move", text),
  )
  .option("--reference <assets per share>", "erc4626: what a share is worth now, such as 1.05", (text) =>
    readPriceWad("--reference", text),
  )
  .option("--in-percent", "tbill: the feed answers 4.5 for 4.5 %, not 0.045")
  .option("--min-rate <percent>", "tbill: least rate that is served", (text) => readPercentWad("--min-rate", text))
  .option("--max-rate <percent>", "tbill: largest rate that is served", (text) => readPercentWad("--max-rate", text))
  .action(async (kind, source, options) => {
    const { creation, observations } = KINDS[kind](source, options);
    await runPlan(options, async ({ client, deployment }) => {
      const exists = (await client.getCode({ address: creation.address })) !== undefined;
      // Whoever creates it with CREATE2 gets no reason from a constructor that reverts.
      if (!exists) await client.call({ data: creation.initCode }).catch(refusalOf("the adapter cannot be created"));
      return {
        title: `Create the ${kind} adapter ${creation.address} of ${source}${exists ? ", which exists" : ""}`,
        whenRunAgain: "skips what is done",
        calls: exists ? [] : [creation.call],
        observations,
        notes: [creation.sourcesNote(deployment.chainId)],
      };
    });
  });

function price({ address }: Creation): Observation {
  return observe("price", { address, abi: iPriceAdapterAbi, functionName: "getPrice" }, usd);
}

function needed<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw new Failure(`this adapter needs --${name}`);
  return value;
}
