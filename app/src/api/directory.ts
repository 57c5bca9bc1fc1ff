/** What is known about the assets and contracts of a network, for naming them and formatting amounts. */
import { assetIdText, assetNames, shortened } from "../format/names.ts";
import type { Schemas } from "./client.ts";
import type { Network } from "./queries.ts";

/** An asset, as needed to format amounts. */
export interface Asset {
  readonly id: string;
  /** Of this asset alone, see `assetNames`. */
  readonly symbol: string;
  readonly name: string | null;
  readonly tokenAddress: string;
  readonly decimals: number;
}

/** Lookups in the deployment metadata of a network. */
export interface Directory {
  readonly assetById: (id: string) => Asset | undefined;
  readonly assetByToken: (address: string) => Asset | undefined;
  /** Name of an asset: its symbol, with its ID where others have it, too, or the text that its ID spells. */
  readonly symbolOf: (id: string) => string;
  /** `USDC LP` and the like for contracts of the protocol. */
  readonly contractName: (address: string) => string | undefined;
  /** The same for an address that is or was that of an LP. The API does not tell whose LP a former one was. */
  readonly lpName: (address: string) => string | undefined;
  readonly swapContract: string | undefined;
  /** Addresses of the LPs, ordered by their stablecoins. */
  readonly lpAddresses: readonly string[];
  /** IDs of the yield-bearing stablecoins. */
  readonly yieldBearingIds: ReadonlySet<string>;
}

/** The directory of a network; empty when its metadata is missing. */
export function directoryOf(info: Schemas["Deployments"] | undefined, network: Network): Directory {
  const deployment = info?.evm?.[network === "evm-mainnet" ? "mainnet" : "sepolia"];
  const registered = [
    ...(deployment?.stable_assets ?? []).map(({ stablecoin_id, ...asset }) => ({ id: stablecoin_id, ...asset })),
    ...(deployment?.rwa_assets ?? []).map(({ rwa_id, ...asset }) => ({ id: rwa_id, ...asset })),
  ];
  const symbols = assetNames(registered);
  const symbolOf = (id: string) => symbols.get(id) ?? assetIdText(id);
  const assets = registered.map(({ id, name, token_address, decimals }): Asset => {
    return { id, symbol: symbolOf(id), name, tokenAddress: token_address, decimals };
  });
  const byId = new Map(assets.map((asset) => [asset.id, asset]));
  const byToken = new Map(assets.map((asset) => [asset.tokenAddress, asset]));
  const delegates = deployment?.stablecoin_delegate_contracts ?? [];
  const names = new Map<string, string>([
    ...assets.map(({ tokenAddress, symbol }) => [tokenAddress, symbol] as const),
    ...delegates.map((delegate) => [delegate.delegate_address, `${symbolOf(delegate.stablecoin_id)} LP`] as const),
  ]);
  if (deployment !== undefined) names.set(deployment.swap_contract, "CoreSwap");
  return {
    assetById: (id) => byId.get(id),
    assetByToken: (address) => byToken.get(address),
    symbolOf,
    contractName: (address) => names.get(address),
    lpName: (address) =>
      names.get(address) ?? (deployment === undefined ? undefined : `former LP ${shortened(address)}`),
    swapContract: deployment?.swap_contract,
    lpAddresses: delegates.map(({ delegate_address }) => delegate_address),
    yieldBearingIds: new Set(delegates.filter((lp) => lp.yield_bearing).map((lp) => lp.stablecoin_id)),
  };
}
