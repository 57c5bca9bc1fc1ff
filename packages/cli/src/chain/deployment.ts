/** The deployment file, as the deployment script writes it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "viem";
import { z } from "zod";
import { Failure } from "../failure.ts";
import { address, assetId, readJson } from "../jsonFile.ts";

const asset = { symbol: z.string().min(1), id: assetId, token: address, decimals: z.number().int().min(0).max(18) };

const deploymentSchema = z.object({
  network: z.string().min(1),
  chainId: z.number().int().positive(),
  startBlock: z.number().int().nonnegative(),
  timelock: address.optional(),
  coreSwap: address,
  treasury: address,
  implementations: z.object({
    coreSwap: address,
    treasury: address,
    treasuryDelegate: address,
    balanceSheetDelegate: address,
  }),
  treasuryStablecoin: z.object({ ...asset, delegate: address, issuerAdmin: address }),
  rwas: z.array(z.object({ ...asset, priceAdapter: address })),
  stablecoins: z.array(z.object({ ...asset, delegate: address, issuerAdmin: address })),
});

export type Deployment = z.infer<typeof deploymentSchema>;
export type Rwa = Deployment["rwas"][number];
export type Stablecoin = Deployment["stablecoins"][number];
export type LiquidityProvider = Stablecoin & { readonly yieldBearing: boolean };

/**
 * Reads the deployment file of a network.
 * @param network its name, or the path of a file when it ends in `.json`
 * @throws Failure when the file is missing, or lacks what the deployment script writes
 */
export function readDeployment(network: string): Deployment {
  const path = deploymentPath(network);
  if (!existsSync(path)) {
    throw new Failure(
      `there is no deployment file ${path}: name it with --network <file> (in a keeper's configuration: network), or ` +
        "the folder in which evm/<network>.json is with DEPLOYMENTS_DIR",
    );
  }
  return deploymentOf(path, readJson(path));
}

/**
 * Returns the content of a deployment file.
 * @throws Failure when it lacks what the deployment script writes
 */
export function deploymentOf(path: string, content: unknown): Deployment {
  const parsed = deploymentSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure(
    `${path}: ${issue?.path.join(".")}: ${issue?.message}: this needs the file that the deployment script writes`,
  );
}

/** Path of a network's deployment file. */
export function deploymentPath(network: string): string {
  if (network.endsWith(".json")) return network;
  return join(process.env.DEPLOYMENTS_DIR || "deployments", "evm", `${network}.json`);
}

/** The LPs of the deployment: those of the plain stablecoins, and then that of the treasury token. */
export function liquidityProviders(deployment: Deployment): LiquidityProvider[] {
  return [
    ...deployment.stablecoins.map((stablecoin) => ({ ...stablecoin, yieldBearing: false })),
    { ...deployment.treasuryStablecoin, yieldBearing: true },
  ];
}

/**
 * Whether the key of the stablecoin custody can buy the RWAs that another account keeps: it pays with the LP's own
 * stablecoin, which comes back to it. The treasury token is burned instead, and a delegate has no key.
 */
export function hasReachableRwas(lp: {
  readonly yieldBearing: boolean;
  readonly delegate: Address;
  readonly rwaCustody: Address;
  readonly stablecoinCustody: Address;
}): boolean {
  return hasOwnIntakeCap(lp) && lp.stablecoinCustody !== lp.delegate;
}

/**
 * Whether an LP's own stablecoin counts against an intake cap: that of a plain one, unless one account other than the
 * delegate is both custodies.
 */
export function hasOwnIntakeCap(lp: {
  readonly yieldBearing: boolean;
  readonly delegate: Address;
  readonly rwaCustody: Address;
  readonly stablecoinCustody: Address;
}): boolean {
  return !lp.yieldBearing && (lp.stablecoinCustody === lp.delegate || lp.stablecoinCustody !== lp.rwaCustody);
}

/**
 * Finds an entry by its symbol, in any case.
 * @param kind the kind of entry, for the message
 * @param place where the entry is searched, for the message
 * @throws Failure naming the symbols that exist
 */
export function bySymbol<Entry extends { readonly symbol: string }>(
  kind: string,
  entries: readonly Entry[],
  symbol: string,
  place = "deployment file",
): Entry {
  const found = entries.filter((entry) => entry.symbol.toLowerCase() === symbol.toLowerCase());
  const [entry] = found;
  if (entry !== undefined && found.length === 1) return entry;
  const known = entries.map((candidate) => candidate.symbol).join(", ");
  throw new Failure(`the ${place} has no ${kind} "${symbol}", only ${known || "none"}`);
}
