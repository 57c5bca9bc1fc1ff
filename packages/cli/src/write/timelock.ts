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
}

/**
 * Returns the next operation with these calls: the first that is not done. The same calls can be needed again later, so
 * the salt counts how often they were made. Operations that fall due later than one scheduled now are left out: a stolen
 * proposer can schedule the calls with a delay of centuries, because the delay is no part of an operation's ID.
 */
async function nextOperation(client: NodeClient, timelock: Address, calls: readonly Call[]): Promise<Operation> {
  for (let count = 0; ; count++) {
    const salt = numberToHex(count, { size: 32 });
    const id = await client.readContract({
      address: timelock,
      abi: timelockControllerAbi,
      functionName: "hashOperationBatch",
      args: [...batch(calls), zeroHash, salt],
    });
    const state = await client.readContract({
      address: timelock,
      abi: timelockControllerAbi,
      functionName: "getOperationState",
      args: [id],
    });
    if (state === WAITING && (await isPostponed(client, timelock, id))) continue;
    if (state <= READY) return { id, salt, state };
  }
}

/**
 * Returns the call that schedules an operation after the timelock's delay.
 * @throws Failure when the operation is already scheduled
 */
export async function scheduleCall(client: NodeClient, timelock: Address, calls: readonly Call[]): Promise<Call> {
  const { id, salt, state } = await nextOperation(client, timelock, calls);
  if (state !== UNSET) throw new Failure(`operation ${id} is scheduled already, ${await due(client, timelock, id)}`);
  const delay = await client.readContract({
    address: timelock,
    abi: timelockControllerAbi,
    functionName: "getMinDelay",
  });
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
  const { id, salt, state } = await nextOperation(client, timelock, calls);
  if (state === UNSET) throw new Failure(`operation ${id} is not scheduled: run the command with --schedule first`);
  if (state === WAITING) throw new Failure(`operation ${id} still waits: ${await due(client, timelock, id)}`);
  const args = [...batch(calls), zeroHash, salt] as const;
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
  const delay = await client.readContract({
    address: timelock,
    abi: timelockControllerAbi,
    functionName: "getMinDelay",
  });
  return showDuration(delay);
}

async function isPostponed(client: NodeClient, timelock: Address, id: Hex): Promise<boolean> {
  const contract = { address: timelock, abi: timelockControllerAbi } as const;
  const [{ timestamp }, delay, time] = await Promise.all([
    client.getBlock(),
    client.readContract({ ...contract, functionName: "getMinDelay" }),
    client.readContract({ ...contract, functionName: "getTimestamp", args: [id] }),
  ]);
  return time > timestamp + delay;
}

async function due(client: NodeClient, timelock: Address, id: Hex): Promise<string> {
  const abi = timelockControllerAbi;
  const time = await client.readContract({ address: timelock, abi, functionName: "getTimestamp", args: [id] });
  return `to be executed from ${showTime(time)} on`;
}

function batch(calls: readonly Call[]): readonly [Address[], bigint[], Hex[]] {
  return [calls.map(({ to }) => to), calls.map(() => 0n), calls.map(({ data }) => data)];
}
