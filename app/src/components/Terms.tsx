import { percentOfWad } from "../format/amount.ts";
import { Figure } from "./Amount.tsx";
import { Identifier } from "./Identifier.tsx";

/** Whether an asset can be swapped. */
export function Accepted({ value }: { readonly value: boolean }) {
  return <span className={value ? "badge good" : "badge"}>{value ? "open" : "closed"}</span>;
}

/** A rate as a percentage; the API writes it as a fraction times 10^18. */
export function Rate({ wad }: { readonly wad: string }) {
  return <Figure value={percentOfWad(BigInt(wad))} unit="%" />;
}

interface GuardrailProps {
  readonly bandWad: string;
  readonly enabled: boolean;
  readonly priceAdapter: string | null;
}

/** The band around a USD value, and the oracle that is compared with it. */
export function Guardrail({ bandWad, enabled, priceAdapter }: GuardrailProps) {
  return (
    <>
      ± <Rate wad={bandWad} /> {enabled ? "on" : "off"}{" "}
      {priceAdapter !== null && <Identifier value={priceAdapter} what="address of the price adapter" />}
    </>
  );
}
