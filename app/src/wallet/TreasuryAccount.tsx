import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client.ts";
import { Amount, Figure } from "../components/Amount.tsx";
import { Empty } from "../components/Answer.tsx";
import { Address } from "../components/Identifier.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { Cell, Row, RowHead, Table } from "../components/Table.tsx";
import { Age, Time } from "../components/Time.tsx";
import { fromWad } from "../format/amount.ts";
import { apiTime, DAY_SECONDS } from "../format/time.ts";
import { useDirectory } from "../shell/context.ts";
import { LateRates } from "../treasury/LateRates.tsx";

/** A wallet's credits with one delegate, what they have yielded, what is withheld, and what can be redeemed now. */
export function TreasuryAccount({ account }: { readonly account: Schemas["TreasuryAccount"] }) {
  const { assetById, assetByToken, symbolOf } = useDirectory();
  const token = { asset: assetById(account.stablecoinId), symbol: symbolOf(account.stablecoinId) };
  const { withheldCredits, lastAccrualDay, position } = account;
  const hasCredits = account.mainCredits !== "0" || account.totalWithheldCredits !== "0";
  const hasMoves = position.creditsMovedIn !== "0" || position.creditsMovedOut !== "0";
  return (
    <>
      <dl className="figures">
        <Fact name="Tokens held">
          <Amount value={account.tokenBalance} {...token} />
        </Fact>
        <Fact name="Redeemable now">
          <Amount value={account.redeemableTokens} {...token} />
        </Fact>
        <Fact name="Value for a stablecoin, before fees">
          <Amount value={account.redeemableValueInStablecoin} {...token} />
        </Fact>
        <Fact name="Value for an RWA, before fees">
          <Amount value={account.redeemableValueInRwa} {...token} />
        </Fact>
      </dl>
      <p className="muted">
        Values are in {token.symbol} at face value, with the yield, and before the fees that a redemption pays.{" "}
        {account.redeemableTokens !== "0" && (
          <Link
            to="/swap"
            search={({ network }) => ({ network, action: "redeem" as const, assetIn: account.stablecoinId })}
          >
            Redeem {token.symbol}
          </Link>
        )}
      </p>
      {hasCredits && <LateRates treasuryId={account.stablecoinId} />}
      <Panel title="Yield and deposits">
        <dl className="facts">
          <Fact name="Yield so far, for a stablecoin">
            <Amount value={account.yieldEarnedInStablecoin} {...token} />
          </Fact>
          <Fact name="Yield so far, for an RWA">
            <Amount value={account.yieldEarnedInRwa} {...token} />
          </Fact>
          <Fact name="Yield claimed">
            <Amount value={position.yieldClaimed} {...token} />
          </Fact>
          <Fact name="Deposited">
            <Amount value={position.deposited} {...token} />
          </Fact>
          <Fact name="Redeemed">
            <Amount value={position.redeemed} {...token} />
          </Fact>
          <Fact name="Net deposits">
            <Amount value={position.netDeposits} {...token} />
          </Fact>
          {hasMoves && (
            <>
              <Fact name="Credits moved in">
                <Amount value={position.creditsMovedIn} {...token} />
              </Fact>
              <Fact name="Credits moved out">
                <Amount value={position.creditsMovedOut} {...token} />
              </Fact>
            </>
          )}
        </dl>
        <p className="muted">
          Yield so far is that of redeemed credits (claimed, before the LP's fee), and what the other credits would
          yield now. A redemption for a stablecoin also pays a part of the current day.
        </p>
      </Panel>
      <Panel title="Credits at the last accrual" aside={<Address value={account.delegateAddress} />}>
        <dl className="facts">
          <Fact name="Main credits">
            <Amount value={account.mainCredits} {...token} />
          </Fact>
          <Fact name="Withheld credits">
            <Amount value={account.totalWithheldCredits} {...token} />
          </Fact>
          <Fact name="Value of a main credit">
            <Figure value={fromWad(account.yieldMultiplierWad)} unit={token.symbol} maximumDigits={10} />
          </Fact>
          <Fact name="Accrued through">
            {lastAccrualDay === "0" ? "–" : `${apiTime(Number(lastAccrualDay) * DAY_SECONDS).slice(0, 10)} (UTC)`}
          </Fact>
        </dl>
        <p className="muted">
          Credits, their value and the withheld entries are as stored at the last accrual. A redemption first applies
          all posted days, and merges the entries whose time has come. Then it takes one credit with each token,
          withheld credits first: these pay 1:1 and lose what they have earned; main credits pay their value. Credits at
          a treasury delegate that was replaced are not shown.
        </p>
      </Panel>
      <Panel title="Withheld entries at the last accrual">
        {withheldCredits.length === 0 ? (
          <Empty>Nothing waits to merge into main credits.</Empty>
        ) : (
          <Table
            caption="Withheld entries, oldest first"
            head={["Came in as", "Kind", "Credits", "Merges from", "Earns from"]}
            numeric={[2]}
          >
            {withheldCredits.map(({ tokenAddress, credits, releaseTimestamp, earningStartTimestamp, isRwa }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a queue without other identity
              <Row key={index}>
                <RowHead>{assetByToken(tokenAddress)?.symbol ?? <Address value={tokenAddress} />}</RowHead>
                <Cell>{isRwa ? "RWA" : "stablecoin"}</Cell>
                <Cell isNumber>
                  <Amount value={credits} {...token} />
                </Cell>
                <Cell>
                  <Time value={releaseTimestamp} />{" "}
                  <span className="muted">
                    (<Age value={releaseTimestamp} />)
                  </span>
                </Cell>
                <Cell>
                  <Time value={earningStartTimestamp} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Panel>
    </>
  );
}
