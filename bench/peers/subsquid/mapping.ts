/**
 * Converts blocks to rows. It computes what `src/handlers` computes, one batch of blocks at a time, as Subsquid's users
 * write it.
 */
import type { Address, Hex } from "viem";
import { type FilterTraits, filterClassOf } from "../../../src/indexing/filterClass.ts";
import { legValue } from "../../../src/indexing/legValue.ts";
import * as abi from "./abi.ts";
import type { SourceBlock, SourceLog, SourceTransaction } from "./processor.ts";
import type { Row } from "./store.ts";

type Asset = Parameters<typeof legValue>[0];

interface Series {
  readonly seriesId: number;
  readonly decimals: number;
  legTotal: bigint;
  amountTotal: bigint;
}

interface HistoryEntry {
  readonly transaction: SourceTransaction;
  directCall: object | null;
  traits: FilterTraits;
  readonly wallets: Set<string>;
}

/** Rows of one batch, by table. */
export interface Batch {
  readonly transactions: Row[];
  readonly hashes: Row[];
  readonly filters: Row[];
  readonly swaps: Row[];
  readonly allowlistChanges: Row[];
  readonly series: Map<string, Row>;
  readonly totals: Map<string, Row>;
  readonly stablecoins: Map<string, Row>;
  readonly rwas: Map<string, Row>;
  readonly issuerAdmins: Map<string, Row>;
}

const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

export class Mapping {
  readonly #chainId: number;
  readonly #assets = new Map<string, Asset>();
  readonly #rwas = new Map<string, Row>();
  readonly #series = new Map<string, Series>();
  #batch = emptyBatch();

  constructor(chainId: number) {
    this.#chainId = chainId;
  }

  /** The rows since the last call. */
  takeBatch(): Batch {
    const batch = this.#batch;
    this.#batch = emptyBatch();
    return batch;
  }

  addBlock(block: SourceBlock, transactions: readonly SourceTransaction[], logs: readonly SourceLog[]): void {
    const entries = new Map<number, HistoryEntry>();
    for (const transaction of transactions) {
      const call = decodeCall(transaction);
      if (call === null) continue;
      const outcome = outcomeOf(transaction);
      entries.set(transaction.transactionIndex, {
        transaction,
        directCall: call,
        traits: {
          outcome,
          hasSwap: call.entrypoint === "swap" && outcome === "success",
          hasAllowlistChange: false,
          entrypoint: call.entrypoint,
        },
        wallets: new Set([transaction.from.toLowerCase()]),
      });
    }
    for (const log of logs) this.#addLog(block, entries, log);
    for (const entry of entries.values()) this.#addEntry(block, entry);
  }

