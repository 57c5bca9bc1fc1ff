/** Keeps the asset registry of CoreSwap as rows: `stablecoin` and `rwa`. */
import { rwa, stablecoin } from "ponder:schema";
import { type Address, type Hex, zeroAddress } from "viem";
import { lowerCase } from "../../config/rpc/hex.ts";
import type { Context, LogEvent } from "./events.ts";
import { readTokenText } from "./tokenText.ts";

/** A registered asset, with the data on which its legs depend. */
export type RegisteredAsset =
  | { readonly kind: "stablecoin"; readonly id: Hex; readonly decimals: number; readonly delegateAddress: Address }
  | { readonly kind: "rwa"; readonly id: Hex; readonly decimals: number };

/** CoreSwap's record of a stablecoin. */
export interface StablecoinRecord {
  readonly accepted: boolean;
  readonly yieldBearing: boolean;
  readonly decimals: number;
  readonly delegate: Address;
  readonly assetAddress: Address;
}

/** CoreSwap's record of an RWA. `delegate` is its risk delegate. */
export interface RwaRecord {
  readonly accepted: boolean;
  readonly decimals: number;
  readonly delegate: Address;
  readonly assetAddress: Address;
}

/** Returns null for the zero address, which contracts use for "unset". */
export function addressOrNull(address: Address): Address | null {
  return address === zeroAddress ? null : lowerCase(address);
}

/**
 * The columns of an asset that is not registered. An ID that was never accepted can be registered again as an asset of
 * the other kind. Its other settings are kept, as in CoreSwap.
 */
const UNREGISTERED = {
  tokenAddress: null,
  decimals: null,
  name: null,
  symbol: null,
  delegateAddress: null,
  accepted: false,
} as const;

/** Stores CoreSwap's record of a stablecoin. The ID is then no longer an RWA. */
export async function registerStablecoin(context: Context, stablecoinId: Hex, record: StablecoinRecord) {
  const key = { chainId: context.chain.id, stablecoinId: lowerCase(stablecoinId) };
  const otherKey = { chainId: context.chain.id, rwaId: key.stablecoinId };
  if (await context.db.find(rwa, otherKey)) await context.db.update(rwa, otherKey).set(UNREGISTERED);
  const values = {
    ...(await tokenFields(context, record.assetAddress, await context.db.find(stablecoin, key))),
    decimals: record.decimals,
    delegateAddress: lowerCase(record.delegate),
    accepted: record.accepted,
    yieldBearing: record.yieldBearing,
  };
  await context.db
    .insert(stablecoin)
    .values({ ...key, ...values })
    .onConflictDoUpdate(values);
}

/** Stores CoreSwap's record of an RWA. The ID is then no longer a stablecoin. */
export async function registerRwa(context: Context, rwaId: Hex, record: RwaRecord) {
  const key = { chainId: context.chain.id, rwaId: lowerCase(rwaId) };
  const otherKey = { chainId: context.chain.id, stablecoinId: key.rwaId };
  if (await context.db.find(stablecoin, otherKey)) {
    await context.db.update(stablecoin, otherKey).set({ ...UNREGISTERED, yieldBearing: false });
  }
  const values = {
    ...(await tokenFields(context, record.assetAddress, await context.db.find(rwa, key))),
    decimals: record.decimals,
    delegateAddress: addressOrNull(record.delegate),
    accepted: record.accepted,
  };
  await context.db
    .insert(rwa)
    .values({ ...key, ...values })
    .onConflictDoUpdate(values);
}

/**
 * Returns the registered assets of the IDs in a log, in the same order. Indexing starts before CoreSwap exists, so each
 * asset was registered by an event that was indexed.
 * @throws Error when no indexed event registered an ID
 */
export async function registeredAssets<const Ids extends readonly Hex[]>(
  context: Context,
  event: LogEvent,
  assetIds: Ids,
): Promise<{ [Index in keyof Ids]: RegisteredAsset }> {
  const assets: RegisteredAsset[] = [];
  for (const assetId of assetIds) {
    const id = lowerCase(assetId);
    const asset = await storedAsset(context, id);
    if (asset === undefined) {
      throw new Error(
        `${context.chain.name}: a Swap in block ${event.block.number} names asset ${id}, ` +
          "and no earlier event that was indexed registers it",
      );
    }
    assets.push(asset);
  }
  return assets as { [Index in keyof Ids]: RegisteredAsset };
}

async function storedAsset({ db, chain }: Context, id: Hex): Promise<RegisteredAsset | undefined> {
  const asStablecoin = await db.find(stablecoin, { chainId: chain.id, stablecoinId: id });
  if (asStablecoin?.delegateAddress && asStablecoin.decimals !== null) {
    return {
      kind: "stablecoin",
      id,
      decimals: asStablecoin.decimals,
      delegateAddress: asStablecoin.delegateAddress,
    };
  }
  const asRwa = await db.find(rwa, { chainId: chain.id, rwaId: id });
  if (asRwa?.tokenAddress && asRwa.decimals !== null) return { kind: "rwa", id, decimals: asRwa.decimals };
  return undefined;
}

/**
 * Returns the token address with the token's own name and symbol, which are read when the ID is first registered with
 * that token.
 */
async function tokenFields(
  context: Context,
  token: Address,
  stored: { readonly tokenAddress: Address | null } | null,
): Promise<{ tokenAddress: Address; name?: string | null; symbol?: string | null }> {
  const tokenAddress = lowerCase(token);
  if (stored?.tokenAddress === tokenAddress) return { tokenAddress };
  const [name, symbol] = await Promise.all([
    readTokenText(context.client, token, "name"),
    readTokenText(context.client, token, "symbol"),
  ]);
  return { tokenAddress, name, symbol };
}
