import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Amount, Bound } from "../components/Amount.tsx";
import { Address } from "../components/Identifier.tsx";
import { Fact } from "../components/Panel.tsx";
import { useDirectory } from "../shell/context.ts";
import { atomicQuery } from "./actions.ts";
import { Notice } from "./Notice.tsx";
import type { Preview, WalletClient } from "./preview.ts";
import type { Order } from "./quotes.ts";
import { refusalOf, refusalOfFunded } from "./refusals.ts";
import type { WalletRequests } from "./requests.ts";

interface SendProps {
  readonly client: WalletClient;
  readonly order: Order;
  readonly preview: Preview;
  /** False while the quote may be out of date. */
  readonly isCurrent: boolean;
  /** False while the wallet is asked for something, or what was sent is in no block. */
  readonly isFree: boolean;
  readonly requests: WalletRequests;
}

const VERBS = { swap: "Swap", deposit: "Deposit", redeem: "Redeem" } as const;

/** What stands in the way of the swap, and the buttons that ask the wallet for it. */
export function Send({ client, order, preview, isCurrent, isFree, requests }: SendProps): ReactNode {
  const { assetById } = useDirectory();
  const isAtomic = useQuery(atomicQuery(client)).data ?? false;
  const { assetIn, action } = order;
  const { approval: needed, isApproved, isCovered, refusal } = preview;
  const unit = { asset: assetById(assetIn.id), symbol: assetIn.symbol };

  const isPossible = isCurrent && isFree && refusal === null && isCovered;
  return (
    <>
      <dl className="facts">
        <Fact name="Your balance">
          <Amount value={String(needed.balance)} {...unit} />
        </Fact>
        <Fact name="Current allowance">
          <Bound value={String(needed.allowance)} {...unit} />
        </Fact>
        {!isApproved && (
          <>
            <Fact name="Required allowance">
              <Amount value={String(needed.amount)} {...unit} />
            </Fact>
            <Fact name="For the delegate">
              <Address value={needed.spender.toLowerCase()} />
            </Fact>
          </>
        )}
      </dl>
      {!isCovered && (
        <div className="notice error" role="alert">
          <strong>Insufficient balance.</strong> The account has fewer {assetIn.symbol} than the swap takes.
        </div>
      )}
      {refusal !== null && <Notice {...(isApproved && isCovered ? refusalOfFunded : refusalOf)(refusal)} />}
      <div className="actions">
        {!isApproved && !isAtomic && (
          <button
            type="button"
            className="primary"
            disabled={!isPossible}
            onClick={() => requests.approve(client, preview)}
          >
            Approve {assetIn.symbol}
          </button>
        )}
        <button
          type="button"
          className="primary"
          disabled={!isPossible || !(isApproved || isAtomic)}
          onClick={() => requests.swap(client, preview)}
        >
          {isApproved || !isAtomic ? VERBS[action] : `Approve and ${VERBS[action].toLowerCase()}`}
        </button>
      </div>
    </>
  );
}
