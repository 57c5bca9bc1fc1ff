/** Reads and shows the operations that are queued in the timelock, for `core queue` and `core status`. */
import { timelockControllerAbi as abi } from "@coreswap/abi";
import { type Address, type Hash, type Hex, zeroHash } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import { namedContracts } from "../chain/contracts.ts";
import type { Deployment } from "../chain/deployment.ts";
import { readEvents } from "../chain/events.ts";
import { callText } from "../decode.ts";
import { showDuration, showTime } from "../text.ts";

/** Names of the states of an operation, indexed by the timelock's numbers. */
export const OPERATION_STATES = ["not scheduled", "waits", "can be executed", "done"] as const;

/** An operation that is scheduled and neither executed nor cancelled. It does not expire. */
export interface QueuedOperation {
  readonly id: Hex;
  /** "can be executed" also requires that the predecessor, if there is one, was executed. */
  readonly state: "waits" | "can be executed";
  /** Time from which the operation can be executed, in seconds since 1970. Named as the JSON of `core queue` has it. */
  readonly due: bigint;
  /** An operation that has to be executed before. */
  readonly openPredecessor: Hex | null;
  /** Transaction that scheduled the operation, and the account that sent it, which can be the owner of a Safe. */
  readonly transactionHash: Hash;
  readonly scheduledBy: Address;
  /** The calls in their order, by name. */
  readonly calls: readonly string[];
}

/** What is queued, or why it cannot be read. */
export type Queue = readonly QueuedOperation[] | { readonly problem: string };

/**
 * Reads what is queued at a block. The timelock lists nothing, so its events are read from the deployment on.
 * @param blocksPerRequest number of blocks per request for events
 */
export async function readQueue(
  client: NodeClient,
  deployment: Deployment,
  timelock: Address,
  blockNumber: bigint,
  blocksPerRequest: bigint,
): Promise<QueuedOperation[]> {
  const logs = await readEvents(client, [timelock], new Set(["CallScheduled"]), {
    fromBlock: BigInt(deployment.startBlock),
    toBlock: blockNumber,
    blocksPerRequest,
  });
  const names = new Map(namedContracts(deployment).map(({ name, address }) => [address, name]));
  const view = { address: timelock, abi, blockNumber } as const;
  const operations = [...Map.groupBy(logs, ({ args }) => args.id as Hex)].map(async ([id, scheduled]) => {
    const state = await client.readContract({ ...view, functionName: "getOperationState", args: [id] });
    const last = scheduled.at(-1);
    const name = OPERATION_STATES[state];
    if (last === undefined || (name !== "waits" && name !== "can be executed")) return [];
    const predecessor = last.args.predecessor as Hex;
    const [dueSeconds, predecessorIsDone, { from }] = await Promise.all([
      client.readContract({ ...view, functionName: "getTimestamp", args: [id] }),
      predecessor === zeroHash ||
        client.readContract({ ...view, functionName: "isOperationDone", args: [predecessor] }),
      client.getTransaction({ hash: last.transactionHash }),
    ]);
    // An operation that was cancelled and scheduled again has each call several times.
    const calls = [...new Map(scheduled.map(({ args }) => [args.index, args])).values()];
    return [
      {
        id,
        state: predecessorIsDone ? name : ("waits" as const),
        due: dueSeconds,
        openPredecessor: predecessorIsDone ? null : predecessor,
        transactionHash: last.transactionHash,
        scheduledBy: from,
        calls: calls.map((args) => scheduledText(args as unknown as ScheduledCall, names)),
      },
    ];
  });
  return (await Promise.all(operations)).flat();
}

/** Describes each operation in a line, followed by a line for each of its calls. */
export function queueLines(operations: readonly QueuedOperation[], nowSeconds: bigint): string[] {
  return operations.flatMap(({ id, state, due: dueSeconds, openPredecessor, transactionHash, scheduledBy, calls }) => {
    const time =
      dueSeconds > nowSeconds
        ? `from ${showTime(dueSeconds)} on, in ${showDuration(dueSeconds - nowSeconds)}`
        : `since ${showTime(dueSeconds)}`;
    const after = openPredecessor === null ? "" : `, and after operation ${openPredecessor}`;
    return [
      `${id}  ${state}: ${time}${after}`,
      `  scheduled by ${scheduledBy} in ${transactionHash}`,
      ...calls.map((call) => `  ${call}`),
    ];
  });
}

interface ScheduledCall {
  readonly target: Address;
  readonly value: bigint;
  readonly data: Hex;
}

function scheduledText({ target, value, data }: ScheduledCall, names: ReadonlyMap<Address, string>): string {
  const wei = value === 0n ? "" : ` with ${value} wei`;
  return `${names.get(target) ?? target} ${callText(data)}${wei}`;
}
