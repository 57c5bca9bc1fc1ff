import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo } from "react";
import type { Address, Hash } from "viem";
import { useConnection, useConnectorClient, WagmiProvider } from "wagmi";
import type { Schemas } from "../api/client.ts";
import { assetsQuery } from "../api/queries.ts";
import { Answer, Empty, isFirstLoad, Loading, useFailure } from "../components/Answer.tsx";
import { Heading } from "../components/Heading.tsx";
import { TransactionLink } from "../components/Identifier.tsx";
import { Panel } from "../components/Panel.tsx";
import { unitsOf } from "../format/amount.ts";
import { networkText } from "../format/names.ts";
import { defined, type SwapSearch } from "../search.ts";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { LateRates } from "../treasury/LateRates.tsx";
import { ChainMismatch, useChainMatch } from "./ChainCheck.tsx";
import { Connection } from "./Connection.tsx";
import { CHAIN_IDS, wagmiConfig } from "./config.ts";
import { failureOf } from "./failures.ts";
import { DEFAULT_SLIPPAGE_BPS, LegForm } from "./LegForm.tsx";
import { Market, type Pair } from "./market.ts";
import { Notice } from "./Notice.tsx";
import { PREVIEW_MS, previewQuery, type WalletClient } from "./preview.ts";
import { QuoteFacts, QuoteSource } from "./QuoteFacts.tsx";
import { apiQuoteQuery, type Order } from "./quotes.ts";
import { useWalletRequests, type WalletRequests } from "./requests.ts";
import { Send } from "./Send.tsx";
import { Submitted } from "./Submitted.tsx";
import { isSettled, type SentState, useSentState } from "./sent.ts";

const route = getRouteApi("/swap");

/** Swaps, deposits and redemptions with a wallet of the browser. */
export function Swap(): ReactNode {
  // The provider connects the wallet again each time it renders, so it follows no query.
  return (
    <WagmiProvider config={wagmiConfig}>
      <SwapView />
    </WagmiProvider>
  );
}

function SwapView() {
  const network = useNetwork();
  const assets = useQuery(assetsQuery(network));
  return (
    <>
      <Heading text={`Swap on ${networkText(network)}`} />
      <Answer query={assets}>{(answer) => <Desk assets={answer} />}</Answer>
    </>
  );
}

function Desk({ assets }: { readonly assets: Schemas["Assets"] }) {
  const search = route.useSearch();
  const client = useWalletClient();
  const requests = useWalletRequests(client);
  const sent = useSentState(requests.sent, client);
  const market = useMemo(() => new Market(assets), [assets]);
  const choice = market.choose(search);
  const { order, amountError } = orderOf(choice.pair, search);
  useNames(order, search);
  const slippageBps = BigInt(search.slippageBps ?? DEFAULT_SLIPPAGE_BPS);
  return (
    <>
      {assets.paused && (
        <div className="notice stale" role="status">
          <strong>Paused.</strong> Swaps are disabled until the operator unpauses CoreSwap.
        </div>
      )}
      <div className="columns">
        <div className="stack">
          <Connection />
          <Panel title="Order">
            <LegForm
              search={search}
              choice={choice}
              choose={(changed) => market.choose(changed)}
              order={order}
              amountError={amountError}
              isSettled={isSettled(sent)}
            />
            {choice.assetsIn.length === 0 && <Empty>No LP deals in such a pair.</Empty>}
          </Panel>
        </div>
        <div className="quote">
          <Panel title="Quote">
            {choice.action === "redeem" && choice.assetIn && <LateRates treasuryId={choice.assetIn.id} />}
            {choice.isOther ? (
              <Empty>Choose what to pay and what to get.</Empty>
            ) : order === null ? (
              <Empty>Enter an amount to see what it would settle.</Empty>
            ) : client === null ? (
              <WithoutWallet order={order} slippageBps={slippageBps} />
            ) : (
              <WithWallet client={client} requests={requests} sent={sent} order={order} slippageBps={slippageBps} />
            )}
            {requests.isOpen && (
              <p role="status" className="muted">
                Confirm in your wallet, then wait for the block …
              </p>
            )}
            {requests.error !== null && <Notice {...failureOf(requests.error)} />}
          </Panel>
        </div>
      </div>
      {search.transaction !== undefined && (
        <Submitted hash={search.transaction as Hash} client={client} forget={requests.forget} />
      )}
    </>
  );
}

/** Names in the URL all of what is quoted, so that nothing takes its place when it is not offered any more. */
function useNames(order: Order | null, search: SwapSearch): void {
  const navigate = route.useNavigate();
  const isNamed = search.assetIn !== undefined && search.assetOut !== undefined && search.lp !== undefined;
  useEffect(() => {
    if (order === null || isNamed) return;
    const names = { assetIn: order.assetIn.id, assetOut: order.assetOut.id, lp: order.settlement.id };
    void navigate({ search: (before) => ({ ...names, ...defined(before) }), replace: true });
  }, [order, isNamed, navigate]);
}

