import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode, SubmitEvent } from "react";
import { accountsQuery, positionQuery, summaryQuery, transactionsQuery } from "../api/queries.ts";
import { Answer, Empty, isFirstLoad, Loading } from "../components/Answer.tsx";
import { Heading } from "../components/Heading.tsx";
import { Identifier } from "../components/Identifier.tsx";
import { defaultInterval, IntervalChoice } from "../components/IntervalChoice.tsx";
import { Panel } from "../components/Panel.tsx";
import { RangePicker, rangeOf } from "../components/RangePicker.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { ReadBlock, Time } from "../components/Time.tsx";
import { networkText } from "../format/names.ts";
import { walletSearch } from "../search.ts";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { HistoryTable } from "../transactions/HistoryTable.tsx";
import { activeWallets } from "./activeWallets.ts";
import { PositionHistory } from "./PositionHistory.tsx";
import { TreasuryAccount } from "./TreasuryAccount.tsx";

const route = getRouteApi("/wallet");
const NEWEST = 10;
const LOOKED_AT = 100;

/** A wallet's treasury tokens, its position over time, and its newest transactions. */
export function Wallet(): ReactNode {
  const { address } = route.useSearch();
  const network = useNetwork();
  return (
    <>
      <Heading text={`${address === undefined ? "Wallets" : "Wallet"} on ${networkText(network)}`} />
      <AddressForm key={address} address={address} />
      {/* Another wallet's transactions must not stay until those of this one come. */}
      {address === undefined ? <ActiveWallets /> : <OneWallet key={address} address={address} />}
    </>
  );
}

function AddressForm({ address }: { readonly address: string | undefined }) {
  const navigate = route.useNavigate();
  const show = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = Object.fromEntries(new FormData(event.currentTarget));
    void navigate({ search: ({ network }) => ({ network, ...walletSearch(form) }) });
  };
  return (
    <form className="filters" onSubmit={show}>
      <label className="wide">
        <span>Address</span>
        <input
          name="address"
          required
          defaultValue={address}
          pattern="0x[0-9a-fA-F]{40}"
          placeholder="0x…"
          title="An address: 0x and 40 hex digits"
        />
      </label>
      <div className="actions">
        <button type="submit">Show</button>
        {address !== undefined && (
          <button
            type="button"
            className="plain"
            onClick={() => void navigate({ search: ({ network }) => ({ network }) })}
          >
            Clear
          </button>
        )}
      </div>
    </form>
  );
}

function OneWallet({ address }: { readonly address: string }) {
  const network = useNetwork();
  const search = route.useSearch();
  const range = rangeOf(search);
  const interval = search.interval ?? defaultInterval(range);
  const accounts = useQuery(accountsQuery(network, address));
  const position = useQuery(positionQuery(network, address, range, interval));
  const history = useQuery(transactionsQuery({ network, wallet: address, limit: NEWEST }));
  // Tells whether rates are late.
  const summary = useQuery(summaryQuery(network));
  // All parts appear at once, so that none moves another.
  if (isFirstLoad(accounts, position, history, summary)) return <Loading />;
  return (
    <>
      <p className="subject">
        <Identifier value={address} what="address" isLong />
      </p>
      <Answer query={accounts}>
        {({ accounts: found, block }) => (
          <>
            {found.length === 0 && <Empty>No yield-bearing delegate is registered on this network.</Empty>}
            {found.map((account) => (
              <TreasuryAccount key={account.delegateAddress} account={account} />
            ))}
            <p className="muted">
              Read from the contracts at <ReadBlock block={block} />.
            </p>
          </>
        )}
      </Answer>
      <div className="controls">
        <RangePicker search={search} />
        <IntervalChoice interval={interval} range={range} />
      </div>
      <Answer query={position}>
        {({ accounts: found, interval: shownInterval }) =>
          found.map((account) => (
            <PositionHistory key={account.delegateAddress} account={account} interval={shownInterval} />
          ))
        }
      </Answer>
      <Panel
        title="Newest transactions"
        aside={
          <Link to="/transactions" search={(before) => ({ network: before.network, wallet: address })}>
            All of this wallet
          </Link>
        }
      >
        <Answer query={history}>
          {({ transactions }) =>
            transactions.length === 0 ? (
              <Empty>No transaction of the protocol names this wallet.</Empty>
            ) : (
              <HistoryTable caption="Newest transactions of the wallet" transactions={transactions} />
            )
          }
        </Answer>
      </Panel>
    </>
  );
}

/** Suggestions when no address is given. */
function ActiveWallets() {
  const network = useNetwork();
  const { yieldBearingIds, swapContract, contractName } = useDirectory();
  const history = useQuery(transactionsQuery({ network, activity: "swap", limit: LOOKED_AT }));
  return (
    <Panel
      title="Recently active"
      aside={<span className="muted">in the newest {LOOKED_AT} transactions with a swap</span>}
    >
      <Answer query={history}>
        {({ transactions }) => {
          const wallets = activeWallets(transactions, yieldBearingIds, swapContract).filter(
            ({ address }) => contractName(address) === undefined,
          );
          if (wallets.length === 0) return <Empty>Nobody has swapped yet.</Empty>;
          return (
            <Table
              caption="Recently active wallets"
              head={["Wallet", "Deposits", "Redemptions", "Other swaps", "Last seen"]}
              numeric={[1, 2, 3]}
            >
              {wallets.map(({ address, deposits, redemptions, swaps, lastSeen }) => (
                <Row key={address}>
                  <RowHead>
                    <Link to="/wallet" search={(before) => ({ network: before.network, address })}>
                      <code>{address}</code>
                    </Link>
                  </RowHead>
                  <Cell isNumber>{deposits}</Cell>
                  <Cell isNumber>{redemptions}</Cell>
                  <Cell isNumber>{swaps}</Cell>
                  <Cell>
                    <Time value={lastSeen} />
                  </Cell>
                </Row>
              ))}
            </Table>
          );
        }}
      </Answer>
    </Panel>
  );
}
