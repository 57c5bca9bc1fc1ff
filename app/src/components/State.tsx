import type { Schemas } from "../api/client.ts";

const TONES: Readonly<Record<Schemas["IndexingStatus"]["state"], "good" | "warning" | "bad">> = {
  live: "good",
  backfill: "warning",
  stalled: "bad",
  unreachable: "bad",
  stopped: "bad",
  forked: "bad",
  damaged: "bad",
};

type IndexState = Schemas["IndexingStatus"]["state"];

/** Whether the newest block of the chain is known, so that the index can be compared with it. */
export function isHeadKnown(state: IndexState): boolean {
  return state !== "unreachable" && state !== "stopped";
}

/** State of the index of a network. */
export function State({ value }: { readonly value: IndexState }) {
  return <span className={`badge ${TONES[value]}`}>{value}</span>;
}

/** In place of what was true before the API stopped answering. */
export function NoAnswer() {
  return <span className="badge warning">no answer</span>;
}

/** How a transaction ended. */
export function Outcome({ value }: { readonly value: "success" | "revert" }) {
  return (
    <span className={value === "success" ? "badge good" : "badge bad"}>
      {value === "success" ? "success" : "reverted"}
    </span>
  );
}
