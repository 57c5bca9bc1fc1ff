/** One table for each kind of event, one row for each event. */
import { onchainTable, primaryKey } from "ponder";

export const swap = onchainTable(
  "swap",
  (t) => ({
    chainId: t.integer().notNull(),
    blockNumber: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    user: t.hex().notNull(),
    operator: t.hex().notNull(),
    receiver: t.hex().notNull(),
    routeId: t.bigint().notNull(),
    assetInId: t.hex().notNull(),
    assetOutId: t.hex().notNull(),
    stablecoinDelegateId: t.hex().notNull(),
    amountIn: t.bigint().notNull(),
    amountOut: t.bigint().notNull(),
    issuerFee: t.bigint().notNull(),
    spreadFee: t.bigint().notNull(),
    lpFee: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.blockNumber, table.logIndex] }) }),
);

export const call = onchainTable(
  "call",
  (t) => ({
    chainId: t.integer().notNull(),
    blockNumber: t.integer().notNull(),
    transactionIndex: t.integer().notNull(),
    hash: t.hex().notNull(),
    sender: t.hex().notNull(),
    recipient: t.hex(),
    input: t.hex().notNull(),
    outcome: t.text().notNull(),
    gasUsed: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.blockNumber, table.transactionIndex] }) }),
);

/** Any other event. */
export const notice = onchainTable(
  "notice",
  (t) => ({
    chainId: t.integer().notNull(),
    blockNumber: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    name: t.text().notNull(),
    contract: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.blockNumber, table.logIndex] }) }),
);
