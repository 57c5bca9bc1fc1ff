/** Who controls the bridges: whoever owns one can have it mint up to its limit. */
import { type Address, isAddressEqual, parseAbi, zeroAddress } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import { isMissingFunction, revertData } from "../errors/revert.ts";
import type { System } from "./system.ts";

/** Functions of `TreasuryOFTAdapter` and of LayerZero's endpoint. Other bridges may lack them. */
const abi = parseAbi([
  "function owner() view returns (address)",
  "function pendingOwner() view returns (address)",
  "function endpoint() view returns (address)",
  "function delegates(address bridge) view returns (address)",
]);

interface BridgeControl {
  readonly differences: readonly string[];
  /** Bridges that do not say who owns them. */
  readonly notCompared: readonly string[];
}

/** Requires that the administrator of the treasury token owns each bridge, and is its delegate at the endpoint. */
export async function compareBridges(
  client: NodeClient,
  { configuration, treasuryAdmin }: Pick<System, "configuration" | "treasuryAdmin">,
  blockNumber: bigint,
): Promise<BridgeControl> {
  const compared = (configuration.treasury.bridges ?? []).map(async ({ address }): Promise<BridgeControl> => {
    const view = { address, abi, blockNumber } as const;
    const [owner, pendingOwner, endpoint] = await Promise.all([
      answer(client.readContract({ ...view, functionName: "owner" })),
      answer(client.readContract({ ...view, functionName: "pendingOwner" })),
      answer(client.readContract({ ...view, functionName: "endpoint" })),
    ]);
    if (owner === null) return { differences: [], notCompared: [`the bridge ${address} has no owner() to compare`] };
    const delegate =
      endpoint === null
        ? null
        : await answer(client.readContract({ ...view, address: endpoint, functionName: "delegates", args: [address] }));
    const differences = [
      isAddressEqual(owner, treasuryAdmin)
        ? ""
        : `owner of the bridge ${address}: ${owner}, configured ${treasuryAdmin}`,
      pendingOwner === null || pendingOwner === zeroAddress
        ? ""
        : `pending owner of the bridge ${address}: ${pendingOwner}, configured nobody`,
      endpoint === null || (delegate !== null && isAddressEqual(delegate, treasuryAdmin))
        ? ""
        : `delegate of the bridge ${address} at its endpoint ${endpoint}: ${delegate ?? "unknown"}, configured ${treasuryAdmin}`,
    ];
    return { differences: differences.filter((text) => text !== ""), notCompared: [] };
  });
  const all = await Promise.all(compared);
  return {
    differences: all.flatMap(({ differences }) => differences),
    notCompared: all.flatMap(({ notCompared }) => notCompared),
  };
}

/** The answer of a contract. Null when it has no such function. @throws viem's errors when the node fails */
async function answer(question: Promise<Address>): Promise<Address | null> {
  try {
    return await question;
  } catch (error) {
    if (isMissingFunction(error) || revertData(error) !== null) return null;
    throw error;
  }
}
