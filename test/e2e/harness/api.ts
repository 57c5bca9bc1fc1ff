/** A client of the REST API that checks what every answer and every page must satisfy, and nothing more. */
import { readFileSync } from "node:fs";
import type { NetworkName } from "../../../config/networks.ts";
import { clientAddress } from "../../support/clients.ts";
import { DocumentChecker, type OpenApi } from "../../support/document.ts";
import type { Filters } from "../oracle/filters.ts";
import type { HistoryTransaction } from "../oracle/history.ts";

export type ApiNetwork = `evm-${NetworkName}`;

export function apiNetwork(network: NetworkName): ApiNetwork {
  return `evm-${network}`;
}

export interface Coverage {
  readonly historicalBackfill: {
    readonly startBlock: string;
    readonly nextBlock: string;
    readonly indexedThroughBlock: string | null;
  };
  readonly lastMatchingStreamObservation: { readonly blockNumber: string; readonly blockHash: string } | null;
}

export interface HistoryAnswer {
  readonly network: string;
  readonly chainId: number;
  readonly transactions: readonly HistoryTransaction[];
  readonly nextCursor: string | null;
  readonly coverage: Coverage;
}

export interface UsedPrice {
  readonly assetId: `0x${string}`;
  readonly priceAdapter: `0x${string}`;
  readonly priceUsdWad: string;
  readonly fetchedAt: string;
  readonly observation: { readonly blockNumber: string; readonly blockHash: `0x${string}` };
}

interface FeeSums {
  readonly issuerFeeWad: string;
  readonly spreadFeeWad: string;
  readonly lpFeeWad: string;
}

export interface VolumeAnswer extends FeeSums {
  readonly network: string;
  readonly chainId: number;
  readonly from: string;
  readonly to: string;
  readonly pricedVolumeUsd: string;
  readonly totalLegCount: number;
  readonly pricedLegCount: number;
  readonly unpricedLegCount: number;
  readonly pricingComplete: boolean;
  readonly missingPriceAssetIds: readonly `0x${string}`[];
  readonly lpVolumes: readonly (FeeSums & Record<string, unknown>)[];
  readonly usedPrices: readonly UsedPrice[];
  readonly coverage: Coverage;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Several times what a busy machine needs. A test that checks how long an answer takes has a limit of its own. */
const REQUEST_TIMEOUT_MS = 120_000;

/** Every answer to every test is checked against the document. */
const checker = new DocumentChecker(JSON.parse(readFileSync("openapi.json", "utf8")) as OpenApi);

/** Ponder's own paths, which the document does not describe. */
const UNDOCUMENTED = ["/ready", "/status", "/metrics"];

export class ApiClient {
  readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  async request(path: string, method = "GET"): Promise<RawAnswer> {
    // Each request comes from a separate client, because limits per client are tested elsewhere.
    // A test that keeps this process busy does not see that the server has closed an idle connection, and would use it.
    const headers = { "X-Test-Client": clientAddress(crypto.randomUUID()), connection: "close" };
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(this.baseUrl + path, { method, headers, signal });
    const { status } = response;
    const text = await response.text();
    if (!UNDOCUMENTED.includes(path)) {
      checker.check({ method, path, status, contentType: response.headers.get("content-type"), text });
    }
    return { status, headers: response.headers, text };
  }

  /**
   * Sends a GET request and returns the parsed body.
   * @throws Error unless the answer is 200 and JSON
   */
  async json<T>(path: string): Promise<T> {
    const { status, text } = await this.request(path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  history(network: ApiNetwork, parameters: Filters & { limit?: number; cursor?: string } = {}): Promise<HistoryAnswer> {
    return this.json(`/v1/transactions?${query({ network, ...parameters })}`);
  }

  volume(
    network: ApiNetwork,
    parameters: { from?: string; to?: string; lpAddress?: string } = {},
  ): Promise<VolumeAnswer> {
    return this.json(`/v1/volume?${query({ network, ...parameters })}`);
  }

  /**
   * Reads all pages by following the cursor.
   * @throws Error when a page that has a next page is not full, or a page has more rows than the limit
   */
  async wholeHistory(network: ApiNetwork, filters: Filters = {}, limit = 100): Promise<HistoryTransaction[]> {
    const transactions: HistoryTransaction[] = [];
    let cursor: string | null = null;
    do {
      const page: HistoryAnswer = await this.history(network, { ...filters, limit, ...(cursor ? { cursor } : {}) });
      if (page.transactions.length > limit) throw new Error(`a page of ${page.transactions.length} at limit ${limit}`);
      if (page.nextCursor !== null && page.transactions.length < limit) {
        throw new Error(`a page of ${page.transactions.length} at limit ${limit} has a next page`);
      }
      transactions.push(...page.transactions);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return transactions;
  }
}

function query(parameters: Readonly<Record<string, string | number>>): string {
  return new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}
