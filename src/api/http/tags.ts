/** Groups of endpoints in the OpenAPI document. */
export const TAGS = {
  deployments: "Contracts, programs, assets and liquidity providers",
  history: "Canonical economic transactions of one network",
  volume: "Exact protocol volume, in total and per liquidity provider",
  treasury: "Rates and accounts of the yield-bearing treasury token",
  service: "The API itself",
} as const;

/** The name of a group. */
export type Tag = keyof typeof TAGS;
