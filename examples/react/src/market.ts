/** What can be bought on a network, from the API. */
import { type CoreSwapClient, createClient, type Schemas } from "@coreswap/client";
import { useEffect, useState } from "react";
import { type Address, createPublicClient, type Hex, http } from "viem";
import { messageOf, retrying } from "./retrying.ts";

export type Network = Schemas["Assets"]["network"];

/** Where the widget reads from. */
export interface Settings {
  /** Base URL of the API, without a slash at its end. */
  readonly apiUrl: string;
  readonly network: Network;
  /** A node of the same network. Pages of any origin must be allowed to ask it (CORS). */
  readonly rpcUrl: string;
}

/** An RWA, and a stablecoin that it can be bought for. */
export interface Pair {
  readonly stablecoinId: Hex;
  readonly rwaId: Hex;
}

/** A token as the page shows it. */
interface Token {
  readonly symbol: string;
  readonly decimals: number;
}

/** A network that was loaded. */
export interface Market {
  readonly network: Network;
  readonly api: CoreSwapClient;
  /** Address of the swap contract. */
  readonly coreSwap: Address;
  /** All assets that were ever registered, by ID. */
  readonly tokens: ReadonlyMap<string, Token>;
  readonly pairs: readonly Pair[];
}

/** Something that is loading (undefined), was loaded, or could not be. */
export interface Loaded<Value> {
  readonly value?: Value | undefined;
  readonly problem?: string | undefined;
}

/** Loads a network, again after a failure. */
export function useMarket(settings: Settings): Loaded<Market> {
  const [market, setMarket] = useState<Loaded<Market>>({});
  useEffect(() => {
    const stopping = new AbortController();
    void retrying(
      stopping.signal,
      async () => {
        const value = await loadMarket(settings, stopping.signal);
        if (!stopping.signal.aborted) setMarket({ value });
      },
      (reason) => setMarket({ problem: messageOf(reason) }),
    );
    return () => stopping.abort();
  }, [settings]);
  return market;
}

async function loadMarket({ apiUrl, network, rpcUrl }: Settings, signal: AbortSignal): Promise<Market> {
  // An event can be newer than an answer that the browser may still reuse.
  const api = createClient(apiUrl, { cache: "no-cache" });
  const chain = network === "evm-mainnet" ? "mainnet" : "sepolia";
  const [deployment, assets] = await Promise.all([
    api.GET("/v1/info/evm", { params: { query: { chain } }, signal }),
    api.GET("/v1/assets", { params: { query: { network } }, signal }),
  ]);
  if (deployment.error) throw new Error(deployment.error.error);
  if (assets.error) throw new Error(assets.error.error);
  // Without `chain`, the answer would have all networks by name.
  if (!("chain_id" in deployment.data)) throw new Error(`the API does not answer for ${chain} alone`);
  const { chain_id: chainId, swap_contract: coreSwap } = deployment.data;
  const { stablecoins, rwas } = assets.data;

  const nodeChainId = await createPublicClient({ transport: http(rpcUrl) }).getChainId();
  if (nodeChainId !== chainId) throw new Error(`the node is of chain ${nodeChainId}, the API of chain ${chainId}`);

  const accepted = new Set(rwas.filter((rwa) => rwa.accepted).map(({ rwaId }) => rwaId));
  return {
    network,
    api,
    coreSwap: coreSwap as Address,
    tokens: new Map([
      ...stablecoins.map((token) => [token.stablecoinId, tokenOf(token.stablecoinId, token)] as const),
      ...rwas.map((token) => [token.rwaId, tokenOf(token.rwaId, token)] as const),
    ]),
    // A yield-bearing stablecoin is worth its holder's credits, so its quote would depend on the wallet.
    pairs: stablecoins
      .filter((stablecoin) => stablecoin.accepted && !stablecoin.yieldBearing)
      .flatMap(({ stablecoinId, rwaRates }) =>
        rwaRates
          .filter(({ rwaId }) => accepted.has(rwaId))
          .map(({ rwaId }) => ({ stablecoinId: stablecoinId as Hex, rwaId: rwaId as Hex })),
      ),
  };
}

function tokenOf(id: string, { symbol, decimals }: { symbol: string | null; decimals: number }): Token {
  return { symbol: symbol ?? id, decimals };
}
