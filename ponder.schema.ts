/**
 * Tables that the handlers write and the API reads.
 *
 * Every primary key begins with `chainId`: each network is indexed on its own, so that a reorganization of one leaves
 * the rows of the other alone. No table declares a secondary index: Ponder drops those at every restart and rebuilds
 * them only after the backfill. So every access path of the API is a primary key.
 *
 * Block numbers of the history take four bytes. Its keys then have 16 bytes instead of 24: a page holds 28 % more of
 * them, and at ten million legs their trees have one level less. 2^31 blocks of twelve seconds each are 800 years;
 * PostgreSQL refuses a greater number, which stops the indexer.
 *
 * Amounts are `bigint` in the unit that their name says, else in the token's smallest unit. Addresses, hashes and asset
 * ids are lower-case hex.
 */
import { onchainTable, type PgColumnsBuilders, primaryKey } from "ponder";

/** One canonical transaction of the history: it realized an activity, or its top-level call decodes as one. */
export const transaction = onchainTable(
  "transaction",
  (t) => ({
    chainId: t.integer().notNull(),
    blockNumber: t.integer().notNull(),
    transactionIndex: t.integer().notNull(),
    hash: t.hex().notNull(),
    blockHash: t.hex().notNull(),
    /** Block timestamp, seconds since 1970. */
    timestamp: t.int8({ mode: "bigint" }).notNull(),
    sender: t.hex().notNull(),
    /** Null for a contract creation. */
    recipient: t.hex(),
    nonce: t.bigint().notNull(),
    /** Native amount sent along, in wei. */
    value: t.bigint().notNull(),
    /** First four bytes of the calldata; null when there are fewer. */
    selector: t.hex(),
    outcome: t.text({ enum: ["success", "revert"] }).notNull(),
    gasUsed: t.bigint().notNull(),
    /** In wei per unit of gas. */
    effectiveGasPrice: t.bigint().notNull(),
    /** Decoded top-level call, as the JSON text of the API's `directCall`; null when it does not decode. */
    directCall: t.text(),
    /** Class in `transactionByFilter`, see `src/indexing/filterClass.ts`. */
    filterClass: t.integer().notNull(),
    /** Comma-separated wallets under which `transactionByFilter` lists the transaction, the sender first. */
    wallets: t.text().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.blockNumber, table.transactionIndex] }) }),
);

/** Where a transaction of the history stands, by hash. */
export const transactionByHash = onchainTable(
  "transaction_by_hash",
  (t) => ({
    chainId: t.integer().notNull(),
    hash: t.hex().notNull(),
    blockNumber: t.integer().notNull(),
    transactionIndex: t.integer().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.hash] }) }),
);

/**
 * The access path of every filtered page: a transaction has one row for each of its wallets, and one with the empty
 * wallet. A set of filters becomes a list of classes, each of which is one backward range scan of this key.
 */
export const transactionByFilter = onchainTable(
  "transaction_by_filter",
  (t) => ({
    chainId: t.integer().notNull(),
    /** Empty in the row that stands for "any wallet". */
    wallet: t.text().notNull(),
    filterClass: t.integer().notNull(),
    blockNumber: t.integer().notNull(),
    transactionIndex: t.integer().notNull(),
  }),
  (table) => ({
    pk: primaryKey({
      columns: [table.chainId, table.wallet, table.filterClass, table.blockNumber, table.transactionIndex],
    }),
  }),
);

/** One realized swap leg: one `Swap` event of CoreSwap. Fees are in units of the settling stablecoin. */
export const swap = onchainTable(
  "swap",
  (t) => ({
    chainId: t.integer().notNull(),
    blockNumber: t.integer().notNull(),
    transactionIndex: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    contract: t.hex().notNull(),
    user: t.hex().notNull(),
    operator: t.hex().notNull(),
    receiver: t.hex().notNull(),
    routeId: t.bigint().notNull(),
    assetInId: t.hex().notNull(),
    assetOutId: t.hex().notNull(),
    stablecoinDelegateId: t.hex().notNull(),
    /** Delegate registered for `stablecoinDelegateId` when the leg was settled. */
    lpAddress: t.hex().notNull(),
    amountIn: t.bigint().notNull(),
    amountOut: t.bigint().notNull(),
    issuerFee: t.bigint().notNull(),
    spreadFee: t.bigint().notNull(),
    lpFee: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.blockNumber, table.transactionIndex, table.logIndex] }),
  }),
);

