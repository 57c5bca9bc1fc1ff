/** The registered yield-bearing delegates. */
import { addressColumn, bytes32Column } from "../shared/columns.ts";
import type { ApiNetwork } from "../shared/networks.ts";

/** The columns that name a yield-bearing delegate. */
export const delegateColumns = {
  delegateAddress: addressColumn,
  stablecoinId: bytes32Column,
  tokenAddress: addressColumn,
};

/** SQL condition: a row of `stablecoin` is a registered yield-bearing delegate of the network. */
export function isYieldDelegateSql({ chainId }: ApiNetwork): string {
  return `chain_id = ${chainId} AND yield_bearing AND token_address IS NOT NULL AND delegate_address IS NOT NULL`;
}