  #addLog(block: SourceBlock, entries: Map<number, HistoryEntry>, log: SourceLog): void {
    const chainId = this.#chainId;
    switch (log.topics[0]) {
      case abi.swapEvent.topic:
        this.#addSwap(block, entries, log);
        break;
      case abi.addedToWhitelist.topic:
      case abi.removedFromWhitelist.topic: {
        const { account } =
          abi.addedToWhitelist.topic === log.topics[0]
            ? abi.addedToWhitelist.decode(log)
            : abi.removedFromWhitelist.decode(log);
        const entry = entryOf(entries, log);
        entry.traits = { ...entry.traits, hasAllowlistChange: true };
        entry.wallets.add(account);
        this.#batch.allowlistChanges.push({
          ...this.#placeOf(block, log),
          log_index: log.logIndex,
          contract: log.address,
          action: log.topics[0] === abi.addedToWhitelist.topic ? "added" : "removed",
          wallet: account,
        });
        break;
      }
      case abi.stablecoinAcceptanceSet.topic: {
        const { stablecoinID, delegate, assetAddress, decimals, accepted, yieldBearing } =
          abi.stablecoinAcceptanceSet.decode(log);
        this.#assets.set(stablecoinID, {
          kind: "stablecoin",
          id: stablecoinID as Hex,
          decimals,
          delegateAddress: delegate as Address,
        });
        this.#batch.stablecoins.set(stablecoinID, {
          chain_id: chainId,
          stablecoin_id: stablecoinID,
          token_address: assetAddress,
          decimals,
          delegate_address: delegate,
          accepted,
          yield_bearing: yieldBearing,
        });
        break;
      }
      case abi.rwaAcceptanceSet.topic: {
        const { rwaID, delegate, assetAddress, decimals, accepted } = abi.rwaAcceptanceSet.decode(log);
        this.#assets.set(rwaID, { kind: "rwa", id: rwaID as Hex, decimals });
        this.#setRwa(rwaID, {
          token_address: assetAddress,
          decimals,
          accepted,
          delegate_address: delegate === ZERO_ADDRESS ? null : delegate,
        });
        break;
      }
      case abi.rwaPriceAdapterSet.topic: {
        const { rwaID, priceAdapter } = abi.rwaPriceAdapterSet.decode(log);
        this.#setRwa(rwaID, { price_adapter: priceAdapter === ZERO_ADDRESS ? null : priceAdapter });
        break;
      }
      case abi.issuerAdminAdded.topic:
      case abi.issuerAdminRemoved.topic: {
        const active = log.topics[0] === abi.issuerAdminAdded.topic;
        const { issuerAdmin } = (active ? abi.issuerAdminAdded : abi.issuerAdminRemoved).decode(log);
        this.#batch.issuerAdmins.set(`${log.address} ${issuerAdmin}`, {
          chain_id: chainId,
          delegate_address: log.address,
          admin_address: issuerAdmin,
          active,
        });
        break;
      }
    }
  }

  #setRwa(rwaId: string, change: Row): void {
    const unset = { token_address: null, decimals: null, accepted: false, delegate_address: null, price_adapter: null };
    const row = { chain_id: this.#chainId, rwa_id: rwaId, ...unset, ...this.#rwas.get(rwaId), ...change };
    this.#rwas.set(rwaId, row);
    this.#batch.rwas.set(rwaId, row);
  }

  #addSwap(block: SourceBlock, entries: Map<number, HistoryEntry>, log: SourceLog): void {
    const event = abi.swapEvent.decode(log);
    const assetIn = this.#asset(event.assetInID);
    const assetOut = this.#asset(event.assetOutID);
    const settling = this.#asset(event.stablecoinDelegateID);
    if (settling.kind !== "stablecoin") throw new Error(`settling asset ${settling.id} is not a stablecoin`);
    const lpAddress = settling.delegateAddress;
    this.#batch.swaps.push({
      ...this.#placeOf(block, log),
      log_index: log.logIndex,
      contract: log.address,
      user: event.user,
      operator: event.operator,
      receiver: event.receiver,
      route_id: event.routeId,
      asset_in_id: event.assetInID,
      asset_out_id: event.assetOutID,
      stablecoin_delegate_id: event.stablecoinDelegateID,
      lp_address: lpAddress,
      amount_in: event.amountIn,
      amount_out: event.amountOut,
      issuer_fee: event.issuerFeeAmt,
      spread_fee: event.spreadFeeAmt,
      lp_fee: event.lpFeeAmt,
    });
    const entry = entryOf(entries, log);
    if (!entry.traits.hasSwap) entry.traits = { ...entry.traits, hasSwap: true };
    entry.wallets.add(event.user).add(event.operator).add(event.receiver);

    const fees = event.issuerFeeAmt + event.spreadFeeAmt + event.lpFeeAmt;
    const value = legValue(assetIn, assetOut, { amountIn: event.amountIn, amountOut: event.amountOut, fees });
    const key = `${lpAddress} ${value.assetId}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { seriesId: this.#series.size, decimals: value.decimals, legTotal: 0n, amountTotal: 0n };
      this.#series.set(key, series);
    }
    series.legTotal += 1n;
    series.amountTotal += value.amount;
    const second = BigInt(block.timestamp / 1000);
    this.#batch.series.set(key, {
      chain_id: this.#chainId,
      lp_address: lpAddress,
      asset_id: value.assetId,
      series_id: series.seriesId,
      decimals: series.decimals,
      newest_second: second,
    });
    this.#batch.totals.set(`${series.seriesId} ${second}`, {
      chain_id: this.#chainId,
      series_id: series.seriesId,
      second,
      leg_total: series.legTotal,
      amount_total: series.amountTotal,
    });
  }

  #addEntry(block: SourceBlock, { transaction, directCall, traits, wallets }: HistoryEntry): void {
    const key = {
      chain_id: this.#chainId,
      block_number: block.height,
      transaction_index: transaction.transactionIndex,
    };
    const filterClass = filterClassOf(traits);
    this.#batch.hashes.push({ ...key, hash: transaction.hash });
    for (const wallet of ["", ...wallets]) this.#batch.filters.push({ ...key, wallet, filter_class: filterClass });
    this.#batch.transactions.push({
      ...key,
      hash: transaction.hash,
      block_hash: block.hash,
      timestamp: BigInt(block.timestamp / 1000),
      sender: transaction.from,
      recipient: transaction.to ?? null,
      nonce: transaction.nonce,
      value: transaction.value,
      selector: transaction.input.length < 10 ? null : transaction.input.slice(0, 10),
      outcome: traits.outcome,
      gas_used: transaction.gasUsed,
      effective_gas_price: transaction.effectiveGasPrice,
      direct_call: directCall === null ? null : JSON.stringify(directCall),
      filter_class: filterClass,
      wallets: [...wallets].join(","),
    });
  }

  #asset(id: string): Asset {
    const asset = this.#assets.get(id);
    if (asset === undefined) throw new Error(`asset ${id} is not registered`);
    return asset;
  }

  #placeOf(block: SourceBlock, log: SourceLog) {
    return { chain_id: this.#chainId, block_number: block.height, transaction_index: log.transactionIndex };
  }
}

function entryOf(entries: Map<number, HistoryEntry>, log: SourceLog): HistoryEntry {
  let entry = entries.get(log.transactionIndex);
  if (entry === undefined) {
    const transaction = log.getTransaction();
    entry = {
      transaction,
      directCall: null,
      traits: { outcome: outcomeOf(transaction), hasSwap: false, hasAllowlistChange: false, entrypoint: null },
      wallets: new Set([transaction.from.toLowerCase()]),
    };
    entries.set(log.transactionIndex, entry);
  }
  return entry;
}

function outcomeOf({ status }: SourceTransaction): FilterTraits["outcome"] {
  return status === 1 ? "success" : "revert";
}

/** The `directCall` object of the API, key by key in its order; null when the calldata does not decode. */
function decodeCall({ to, input }: SourceTransaction) {
  try {
    if (abi.swapCall.is(input)) {
      const { user, receiver, inputs } = abi.swapCall.decode(input);
      return {
        contract: to,
        entrypoint: "swap" as const,
        submittedSwapLegs: inputs.map((leg) => ({
          routeId: leg.routeId.toString(),
          assetInId: leg.assetInID,
          assetOutId: leg.assetOutID,
          stablecoinDelegateId: leg.stablecoinDelegateID,
          assetInAmount: leg.assetInAmt.toString(),
          assetOutAmount: leg.assetOutAmt.toString(),
        })),
        user,
        receiver,
      };
    }
    for (const [entrypoint, call] of [
      ["addToWhitelist", abi.addToWhitelistCall],
      ["removeFromWhitelist", abi.removeFromWhitelistCall],
    ] as const) {
      if (call.is(input)) {
        return { contract: to, entrypoint, submittedSwapLegs: null, wallet: call.decode(input).account };
      }
    }
    return null;
  } catch {
    // Anyone can send any bytes to a contract.
    return null;
  }
}

function emptyBatch(): Batch {
  return {
    transactions: [],
    hashes: [],
    filters: [],
    swaps: [],
    allowlistChanges: [],
    series: new Map(),
    totals: new Map(),
    stablecoins: new Map(),
    rwas: new Map(),
    issuerAdmins: new Map(),
  };
}
