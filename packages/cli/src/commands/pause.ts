/** `core pause` and `core unpause`. */
import { stablecoinDelegateAbi as abi } from "@coreswap/abi";
import { type Address, encodeFunctionData } from "viem";
import { contractNamed, type NamedContract, roleId } from "../chain/contracts.ts";
import { pauseText } from "../status/screen.ts";
import { yesOrNo } from "../text.ts";
import { writeCommand } from "../write/options.ts";
import { type Authority, type Context, callsOn, type Observation, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

/** @param action the function of every contract that can be paused */
export const pauseCommand = (action: "pause" | "unpause") =>
  writeCommand(action, action === "pause" ? "pause CoreSwap, the treasury token or an LP" : "end a pause")
    .description(
      action === "pause"
        ? "Pauses a contract. At an LP, the guardian sets the emergency pause and an issuer admin its own. Sends nothing " +
            "if that pause is set."
        : "Ends a pause. At an LP, the guardian ends the emergency pause and an issuer admin its own. Sends nothing if the " +
            "contract is not paused.",
    )
    .argument("<contract>", "coreswap, treasury or lp:<symbol>")
    .action((name, options) =>
      runPlan(options, async (context, sender) => {
        const { contracts } = context;
        const pausable = contracts.filter((each) => authorities(each, action).length > 0);
        const contract = contractNamed(pausable, name, "has no pause");
        const { paused, by, isOwnSet } = await readPause(context, contract, sender);
        const isDone = action === "pause" ? isOwnSet : !paused;
        const data = encodeFunctionData({ abi, functionName: action });
        return {
          title: `${action === "pause" ? "Pause" : "Unpause"} ${contract.name}`,
          whenRunAgain: "skips what is done",
          calls: isDone ? [] : callsOn(contract, authorities(contract, action), [data]),
          observations: pauseObservations(contract),
          notes: isDone ? [`${contract.name}: ${pauseText(paused, by)}`] : [],
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

/**
 * Reads the pause of a contract, and by whom it is at an LP.
 * @returns `isOwnSet`: whether the pause that the sender would set is set. Without a sender, whether each one is
 */
async function readPause({ client }: Context, { name, address }: NamedContract, sender: Address | undefined) {
  const flag = (functionName: "paused" | "emergencyPaused" | "issuerPaused") =>
    client.readContract({ address, abi, functionName });
  if (!name.startsWith("lp:")) {
    const paused = await flag("paused");
    return { paused, by: null, isOwnSet: paused };
  }
  const [guardian, issuer, isGuardian, isIssuer] = await Promise.all([
    flag("emergencyPaused"),
    flag("issuerPaused"),
    sender && client.readContract({ address, abi, functionName: "hasRole", args: [roleId("PAUSE_ROLE"), sender] }),
    sender && client.readContract({ address, abi, functionName: "issuerAdmins", args: [sender] }),
  ]);
  const isOwnSet = isGuardian ? guardian : isIssuer ? issuer : guardian && issuer;
  return { paused: guardian || issuer, by: { guardian, issuer }, isOwnSet };
}

function pauseObservations({ name, address }: NamedContract): Observation[] {
  const flag = (functionName: "paused" | "emergencyPaused" | "issuerPaused", label: string) =>
    observe(label, { address, abi, functionName }, yesOrNo);
  const own = flag("paused", `${name} is paused`);
  if (!name.startsWith("lp:")) return [own];
  return [own, flag("emergencyPaused", "by the guardian"), flag("issuerPaused", "by an issuer admin")];
}
