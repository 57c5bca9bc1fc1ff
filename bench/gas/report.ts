/** Compares our figures with bars and peers. It has no side effects. */
import { ACCRUALS, type OurKey, PROFILED, ROWS, type Row } from "./rows.ts";

/** Prices of EIP-2929 and EIP-2200: reading an account or a slot first, then changing it from another value or from zero. */
const PRICE = { transaction: 21_000, account: 2_600, slot: 2_100, change: 2_900, fill: 20_000 };

/** Gas by name, by group. */
export type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface PeerResult {
  readonly peer: string;
  readonly gas: number;
  /** Where a recorded figure comes from; absent when this run measured it. */
  readonly recordedFrom?: string;
  /** Our gas over the peer's. */
  readonly ratio: number;
}

interface RowResult {
  readonly operation: string;
  readonly gas: number;
  readonly bar: number;
  readonly met: boolean;
  readonly whyMissed?: string;
  readonly peers: readonly PeerResult[];
}

/** The parts of a transaction's gas, which add up to `gas`. */
interface Profile {
  readonly operation: string;
  readonly gas: number;
  /** The transaction itself and its calldata. */
  readonly intrinsicGas: number;
  /**
   * Numbers of accounts (besides its target) and slots that a transaction touches, and of those that it changes or
   * fills.
   */
  readonly accounts: number;
  readonly slots: number;
  readonly changedSlots: number;
  readonly filledSlots: number;
  readonly stateGas: number;
  /** Arithmetic, memory, calls, logs, later accesses. */
  readonly executionGas: number;
}

export interface Result {
  /** Gas is deterministic: a second run gives the same figures. */
  readonly runs: 1;
  readonly unit: "gas of the whole transaction";
  readonly rows: readonly RowResult[];
  readonly profiles: readonly Profile[];
  /** Gas of a year's accrual over that of a day's, or its inverse, whichever is larger. */
  readonly accrualRatio: { readonly ratio: number; readonly bar: number; readonly met: boolean };
}

/**
 * The comparison of `ours` with bars and `peers`.
 * @throws if a row names a figure that was not measured
 */
export function compare(ours: Figures, peers: Figures): Result {
  const rows = ROWS.map((row) => compareRow(row, ours, peers));
  const [oneDay, year] = [figure(ours, ACCRUALS.oneDay), figure(ours, ACCRUALS.year)];
  const ratio = Math.max(oneDay, year) / Math.min(oneDay, year);
  return {
    runs: 1,
    unit: "gas of the whole transaction",
    rows,
    profiles: PROFILED.map((name) => profile(name, ours)),
    accrualRatio: { ratio: round(ratio), bar: ACCRUALS.barRatio, met: ratio <= ACCRUALS.barRatio },
  };
}

/** The table, one line per peer; below it the missed bars and the sources of recorded figures. */
export function markdown({ rows, accrualRatio }: Result): string {
  const lines = [
    "| operation | ours | at most | met | peer | gas | ours / peer | figure |",
    "|---|--:|--:|---|---|--:|--:|---|",
  ];
  const sources = new Map<string, string>();
  for (const { operation, gas, bar, met, peers } of rows) {
    const head = [operation, format(gas), format(bar), verdict(met)];
    const [first = ["", "", "", ""], ...others] = peers.map((peer) => {
      if (peer.recordedFrom !== undefined) sources.set(`${peer.peer}, ${format(peer.gas)}`, peer.recordedFrom);
      return [
        peer.peer,
        format(peer.gas),
        peer.ratio.toFixed(2),
        peer.recordedFrom === undefined ? "measured" : "recorded",
      ];
    });
    lines.push(line([...head, ...first]), ...others.map((cells) => line(["", "", "", "", ...cells])));
  }
  const span = [accrualRatio.ratio.toFixed(2), accrualRatio.bar.toFixed(2), verdict(accrualRatio.met)];
  lines.push(line(["Accrual of 365 days over that of 1 day (ratio)", ...span, "", "", "", ""]));
  const missed = rows
    .filter(({ met }) => !met)
    .map(({ operation, gas, bar, whyMissed }) => {
      const reason = whyMissed === undefined ? "" : `: ${whyMissed}`;
      return `- ${operation}, by ${format(gas - bar)}${reason}`;
    });
  if (missed.length > 0) lines.push("", "Bars missed:", "", ...missed);
  return [...lines, "", "Recorded figures:", "", ...[...sources].map(([peer, source]) => `- ${peer}: ${source}`)].join(
    "\n",
  );
}

/** The parts of our swaps' gas. */
export function profileMarkdown({ profiles }: Result): string {
  const lines = [
    "| operation | gas | transaction, calldata | accounts | slots | changed | filled | accounts and slots | execution |",
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
  ];
  for (const { operation, ...counts } of profiles) {
    const { gas, intrinsicGas, accounts, slots, changedSlots, filledSlots, stateGas, executionGas } = counts;
    const cells = [gas, intrinsicGas, accounts, slots, changedSlots, filledSlots, stateGas, executionGas].map(format);
    lines.push(line([operation, ...cells]));
  }
  return lines.join("\n");
}

function profile(operation: string, ours: Figures): Profile {
  const count = (what: string) => figure(ours, ["StateAccess", `${operation}: ${what}`]);
  const gas = figure(ours, ["CoreSwap", operation]);
  const intrinsicGas = PRICE.transaction + count("calldata gas");
  const touched = {
    accounts: count("accounts"),
    slots: count("slots"),
    changedSlots: count("slots changed"),
    filledSlots: count("slots filled"),
  };
  const stateGas =
    touched.accounts * PRICE.account +
    touched.slots * PRICE.slot +
    touched.changedSlots * PRICE.change +
    touched.filledSlots * PRICE.fill;
  return { operation, gas, intrinsicGas, ...touched, stateGas, executionGas: gas - intrinsicGas - stateGas };
}

function compareRow(
  { operation, ours, bar, whyMissed, peers }: Row,
  ourFigures: Figures,
  peerFigures: Figures,
): RowResult {
  const gas = figure(ourFigures, ours);
  return {
    operation,
    gas,
    bar,
    met: gas <= bar,
    ...(gas > bar && whyMissed !== undefined && { whyMissed }),
    peers: peers.map((peer) => {
      if ("gas" in peer) {
        return { peer: peer.peer, gas: peer.gas, ratio: round(gas / peer.gas), recordedFrom: peer.source };
      }
      const label = `${peer.peer}: ${peer.operation}`;
      const peerGas = figure(peerFigures, ["Peers", label]);
      return { peer: isShared(peer.operation) ? peer.peer : label, gas: peerGas, ratio: round(gas / peerGas) };
    }),
  };
}

/** Whether a peer's operation has the same name as ours, which the row's first cell already shows. */
function isShared(operation: string): boolean {
  return ROWS.some(({ ours: [, name] }) => name === operation);
}

function figure(figures: Figures, [group, name]: OurKey | readonly ["Peers", string]): number {
  const gas = figures[group]?.[name];
  if (gas === undefined) throw new Error(`no test measured "${name}" (${group})`);
  return gas;
}

function verdict(met: boolean): string {
  return met ? "yes" : "**no**";
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function format(gas: number): string {
  return gas.toLocaleString("en-US");
}

function round(ratio: number): number {
  return Math.round(ratio * 1000) / 1000;
}