/** One realized change of the treasury allowlist: `AddedToWhitelist` or `RemovedFromWhitelist` of Treasury. */
export const allowlistChange = onchainTable(
  "allowlist_change",
  (t) => ({
    chainId: t.integer().notNull(),
    blockNumber: t.integer().notNull(),
    transactionIndex: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    contract: t.hex().notNull(),
    action: t.text({ enum: ["added", "removed"] }).notNull(),
    wallet: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.blockNumber, table.transactionIndex, table.logIndex] }),
  }),
);

/** One series of running totals: the legs of one LP whose value is one kind of amount. */
export const volumeSeries = onchainTable(
  "volume_series",
  (t) => ({
    chainId: t.integer().notNull(),
    lpAddress: t.hex().notNull(),
    /** Input RWA of RWA to RWA legs, whose amounts are priced when read; empty for legs valued in stablecoin. */
    assetId: t.text().notNull(),
    seriesId: t.integer().notNull(),
    /** Scale of the totals' amount: 18 for stablecoin value, the token's decimals for an RWA. */
    decimals: t.integer().notNull(),
    /** Second of its newest leg: where `volumeTotal` has the totals of the whole series. */
    newestSecond: t.int8({ mode: "bigint" }).notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.lpAddress, table.assetId] }) }),
);

/**
 * Running totals of a series at the end of every second in which it gained a leg. The volume of a half-open range is
 * the difference of two look-ups. `numeric` without precision: a sum of 2^256 scaled by 10^18 fits.
 *
 * Fees of every leg are in units of its settling stablecoin, also between RWAs. They are scaled to 18 decimals, so that
 * fees of different stablecoins add up as nominal stablecoin units.
 */
export const volumeTotal = onchainTable(
  "volume_total",
  (t) => ({
    chainId: t.integer().notNull(),
    seriesId: t.integer().notNull(),
    /** Block timestamp, seconds since 1970. */
    second: t.int8({ mode: "bigint" }).notNull(),
    legTotal: t.int8({ mode: "bigint" }).notNull(),
    amountTotal: t.numeric({ mode: "bigint" }).notNull(),
    issuerFeeTotalWad: t.numeric({ mode: "bigint" }).notNull(),
    spreadFeeTotalWad: t.numeric({ mode: "bigint" }).notNull(),
    lpFeeTotalWad: t.numeric({ mode: "bigint" }).notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.seriesId, table.second] }) }),
);

/** A stablecoin ever named by a configuration event; `tokenAddress` stays null until it is registered. */
export const stablecoin = onchainTable(
  "stablecoin",
  (t) => ({
    chainId: t.integer().notNull(),
    stablecoinId: t.hex().notNull(),
    tokenAddress: t.hex(),
    decimals: t.integer(),
    /** The token's own name and symbol; null when it has none. */
    name: t.text(),
    symbol: t.text(),
    delegateAddress: t.hex(),
    accepted: t.boolean().notNull().default(false),
    yieldBearing: t.boolean().notNull().default(false),
    /** USD per whole token; null until it was set. */
    usdValueWad: t.bigint(),
    /** Timestamp of the block that set it, seconds since 1970. */
    usdValueSetAt: t.int8({ mode: "bigint" }),
    usdValueBlockNumber: t.integer(),
    /** Null, which stands for zero and false, until they were set. */
    issuerPaidProtocolFeeRateWad: t.bigint(),
    protocolFeeExempt: t.boolean(),
    /** Null until a guardrail was configured. */
    guardrailPriceAdapter: t.hex(),
    guardrailBandWad: t.bigint(),
    guardrailEnabled: t.boolean(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.stablecoinId] }) }),
);

/** An RWA ever named by a configuration event; `tokenAddress` stays null until it is registered. */
export const rwa = onchainTable(
  "rwa",
  (t) => ({
    chainId: t.integer().notNull(),
    rwaId: t.hex().notNull(),
    tokenAddress: t.hex(),
    decimals: t.integer(),
    /** The token's own name and symbol; null when it has none. */
    name: t.text(),
    symbol: t.text(),
    accepted: t.boolean().notNull().default(false),
    /** Risk delegate; null when unset, like the adapters. */
    delegateAddress: t.hex(),
    priceAdapter: t.hex(),
    whitelistAdapter: t.hex(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.rwaId] }) }),
);

