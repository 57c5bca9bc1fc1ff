/** `core nav post`: posts the NAV of an RWA. */
import { navPriceAdapterAbi as abi, coreSwapAbi } from "@coreswap/abi";
import { contractNamed, requireInForce } from "../chain/contracts.ts";
import { bySymbol } from "../chain/deployment.ts";
import { replacementText } from "../chain/registry.ts";
import { percent, readPriceWad, showTime, usd } from "../text.ts";
import { navPostCall } from "../write/calls.ts";
import { writeCommand } from "../write/options.ts";
import { callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export const navPost = writeCommand("post", "post the NAV of an RWA")
  .description("Posts the NAV of an RWA. The same value again renews its age.")
  .argument("<rwa>", "symbol of the RWA")
  .argument("<NAV>", "USD per whole token, such as 1.0523", (text) => readPriceWad("the NAV", text))
  .action((symbol, navWad, options) =>
    runPlan(options, async ({ client, deployment, contracts }) => {
      const rwa = bySymbol("RWA", deployment.rwas, symbol);
      const contract = contractNamed(contracts, `nav:${rwa.symbol}`);
      const used = await client.readContract({
        address: deployment.coreSwap,
        abi: coreSwapAbi,
        functionName: "rwaPriceAdapters",
        args: [rwa.id],
      });
      requireInForce({ ...contract, replacement: replacementText("nav", rwa.symbol, rwa.priceAdapter, used) });
      const nav = { address: rwa.priceAdapter, abi } as const;
      return {
        title: `Post a NAV of ${usd(navWad)} for ${rwa.symbol}`,
        whenRunAgain: "repeats all",
        calls: callsOn(contract, [{ role: "NAV_POSTER_ROLE" }], [navPostCall(rwa.priceAdapter, navWad).data]),
        observations: [
          observe(`NAV of ${rwa.symbol}`, { ...nav, functionName: "navWad" }, usd),
          observe("posted at", { ...nav, functionName: "postedAt" }, showTime),
          observe("daily move left", { ...nav, functionName: "availableMoveWad" }, percent),
        ],
      };
    }),
  );
