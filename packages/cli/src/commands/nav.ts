/** `core nav post`: posts the NAV of an RWA. */
import { navPriceAdapterAbi as abi } from "@coreswap/abi";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { contractNamed } from "../chain/contracts.ts";
import { bySymbol } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { percent, readPriceWad, showTime, usd } from "../text.ts";
import { navPostCall } from "../write/calls.ts";
import { WRITE_OPTIONS } from "../write/options.ts";
import { callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export async function navPost(args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: "pnpm core nav post <rwa> <NAV>",
      summary: "Posts the NAV of an RWA in USD per whole token, such as 1.0523. The same value again renews its age.",
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
    const nav = { address: rwa.priceAdapter, abi } as const;
    return {
      title: `Post a NAV of ${usd(navWad)} for ${rwa.symbol}`,
      calls: callsOn(contract, [{ role: "NAV_POSTER_ROLE" }], [navPostCall(rwa.priceAdapter, navWad).data]),
      observations: [
        observe(`NAV of ${rwa.symbol}`, { ...nav, functionName: "navWad" }, usd),
        observe("posted at", { ...nav, functionName: "postedAt" }, showTime),
        observe("daily move left", { ...nav, functionName: "availableMoveWad" }, percent),
      ],
    };
  });
}
