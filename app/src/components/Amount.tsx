import { maxUint256 } from "viem";
import type { Asset } from "../api/directory.ts";
import { type Decimal, parseDecimal, shownDecimal } from "../format/amount.ts";
import { Copy } from "./Copy.tsx";

interface FigureProps {
  readonly value: Decimal;
  readonly unit?: string;
  /** Comes before the digits, after a minus sign: "$". */
  readonly sign?: string;
  readonly maximumDigits?: number;
  readonly minimumDigits?: number;
}

/** An exact number. Digits that do not fit are replaced by an ellipsis; hover and copy give all of them. */
export function Figure({ value, unit, sign = "", ...digits }: FigureProps) {
  const { text, exact } = shownDecimal(value, digits);
  return (
    <Copy text={exact} what="exact figure">
      <span className="figure">{text.replace(/^-?/, (minus) => minus + sign)}</span>
      {unit && <span className="unit">{unit}</span>}
    </Copy>
  );
}

interface AmountProps {
  /** In the smallest unit of the asset. */
  readonly value: string;
  readonly asset: Asset | undefined;
  /** Shown when the asset is not known. */
  readonly symbol?: string;
}

/** An amount of an asset, in whole tokens; in smallest units while the decimals of the asset are not known. */
export function Amount({ value, asset, symbol }: AmountProps) {
  const units = BigInt(value);
  if (asset === undefined) return <Figure value={{ units, decimals: 0 }} unit={`smallest units of ${symbol ?? "?"}`} />;
  return <Figure value={{ units, decimals: asset.decimals }} unit={asset.symbol} minimumDigits={2} />;
}

/** A bound of a swap leg: 0 out, or the largest number in, means no limit. */
export function Bound({ value, asset, symbol }: AmountProps) {
  return BigInt(value) === maxUint256 ? (
    <span className="muted">no limit</span>
  ) : (
    <Amount value={value} asset={asset} {...(symbol === undefined ? {} : { symbol })} />
  );
}

/** US dollars as the API writes them. */
export function Usd({ value }: { readonly value: string }) {
  return <Figure value={parseDecimal(value)} sign="$" maximumDigits={2} minimumDigits={2} />;
}
