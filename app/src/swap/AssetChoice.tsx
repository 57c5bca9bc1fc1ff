import type { ReactNode } from "react";
import type { Tradable } from "./market.ts";

interface AssetChoiceProps {
  readonly name: ReactNode;
  readonly assets: readonly Tradable[];
  /** Undefined while the reader has yet to choose one. */
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
  /** Text of an option; by default the symbol of the asset. */
  readonly textOf?: (asset: Tradable) => string;
  readonly className?: string;
}

/** A field that selects one of the offered assets. */
export function AssetChoice(props: AssetChoiceProps) {
  const { name, assets, chosen, choose, textOf = ({ symbol }) => symbol, className } = props;
  return (
    <label className={className}>
      <span>{name}</span>
      <select value={chosen ?? ""} onChange={({ target }) => choose(target.value)}>
        {chosen === undefined && (
          <option value="" disabled>
            Choose …
          </option>
        )}
        {assets.map((asset) => (
          <option key={asset.id} value={asset.id}>
            {textOf(asset)}
          </option>
        ))}
      </select>
    </label>
  );
}
