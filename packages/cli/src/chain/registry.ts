/** Compares the deployment file with CoreSwap's registry, in which the operator can name another delegate. */
import { coreSwapAbi } from "@coreswap/abi";
import { type Address, type Hex, isAddressEqual, zeroAddress } from "viem";
import type { NodeClient } from "./connect.ts";
import type { NamedContract } from "./contracts.ts";
import { type Deployment, liquidityProviders } from "./deployment.ts";

/** The entries of the deployment file that a replaced contract makes wrong, for messages. */
const ENTRIES = { lp: "delegate", nav: "priceAdapter" } as const;

/**
 * Says why a contract of the deployment file must not be used: CoreSwap has another one in its place. Null if it has
 * this one, or none yet.
 * @param symbol of the asset
 * @param recorded the address in the deployment file
 * @param inForce the address in CoreSwap
 */
export function replacementText(
  kind: keyof typeof ENTRIES,
  symbol: string,
  recorded: Address,
  inForce: Address,
): string | null {
  if (inForce === zeroAddress || isAddressEqual(inForce, recorded)) return null;
  return (
    `${kind}:${symbol} was replaced: CoreSwap uses ${inForce}, and the deployment file has ${recorded}. ` +
    `If that was meant (core verify names the transaction), correct the ${ENTRIES[kind]} of ${symbol} in the file`
  );
}

/** Reads the delegate that CoreSwap has for a stablecoin, by default in the newest block. */
export async function readDelegate(
  client: NodeClient,
  { coreSwap }: Deployment,
  { id }: { readonly id: Hex },
  blockNumber?: bigint,
): Promise<Address> {
  const view = { address: coreSwap, abi: coreSwapAbi, functionName: "stablecoinInfo", args: [id] } as const;
  const [, , , delegate] = await client.readContract({
    ...view,
    ...(blockNumber === undefined ? {} : { blockNumber }),
  });
  return delegate;
}

/**
 * Marks the delegates in whose place CoreSwap has others, so that no command uses one of them. The reads are combined
 * into one request.
 */
export async function withReplacements(
  client: NodeClient,
  deployment: Deployment,
  contracts: readonly NamedContract[],
): Promise<NamedContract[]> {
  const replacements = liquidityProviders(deployment).map(async (lp): Promise<[string, string | null]> => {
    const inForce = await readDelegate(client, deployment, lp);
    return [`lp:${lp.symbol}`, replacementText("lp", lp.symbol, lp.delegate, inForce)];
  });
  const texts = new Map(await Promise.all(replacements));
  return contracts.map((contract) => ({ ...contract, replacement: texts.get(contract.name) ?? null }));
}
