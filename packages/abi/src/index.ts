/**
 * ABIs of the contracts, as `pnpm abis` generates them: one `const` each (`coreSwapAbi`), and all of them by the
 * contract's name.
 */
import {
  balanceSheetDelegateAbi,
  chainlinkPriceAdapterAbi,
  coreSwapAbi,
  erc4626PriceAdapterAbi,
  navPriceAdapterAbi,
  tBillRateAdapterAbi,
  timelockControllerAbi,
  treasuryAbi,
  treasuryDelegateAbi,
  treasuryOftAdapterAbi,
} from "../../../abis/index.ts";

export * from "../../../abis/index.ts";

/** The ABI of every contract that is deployed, by its name. */
export const CONTRACT_ABIS = {
  CoreSwap: coreSwapAbi,
  Treasury: treasuryAbi,
  BalanceSheetDelegate: balanceSheetDelegateAbi,
  TreasuryDelegate: treasuryDelegateAbi,
  NavPriceAdapter: navPriceAdapterAbi,
  ChainlinkPriceAdapter: chainlinkPriceAdapterAbi,
  ERC4626PriceAdapter: erc4626PriceAdapterAbi,
  TBillRateAdapter: tBillRateAdapterAbi,
  TreasuryOFTAdapter: treasuryOftAdapterAbi,
  TimelockController: timelockControllerAbi,
} as const;

export type ContractName = keyof typeof CONTRACT_ABIS;

type Item = (typeof CONTRACT_ABIS)[ContractName][number];

/** Name of an error that any of the contracts declares. */
export type ErrorName = Extract<Item, { type: "error" }>["name"];
/** Name of an event that any of the contracts declares. */
export type EventName = Extract<Item, { type: "event" }>["name"];

/** Names of all errors, each once, sorted. */
export const ERROR_NAMES: readonly ErrorName[] = /* @__PURE__ */ namesOf("error");

/** Names of all events, each once, sorted. */
export const EVENT_NAMES: readonly EventName[] = /* @__PURE__ */ namesOf("event");

function namesOf(type: "error"): ErrorName[];
function namesOf(type: "event"): EventName[];
function namesOf(type: "error" | "event"): (ErrorName | EventName)[] {
  const items: readonly Item[] = Object.values(CONTRACT_ABIS).flat();
  const names = items.flatMap((item) => (item.type === type ? [item.name] : []));
  return [...new Set(names)].sort();
}
