/** Events of a deployment, from the block in which the deployment began. */
import { CONTRACT_ABIS } from "@coreswap/abi";
import { type AbiEvent, type Address, type Hash, type Hex, toEventSelector } from "viem";
import type { NodeClient } from "./connect.ts";

/** An event by name, with its raw words. */
export interface NamedLog {
  readonly address: Address;
  readonly eventName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: bigint;
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
 * Reads logs of contracts by the names of their events, in the order of the chain.
 * @param range the first and last block, and the number of blocks per request
 */
export async function readEvents(
  client: NodeClient,
  addresses: readonly Address[],
  names: ReadonlySet<string>,
  range: { readonly fromBlock: bigint; readonly toBlock: bigint; readonly blocksPerRequest: bigint },
): Promise<NamedLog[]> {
  const found: NamedLog[] = [];
  const { fromBlock, toBlock, blocksPerRequest } = range;
  for (let first = fromBlock; first <= toBlock; first += blocksPerRequest) {
    const last = first + blocksPerRequest - 1n;
    const logs = await client.getLogs({
      address: [...addresses],
      events: eventsNamed(names),
      fromBlock: first,
      toBlock: last < toBlock ? last : toBlock,
      strict: true,
    });
    for (const log of logs) found.push({ ...log, args: log.args as Readonly<Record<string, unknown>> });
  }
  return found;
}
