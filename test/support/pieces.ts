/**
 * Endpoints with their parameters and, for each kind of parameter, values that must be accepted or refused. Values are
 * written as in a URL.
 */

interface Values {
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

const ADDRESS = "52908400098527886e0f7030069857d2e4169ee7";
const HASH = "5a".repeat(32);

/** Values that no parameter accepts. */
export const HOSTILE = [
  "%00",
  "%0A",
  "%20",
  "+",
  "%27%20OR%201%3D1%20--",
  "%3Cscript%3E",
  "%E2%80%8B",
  "%F0%9F%92%B0",
  "__proto__",
  "constructor",
  "null",
  "undefined",
  "NaN",
  "[]",
  "%5B%5D",
  "{}",
  "../..",
  "%2e%2e%2f",
  "a".repeat(65_536),
] as const;

/** Invalid escapes, and bytes that are not UTF-8. */
export const BROKEN_ESCAPES = [
  "%",
  "%z",
  "%zz",
  "%1",
  "%ff",
  "%C3",
  "%c0%80",
  "%E0%A4%A",
  "%ED%A0%80",
  "%F8%88%80%80%80",
] as const;

const time: Values = {
  accepted: [
    "2026-01-31T00:00:00Z",
    "2024-02-29T23:59:59Z",
    "1970-01-01T00:00:00Z",
    "1970-01-01T00:00:01Z",
    "9999-12-31T23:59:59Z",
    "2026%2D01-31T00%3A00%3A00Z",
    "2026-01-31T00:00:00.0Z",
    "2026-01-31T00:00:00.000Z",
    "2026-01-31T00:00:00%2B00:00",
    "2026-01-31T00:00:00-00:00",
    "2026-01-31T00:00:00.000000%2B00:00",
  ],
  refused: [
    "2026-01-31T00:00:00.5Z",
    "2026-01-31T00:00:00.Z",
    "2026-01-31T00:00:00,5Z",
    "2026-01-31T00:00:00%2B0000",
    "2026-01-31T00:00:00-00:01",
    "2026-01-31T01:00:00%2B01:00",
    "2026-01-31T00:00:00+00:00",
    "2026-01-31T00:00:00",
    "2026-01-31t00:00:00Z",
    "2026-01-31T00:00:00z",
    "2026-01-31%2000:00:00Z",
    "2026-01-31T00:00:60Z",
    "2026-01-31T23:59:60Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T00:60:00Z",
    "2026-01-31T00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "10000-01-01T00:00:00Z",
    "%2B010000-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
    "26-01-31T00:00:00Z",
    "2026-1-31T00:00:00Z",
    "2026-01-31",
    "1767225600",
    "now",
  ],
};

const hex = (digits: string, off: readonly string[]): Values => ({
  accepted: [
    `0x${digits}`,
    `0x${digits.toUpperCase()}`,
    `0%78${digits.slice(0, -1)}F`,
    `0x${"0".repeat(digits.length)}`,
  ],
  refused: [
    digits,
    `0X${digits}`,
    `0x${digits.slice(1)}`,
    `0x${digits}0`,
    `0x${digits.slice(2)}`,
    `0x${digits}00`,
    `0x${digits.slice(1)}g`,
    `0x${digits}%00`,
    `0x${digits}%20`,
    `%200x${digits}`,
    `0x${digits}%0A`,
    `0x${digits.slice(1)}%EF%BC%91`,
    "0x",
    ...off,
  ],
});

const choice = (...accepted: string[]): Values => ({
  accepted,
  refused: [
    "unknown",
    ...accepted.flatMap((value) => [value.toUpperCase(), `${value}%20`, `${value}%00`, `%20${value}`]),
  ],
});

export const KINDS = {
  network: choice("evm-mainnet", "evm-sepolia"),
  outcome: choice("success", "revert"),
  activity: choice("swap", "allowlist"),
  runtime: choice("evm", "svm"),
  evmChain: choice("mainnet", "sepolia"),
  svmChain: choice("mainnet", "devnet"),
  interval: choice("day", "week", "month"),
  address: hex(ADDRESS, [`0x${HASH}`, "vitalik.eth"]),
  hash: hex(HASH, [`0x${ADDRESS}`]),
  entrypoint: {
    accepted: ["swap", "addToWhitelist", "removeFromWhitelist", "pause", "_", "$a1", "s".repeat(64)],
    refused: [
      "swap()",
      "9swap",
      "swap%00",
      "swap%20",
      "%20swap",
      "s".repeat(65),
      "sw%C3%A4p",
      "swap,pause",
      "swap%3Bpause",
    ],
  },
  limit: {
    accepted: ["1", "2", "50", "99", "100", "%35"],
    refused: [
      ...[
        "0",
        "101",
        "1000",
        "-1",
        "1.5",
        "1.0",
        "1e1",
        "1e2",
        "0x10",
        "01",
        "1_0",
        "%D9%A3",
        "+5",
        "%2B5",
        "%205",
        "5%20",
      ],
      ...["5%00", "5%0A", "ten", "NaN", "Infinity", "%EF%BC%95", "9".repeat(400)],
    ],
  },
  lagSeconds: {
    accepted: ["0", "1", "60", "31536000", "%36%30"],
    refused: [
      "-1",
      "-0",
      "00",
      "01",
      "1.5",
      "1e3",
      "0x10",
      "31536001",
      "%2B5",
      "%205",
      "5%20",
      "5%00",
      "ten",
      "9".repeat(400),
    ],
  },
  cursor: {
    accepted: [],
    refused: [
      "AAAA",
      "A".repeat(39),
      "A".repeat(64),
      "A".repeat(65),
      "%3D",
      "AQ==",
      "%2B%2F",
      "not%20base64",
      "%00",
      "%D9%A3",
    ],
  },
  time,
} as const satisfies Record<string, Values>;

export type Kind = keyof typeof KINDS;

export interface Endpoint {
  readonly path: string;
  readonly parameters: Readonly<Record<string, Kind>>;
  readonly required: Readonly<Record<string, string>>;
}

const filters = {
  network: "network",
  wallet: "address",
  outcome: "outcome",
  activity: "activity",
  entrypoint: "entrypoint",
  transactionHash: "hash",
  cursor: "cursor",
} as const;
const range = { network: "network", from: "time", to: "time" } as const;
const onMainnet = { network: "evm-mainnet" };

/** Endpoints that read their query. */
export const ENDPOINTS: readonly Endpoint[] = [
  { path: "/v1/info", parameters: { runtime: "runtime" }, required: {} },
  { path: "/v1/info/evm", parameters: { chain: "evmChain" }, required: {} },
  { path: "/v1/info/svm", parameters: { chain: "svmChain" }, required: {} },
  {
    path: "/v1/status/indexing",
    parameters: { network: "network", maxLagSeconds: "lagSeconds", maxAgeSeconds: "lagSeconds" },
    required: {},
  },
  { path: "/v1/assets", parameters: { network: "network" }, required: onMainnet },
  { path: `/v1/assets/0x${HASH}/navs`, parameters: range, required: onMainnet },
  { path: `/v1/lps/0x${ADDRESS}`, parameters: { network: "network" }, required: onMainnet },
  { path: "/v1/transactions", parameters: { ...filters, limit: "limit" }, required: onMainnet },
  { path: `/v1/transactions/0x${HASH}/revert`, parameters: { network: "network" }, required: onMainnet },
  { path: "/v1/transactions.csv", parameters: { ...filters, ...range }, required: onMainnet },
  { path: "/v1/volume", parameters: { ...range, lpAddress: "address" }, required: onMainnet },
  {
    path: "/v1/volume/series",
    parameters: { ...range, lpAddress: "address", interval: "interval" },
    required: { ...onMainnet, interval: "week" },
  },
  {
    path: "/v1/volume/series.csv",
    parameters: { ...range, lpAddress: "address", interval: "interval" },
    required: { ...onMainnet, interval: "week" },
  },
  { path: "/v1/treasury/summary", parameters: { network: "network" }, required: onMainnet },
  { path: "/v1/treasury/rates", parameters: { ...range, delegate: "address" }, required: onMainnet },
  { path: `/v1/treasury/accounts/0x${ADDRESS}`, parameters: { network: "network" }, required: onMainnet },
  {
    path: `/v1/treasury/accounts/0x${ADDRESS}/history`,
    parameters: { ...range, interval: "interval" },
    required: { ...onMainnet, interval: "week" },
  },
];

/** Endpoints that ignore their query. */
export const QUERYLESS = ["/", "/openapi.json", "/docs", "/v1/status", "/api/status"] as const;

/** A path with the required parameters and the given ones, which take precedence. Null omits a parameter. */
export function pathOf({ path, required }: Endpoint, given: Readonly<Record<string, string | null>> = {}): string {
  const query = Object.entries({ ...required, ...given })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${value}`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}
