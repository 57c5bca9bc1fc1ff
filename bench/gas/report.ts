/** Puts our figures beside bars and peers. Pure: figures in, result and Markdown out. */
import { ACCRUALS, type OurKey, ROWS, type Row } from "./rows.ts";

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
  readonly peers: readonly PeerResult[];
}

export interface Result {
  /** Gas is deterministic: a second run gives the same figures. */
  readonly runs: 1;
  readonly unit: "gas of the whole transaction";
  readonly rows: readonly RowResult[];
  /** Gas of a year's accrual over that of a day's, or its inverse, whichever is larger. */
  readonly accrualRatio: { readonly ratio: number; readonly bar: number; readonly met: boolean };
}

/**
 * The comparison of `ours` with bars and `peers`.
 * @throws when a row names a figure that was not measured
 */
export function compare(ours: Figures, peers: Figures): Result {
  const rows = ROWS.map((row) => compareRow(row, ours, peers));
  const [oneDay, year] = [figure(ours, ACCRUALS.oneDay), figure(ours, ACCRUALS.year)];
  const ratio = Math.max(oneDay, year) / Math.min(oneDay, year);
  return {
    runs: 1,
    unit: "gas of the whole transaction",
    rows,
    accrualRatio: { ratio: round(ratio), bar: ACCRUALS.barRatio, met: ratio <= ACCRUALS.barRatio },
  };
}

/** The table, one line a peer, and below it where the recorded figures come from. */
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
  return [...lines, "", "Recorded figures:", "", ...[...sources].map(([peer, source]) => `- ${peer}: ${source}`)].join(
    "\n",
  );
}

function compareRow({ operation, ours, bar, peers }: Row, ourFigures: Figures, peerFigures: Figures): RowResult {
  const gas = figure(ourFigures, ours);
  return {
    operation,
    gas,
    bar,
    met: gas <= bar,
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

/** Whether a peer's operation has the name of one of ours, which the row's first cell says already. */
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
