/** The parameters of the page's query string, by view. Invalid values are dropped, except for the assets of a swap. */
import { apiTime, secondsOf } from "./format/time.ts";

type Raw = Readonly<Record<string, unknown>>;

const NETWORKS = ["evm-mainnet", "evm-sepolia"] as const;
const INTERVALS = ["hour", "day", "week", "month"] as const;
const RANGES = ["24h", "7d", "30d", "90d", "365d"] as const;

const ADDRESS = /^0x[0-9a-f]{40}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

export type RangeName = (typeof RANGES)[number];

/** Keeps a parameter if it has one of the given values. */
function oneOf<Name extends string, Value extends string>(raw: Raw, name: Name, values: readonly Value[]) {
  const value = values.find((candidate) => candidate === raw[name]);
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value | undefined };
}

/** Keeps a parameter if it matches. */
function matching<Name extends string>(raw: Raw, name: Name, pattern: RegExp) {
  const value = raw[name];
  return (typeof value === "string" && pattern.test(value) ? { [name]: value } : {}) as {
    [Key in Name]?: string | undefined;
  };
}

/** Keeps a time of the calendar, as the API accepts it. */
function time<Name extends string>(raw: Raw, name: Name) {
  const found = matching(raw, name, TIME);
  const text = found[name];
  const seconds = text === undefined ? Number.NaN : secondsOf(text);
  return Number.isFinite(seconds) && apiTime(seconds) === text ? found : ({} as typeof found);
}

/** Keeps a number in hex, in lower case, as the API writes it, if that matches. */
function hex<Name extends string>(raw: Raw, name: Name, pattern: RegExp) {
  const value = raw[name];
  return matching({ [name]: typeof value === "string" ? value.toLowerCase() : value }, name, pattern);
}

/** Parameters of every view. */
export const networkSearch = (raw: Raw) => oneOf(raw, "network", NETWORKS);

/** A range of time: a name, or two bounds. */
export const rangeSearch = (raw: Raw) => ({
  ...oneOf(raw, "range", RANGES),
  ...time(raw, "from"),
  ...time(raw, "to"),
});

export const overviewSearch = (raw: Raw) => ({
  ...rangeSearch(raw),
  ...oneOf(raw, "interval", INTERVALS),
  ...hex(raw, "lp", ADDRESS),
});

export const transactionsSearch = (raw: Raw) => ({
  ...hex(raw, "wallet", ADDRESS),
  ...oneOf(raw, "outcome", ["success", "revert"]),
  ...oneOf(raw, "activity", ["swap", "allowlist"]),
  ...matching(raw, "entrypoint", /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/),
  ...hex(raw, "transactionHash", /^0x[0-9a-f]{64}$/),
  ...matching(raw, "cursor", /^[A-Za-z0-9_-]{1,64}$/),
  ...oneOf(raw, "limit", ["25", "50", "100"]),
  // Bounds of the file, which the list does not have.
  ...time(raw, "from"),
  ...time(raw, "to"),
});

/** Kinds of legs: of plain assets, into a yield-bearing stablecoin, out of one. */
const ACTIONS = ["swap", "deposit", "redeem"] as const;
/** Basis points by which the other amount may differ from the quoted one. */
export const SLIPPAGES = ["0", "5", "10", "50", "100", "300"] as const;

/** Keeps an asset's ID, in lower case. Any other text stays, too: the view says that it is not offered. */
const assetId = <Name extends string>(raw: Raw, name: Name) => hex(raw, name, /^.{1,80}$/);

export const swapSearch = (raw: Raw) => ({
  ...oneOf(raw, "action", ACTIONS),
  ...assetId(raw, "assetIn"),
  ...assetId(raw, "assetOut"),
  /** Id of the stablecoin whose LP settles. */
  ...assetId(raw, "lp"),
  ...oneOf(raw, "exact", ["in", "out"]),
  ...matching(raw, "amount", /^.{1,80}$/),
  ...oneOf(raw, "slippageBps", SLIPPAGES),
  /** Hash of the transaction that was sent. */
  ...hex(raw, "transaction", /^0x[0-9a-f]{64}$/),
});

export type SwapSearch = ReturnType<typeof swapSearch>;

export const walletSearch = (raw: Raw) => ({
  ...hex(raw, "address", ADDRESS),
  ...rangeSearch(raw),
  ...oneOf(raw, "interval", INTERVALS),
});

/** The RWA whose NAVs are shown, and the range of time. */
export const assetsSearch = (raw: Raw) => ({ ...hex(raw, "rwa", /^0x[0-9a-f]{64}$/), ...rangeSearch(raw) });

/** An object without the properties that are not set. */
type Defined<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Leaves out unset properties, for functions that distinguish them from undefined ones. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}

/** Reads a query string; if a parameter is given twice, the last one counts. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes a query string like the API does: plain names and values, without unset ones. */
export function stringifySearch(search: Raw): string {
  const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(set.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text && `?${text}`;
}
