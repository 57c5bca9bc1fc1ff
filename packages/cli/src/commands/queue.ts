/** `core queue` and `core cancel`: list and cancel operations that wait in the timelock. */
import { timelockControllerAbi as abi } from "@coreswap/abi";
import { type Address, encodeFunctionData, type Hex, isHex, size } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { connect } from "../chain/connect.ts";
import { contractNamed, namedContracts } from "../chain/contracts.ts";
import { type Deployment, readDeployment } from "../chain/deployment.ts";
import { BLOCKS_OPTION, type NamedLog, readBlocksPerRequest, readEvents } from "../chain/events.ts";
import { decodeCall } from "../decode.ts";
import { Failure } from "../failure.ts";
import { showDuration, showTime } from "../text.ts";
import { NODE_OPTIONS, WRITE_OPTIONS } from "../write/options.ts";
import { callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

/** Names of the states of an operation, indexed by the timelock's numbers. */
const STATES = ["not scheduled", "waits", "can be executed", "done"];

export async function queueCommand(args: readonly string[]): Promise<void> {
  const { values } = commandLine(
    {
      usage: "pnpm core queue",
      summary:
        "Lists the operations that wait in the timelock: their calls, who scheduled them, and from when on they can be executed.",
      options: { ...NODE_OPTIONS, ...BLOCKS_OPTION, json: { type: "boolean", default: false, help: "print JSON" } },
    },
    args,
  );
  const blocksPerRequest = readBlocksPerRequest(values);
  const deployment = readDeployment(values.network);
  const timelock = timelockOf(deployment);
  const client = await connect(deployment, values["rpc-url"]);
  const { number: toBlock, timestamp: now } = await client.getBlock();
  const fromBlock = BigInt(deployment.startBlock);
  const logs = await readEvents(client, [timelock], new Set(["CallScheduled"]), {
    fromBlock,
    toBlock,
    blocksPerRequest,
  });
  const view = { address: timelock, abi, blockNumber: toBlock } as const;
  const names = new Map(namedContracts(deployment).map(({ name, address }) => [address, name]));
  const operations = await Promise.all(
    [...Map.groupBy(logs, ({ args: { id } }) => id as Hex)].map(async ([id, calls]) => {
      const state = await client.readContract({ ...view, functionName: "getOperationState", args: [id] });
      if (state === 0 || state === 3) return [];
      const [due, { from }] = await Promise.all([
        client.readContract({ ...view, functionName: "getTimestamp", args: [id] }),
        client.getTransaction({ hash: calls[0]?.transactionHash ?? "0x" }),
      ]);
      return [{ id, state, due, scheduledBy: from, calls: latestOf(calls).map((log) => callText(log, names)) }];
    }),
  );
  const waiting = operations.flat();
  if (values.json) {
    const shown = waiting.map(({ due, state, ...rest }) => ({ ...rest, state: STATES[state], due: String(due) }));
    console.log(JSON.stringify(shown, null, 2));
    return;
  }
  if (waiting.length === 0) console.log("Nothing waits in the timelock");
  for (const { id, state, due, scheduledBy, calls } of waiting) {
    const when = due > now ? `from ${showTime(due)} on, in ${showDuration(due - now)}` : `since ${showTime(due)}`;
    console.log(
      [`${id}  ${STATES[state]}: ${when}; scheduled by ${scheduledBy}`, ...calls.map((call) => `  ${call}`)].join("\n"),
    );
  }
}

export async function cancelCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: "pnpm core cancel <operation>",
      summary:
        "Cancels an operation that waits in the timelock: the guardian or the proposer does it, and names itself with --from.",
      allowPositionals: true,
      options: WRITE_OPTIONS,
    },
    args,
  );
  const [id, ...others] = positionals;
  if (id === undefined || others.length > 0)
    throw new Failure("cancel takes the ID of one operation: core queue lists them");
  if (!isHex(id) || size(id) !== 32) throw new Failure(`the operation is "${id}", expected 32 bytes in hex`);
  await runPlan(values, async ({ client, deployment, contracts }) => {
    const view = { address: timelockOf(deployment), abi, functionName: "getOperationState", args: [id] } as const;
    const state = await client.readContract(view);
    if (state === 0 || state === 3)
      throw new Failure(`operation ${id} is ${STATES[state]}: there is nothing to cancel`);
    return {
      title: `Cancel operation ${id}`,
      // The timelock does not list who may cancel. The simulation refuses an account that may not.
      calls: callsOn(
        contractNamed(contracts, "timelock"),
        [],
        [encodeFunctionData({ abi, functionName: "cancel", args: [id] })],
      ),
      observations: [observe("the operation", view, (found) => STATES[found] ?? String(found))],
    };
  });
}

/** Keeps the calls of an operation once, even if it was cancelled and scheduled again. */
function latestOf(logs: readonly NamedLog[]): NamedLog[] {
  return [...new Map(logs.map((log) => [String(log.args.index), log])).values()];
}

function callText({ args }: NamedLog, names: ReadonlyMap<Address, string>): string {
  const [target, data] = [args.target as Address, args.data as Hex];
  return `${names.get(target) ?? target} ${decodeCall(data)[0]?.text ?? data}`;
}

/**
 * Returns the timelock of the deployment.
 * @throws Failure when the deployment has none
 */
function timelockOf({ timelock }: Deployment): Address {
  if (timelock === undefined) throw new Failure("the deployment has no timelock");
  return timelock;
}
