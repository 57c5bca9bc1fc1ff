/** Events of a deployment, from the block in which the deployment began. */
import { CONTRACT_ABIS, treasuryAbi } from "@coreswap/abi";
import { type BlockRange, blockRanges, findCreditedAccounts } from "@coreswap/sdk";
import {
  type AbiEvent,
  type Address,
  getAbiItem,
  getAddress,
  type Hash,
  type Hex,
  type PublicClient,
  toEventSelector,
} from "viem";
import { Failure } from "../failure.ts";
import { type NodeClient, readFailure } from "./connect.ts";
import { roleId } from "./contracts.ts";
import type { Deployment } from "./deployment.ts";

/** Every contract of a deployment grants its first administrator the role when it is created. */
const FIRST_EVENT = {
  event: getAbiItem({ abi: treasuryAbi, name: "RoleGranted" }),
  args: { role: roleId("DEFAULT_ADMIN_ROLE") },
} as const;

interface RequestedRange extends BlockRange {
  readonly blocksPerRequest: bigint;
}

/** An event by name, with its raw words. */
export interface NamedLog {
  readonly address: Address;
  readonly eventName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: bigint;
  readonly logIndex: number;
  readonly transactionHash: Hash;
}

/** Every event with one of these names, once for each form in which contracts declare it. */
function eventsNamed(names: ReadonlySet<string>): AbiEvent[] {
  const items = Object.values(CONTRACT_ABIS)
    .flat()
    .filter((item) => item.type === "event" && names.has(item.name)) as AbiEvent[];
  const form = (event: AbiEvent) =>
    `${toEventSelector(event)} ${event.inputs.map(({ indexed }) => (indexed ? "i" : "d")).join("")}`;
  return [...new Map(items.map((event) => [form(event), event])).values()];
}

/**
 * Requires that a range has the events of contracts from the first one on. A node that has removed old blocks may give
 * none of them without an error, and nothing would look as if it had never happened. Contracts that are not created yet
 * have none.
 * @throws Failure naming a contract without its first event
 */
export async function requireFirstEvents(
  client: NodeClient,
  addresses: readonly Address[],
  range: RequestedRange,
): Promise<void> {
  const missing = new Set(addresses.map((address) => getAddress(address)));
  for (const blocks of blockRanges(range, range.blocksPerRequest)) {
    if (missing.size === 0) return;
    const logs = await client.getLogs({ address: [...missing], ...FIRST_EVENT, ...blocks });
    for (const { address } of logs) missing.delete(getAddress(address));
  }
  for (const address of missing) {
    if ((await client.getCode({ address })) === undefined) continue;
    throw new Failure(
      `the node gives no events of ${address} since block ${range.fromBlock}: it lacks old blocks, or startBlock of the ` +
        "deployment file is too late",
    );
  }
}

/**
 * Says which contracts are older than a block, so that their events from that block on are not all of them. The file with
 * the block may come from whoever granted roles before it, and `requireFirstEvents` takes any grant as the first one.
 * @returns a line for each of them, or one line when the node does not know
 */
export async function olderContracts(
  client: NodeClient,
  addresses: readonly Address[],
  startBlock: bigint,
): Promise<string[]> {
  if (startBlock === 0n) return [];
  const blockNumber = startBlock - 1n;
  try {
    const older = addresses.map(async (address) =>
      (await client.getCode({ address, blockNumber })) === undefined
        ? []
        : [`${address} has code before startBlock ${startBlock} of the deployment file: earlier events are missing`],
    );
    return (await Promise.all(older)).flat();
  } catch (error) {
    return [
      `cannot tell whether contracts have events before startBlock ${startBlock} of the deployment file: ` +
        `${readFailure(error)}. Use a node with the state of block ${blockNumber}`,
    ];
  }
}

/**
 * Reads logs of contracts by the names of their events, in the order of the chain.
 * @param range the first and last block, and the number of blocks per request
 * @throws Failure when the range lacks the first events of a contract; viem's errors when the node fails
 */
export async function readEvents(
  client: NodeClient,
  addresses: readonly Address[],
  names: ReadonlySet<string>,
  range: RequestedRange,
): Promise<NamedLog[]> {
  await requireFirstEvents(client, addresses, range);
  return searchEvents(client, addresses, names, range);
}

/** The same without the requirement, for a range that need not have the first events. */
export async function searchEvents(
  client: NodeClient,
  addresses: readonly Address[],
  names: ReadonlySet<string>,
  range: RequestedRange,
): Promise<NamedLog[]> {
  const found: NamedLog[] = [];
  for (const blocks of blockRanges(range, range.blocksPerRequest)) {
    const logs = await client.getLogs({
      address: [...addresses],
      events: eventsNamed(names),
      ...blocks,
      strict: true,
    });
    for (const log of logs) found.push({ ...log, args: log.args as Readonly<Record<string, unknown>> });
  }
  return found;
}

/**
 * Finds every account that ever had credits, by the events since the deployment.
 * @throws Failure when the node lacks the first events of the delegate; viem's errors when it fails
 */
export async function creditedAccounts(
  client: NodeClient,
  { startBlock, treasuryStablecoin: { delegate } }: Deployment,
  toBlock: bigint,
  blocksPerRequest: bigint,
): Promise<readonly Address[]> {
  const range = { fromBlock: BigInt(startBlock), toBlock, blocksPerRequest };
  await requireFirstEvents(client, [delegate], range);
  return findCreditedAccounts({ client: client as PublicClient, delegateAddress: delegate, ...range });
}
