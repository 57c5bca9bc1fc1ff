/** `core adapter deploy`: deploys contracts that provide prices and rates. */
import { chainlinkPriceAdapterAbi, erc4626PriceAdapterAbi, iPriceAdapterAbi, tBillRateAdapterAbi } from "@coreswap/abi";
import type { Address } from "viem";
import { commandLine, wholeNumber } from "../../../../tools/lib/commandLine.ts";
import { type Creation, chainlinkAdapterOf, rateAdapterOf, vaultAdapterOf } from "../desired/creations.ts";
import { Failure } from "../failure.ts";
import { refusalOf } from "../refusal.ts";
import { percent, readAddress, readPercentWad, readPriceWad, showDuration, usd } from "../text.ts";
import { WRITE_OPTIONS } from "../write/options.ts";
import { type Observation, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

const OPTIONS = {
  "max-age": { type: "string", value: "<seconds>", help: "chainlink, tbill: age up to which an answer is served" },
  "asset-adapter": { type: "string", value: "<address>", help: "erc4626: adapter of the price of the vault's asset" },
  "max-move": { type: "string", value: "<percent>", help: "erc4626: how far the share's price may move in a day" },
  reference: { type: "string", value: "<assets per share>", help: "erc4626: what a share is worth now, such as 1.05" },
  "in-percent": { type: "boolean", default: false, help: "tbill: the feed answers 4.5 for 4.5 %, not 0.045" },
  "min-rate": { type: "string", value: "<percent>", help: "tbill: least rate that is served" },
  "max-rate": { type: "string", value: "<percent>", help: "tbill: largest rate that is served" },
} as const;

type Values = { readonly [Name in keyof typeof OPTIONS]?: string | boolean | undefined };

interface Adapter {
  readonly creation: Creation;
  readonly observations: readonly Observation[];
}

const KINDS: Readonly<Record<string, (source: Address, values: Values) => Adapter>> = {
  chainlink(source, values) {
    const creation = chainlinkAdapterOf(source, seconds(values));
    const view = { address: creation.address, abi: chainlinkPriceAdapterAbi } as const;
    return {
      creation,
      observations: [price(creation), observe("serves for", { ...view, functionName: "maxAgeSeconds" }, showDuration)],
    };
  },
  erc4626(source, values) {
    const assetAdapter = readAddress("--asset-adapter", needed(values, "asset-adapter"));
    const maxMoveWad = readPercentWad("--max-move", needed(values, "max-move"));
    const referenceWad = readPriceWad("--reference", needed(values, "reference"));
    const creation = vaultAdapterOf(source, assetAdapter, maxMoveWad, referenceWad);
    const view = { address: creation.address, abi: erc4626PriceAdapterAbi } as const;
    return {
      creation,
      observations: [
        price(creation),
        observe("moves at most, in a day", { ...view, functionName: "maxMovePerDayWad" }, percent),
      ],
    };
  },
  tbill(source, values) {
    const minRateWad = readPercentWad("--min-rate", needed(values, "min-rate"));
    const maxRateWad = readPercentWad("--max-rate", needed(values, "max-rate"));
    const creation = rateAdapterOf(source, values["in-percent"] === true, seconds(values), minRateWad, maxRateWad);
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

export async function adapterDeploy(args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: "pnpm core adapter deploy <chainlink, erc4626 or tbill> <feed or vault>",
      summary: `Creates an adapter at an address that follows from its code and settings. Anybody may; a second run does nothing. The NAV
adapter of an RWA comes from the configuration: core asset add. Naming an adapter in CoreSwap takes its operator.`,
      allowPositionals: true,
      options: { ...WRITE_OPTIONS, ...OPTIONS },
    },
    args,
  );
  const [kind, source, ...others] = positionals;
  const adapterOf = kind === undefined ? undefined : KINDS[kind];
  if (adapterOf === undefined || source === undefined || others.length > 0) {
    throw new Failure(`adapter deploy takes ${Object.keys(KINDS).join(", ")}, and the address of a feed or vault`);
  }
  const { creation, observations } = adapterOf(readAddress("the feed or vault", source), values);
  await runPlan(values, async ({ client, deployment }) => {
    const exists = (await client.getCode({ address: creation.address })) !== undefined;
    // Whoever creates it with CREATE2 gets no reason from a constructor that reverts.
    if (!exists) await client.call({ data: creation.initCode }).catch(refusalOf("the adapter cannot be created"));
    return {
      title: `Create the ${kind} adapter ${creation.address} of ${source}${exists ? ", which exists" : ""}`,
      calls: exists ? [] : [creation.call],
      observations,
      notes: [creation.sourcesNote(deployment.chainId)],
    };
  });
}

function price({ address }: Creation): Observation {
  return observe("price", { address, abi: iPriceAdapterAbi, functionName: "getPrice" }, usd);
}

function seconds(values: Values): bigint {
  return BigInt(wholeNumber("max-age", needed(values, "max-age")));
}

function needed(values: Values, name: keyof Values): string {
  const value = values[name];
  if (typeof value !== "string") throw new Failure(`this adapter needs --${name}`);
  return value;
}
