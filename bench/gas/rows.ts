/**
 * The comparisons: each operation of this project, its limit, and its peers. Own figures are keys of the root project's
 * gas snapshots (`contracts/test/gas`), and peers' figures are keys of this folder's snapshots (`test/`).
 */

/** Location of a figure of ours in the snapshots: group (file) and name. */
export type OurKey = readonly [group: "CoreSwap" | "StateAccess" | "Treasury" | "TreasuryDelegate", name: string];

/** A peer whose call this benchmark runs. */
interface MeasuredPeer {
  readonly peer: string;
  readonly operation: string;
}

/** A figure that this benchmark does not measure, and its source. */
interface RecordedPeer {
  readonly peer: string;
  readonly gas: number;
  readonly source: string;
}

export interface Row {
  readonly operation: string;
  readonly ours: OurKey;
  /** Gas, at most. */
  readonly bar: number;
  /** Why the bar is missed, printed when it is. */
  readonly whyMissed?: string;
  readonly peers: readonly (MeasuredPeer | RecordedPeer)[];
}

const FLOOR: MeasuredPeer = { peer: "floor", operation: "two transfers" };
const UNISWAP_SWAP: MeasuredPeer = { peer: "Uniswap v4", operation: "swap, later" };
const UNISWAP_FIRST_SWAP: MeasuredPeer = { peer: "Uniswap v4", operation: "swap, first of the pool" };
const UNIVERSAL_ROUTER: MeasuredPeer = { peer: "Universal Router, v3 pool", operation: "swap, owner's first permit" };
const BALANCER: RecordedPeer = {
  peer: "Balancer v3 stable pool",
  gas: 180_900,
  source:
    "balancer/balancer-v3-monorepo@0a5890a8, pkg/pool-stable/test/gas/.hardhat-snapshots, [StablePool - WithRate] swap single token exact in with fees - warm slots: 180.9k",
};
const TOKENS = [
  "USDC (FiatTokenV2_2)",
  "OpenZeppelin UUPS, pause and blacklist",
  "OpenZeppelin UUPS",
  "solady UUPS",
] as const;

const TO_SPENDER = "transferFrom to the spender, finite allowance";
const TO_THIRD_PARTY = "transferFrom to a third party, finite allowance";

/**
 * If an LP's rate stored the token beside it, it could apply to a token that the RWA's ID had before it was accepted.
 */
const RWA_SLOTS = "an RWA takes two slots, token and price adapter: 2,100 more than a token kept beside each rate";

