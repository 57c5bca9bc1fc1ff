import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client.ts";
import { statusQuery, transactionQuery } from "../api/queries.ts";
import { Figure } from "../components/Amount.tsx";
import { Answer, Empty } from "../components/Answer.tsx";
import { evmExplorerPage } from "../components/explorers.ts";
import { Heading } from "../components/Heading.tsx";
import { Address, Identifier } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { Outcome } from "../components/State.tsx";
import { Age, Time } from "../components/Time.tsx";
import { grouped } from "../format/amount.ts";
import { networkText } from "../format/names.ts";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { Failure } from "./Failure.tsx";
import { LegPanel } from "./LegPanel.tsx";
import { legsOf } from "./legs.ts";

const route = getRouteApi("/transactions/$hash");

/** One transaction: its receipt, what was requested and what was realized. */
export function TransactionDetail(): ReactNode {
  const { hash } = route.useParams();
  const network = useNetwork();
  const transaction = useQuery(transactionQuery(network, hash));
  return (
    <>
      <p className="back">
        <Link to="/transactions">All transactions</Link>
      </p>
      <Heading text={`Transaction on ${networkText(network)}`} />
      <p className="subject">
        <Identifier
          value={hash}
          what="transaction hash"
          isLong
          page={evmExplorerPage(network.replace("evm-", ""), "tx", hash)}
        />
      </p>
      <Answer query={transaction}>
        {(found) =>
          found === null ? (
            <Empty>
              {networkText(network)} has no such transaction of the protocol. It may be on the other network, not
              indexed yet, or removed by a reorganization.
            </Empty>
          ) : (
            <Found transaction={found} />
          )
        }
      </Answer>
    </>
  );
}

function Found({ transaction }: { readonly transaction: Schemas["Transaction"] }) {
  const { swapContract } = useDirectory();
  const legs = legsOf(transaction, swapContract);
  const changes = transaction.activities.filter((activity) => activity.type === "allowlist");
  return (
    <>
      <Receipt transaction={transaction} />
      <Call transaction={transaction} />
      {legs.map((leg, index) => (
        <LegPanel
          key={leg.realized?.logIndex ?? index}
          leg={leg}
          title={`Leg ${index + 1} of ${legs.length}`}
          hasReverted={transaction.receipt.outcome === "revert"}
        />
      ))}
      {changes.map(({ logIndex, action, wallet, contract }) => (
        <Panel key={logIndex} title="Allowlist">
          <dl className="facts">
            <Fact name="Change">{action}</Fact>
            <Fact name="Wallet">
              <Address value={wallet} />
            </Fact>
            <Fact name="Contract">
              <Address value={contract} />
            </Fact>
            <Fact name="Log index">{logIndex}</Fact>
          </dl>
        </Panel>
      ))}
      {transaction.receipt.outcome === "revert" && <Failure hash={transaction.transactionHash} />}
    </>
  );
}

function Receipt({ transaction }: { readonly transaction: Schemas["Transaction"] }) {
  const { inclusion, receipt, sender, recipient, nonce, value } = transaction;
  const network = useNetwork();
  const status = useQuery(statusQuery).data?.networks.find((candidate) => candidate.network === network);
  const finalBlock = status?.newestFinalBlock ?? null;
  const isFinal = finalBlock === null ? null : BigInt(inclusion.blockNumber) <= BigInt(finalBlock);
  const cost = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  return (
    <Panel title="Receipt" aside={<Outcome value={receipt.outcome} />}>
      <dl className="facts">
        <Fact name="Time">
          <Time value={inclusion.timestamp} />{" "}
          <span className="muted">
            (<Age value={inclusion.timestamp} />)
          </span>
        </Fact>
        <Fact name="Block">
          {grouped(inclusion.blockNumber)}, index {inclusion.transactionIndex}{" "}
          {isFinal !== null && <span className="muted">({isFinal ? "final" : "not final yet"})</span>}
        </Fact>
        <Fact name="Block hash">
          <Identifier value={inclusion.blockHash} what="block hash" />
        </Fact>
        <Fact name="Sender">
          <Address value={sender} />
        </Fact>
        <Fact name="Recipient">{recipient === null ? "contract creation" : <Address value={recipient} />}</Fact>
        <Fact name="Nonce">{nonce}</Fact>
        <Fact name="Value">
          <Figure value={{ units: BigInt(value), decimals: 18 }} unit="ETH" />
        </Fact>
        <Fact name="Gas used">{grouped(receipt.gasUsed)}</Fact>
        <Fact name="Gas price">
          <Figure value={{ units: BigInt(receipt.effectiveGasPrice), decimals: 9 }} unit="gwei" maximumDigits={9} />
        </Fact>
        <Fact name="Cost of gas">
          <Figure value={{ units: cost, decimals: 18 }} unit="ETH" maximumDigits={9} />
        </Fact>
      </dl>
    </Panel>
  );
}

function Call({ transaction: { directCall, selector } }: { readonly transaction: Schemas["Transaction"] }) {
  return (
    <Panel title="Call">
      <dl className="facts">
        <Fact name="Entrypoint">
          {directCall === null ? (
            <span className="muted">inside the call of another contract</span>
          ) : (
            <code>{directCall.entrypoint}</code>
          )}
        </Fact>
        <Fact name="Selector">{selector === null ? "none" : <code>{selector}</code>}</Fact>
        {directCall !== null && "receiver" in directCall && (
          <>
            <Fact name="User">
              <Address value={directCall.user} />
            </Fact>
            <Fact name="Receiver">
              <Address value={directCall.receiver} />
            </Fact>
          </>
        )}
        {directCall !== null && "wallet" in directCall && (
          <Fact name="Wallet">
            <Address value={directCall.wallet} />
          </Fact>
        )}
      </dl>
    </Panel>
  );
}
