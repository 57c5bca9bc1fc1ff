/** `core nav post`: the NAV of an RWA. */
import { navPriceAdapterAbi as abi } from "@coreswap/abi";
import { decodeFunctionResult, encodeFunctionData } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { contractNamed } from "../chain/contracts.ts";
import { bySymbol } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { percent, readPriceWad, showTime, usd } from "../text.ts";
import { navPostCall } from "../write/calls.ts";
import { WRITE_OPTIONS } from "../write/options.ts";
import type { Observation } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export async function navPost(args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: "pnpm core nav post <rwa> <NAV>",
      summary: "Posts the NAV of an RWA in USD per whole token, such as 1.0523. The value that stands renews its age.",
      allowPositionals: true,
      options: WRITE_OPTIONS,
    },
    args,
  );
  const [symbol, nav, ...others] = positionals;
  if (symbol === undefined || nav === undefined || others.length > 0) {
    throw new Failure("nav post takes an RWA and its NAV, such as: nav post TBILL 1.0523");
  }
  const navWad = readPriceWad("the NAV", nav);
  await runPlan(values, async ({ deployment, contracts }) => {
    const rwa = bySymbol("RWA", deployment.rwas, symbol);
    const contract = contractNamed(contracts, `nav:${rwa.symbol}`);
    const to = rwa.priceAdapter;
    const observe = (
      functionName: "navWad" | "postedAt" | "availableMoveWad",
      label: string,
      show: (value: bigint) => string,
    ): Observation => ({
      label,
      to,
      data: encodeFunctionData({ abi, functionName }),
      show: (data) => show(decodeFunctionResult({ abi, functionName, data })),
    });
    return {
      title: `Post a NAV of ${usd(navWad)} for ${rwa.symbol}`,
      contract,
      mayCall: [{ role: "NAV_POSTER_ROLE" }],
      calls: [navPostCall(to, navWad)],
      observations: [
        observe("navWad", `NAV of ${rwa.symbol}`, usd),
        observe("postedAt", "posted at", showTime),
        observe("availableMoveWad", "daily move left", percent),
      ],
    };
  });
}
