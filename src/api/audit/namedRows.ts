/** Makes the rows in force that the events of a block name from its receipts, independently of the handlers. */
import { type Abi, decodeEventLog, type Hex, toEventSelector, zeroAddress } from "viem";
import { coreSwapAbi, navPriceAdapterAbi, stablecoinDelegateAbi, treasuryDelegateAbi } from "../../../abis/index.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import type { AuditBlock, AuditLog } from "./chain.ts";
import type { FoundRow } from "./currentRows.ts";
import {
  type Columns,
  CREDIT_TOTALS,
  type CurrentTableName,
  currentTable,
  gainOf,
  type NamedRow,
  rowName,
} from "./currentTables.ts";

type Name = (
  log: AuditLog,
  args: Readonly<Record<string, unknown>>,
  block: AuditBlock,
  hash: Hex,
) => NamedRow | readonly NamedRow[];

const text = (value: unknown) => String(value).toLowerCase();

const rowOf =
  (table: CurrentTableName, ...parts: readonly string[]): Name =>
  (_log, args) => ({ table, key: parts.map((part) => text(args[part])), columns: null });

const stablecoin = rowOf("stablecoin", "stablecoinID");
const rwa = rowOf("rwa", "rwaID");
const rwaRate = rowOf("lp_rwa_rate", "stablecoinID", "rwaID");
const stablecoinRate = rowOf("lp_stablecoin_rate", "stablecoinOutID", "stablecoinIn");
const settings = rowOf("protocol_settings");

const CORE_SWAP_EVENTS = eventsOf(coreSwapAbi, {
  StablecoinAcceptanceSet: stablecoin,
  IssuerPaidProtocolFeeRateSet: stablecoin,
  ProtocolFeeExemptSet: stablecoin,
  StablecoinPriceGuardrailSet: stablecoin,
  StablecoinGuardrailEnabledSet: stablecoin,
  StablecoinUSDValueSet: (_log, { stablecoinID, value }, { number, timestamp }) => ({
    table: "stablecoin",
    key: [text(stablecoinID)],
    columns: { usd_value_wad: text(value), usd_value_set_at: text(timestamp), usd_value_block_number: text(number) },
  }),
  RWAAcceptanceSet: rwa,
  RwaPriceAdapterSet: (log, args, block, hash) => {
    const { priceAdapter } = args;
    return [
      { table: "rwa", key: [text(args.rwaID)], columns: null },
      {
        table: "price_adapter_change",
        key: [text(args.rwaID), ...placeOf(log, block)],
        columns: {
          adapter_address: priceAdapter === zeroAddress ? null : text(priceAdapter),
          transaction_hash: hash,
          block_number: text(block.number),
        },
      },
    ];
  },
  RwaWhitelistAdapterSet: rwa,
  DiscountRateSet: rwaRate,
  RedemptionFeeSet: rwaRate,
  StablecoinAcceptanceFeeSet: stablecoinRate,
  StablecoinRedemptionFeeSet: stablecoinRate,
  SpreadProtocolTakeRateSet: settings,
  Paused: settings,
  Unpaused: settings,
});

/** Events that any contract can emit. */
const ANYONES_EVENTS = new Map([
  ...eventsOf(navPriceAdapterAbi, {
    NavPosted: (log, { navWad, poster }, block, hash) => ({
      table: "nav_post",
      key: [log.address, ...placeOf(log, block)],
      columns: {
        nav_wad: text(navWad),
        poster: text(poster),
        transaction_hash: hash,
        block_number: text(block.number),
      },
    }),
  }),
  ...eventsOf(stablecoinDelegateAbi, { IssuerAdminAdded: issuerAdmin, IssuerAdminRemoved: issuerAdmin }),
  ...eventsOf(treasuryDelegateAbi, {
    FirstRatePosted: ({ address }) => ({ table: "rate_start", key: [address], columns: null }),
    DailyRatePosted: ({ address }, { dayNumber, rate, poster }, { number, timestamp }, hash) => ({
      table: "daily_rate",
      key: [address, text(dayNumber)],
      columns: {
        rate_wad: text(rate),
        poster: text(poster),
        posted_at: text(timestamp),
        transaction_hash: hash,
        block_number: text(number),
      },
    }),
    DailyRateCorrected: ({ address, logIndex }, args, { number, timestamp }, hash) => ({
      table: "daily_rate_correction",
      key: [address, text(args.dayNumber), text(number), text(logIndex)],
      columns: {
        old_rate_wad: text(args.oldRate),
        new_rate_wad: text(args.newRate),
        corrector: text(args.corrector),
        corrected_at: text(timestamp),
        transaction_hash: hash,
        block_number: text(number),
      },
    }),
    PendingCreditsAdded: (log, { user, amount }, block) =>
      creditRows(log, block, user, { kind: "deposit", credits: amount }),
    YieldClaimed: (log, { user, creditsRedeemed, yieldAmount }, block) =>
      creditRows(log, block, user, { kind: "redemption", credits: creditsRedeemed, yieldAmount }),
    CreditsMoved: (log, { from, to, withheldCredits, mainCredits }, block) => {
      if (from === to) return [];
      const credits = BigInt(text(withheldCredits)) + BigInt(text(mainCredits));
      return [
        ...creditRows(log, block, from, { kind: "movedOut", credits }),
        ...(to === zeroAddress ? [] : creditRows(log, block, to, { kind: "movedIn", credits })),
      ];
    },
  }),
]);

