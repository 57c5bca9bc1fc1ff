/** Decides which logs and calls of a chain are indexed. It must match the sources in ponder.config.ts. */
import { type Address, getAbiItem, type Hex, toEventSelector } from "viem";
import {
  coreSwapAbi,
  navPriceAdapterAbi,
  stablecoinDelegateAbi,
  treasuryAbi,
  treasuryDelegateAbi,
} from "../../abis/index.ts";
import { isInBloom } from "./bloom.ts";
import { lowerCase } from "./hex.ts";

/** Events that are indexed from any contract. */
const EVENTS_OF_ANY: ReadonlySet<string> = new Set([
  "IssuerAdminAdded",
  "IssuerAdminRemoved",
  "FirstRatePosted",
  "DailyRatePosted",
  "DailyRateCorrected",
  "PendingCreditsAdded",
  "YieldClaimed",
  "CreditsMoved",
  "NavPosted",
]);

/** Selectors of these events. */
const TOPICS_OF_ANY: readonly Hex[] = [...stablecoinDelegateAbi, ...treasuryDelegateAbi, ...navPriceAdapterAbi]
  .filter((item) => item.type === "event")
  .filter(({ name }) => EVENTS_OF_ANY.has(name))
  .map((event) => toEventSelector(event));

export interface IndexedData {
  /** Returns false when a block with this bloom cannot contain an indexed log. */
  mayBeIn(bloom: Hex): boolean;
  hasLog(log: { readonly address: Hex; readonly topics: readonly Hex[] }): boolean;
  /** Returns whether a transaction calls one of the proxies, whether it reverted or not. */
  hasCall(transaction: { readonly to?: Hex | null | undefined }): boolean;
}

/** Some events of one contract, by their selectors. */
export interface EventsOf {
  readonly address: Hex;
  readonly topics: readonly Hex[];
}

/** All events of CoreSwap; of Treasury not those of plain transfers, because too many blocks have one. */
const SEARCHED_TOPICS = {
  coreSwap: coreSwapAbi.filter((item) => item.type === "event").map((event) => toEventSelector(event)),
  treasury: (["AddedToWhitelist", "RemovedFromWhitelist"] as const).map((name) =>
    toEventSelector(getAbiItem({ abi: treasuryAbi, name })),
  ),
};

/** Returns the events that a backfill searches blooms for. The contracts' addresses are in lower case. */
export function searchedEvents(proxies: { readonly coreSwap: Address; readonly treasury: Address }): EventsOf[] {
  return (["coreSwap", "treasury"] as const).map((name) => ({ address: proxies[name], topics: SEARCHED_TOPICS[name] }));
}

/** Returns whether a block with this bloom may have one of the events. Also true for some blocks that have none. */
export function mayHave({ address, topics }: EventsOf, bloom: Hex): boolean {
  return isInBloom(bloom, address) && topics.some((topic) => isInBloom(bloom, topic));
}

/** Returns the filter of a network with these proxies, whose addresses are in lower case. */
export function indexedDataOf({
  coreSwap,
  treasury,
}: {
  readonly coreSwap: Address;
  readonly treasury: Address;
}): IndexedData {
  const proxies: readonly Hex[] = [coreSwap, treasury];
  return {
    mayBeIn: (bloom) => [...proxies, ...TOPICS_OF_ANY].some((item) => isInBloom(bloom, item)),
    hasLog: ({ address, topics: [topic] }) =>
      proxies.includes(lowerCase(address)) || (topic !== undefined && TOPICS_OF_ANY.includes(lowerCase(topic))),
    hasCall: ({ to }) => to != null && proxies.includes(lowerCase(to)),
  };
}