/** A client of the connected wallet; null until there is one on the network shown. */
function useWalletClient(): WalletClient | null {
  const chainId = CHAIN_IDS[useNetwork()];
  const { address, chainId: current, status } = useConnection();
  const isReady = status === "connected" && current === chainId;
  const { data } = useConnectorClient({ chainId, query: { enabled: isReady } });
  // After a change of the account, wagmi keeps the client of the one before until it has another.
  return isReady && data?.account.address === address ? data : null;
}

/** The leg that the URL describes, unless its amount is missing or wrong. */
function orderOf(
  pair: Pair | null,
  { amount, exact = "in" }: SwapSearch,
): { readonly order: Order | null; readonly amountError: string | null } {
  if (pair === null || amount === undefined) return { order: null, amountError: null };
  try {
    const units = unitsOf(amount, (exact === "in" ? pair.assetIn : pair.assetOut).decimals);
    if (units === 0n) return { order: null, amountError: "Enter an amount above zero." };
    return { order: { ...pair, exact, amount: units }, amountError: null };
  } catch (error) {
    return { order: null, amountError: error instanceof Error ? error.message : String(error) };
  }
}

/** Why there is no quote. */
function Unanswered({ query }: { readonly query: UseQueryResult }) {
  const failure = useFailure(query);
  if (failure === null || isFirstLoad(query)) return <Loading />;
  return <Notice {...failureOf(failure)} />;
}

interface QuotedProps {
  readonly order: Order;
  readonly slippageBps: bigint;
}

/** The API's quote: it needs no wallet, except that only the holder of credits can redeem them. */
function WithoutWallet({ order, slippageBps }: QuotedProps) {
  const network = useNetwork();
  const { chainId } = useConnection();
  const isRedemption = order.action === "redeem";
  const quote = useQuery({ ...apiQuoteQuery(network, order), enabled: !isRedemption });
  const toSwitch =
    chainId !== undefined && chainId !== CHAIN_IDS[network]
      ? `Switch the wallet to ${networkText(network)} to ${order.action}.`
      : null;
  if (isRedemption) {
    return <Empty>{toSwitch ?? "Connect the wallet that holds the credits: a redemption depends on them."}</Empty>;
  }
  if (quote.data === undefined) return <Unanswered query={quote} />;
  return (
    <>
      <QuoteFacts order={order} quote={quote.data.quote} slippageBps={slippageBps} receiver={null} />
      <p className="muted">
        The quote does not show whether the LP takes the assets or can pay. {toSwitch ?? "Connect a wallet to swap."}
      </p>
      <QuoteSource block={quote.data.block} error={quote.error} />
    </>
  );
}

interface WalletQuotedProps extends QuotedProps {
  readonly client: WalletClient;
  readonly requests: WalletRequests;
  readonly sent: SentState;
}

/** The quote of the wallet's node, and what the wallet can do with it, once it is on the right chain. */
function WithWallet(props: WalletQuotedProps) {
  const { swapContract } = useDirectory();
  const match = useChainMatch(props.client);
  if (match.data === undefined) return <Unanswered query={match} />;
  if (match.data !== "same") return <ChainMismatch match={match.data} />;
  if (swapContract === undefined) return <Empty>The address of CoreSwap is not known.</Empty>;
  return <Previewed {...props} coreSwap={swapContract as Address} />;
}

function Previewed({ requests, sent, ...request }: WalletQuotedProps & { readonly coreSwap: Address }) {
  const preview = useQuery(previewQuery(request));
  const { client, order, slippageBps } = request;
  if (preview.data === undefined) return <Unanswered query={preview} />;
  const { quote, block } = preview.data;
  // A page that was hidden has not asked for quotes. Until the first new one comes, nothing can be sent.
  const isOld = preview.isFetching && Date.now() - preview.dataUpdatedAt > 3 * PREVIEW_MS;
  return (
    <>
      <QuoteFacts order={order} quote={quote} slippageBps={slippageBps} receiver={client.account.address} />
      <Send
        client={client}
        order={order}
        preview={preview.data}
        isCurrent={preview.error === null && !isOld}
        isFree={!requests.isOpen && isSettled(sent)}
        requests={requests}
      />
      <QuoteSource block={block} error={preview.error} />
      {sent === "waiting" && !requests.isOpen && requests.sent && (
        <Unmined hash={requests.sent} forget={requests.forget} />
      )}
    </>
  );
}

/** Why nothing can be sent while a transaction is in no block, and how to go on if it never comes into one. */
function Unmined({ hash, forget }: { readonly hash: Hash } & Pick<WalletRequests, "forget">) {
  return (
    <div className="notice stale">
      <p role="status">
        <strong>Your transaction waits for a block,</strong> and nothing else can be sent until then:{" "}
        <TransactionLink hash={hash} />.
      </p>
      <p>
        If your wallet has dropped it, go on without it. If the wallet still has it, cancel it there first: otherwise it
        can be executed later, too.{" "}
        <button type="button" className="plain" onClick={forget}>
          Go on without it
        </button>
      </p>
    </div>
  );
}