export const ROWS: readonly Row[] = [
  {
    operation: "Treasury transfer between holders",
    ours: ["Treasury", "transfer between holders"],
    bar: 43_000,
    peers: tokens("transfer between holders"),
  },
  {
    operation: "Treasury transferFrom to the spender, finite allowance",
    ours: ["Treasury", TO_SPENDER],
    bar: 49_000,
    peers: tokens(TO_SPENDER),
  },
  {
    operation: "Treasury transferFrom to a third party, finite allowance",
    ours: ["Treasury", TO_THIRD_PARTY],
    bar: 49_000,
    peers: [...tokens(TO_THIRD_PARTY), { peer: "Permit2", operation: TO_THIRD_PARTY }],
  },
  {
    operation: "Treasury first permit of an owner",
    ours: ["Treasury", "first permit of an owner"],
    bar: 80_500,
    peers: [...tokens("first permit of an owner"), { peer: "Permit2", operation: "first permit of an owner" }],
  },
  {
    operation: "Treasury mint to a holder",
    ours: ["Treasury", "mint to a holder"],
    bar: 45_000,
    peers: tokens("mint to a holder"),
  },
  {
    operation: "One leg RWA to stablecoin, exempt",
    ours: ["CoreSwap", "RWA to stablecoin, exempt"],
    bar: 131_500,
    whyMissed: RWA_SLOTS,
    peers: [
      FLOOR,
      UNISWAP_SWAP,
      UNISWAP_FIRST_SWAP,
      {
        peer: "Uniswap v4, first swap of the pool",
        gas: 123_144,
        source: "@uniswap/v4-core 1.0.2, snapshots/PoolManagerTest.json, simple swap (Uniswap/v4-core@23a477ae)",
      },
      { peer: "Universal Router, v3 pool", operation: "swap, approved before" },
    ],
  },
  {
    operation: "One leg RWA to stablecoin, protocol fee paid out",
    ours: ["CoreSwap", "RWA to stablecoin, protocol fee paid to the vault"],
    bar: 150_000,
    peers: [UNISWAP_SWAP, BALANCER],
  },
  {
    operation: "One leg, exempt, first signed permit, sent by an operator",
    ours: ["CoreSwap", "RWA to stablecoin, exempt, user's first permit"],
    bar: 178_000,
    peers: [UNIVERSAL_ROUTER],
  },
  {
    operation: "One leg, protocol fee, first signed permit, sent by an operator",
    ours: ["CoreSwap", "RWA to stablecoin, protocol fee, user's first permit"],
    bar: 178_000,
    peers: [UNIVERSAL_ROUTER],
  },
  {
    operation: "One leg, protocol fee, later signed permit, sent by an operator",
    ours: ["CoreSwap", "RWA to stablecoin, protocol fee, user's second permit"],
    bar: 178_000,
    peers: [{ peer: "Universal Router, v3 pool", operation: "swap, owner's second permit" }],
  },
  {
    operation: "Further leg of a batch, same assets",
    ours: ["CoreSwap", "third equal leg of a batch, exempt"],
    bar: 89_500,
    peers: [],
  },
  {
    operation: "Further leg of a batch, another RWA",
    ours: ["CoreSwap", "further leg of another RWA, exempt"],
    bar: 89_500,
    peers: [],
  },
  {
    operation: "Further leg of a batch, another RWA, stablecoin and LP",
    ours: ["CoreSwap", "further leg of another RWA, stablecoin and LP, exempt"],
    bar: 89_500,
    whyMissed: `the legs share nothing but CoreSwap: two tokens, a price adapter and an LP behind its proxy are touched first by this leg; ${RWA_SLOTS}`,
    peers: [],
  },
  {
    operation: "Deposit into Treasury, exempt, first ever",
    ours: ["CoreSwap", "RWA to treasury, exempt, first deposit ever"],
    bar: 220_000,
    peers: [{ peer: "Morpho Blue", operation: "supply, first of an account" }],
  },
  {
    operation: "Deposit into Treasury, with a fee, first ever",
    ours: ["CoreSwap", "RWA to treasury, protocol fee, first deposit and first fee ever"],
    bar: 330_000,
    peers: [{ peer: "Morpho Blue", operation: "supply, first of an account" }],
  },
  {
    operation: "Deposit into Treasury, with a fee, joining",
    ours: ["CoreSwap", "RWA to treasury, protocol fee, both joining the day's records"],
    bar: 180_000,
    peers: [{ peer: "Morpho Blue", operation: "supply, joining" }],
  },
  {
    operation: "Accrual of 1 day",
    ours: ["TreasuryDelegate", "accrual of one day"],
    bar: 60_000,
    peers: accruals("accrual, 1 day"),
  },
  {
    operation: "Accrual of 365 days",
    ours: ["TreasuryDelegate", "accrual of 365 days"],
    bar: 60_000,
    peers: [...accruals("accrual, 365 days")],
  },
];

/** The cost of accrual must not depend on the time passed: these two must be within a tenth of each other. */
export const ACCRUALS = {
  oneDay: ["TreasuryDelegate", "accrual of one day"],
  year: ["TreasuryDelegate", "accrual of 365 days"],
  barRatio: 1.1,
} as const satisfies { oneDay: OurKey; year: OurKey; barRatio: number };

/** Operations whose accesses to accounts and storage are counted (group StateAccess), by their name in group CoreSwap. */
export const PROFILED: readonly string[] = [
  "RWA to stablecoin, exempt",
  "RWA to stablecoin, protocol fee paid to the vault",
  "RWA to treasury, exempt, first deposit ever",
  "RWA to treasury, protocol fee, first deposit and first fee ever",
  "RWA to treasury, protocol fee, both joining the day's records",
];

function tokens(operation: string): MeasuredPeer[] {
  return TOKENS.map((peer) => ({ peer, operation }));
}

function accruals(operation: string): MeasuredPeer[] {
  return ["Morpho Blue", "daily loop"].map((peer) => ({ peer, operation }));
}
