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
import { type Failure, refusalOf, refusalOfName } from "./refusals.ts";

/** An error of a wallet, its node, the contracts or the API. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ContractRevertError) return refusalOf(error);
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

function apiFailureOf({ status, message }: ApiError): Failure {
  if (status === 422) {
    // After the status, and that the contract refuses the leg.
    const refusal = message.replace(/^\d+: [^:]+: /, "");
    return refusalOfName(/^\w+/.exec(refusal)?.[0] ?? "", refusal);
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
