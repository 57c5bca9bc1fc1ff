import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useId, useRef } from "react";
import { SLIPPAGES, type SwapSearch } from "../search.ts";
import { AssetChoice } from "./AssetChoice.tsx";
import type { Action, Choice } from "./market.ts";
import type { Order } from "./quotes.ts";
import { SettlementChoice } from "./SettlementChoice.tsx";

const route = getRouteApi("/swap");

const ACTIONS: readonly (readonly [Action, string])[] = [
  ["swap", "Swap"],
  ["deposit", "Deposit"],
  ["redeem", "Redeem"],
];

interface LegFormProps {
  readonly search: SwapSearch;
  readonly choice: Choice;
  readonly choose: (search: SwapSearch) => Choice;
  /** The chosen leg with its amount; null while something of it is missing or wrong. */
  readonly order: Order | null;
  /** What is wrong with the amount; null when nothing is, or none was given. */
  readonly amountError: string | null;
  /** False while the transaction of the URL may still come into a block. */
  readonly isSettled: boolean;
}

/** The assets, the amount and the tolerance of a swap. Each change is stored in the URL at once. */
export function LegForm({ search, choice, choose, order, amountError, isSettled }: LegFormProps) {
  const navigate = route.useNavigate();
  const { action, assetsIn, assetIn, assetsOut, assetOut, settlements, settlement, pair, isOther } = choice;
  const exact = search.exact ?? "in";
  const change = (changes: SwapSearch) =>
    void navigate({
      // Another leg is another transaction. One that waits stays, so that the page knows of it when it is loaded again.
      search: (before) => ({ ...before, ...(isSettled && { transaction: undefined }), ...changes }),
      replace: true,
    });
  /** Changes what is swapped, and names all of it in the URL. */
  const changePair = (changes: SwapSearch) => {
    const next = choose({ action, ...changes });
    change({ ...changes, assetIn: next.assetIn?.id, assetOut: next.assetOut?.id, lp: next.settlement?.id });
  };
  /** Changes one asset. The other one stays if an LP swaps it for that one, or has yet to be chosen, too. */
  const changeAsset = (changes: SwapSearch) =>
    isOther
      ? change({ lp: undefined, ...changes })
      : changePair({ assetIn: pair?.assetIn.id, assetOut: pair?.assetOut.id, ...changes });
  return (
    <>
      <fieldset className="segments">
        <legend className="hidden">What to do</legend>
        {ACTIONS.map(([name, text]) => (
          <button key={name} type="button" aria-pressed={action === name} onClick={() => changePair({ action: name })}>
            {text}
          </button>
        ))}
      </fieldset>
      {isOther && (
        <div className="notice stale" role="status">
          <strong>Not offered:</strong> an asset or LP that the link names. Choose another one.
        </div>
      )}
      <div className="filters">
        <AssetChoice name="Pay" assets={assetsIn} chosen={assetIn?.id} choose={(id) => changeAsset({ assetIn: id })} />
        <AssetChoice
          name="Get"
          assets={assetsOut}
          chosen={assetOut?.id}
          choose={(id) => changeAsset({ assetOut: id })}
        />
        <label>
          <span>Exact amount</span>
          <select value={exact} onChange={({ target }) => change({ exact: target.value === "out" ? "out" : "in" })}>
            <option value="in">paid</option>
            <option value="out">received</option>
          </select>
        </label>
        <Amount
          value={search.amount}
          symbol={(exact === "in" ? assetIn : assetOut)?.symbol}
          error={amountError}
          change={(amount) => change({ amount })}
        />
        {settlements.length > (settlement === undefined ? 0 : 1) && (
          <SettlementChoice
            settlements={settlements}
            chosen={settlement?.id}
            order={order}
            choose={(lp) => change({ lp })}
          />
        )}
        <label>
          <span>Slippage tolerance</span>
          <select
            value={search.slippageBps ?? DEFAULT_SLIPPAGE_BPS}
            onChange={({ target }) => change({ slippageBps: SLIPPAGES.find((each) => each === target.value) })}
          >
            {SLIPPAGES.map((bps) => (
              <option key={bps} value={bps}>
                {percentText(bps)}
              </option>
            ))}
          </select>
        </label>
      </div>
    </>
  );
}

export const DEFAULT_SLIPPAGE_BPS = "50";

/** Basis points as a percentage: `0.5 %`. */
function percentText(bps: string): string {
  return `${Number(bps) / 100} %`;
}

interface AmountProps {
  readonly value: string | undefined;
  readonly symbol: string | undefined;
  readonly error: string | null;
  readonly change: (amount: string | undefined) => void;
}

function Amount({ value, symbol, error, change }: AmountProps) {
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  useEffect(() => {
    // The URL follows the reader's typing; going back in the history makes the field follow the URL.
    const leave = () => input.current?.blur();
    window.addEventListener("popstate", leave);
    return () => window.removeEventListener("popstate", leave);
  }, []);
  useEffect(() => {
    const field = input.current;
    if (field !== null && document.activeElement !== field) field.value = value ?? "";
  }, [value]);
  return (
    <div className="field">
      <label>
        <span>{symbol === undefined ? "Amount" : `Amount in ${symbol}`}</span>
        <input
          ref={input}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          maxLength={80}
          defaultValue={value}
          aria-invalid={error !== null}
          aria-describedby={errorId}
          onChange={({ target }) => change(target.value.trim() || undefined)}
          // The router may have rendered the amount before while the field still had the focus.
          onBlur={({ target }) => {
            target.value = value ?? "";
          }}
        />
      </label>
      <span id={errorId} role="status" className="warning">
        {error}
      </span>
    </div>
  );
}
