/** Refusals of the contracts, in words for the reader. */
import type { ContractRevertError } from "@coreswap/sdk";

export interface Failure {
  readonly title: string;
  readonly text: string;
}

/** Titles of refusals that have a state of their own. */
const TITLES: Readonly<Record<string, string>> = {
  EnforcedPause: "Paused",
  StaleNav: "Stale price",
  StaleAnswer: "Stale price",
  UserBlacklisted: "Blacklisted",
  AddressBlacklisted: "Blacklisted",
  AccountBlacklisted: "Blacklisted",
  UserNotWhitelisted: "Not whitelisted",
  AccountNotWhitelisted: "Not whitelisted",
  InsufficientCredits: "Insufficient credits",
  ERC20InsufficientBalance: "Insufficient balance",
};

/** Words for the error of a contract. */
export function refusalOf({ errorName, message }: ContractRevertError): Failure {
  return refusalOfName(errorName, message);
}

/** The same for an error of which only the name and the text are known. */
export function refusalOfName(errorName: string, text: string): Failure {
  return { title: TITLES[errorName] ?? "Refused", text };
}

/** How tokens say that an account lacks tokens or an approval: by a standard error (ERC-6093) or in words. */
const LACKING = /^ERC20Insufficient(Balance|Allowance)\(|^Error\(.*(balance|allowance)/i;

/** Why a swap is refused although the account has the balance and the approval: what is missing is the LP's. */
export function refusalOfFunded(refusal: ContractRevertError): Failure {
  const { message, advice } = refusal;
  if (!LACKING.test(message)) return refusalOf(refusal);
  // The advice is for the account that pays.
  const error = advice === null ? message : message.replace(`. ${advice}`, "");
  const text = "Its custody lacks the asset, or has not approved enough of it. Use a smaller amount or another LP.";
  return { title: "The LP cannot pay", text: `${text} The error is ${error}.` };
}
