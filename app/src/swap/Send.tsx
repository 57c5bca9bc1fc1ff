import { useIsMutating, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Amount, Bound } from "../components/Amount.tsx";
import { Address } from "../components/Identifier.tsx";
import { Fact } from "../components/Panel.tsx";
import { useDirectory } from "../shell/context.ts";
import { approve, atomicQuery, send } from "./actions.ts";
import { failureOf } from "./failures.ts";
import { Notice } from "./Notice.tsx";
import type { Preview, WalletClient } from "./preview.ts";
import type { Order } from "./quotes.ts";

const route = getRouteApi("/swap");

interface SendProps {
  readonly client: WalletClient;
  readonly order: Order;
  readonly preview: Preview;
  /** False while the quote may be out of date. */
  readonly isCurrent: boolean;
}

const REQUESTS = { mutationKey: ["wallet"] };
const VERBS = { swap: "Swap", deposit: "Deposit", redeem: "Redeem" } as const;

/** What stands in the way of the swap, and the buttons that ask the wallet for it. */
export function Send({ client, order, preview, isCurrent }: SendProps): ReactNode {
  const { assetById } = useDirectory();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const isAtomic = useQuery(atomicQuery(client)).data ?? false;
  const { assetIn, action } = order;
  const { approval: needed, isApproved, isCovered, refusal } = preview;
  const unit = { asset: assetById(assetIn.id), symbol: assetIn.symbol };

  const refresh = () => queries.invalidateQueries({ queryKey: ["preview"] });
  const approval = useMutation({ ...REQUESTS, mutationFn: () => approve(client, preview), onSettled: refresh });
  const swap = useMutation({
    ...REQUESTS,
    mutationFn: () => send(client, preview),
    onSuccess: (transaction) => navigate({ search: (before) => ({ ...before, transaction }), replace: true }),
    onSettled: refresh,
  });

  // Another quote or a wallet's node that is behind for a moment replaces this component, but the request stays open.
  const isBusy = useIsMutating(REQUESTS) > 0;
  const isPossible = isCurrent && refusal === null && isCovered && !isBusy;
  const failure = swap.error ?? approval.error;
  return (
    <>
      <dl className="facts">
        <Fact name="Your balance">
          <Amount value={String(needed.balance)} {...unit} />
        </Fact>
        <Fact name="Approved so far">
          <Bound value={String(needed.allowance)} {...unit} />
        </Fact>
        {!isApproved && (
          <>
            <Fact name="To approve">
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
      {refusal !== null && <Notice {...failureOf(refusal)} />}
      <div className="actions">
        {!isApproved && !isAtomic && (
          <button type="button" className="primary" disabled={!isPossible} onClick={() => approval.mutate()}>
            Approve {assetIn.symbol}
          </button>
        )}
        <button
          type="button"
          className="primary"
          disabled={!isPossible || !(isApproved || isAtomic)}
          onClick={() => swap.mutate()}
        >
          {isApproved || !isAtomic ? VERBS[action] : `Approve and ${VERBS[action].toLowerCase()}`}
        </button>
      </div>
      {isBusy && (
        <p role="status" className="muted">
          Answer in the window of your wallet, then wait for the block …
        </p>
      )}
      {failure !== null && !isBusy && <Notice {...failureOf(failure)} />}
    </>
  );
}
