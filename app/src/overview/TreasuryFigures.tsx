import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { summaryQuery } from "../api/queries.ts";
import { Figure } from "../components/Amount.tsx";
import { useFailure, useIsStale } from "../components/Answer.tsx";
import { Fact, Panel } from "../components/Panel.tsx";
import { NoAnswer } from "../components/State.tsx";
import { ReadBlock } from "../components/Time.tsx";
import { useDirectory, useNetwork } from "../shell/context.ts";
import { MissingRates } from "../treasury/NextRate.tsx";
import { Apy, Reserve, Verdict } from "../treasury/Summary.tsx";
import { useKnownUntil } from "../treasury/summaryAge.ts";

/** Key figures of each treasury token. They wait for a node, so the rest of the view does not wait for them. */
export function TreasuryFigures() {
  const { symbolOf } = useDirectory();
  const network = useNetwork();
  const summary = useQuery(summaryQuery(network));
  const { data } = summary;
  const knownUntil = useKnownUntil(summary, network);
  const isStale = useIsStale(summary);
  const failure = useFailure(summary);
  // Until they come, dashes keep their place.
  const delegates = data?.delegates ?? [undefined];
  if (delegates.length === 0) return null;
  return (
    <Panel
      title="Treasury"
      aside={
        <>
          {isStale && <NoAnswer />} <Link to="/treasury">Treasury</Link>
        </>
      }
    >
      {data === undefined && failure !== null && <p className="warning">{failure.message}</p>}
      {delegates.map((delegate) => (
        <dl
          key={delegate?.delegateAddress ?? ""}
          className="facts"
          aria-busy={delegate === undefined && failure === null}
        >
          <Fact name="Supply">
            {delegate === undefined ? (
              "–"
            ) : (
              <Figure
                value={{ units: BigInt(delegate.supply), decimals: delegate.decimals }}
                unit={symbolOf(delegate.stablecoinId)}
                maximumDigits={2}
                minimumDigits={2}
              />
            )}
          </Fact>
          <Fact name="Reserve">{delegate === undefined ? "–" : <Reserve solvency={delegate.solvency} />}</Fact>
          <Fact name="Solvency" isWide>
            <span className="comes-later">
              {delegate === undefined ? "–" : <Verdict solvency={delegate.solvency} />}
            </span>
          </Fact>
          <Fact name="Net APY, 30 days">
            <span className="comes-later">
              {delegate === undefined ? (
                "–"
              ) : (
                <>
                  <Apy wad={delegate.yield.apy30DaysWad} />{" "}
                  <MissingRates yields={delegate.yield} knownUntil={knownUntil} />
                </>
              )}
            </span>
          </Fact>
          <Fact name="Read at">
            <span className="comes-later">{data === undefined ? "–" : <ReadBlock block={data.block} />}</span>
          </Fact>
        </dl>
      ))}
    </Panel>
  );
}
