/** Accounts of the local chains, derived from the mnemonic that development nodes share. They hold nothing of value. */
import { type Hex, toHex } from "viem";
import { type HDAccount, mnemonicToAccount } from "viem/accounts";

export const MNEMONIC = "test test test test test test test test test test test junk";

/**
 * The accounts, with the purpose of each. An account's position in the list is its index in the derivation path
 * m/44'/60'/0'/0/<index>.
 */
const WALLET_NAMES = [
  "deployer",
  "admin",
  "operator",
  "blacklister",
  "pauser",
  "whitelister",
  "vault",
  "navPoster",
  "usdcIssuerAdmin",
  "usdcRwaCustody",
  "usdcStablecoinCustody",
  "daiIssuerAdmin",
  "treasuryIssuerAdmin",
  "treasuryRwaCustody",
  "treasuryStablecoinCustody",
  // Posts the daily rates of the treasury token.
  "ratePoster",
  // Holds infinite input allowances of the first four traders.
  "desk",
  // Holds finite input allowances of the last four traders.
  "broker",
  // Submits swaps that traders signed.
  "relayer",
  // Receives, never sends.
  "beneficiary",
  // Has no role and no allowance.
  "outsider",
  // A trader who is blacklisted for a while.
  "barredTrader",
  "trader1",
  "trader2",
  "trader3",
  "trader4",
  "trader5",
  "trader6",
  "trader7",
  "trader8",
  // Hold treasury tokens with credits; always on the allowlist.
  "depositor1",
  "depositor2",
  "depositor3",
  // Accounts that are put on and removed from the allowlist of the treasury token.
  "client1",
  "client2",
  "client3",
  "client4",
] as const;

export type WalletName = (typeof WALLET_NAMES)[number];

export const ACCOUNT_COUNT = WALLET_NAMES.length;

export const TRADERS = WALLET_NAMES.filter((name) => name.startsWith("trader"));
export const DESK_PRINCIPALS: readonly WalletName[] = TRADERS.slice(0, 4);
export const BROKER_PRINCIPALS: readonly WalletName[] = TRADERS.slice(4);
export const DEPOSITORS = WALLET_NAMES.filter((name) => name.startsWith("depositor"));
/** Includes traders, so that one wallet can have swaps and allowlist changes. */
export const ALLOWLIST_ACCOUNTS: readonly WalletName[] = [
  ...WALLET_NAMES.filter((name) => name.startsWith("client")),
  ...TRADERS.slice(0, 2),
];

/** On the allowlist before the history starts, and never removed. */
export const LISTED_AT_SETUP: readonly WalletName[] = ["vault", ...DEPOSITORS];

/** Custody of the stablecoin that keeps its reserve in the treasury token. */
export const RESERVE_CUSTODY: WalletName = "usdcStablecoinCustody";

/** All accounts, able to sign. */
export const WALLETS = Object.fromEntries(
  WALLET_NAMES.map((name, addressIndex) => [name, mnemonicToAccount(MNEMONIC, { addressIndex })]),
) as Readonly<Record<WalletName, HDAccount>>;

/**
 * The key of an account, as a browser wallet imports it. Everybody knows it, so the account must never hold anything of
 * value.
 */
export function testKeyOf(name: WalletName): Hex {
  const { privateKey } = WALLETS[name].getHdKey();
  if (privateKey === null) throw new Error(`${name} has no private key`);
  return toHex(privateKey);
}