/** A change of the price adapter of an RWA: `RwaPriceAdapterSet`. */
export const priceAdapterChange = onchainTable(
  "price_adapter_change",
  (t) => ({
    chainId: t.integer().notNull(),
    rwaId: t.hex().notNull(),
    /** Block timestamp, seconds since 1970. */
    second: t.int8({ mode: "bigint" }).notNull(),
    blockNumber: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    /** Null when it was unset. */
    adapterAddress: t.hex(),
    transactionHash: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.rwaId, table.second, table.blockNumber, table.logIndex] }),
  }),
);

/** A posted NAV: `NavPosted`, of any contract that emits it. The API shows those of an RWA's price adapters. */
export const navPost = onchainTable(
  "nav_post",
  (t) => ({
    chainId: t.integer().notNull(),
    adapterAddress: t.hex().notNull(),
    /** Block timestamp, seconds since 1970. */
    second: t.int8({ mode: "bigint" }).notNull(),
    blockNumber: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    /** USD per whole token, WAD. */
    navWad: t.bigint().notNull(),
    poster: t.hex().notNull(),
    transactionHash: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({
      columns: [table.chainId, table.adapterAddress, table.second, table.blockNumber, table.logIndex],
    }),
  }),
);

/** What an LP charges for an RWA. A pair has a row once one of its rates was set; the other one is zero until then. */
export const lpRwaRate = onchainTable(
  "lp_rwa_rate",
  (t) => ({
    chainId: t.integer().notNull(),
    /** The LP's stablecoin. */
    stablecoinId: t.hex().notNull(),
    rwaId: t.hex().notNull(),
    /** When the LP takes the RWA in. */
    discountRateWad: t.bigint().notNull().default(0n),
    /** When the LP pays the RWA out. */
    redemptionFeeWad: t.bigint().notNull().default(0n),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.stablecoinId, table.rwaId] }) }),
);

/** What an LP charges for a foreign stablecoin, as `lpRwaRate` for an RWA. */
export const lpStablecoinRate = onchainTable(
  "lp_stablecoin_rate",
  (t) => ({
    chainId: t.integer().notNull(),
    /** The LP's stablecoin. */
    stablecoinId: t.hex().notNull(),
    /** The foreign stablecoin, which rates name by its token. */
    tokenAddress: t.hex().notNull(),
    /** When the LP takes the foreign stablecoin in. */
    acceptanceFeeWad: t.bigint().notNull().default(0n),
    /** When the LP pays the foreign stablecoin out. */
    redemptionFeeWad: t.bigint().notNull().default(0n),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.stablecoinId, table.tokenAddress] }) }),
);

/** Settings of CoreSwap itself: one row per network once one of them was set. */
export const protocolSettings = onchainTable("protocol_settings", (t) => ({
  chainId: t.integer().primaryKey(),
  /** Part of each LP's spread that the protocol takes. */
  spreadProtocolTakeRateWad: t.bigint().notNull().default(0n),
  /** Whether CoreSwap is paused. LPs can be paused on their own. */
  paused: t.boolean().notNull().default(false),
}));

/** Issuer admins of any contract that announced one; the API shows those of registered delegates. */
export const issuerAdmin = onchainTable(
  "issuer_admin",
  (t) => ({
    chainId: t.integer().notNull(),
    delegateAddress: t.hex().notNull(),
    adminAddress: t.hex().notNull(),
    active: t.boolean().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.delegateAddress, table.adminAddress] }) }),
);

/** One row per network: how far its rows go. It rolls back with them. */
export const chainState = onchainTable("chain_state", (t) => ({
  chainId: t.integer().primaryKey(),
  /** Block of the newest write, and the first event of that block that wrote. */
  blockNumber: t.int8({ mode: "bigint" }).notNull(),
  blockHash: t.hex().notNull(),
  eventId: t.text().notNull(),
  /** Block of the newest matching event that was streamed live; null before the first. */
  observedBlockNumber: t.int8({ mode: "bigint" }),
  observedBlockHash: t.hex(),
  /** Number of volume series, which is the next free `seriesId`. */
  seriesCount: t.integer().notNull(),
}));

