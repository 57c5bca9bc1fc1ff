/** Legs of the four routes between a T-bill fund and a stablecoin, computed by the model that the contracts are tested with. */
import { type FeeRates, splitGross, splitNet } from "../../../test/model/fees.ts";
import { type Valued, worthDown, worthUp } from "../../../test/model/value.ts";
import { decimal, percent } from "./decimal.ts";

/** A thousandth of a percent, WAD. */
const THOUSANDTH_PERCENT = 10n ** 13n;

const FUND: Valued = { decimals: 6, usdWad: 1_052_300n * 10n ** 12n };
const STABLECOIN: Valued = { decimals: 6, usdWad: 10n ** 18n };
const AMOUNT = 10_000n * 10n ** 6n;

const PROTOCOL = { issuerPaid: 50n * THOUSANDTH_PERCENT, take: 10_000n * THOUSANDTH_PERCENT, second: 0n };
const SELLING: FeeRates = { ...PROTOCOL, first: 150n * THOUSANDTH_PERCENT };
const BUYING: FeeRates = { ...PROTOCOL, first: 100n * THOUSANDTH_PERCENT };

/** The numbers of the page, as text. */
export function feeExamples() {
  const sold = splitGross(worthDown(AMOUNT, FUND, STABLECOIN), SELLING);
  const wanted = splitNet(AMOUNT, SELLING);
  const spent = splitGross(AMOUNT, BUYING);
  const bought = splitNet(worthUp(AMOUNT, FUND, STABLECOIN), BUYING);
  const amount = (units: bigint) => decimal(units, 6);
  const rows = [
    { route: 1, legs: "sell 10,000 fund tokens", in: AMOUNT, out: sold.net, split: sold },
    {
      route: 2,
      legs: "get 10,000 stablecoins",
      in: worthUp(wanted.gross, STABLECOIN, FUND),
      out: AMOUNT,
      split: wanted,
    },
    {
      route: 3,
      legs: "spend 10,000 stablecoins",
      in: AMOUNT,
      out: worthDown(spent.net, STABLECOIN, FUND),
      split: spent,
    },
    { route: 4, legs: "buy 10,000 fund tokens", in: bought.gross, out: AMOUNT, split: bought },
  ];
  return {
    nav: decimal(FUND.usdWad, 18),
    issuerRate: percent(PROTOCOL.issuerPaid),
    discountRate: percent(SELLING.first),
    redemptionFee: percent(BUYING.first),
    takeRate: percent(PROTOCOL.take),
    gross: amount(sold.gross),
    issuerFee: amount(sold.issuerFee),
    remainder: amount(sold.gross - sold.issuerFee),
    spread: amount(sold.spreadFee + sold.lpFee),
    spreadFee: amount(sold.spreadFee),
    lpFee: amount(sold.lpFee),
    net: amount(sold.net),
    routes: rows.map(({ route, legs, in: amountIn, out, split }) => ({
      route,
      legs,
      in: amount(amountIn),
      out: amount(out),
      issuerFee: amount(split.issuerFee),
      spreadFee: amount(split.spreadFee),
      lpFee: amount(split.lpFee),
    })),
  };
}
