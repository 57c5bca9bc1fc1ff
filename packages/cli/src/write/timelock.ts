/** Calls that a timelock makes: one operation, which a proposer schedules and, after the delay, executes. */
import { timelockControllerAbi } from "@coreswap/abi";
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  numberToHex,
  zeroHash,
} from "viem";
import type { NodeClient } from "../chain/connect.ts";
import { Failure } from "../failure.ts";
import { showDuration, showTime } from "../text.ts";
import type { Call } from "./plan.ts";

/** States of an operation, as the timelock numbers them. */
const UNSET = 0;
const WAITING = 1;
const READY = 2;

interface Operation {
  readonly id: Hex;
  readonly salt: Hex;
  readonly state: number;
  /** Whether it falls due later than an operation that is scheduled now. */
  readonly isPostponed: boolean;
}

/**
 * Returns the operations with these calls that are not done, in the order of their salts; the last one was never
 * scheduled. The same calls can be needed again later, so the salt counts how often they were made. A stolen proposer can
 * schedule the calls with any delay above the timelock's, also of centuries, because the delay is no part of an
 * operation's ID: whoever schedules or executes the calls then uses the next salt.
 */
async function openOperations(client: NodeClient, timelock: Address, calls: readonly Call[]): Promise<Operation[]> {
  const contract = { address: timelock, abi: timelockControllerAbi } as const;
  // All at one block, because the answers may come from different nodes.
  const { number: blockNumber, timestamp } = await client.getBlock();
  const delay = await client.readContract({ ...contract, functionName: "getMinDelay", blockNumber });
  const found: Operation[] = [];
  for (let count = 0; found.at(-1)?.state !== UNSET; count++) {
    const salt = numberToHex(count, { size: 32 });
    const args = [...batch(calls), zeroHash, salt] as const;
    const id = await client.readContract({ ...contract, functionName: "hashOperationBatch", args, blockNumber });
    const [state, time] = await Promise.all([
      client.readContract({ ...contract, functionName: "getOperationState", args: [id], blockNumber }),
      client.readContract({ ...contract, functionName: "getTimestamp", args: [id], blockNumber }),
    ]);
    const isPostponed = state === WAITING && time > timestamp + delay;
    if (state <= READY) found.push({ id, salt, state, isPostponed });
  }
  return found;
}

/**
 * Returns the call that schedules an operation after the timelock's delay.
 * @throws Failure when the operation is already scheduled
 */
export async function scheduleCall(client: NodeClient, timelock: Address, calls: readonly Call[]): Promise<Call> {
  const next = (await openOperations(client, timelock, calls)).find(({ isPostponed }) => !isPostponed);
  if (next === undefined) throw new Error("no salt is left");
  const { id, salt, state } = next;
  if (state !== UNSET) throw new Failure(`operation ${id} is scheduled already, ${await due(client, timelock, id)}`);
  const delay = await minDelay(client, timelock);
  const args = [...batch(calls), zeroHash, salt, delay] as const;
  return {
    to: timelock,
    data: encodeFunctionData({ abi: timelockControllerAbi, functionName: "scheduleBatch", args }),
  };
}

/**
 * Returns the call that executes a scheduled operation.
 * @throws Failure when the operation is not scheduled, or its delay has not passed
 */
export async function executeCall(client: NodeClient, timelock: Address, calls: readonly Call[]): Promise<Call> {
  const operations = await openOperations(client, timelock, calls);
  const ready = operations.find(({ state }) => state === READY);
  if (ready === undefined) {
    const waiting = operations.filter(({ state }) => state === WAITING);
    const wanted = waiting.find(({ isPostponed }) => !isPostponed);
    if (wanted) throw new Failure(`operation ${wanted.id} still waits: ${await due(client, timelock, wanted.id)}`);
    const [late] = waiting;
    const found = late && `; operation ${late.id} has the same calls, ${await due(client, timelock, late.id)}`;
    const id = operations.at(-1)?.id;
    throw new Failure(`operation ${id} is not scheduled: run the command with --schedule first${found ?? ""}`);
  }
  const args = [...batch(calls), zeroHash, ready.salt] as const;
  return { to: timelock, data: encodeFunctionData({ abi: timelockControllerAbi, functionName: "executeBatch", args }) };
}

/**
 * Whether calldata of the timelock schedules or executes exactly these calls, that is the same data to the same
 * contracts.
 */
export function isStepOf(data: Hex, step: "schedule" | "execute", calls: readonly Call[]): boolean {
  const selector = step === "schedule" ? "scheduleBatch" : "executeBatch";
  let decoded: ReturnType<typeof decodeFunctionData<typeof timelockControllerAbi>>;
  try {
    decoded = decodeFunctionData({ abi: timelockControllerAbi, data });
  } catch {
    // The data is not a call of a timelock.
    return false;
  }
  if (decoded.functionName !== selector) return false;
  const [targets, , payloads] = decoded.args;
  return (
    targets.length === calls.length &&
    calls.every(({ to, data: payload }, index) => {
      const target = targets[index];
      return target !== undefined && isAddressEqual(target, to) && payloads[index] === payload;
    })
  );
}

/** Describes how long the timelock delays an operation. */
export async function delayText(client: NodeClient, timelock: Address): Promise<string> {
  return showDuration(await minDelay(client, timelock));
}

function minDelay(client: NodeClient, timelock: Address): Promise<bigint> {
  return client.readContract({ address: timelock, abi: timelockControllerAbi, functionName: "getMinDelay" });
}

async function due(client: NodeClient, timelock: Address, id: Hex): Promise<string> {
  const abi = timelockControllerAbi;
  const time = await client.readContract({ address: timelock, abi, functionName: "getTimestamp", args: [id] });
  return `to be executed from ${showTime(time)} on`;
}

function batch(calls: readonly Call[]): readonly [Address[], bigint[], Hex[]] {
  return [calls.map(({ to }) => to), calls.map(() => 0n), calls.map(({ data }) => data)];
}
