import type { Schemas } from "../api/client.ts";
import { Fact } from "../components/Panel.tsx";
import { isHeadKnown, NoAnswer, State } from "../components/State.tsx";
import { Elapsed } from "../components/Time.tsx";
import { grouped } from "../format/amount.ts";
import { networkText } from "../format/names.ts";

interface FreshnessProps {
  readonly networks: readonly Schemas["IndexingStatus"][];
  /** Whether the API gives no newer states. */
  readonly isStale: boolean;
}

/** How far the index of each network is behind its chain. */
export function Freshness({ networks, isStale }: FreshnessProps) {
  return (
    <div className="cards">
      {networks.map(({ network, state, newestIndexedBlock, lagBlocks }) => (
        <section key={network} className="card" aria-label={networkText(network)}>
          <h3>
            {networkText(network)} {isStale ? <NoAnswer /> : <State value={state} />}
          </h3>
          <dl className="facts">
            <Fact name="Newest indexed block">
              {newestIndexedBlock === null ? "none yet" : grouped(newestIndexedBlock.blockNumber)}
            </Fact>
            <Fact name="Age of that block">
              {newestIndexedBlock === null ? "–" : <Elapsed since={newestIndexedBlock.timestamp} />}
            </Fact>
            <Fact name="Blocks behind">
              {lagBlocks === null || !isHeadKnown(state) ? "unknown" : grouped(lagBlocks.blocks)}
            </Fact>
          </dl>
        </section>
      ))}
    </div>
  );
}
