/** `core pause` and `core unpause`. */
import { stablecoinDelegateAbi as abi } from "@coreswap/abi";
import { encodeFunctionData } from "viem";
import { contractNamed, type NamedContract } from "../chain/contracts.ts";
import { yesOrNo } from "../text.ts";
import { writeCommand } from "../write/options.ts";
import { type Authority, callsOn, type Observation, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

/** @param action the function of every contract that can be paused */
export const pauseCommand = (action: "pause" | "unpause") =>
  writeCommand(action, action === "pause" ? "pause CoreSwap, the treasury token or an LP" : "end a pause")
    .description(
      action === "pause"
        ? "Pauses a contract. At an LP, the guardian sets the emergency pause and an issuer admin its own."
        : "Ends a pause. At an LP, the guardian ends the emergency pause and an issuer admin its own.",
    )
    .argument("<contract>", "coreswap, treasury or lp:<symbol>")
    .action((name, options) =>
      runPlan(options, async ({ contracts }) => {
        const pausable = contracts.filter((each) => authorities(each, action).length > 0);
        const contract = contractNamed(pausable, name, "has no pause");
        return {
          title: `${action === "pause" ? "Pause" : "Unpause"} ${contract.name}`,
          calls: callsOn(contract, authorities(contract, action), [encodeFunctionData({ abi, functionName: action })]),
          observations: pauseObservations(contract),
        };
      }),
    );

/** Whoever may pause or unpause a contract. Empty if it has no pause. */
function authorities({ name }: NamedContract, action: "pause" | "unpause"): Authority[] {
  if (name.startsWith("lp:")) return [{ role: "PAUSE_ROLE" }, "issuer admin"];
  if (name === "treasury") return [{ role: "PAUSER_ROLE" }];
  if (name !== "coreswap") return [];
  const operator = { role: "OPERATOR_ROLE" };
  return action === "pause" ? [operator, { role: "EXTERNAL_PAUSER_ROLE" }] : [operator];
}

function pauseObservations({ name, address }: NamedContract): Observation[] {
  const flag = (functionName: "paused" | "emergencyPaused" | "issuerPaused", label: string) =>
    observe(label, { address, abi, functionName }, yesOrNo);
  const own = flag("paused", `${name} is paused`);
  if (!name.startsWith("lp:")) return [own];
  return [own, flag("emergencyPaused", "by the guardian"), flag("issuerPaused", "by an issuer admin")];
}
