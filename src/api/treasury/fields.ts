/** Members that several answers about the treasury token share. */
import { address, bytes32, integerText } from "../shared/fields.ts";

/**
 * A rate, such as an APY.
 * @param rest what follows the unit in the description
 */
export const rate = (description: string, rest = "") =>
  integerText(`${description}, a WAD fraction (times 10^18)${rest}`, "45000000000000000");

/**
 * An amount of the delegate's token.
 * @param rest what follows the unit in the description
 */
export const units = (description: string, rest = "") =>
  integerText(`${description}, in smallest units of the token${rest}`);

/** The members that identify a yield-bearing delegate. */
export const delegateFields = {
  delegateAddress: address("Yield-bearing delegate"),
  stablecoinId: bytes32("ID of the delegate's stablecoin"),
  tokenAddress: address("Token of the delegate"),
};
