/** What went wrong, in words for the reader. */
import { ContractRevertError, NoContractError } from "@coreswap/sdk";
import {
  AtomicReadyWalletRejectedUpgradeError,
  BaseError,
  InsufficientFundsError,
  ResourceUnavailableRpcError,
  UserRejectedRequestError,
  WaitForCallsStatusTimeoutError,
  WaitForTransactionReceiptTimeoutError,
} from "viem";
import { ConnectorChainMismatchError } from "wagmi";
import { ApiError, NoAnswerError } from "../api/client.ts";

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

/** An error of a wallet, its node, the contracts or the API. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ContractRevertError) return refusalOf(error.errorName, error.message);
  if (error instanceof ApiError) return apiFailureOf(error);
  if (error instanceof NoAnswerError) {
    return { title: "No quotes", text: `${error.message} A connected wallet quotes by itself.` };
  }
  if (hasCause(error, UserRejectedRequestError)) {
    return { title: "Rejected", text: "You rejected the request in the wallet. Nothing was sent." };
  }
  if (hasCause(error, AtomicReadyWalletRejectedUpgradeError)) {
    return { title: "Rejected", text: "The account stays as it is. Approve first, then swap. Nothing was sent." };
  }
  if (hasCause(error, WaitForCallsStatusTimeoutError)) {
    return {
      title: "Still waiting",
      text: "The wallet has the request, and may still send it. Look there before you try again.",
    };
  }
  if (hasCause(error, ResourceUnavailableRpcError)) {
    return { title: "The wallet is busy", text: "It shows another request already: open it and answer there." };
  }
  if (hasCause(error, InsufficientFundsError)) {
    return { title: "Not enough for gas", text: "The account cannot pay for the gas of this transaction." };
  }
  if (hasCause(error, WaitForTransactionReceiptTimeoutError)) {
    return { title: "Still waiting", text: "No block holds the transaction yet. Look at it in your wallet." };
  }
  if (error instanceof NoContractError || error instanceof ConnectorChainMismatchError) {
    return { title: "Wrong network", text: "The wallet is on another chain than this page." };
  }
  const text = error instanceof BaseError ? error.shortMessage : error instanceof Error ? error.message : String(error);
  return { title: "Wallet error", text };
}

/** How tokens say that an account lacks tokens or an approval: by a standard error (ERC-6093) or in words. */
const LACKING = /^ERC20Insufficient(Balance|Allowance)\(|^Error\(.*(balance|allowance)/i;

/** Why a swap is refused although the account has the balance and the approval: what is missing is the LP's. */
export function failureOfFunded(refusal: ContractRevertError): Failure {
  const { message, advice } = refusal;
  if (!LACKING.test(message)) return failureOf(refusal);
  // The advice is for the account that pays.
  const error = advice === null ? message : message.replace(`. ${advice}`, "");
  const text = "Its custody lacks the asset, or has not approved enough of it. Use a smaller amount or another LP.";
  return { title: "The LP cannot pay", text: `${text} The error is ${error}.` };
}

function refusalOf(errorName: string, text: string): Failure {
  return { title: TITLES[errorName] ?? "Refused", text };
}

function apiFailureOf({ status, message }: ApiError): Failure {
  if (status === 422) {
    // After the status, and that the contract refuses the leg.
    const refusal = message.replace(/^\d+: [^:]+: /, "");
    return refusalOf(/^\w+/.exec(refusal)?.[0] ?? "", refusal);
  }
  if (status === 429)
    return { title: "Too many quotes", text: "Wait a minute, or connect a wallet: it quotes by itself." };
  return {
    title: "No quotes",
    text: `The server does not quote now (${message}). A connected wallet quotes by itself.`,
  };
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** Whether an error is of a class, or was caused by one that is. */
export function hasCause(error: unknown, kind: ErrorClass): boolean {
  if (!(error instanceof BaseError)) return error instanceof kind;
  return error.walk((cause) => cause instanceof kind) !== null;
}
