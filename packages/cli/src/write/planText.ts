/** The plan of a writing command as text: its calls, their effects, and who signs. */
import { type Address, isAddressEqual } from "viem";
import { callText } from "../decode.ts";
import { showTime } from "../text.ts";
import { type Actor, describeHolders } from "./authority.ts";
import type { WriteSettings } from "./options.ts";
import type { Context, Plan } from "./plan.ts";
import { batchGasNote } from "./safeBatch.ts";
import type { Simulation } from "./simulate.ts";
import { delayText } from "./timelock.ts";

interface SimulatedPlan {
  readonly settings: WriteSettings;
  readonly plan: Plan;
  readonly actor: Actor;
  readonly sender: Address | undefined;
  readonly simulation: Simulation;
  /** The block in whose state the calls were simulated. */
  readonly block: { readonly number: bigint; readonly timestamp: bigint };
}

export async function planText(
  { client, deployment }: Context,
  { settings: { step, output }, plan, actor, sender, simulation, block }: SimulatedPlan,
): Promise<string> {
  const { changes, gasUsed, caveat } = simulation;
  const isOneTransaction = typeof output === "object" || actor.behindTimelock;
  const notes = [caveat, isOneTransaction ? batchGasNote(gasUsed) : null, ...(plan.notes ?? [])];
  return [
    plan.title,
    `${deployment.network}, chain ${deployment.chainId}, block ${block.number}, ${showTime(block.timestamp)}`,
    "",
    ...plan.calls.flatMap(({ contract, data, text }) => [
      `call     ${contract.name} ${contract.address}`,
      `         ${text ?? callText(data)}`,
    ]),
    ...changes.map(({ label, before, after }) => `change   ${label}: ${before} → ${after ?? "unknown"}`),
    `gas      ${gasUsed ?? "unknown"}`,
    ...notes.filter((note) => note !== null).map((note) => `note     ${note}`),
    ...(actor.behindTimelock
      ? [
          `signs    a proposer of the timelock ${actor.account}${sender === undefined ? "" : `: ${sender}`}`,
          `         ${stepText(step, await delayText(client, actor.account))}`,
        ]
      : [`signs    ${signerText(actor)}`]),
  ].join("\n");
}

function stepText(step: WriteSettings["step"], delay: string): string {
  return step === null ? `--schedule, then after ${delay} --execute` : `${step}; the delay is ${delay}`;
}

function signerText({ account, holders }: Actor): string {
  const own = holders.filter((holder) => isAddressEqual(holder.account, account));
  return holders.length === 0 ? account : describeHolders(own);
}