function issuerAdmin(...[{ address }, args]: Parameters<Name>): NamedRow {
  return { table: "issuer_admin", key: [address, text(args.issuerAdmin)], columns: null };
}

/** The part of a list's key that contains the position of an event. */
function placeOf({ logIndex }: AuditLog, { number, timestamp }: AuditBlock): readonly string[] {
  return [text(timestamp), text(number), text(logIndex)];
}

/** The running sum to which an entry adds its credits. */
const TOTAL_OF = {
  deposit: "deposited_total",
  redemption: "redeemed_total",
  movedIn: "moved_in_total",
  movedOut: "moved_out_total",
} as const;

/** By how much each running sum has to differ from that of the entry before. */
function gains(added: { readonly [total in (typeof CREDIT_TOTALS)[number]]?: unknown }): Columns {
  return Object.fromEntries(CREDIT_TOTALS.map((total) => [gainOf(total), text(added[total] ?? 0n)]));
}

interface Change {
  readonly kind: keyof typeof TOTAL_OF;
  readonly credits: unknown;
  readonly yieldAmount?: unknown;
}

/** The account whose credits an event changes, and the list entry of that change. */
function creditRows(
  log: AuditLog,
  block: AuditBlock,
  account: unknown,
  { kind, credits, yieldAmount = 0n }: Change,
): readonly NamedRow[] {
  const key = [log.address, text(account)];
  return [
    { table: "credited_account", key, columns: gains({}) },
    {
      table: "credit_entry",
      key: [...key, ...placeOf(log, block)],
      columns: {
        kind,
        credits: text(credits),
        yield_amount: text(yieldAmount),
        block_number: text(block.number),
        ...gains({ [TOTAL_OF[kind]]: credits, yield_claimed_total: yieldAmount }),
      },
    },
  ];
}

/**
 * Returns the rows that the events of a block name, by name. When several events name a row, its columns are those of
 * the last event. Any contract can emit a delegate's events, so some rows may name contracts that are not registered.
 */
export function namedRows(
  block: AuditBlock,
  { coreSwap }: Pick<ApiNetwork, "coreSwap">,
): ReadonlyMap<string, NamedRow> {
  const rows = new Map<string, NamedRow>();
  for (const { hash, receipt } of block.transactions) {
    for (const log of receipt.logs) {
      const selector = log.topics[0];
      if (selector === undefined) continue;
      const event = (log.address === coreSwap && CORE_SWAP_EVENTS.get(selector)) || ANYONES_EVENTS.get(selector);
      const args = event && decode(event.abi, log);
      const named = args ? event.name(log, args, block, hash) : [];
      for (const row of [named].flat()) {
        const name = rowName(row.table, row.key);
        rows.set(name, { ...row, columns: row.columns ?? rows.get(name)?.columns ?? null });
      }
    }
  }
  return rows;
}

/**
 * Returns one sentence for each named row of a final block that is missing, or that names this event and has other
 * columns. The columns of a correct row come from a later event or from exactly this one.
 */
export function namedDifferences(
  { number }: AuditBlock,
  named: ReadonlyMap<string, NamedRow>,
  found: readonly FoundRow[],
): string[] {
  return found.flatMap(({ table, key, columns }) => {
    const name = rowName(table, key);
    if (columns === null) return [`${name} is missing`];
    const expected = named.get(name)?.columns;
    const { blockColumn } = currentTable(table);
    if (!expected) return [];
    const block = blockColumn === undefined ? null : columns[blockColumn];
    if (block && BigInt(block) > number) return [];
    return columnDifferences(name, expected, columns);
  });
}

/** Returns one sentence for each column that differs from the expected value. */
export function columnDifferences(name: string, expected: Columns, actual: Columns): string[] {
  return Object.entries(expected).flatMap(([column, value]) =>
    actual[column] === value ? [] : [`${name}: ${column} is ${actual[column]}, should be ${value}`],
  );
}

interface NamingEvent {
  readonly abi: Abi;
  readonly name: Name;
}

/** Events of a contract by selector. */
function eventsOf<const abi extends Abi>(
  abi: abi,
  names: { readonly [name in Extract<abi[number], { type: "event" }>["name"]]?: Name },
): ReadonlyMap<Hex, NamingEvent> {
  return new Map(
    Object.entries<Name>(names as Record<string, Name>).map(([eventName, name]) => {
      const item = abi.find((entry) => entry.type === "event" && entry.name === eventName);
      if (item?.type !== "event") throw new Error(`the ABI has no event ${eventName}`);
      return [toEventSelector(item), { abi: [item], name }];
    }),
  );
}

/** Decodes the arguments of a log. Returns null when it has another format, because any contract can emit any log. */
function decode(abi: Abi, { topics, data }: AuditLog): Readonly<Record<string, unknown>> | null {
  try {
    const [selector, ...rest] = topics;
    if (selector === undefined) return null;
    return (decodeEventLog({ abi, topics: [selector, ...rest], data }).args ?? {}) as Record<string, unknown>;
  } catch {
    return null;
  }
}
