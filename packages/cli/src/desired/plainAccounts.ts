/** Accounts of a configuration that one key controls. */
import { type Address, isAddressEqual, type PublicClient } from "viem";
import { Failure } from "../failure.ts";
import type { Configuration } from "./configuration.ts";

/** Code of an account whose key delegated it to a contract (EIP-7702). */
const DELEGATION_PREFIX = "0xef0100";

/**
 * Checks that accounts have code, or are in `plainAccounts` of a configuration with a timelock. The deployment script
 * checks the same of the accounts that it configures (`ConfiguredAccounts.sol`).
 * @param accounts the accounts by their key in the configuration; null where the configuration has none
 * @throws Failure that names the key, the account and what is accepted
 */
export async function requireNamedPlainAccounts(
  client: Pick<PublicClient, "getCode">,
  { governance, plainAccounts }: Configuration,
  accounts: Readonly<Record<string, Address | readonly Address[] | null>>,
): Promise<void> {
  if (governance !== "timelock") return;
  const each = Object.entries(accounts).flatMap(([key, given]) =>
    [given].flat().flatMap((account) => (account === null ? [] : [{ key, account }])),
  );
  for (const { key, account } of each) {
    if (plainAccounts?.some((plain) => isAddressEqual(plain, account))) continue;
    const code = await client.getCode({ address: account });
    if (code !== undefined && !code.startsWith(DELEGATION_PREFIX)) continue;
    throw new Failure(
      `${key} ${account} is controlled by a single key: give an account with code, or name it in plainAccounts`,
    );
  }
}
