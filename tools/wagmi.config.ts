import { defineConfig } from "@wagmi/cli";
import { foundry } from "@wagmi/cli/plugins";

/** Writes `abis/index.ts` from the compiled contracts: `pnpm abis`. */
export default defineConfig({
  out: "../abis/index.ts",
  plugins: [
    foundry({
      project: "..",
      artifacts: "out",
      // What `pnpm forge:quick` compiles stands below.
      exclude: ["quick/**"],
      include: ["CoreSwap", "Treasury", "StablecoinDelegate", "TreasuryDelegate", "IPriceAdapter"].map(
        (name) => `${name}.sol/${name}.json`,
      ),
      forge: { build: false },
    }),
  ],
});