/**
 * Where the rates of a yield-bearing delegate begin: `FirstRatePosted`. The three tables of rates hold the events of
 * any contract that emits them; the API shows those of registered delegates.
 */
export const rateStart = onchainTable(
  "rate_start",
  (t) => ({
    chainId: t.integer().notNull(),
    delegateAddress: t.hex().notNull(),
    /** Day number: days since 1970. Earlier days never earn. */
    firstRateDay: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.delegateAddress] }) }),
);

/** A day's rate as it was posted: `DailyRatePosted`. */
export const dailyRate = onchainTable(
  "daily_rate",
  (t) => ({
    chainId: t.integer().notNull(),
    delegateAddress: t.hex().notNull(),
    dayNumber: t.bigint().notNull(),
    /** Net APY, WAD. */
    rateWad: t.bigint().notNull(),
    poster: t.hex().notNull(),
    /** Block timestamp, seconds since 1970. */
    postedAt: t.int8({ mode: "bigint" }).notNull(),
    blockNumber: t.integer().notNull(),
    transactionHash: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.delegateAddress, table.dayNumber] }) }),
);

/** A correction of a posted day: `DailyRateCorrected`. The newest one is in force. */
export const dailyRateCorrection = onchainTable(
  "daily_rate_correction",
  (t) => ({
    chainId: t.integer().notNull(),
    delegateAddress: t.hex().notNull(),
    dayNumber: t.bigint().notNull(),
    blockNumber: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    /** Net APY, WAD. */
    oldRateWad: t.bigint().notNull(),
    newRateWad: t.bigint().notNull(),
    corrector: t.hex().notNull(),
    /** Block timestamp, seconds since 1970. */
    correctedAt: t.int8({ mode: "bigint" }).notNull(),
    transactionHash: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({
      columns: [table.chainId, table.delegateAddress, table.dayNumber, table.blockNumber, table.logIndex],
    }),
  }),
);

/** Sums over all entries of an account, in units of the delegate's token. `numeric` without precision: no sum overflows. */
const positionTotals = (t: PgColumnsBuilders) => ({
  /** Credits that deposits created: one per token minted to the account, protocol fees to the vault included. */
  depositedTotal: t.numeric({ mode: "bigint" }).notNull(),
  /** Credits that the account redeemed: one per token burned. */
  redeemedTotal: t.numeric({ mode: "bigint" }).notNull(),
  /** Yield of the redeemed credits. */
  yieldClaimedTotal: t.numeric({ mode: "bigint" }).notNull(),
  /** Credits that an administrator moved to the account, or took from it. */
  movedInTotal: t.numeric({ mode: "bigint" }).notNull(),
  movedOutTotal: t.numeric({ mode: "bigint" }).notNull(),
});

/**
 * Accounts that ever got credits of a yield-bearing delegate, with the sums of their entries. The contracts keep no list
 * of them and no sums. Like the rates: of any contract that emits the events.
 */
export const creditedAccount = onchainTable(
  "credited_account",
  (t) => ({
    chainId: t.integer().notNull(),
    delegateAddress: t.hex().notNull(),
    account: t.hex().notNull(),
    ...positionTotals(t),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.delegateAddress, table.account] }) }),
);

/**
 * One change of an account's credits: `PendingCreditsAdded`, `YieldClaimed`, or one side of `CreditsMoved`. It carries the
 * sums up to and including it, so that the position at any time is one look-up.
 */
export const creditEntry = onchainTable(
  "credit_entry",
  (t) => ({
    chainId: t.integer().notNull(),
    delegateAddress: t.hex().notNull(),
    account: t.hex().notNull(),
    /** Block timestamp, seconds since 1970. */
    second: t.int8({ mode: "bigint" }).notNull(),
    blockNumber: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    kind: t.text({ enum: ["deposit", "redemption", "movedIn", "movedOut"] }).notNull(),
    /** Credits of this change. */
    credits: t.bigint().notNull(),
    /** Yield of a redemption, else 0. */
    yieldAmount: t.bigint().notNull(),
    ...positionTotals(t),
  }),
  (table) => ({
    pk: primaryKey({
      columns: [table.chainId, table.delegateAddress, table.account, table.second, table.blockNumber, table.logIndex],
    }),
  }),
);
