/** Names for numbers and identifiers of the API. */
import type { Schemas } from "../api/client.ts";

/** `0xf1de…9b05` for a long text, otherwise the text itself. */
export function shortened(text: string): string {
  return text.length <= 14 ? text : `${text.slice(0, 6)}…${text.slice(-4)}`;
}

/** The ASCII name that an asset ID (32 bytes in hex) spells, or its shortened hex. */
export function assetIdText(id: string): string {
  const bytes = (id.slice(2).match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const isText = end > 0 && bytes.slice(0, end).every((byte) => byte > 0x20 && byte < 0x7f);
  return isText ? String.fromCharCode(...bytes.slice(0, end)) : shortened(id);
}

interface NamedAsset {
  readonly id: string;
  readonly symbol: string | null;
}

/**
 * Names of all assets of a network, by their IDs. A token chooses its symbol itself, so a symbol that is not of one asset
 * alone is followed by what its ID spells, or by the whole ID where that is not enough.
 */
export function assetNames(assets: readonly NamedAsset[]): ReadonlyMap<string, string> {
  const candidates = assets.map(({ id, symbol }) => {
    const name = symbol ?? assetIdText(id);
    return { id, names: [name, `${name} (${assetIdText(id)})`, `${name} (${id})`] };
  });
  const all = candidates.flatMap(({ names }) => names);
  const isUnique = (name: string) => all.indexOf(name) === all.lastIndexOf(name);
  return new Map(candidates.map(({ id, names }) => [id, names.find(isUnique) ?? id]));
}

/** The same from the answer about assets and their terms. */
export function namesOfTerms({ stablecoins, rwas }: Pick<Schemas["Assets"], "stablecoins" | "rwas">) {
  return assetNames([
    ...stablecoins.map(({ stablecoinId, symbol }) => ({ id: stablecoinId, symbol })),
    ...rwas.map(({ rwaId, symbol }) => ({ id: rwaId, symbol })),
  ]);
}

const ROUTES = ["RWA to stablecoin", "stablecoin to RWA", "RWA to RWA", "stablecoin to stablecoin"] as const;

/** Which amount of a leg is fixed, by its route: odd routes fix the amount in, even ones the amount out. */
export function exactSideOf(routeId: string): "in" | "out" {
  return BigInt(routeId) % 2n === 1n ? "in" : "out";
}

/** `RWA to stablecoin, exact in` for a route from 1 to 8. */
export function routeText(routeId: string): string {
  const pair = ROUTES[Math.ceil(Number(routeId) / 2) - 1];
  return pair === undefined ? `route ${routeId}` : `${pair}, exact ${exactSideOf(routeId)}`;
}

const NETWORKS: Readonly<Record<string, string>> = { "evm-mainnet": "Mainnet", "evm-sepolia": "Sepolia" };

/** Display name of a network. */
export function networkText(network: string): string {
  return NETWORKS[network] ?? network;
}
