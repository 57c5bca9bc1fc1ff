import type { Schemas } from "../api/client.ts";
import { Usd } from "../components/Amount.tsx";
import { Fact } from "../components/Panel.tsx";
import { Time } from "../components/Time.tsx";
import { grouped } from "../format/amount.ts";
import { useDirectory } from "../shell/context.ts";

/** The figures of the whole range. */
export function Totals({ volume }: { readonly volume: Schemas["Volume"] }) {
  const { symbolOf } = useDirectory();
  const { pricingComplete, unpricedLegCount, missingPriceAssetIds } = volume;
  return (
    <dl className="figures">
      <Fact name="Volume">
        <Usd value={volume.pricedVolumeUsd} />
      </Fact>
      <Fact name="Swap legs">{grouped(String(volume.totalLegCount))}</Fact>
      <Fact name="Priced">
        {pricingComplete ? (
          "all legs"
        ) : (
          <span className="warning">
            without {unpricedLegCount} ({missingPriceAssetIds.map(symbolOf).join(", ")})
          </span>
        )}
      </Fact>
      <Fact name="Range">
        <span className="small">
          <Time value={volume.from} />
          <br />
          to <Time value={volume.to} />
        </span>
      </Fact>
    </dl>
  );
}
