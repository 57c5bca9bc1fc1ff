/** The current problem of one network's nodes, sent to the reporter of the thread. */
import {
  type ConfirmedBlock,
  createNodeReporter,
  type NodeProblem,
  type NodeProblemKind,
  type NodeReporter,
} from "../nodeReports.ts";

export interface NetworkReport {
  /** Reports a problem until it is cleared. A repeated report under the same key keeps its first time. */
  raise(key: string, kind: NodeProblemKind, message: string): void;
  clear(key: string): void;
  /** Reports a final block of a backfill. From then on, the report is also repeated while nothing is wrong. */
  confirmed(block: ConfirmedBlock): void;
  /** Does the same with the result of the head follower. */
  followed(problem: NodeProblem | null, reorganizations: number, confirmed: ConfirmedBlock): void;
  /** Ends the repetition: nothing more is reported about the network. */
  close(): void;
}

/** The most severe of several problems is reported. */
const SEVERITY: Readonly<Record<NodeProblemKind, number>> = { unreachable: 0, damaged: 1, forked: 2 };

/** The key of the problem that the head follower found. */
const HEAD = "head";

/**
 * Creates the report of one network. A reporter repeats its newest report, so one is created only while there is a
 * problem or the network is indexed: the main thread also sends requests for a network that another thread indexes, and
 * must not report on it.
 */
export function createNetworkReport(
  chainId: number,
  createReporter: () => NodeReporter = createNodeReporter,
): NetworkReport {
  const problems = new Map<string, NodeProblem>();
  let reporter: NodeReporter | null = null;
  let newest: ConfirmedBlock | null = null;
  let reorganizations = 0;
  let isClosed = false;
  const rest = () => {
    reporter?.close();
    reporter = null;
  };
  const publish = () => {
    if (isClosed) return;
    const [worst = null] = [...problems.values()].sort((a, b) => SEVERITY[b.kind] - SEVERITY[a.kind]);
    reporter ??= createReporter();
    reporter.publish({ chainId, problem: worst, reorganizations, confirmed: newest });
    if (worst === null && newest === null) rest();
  };
  return {
    raise(key, kind, message) {
      const known = problems.get(key);
      if (known?.kind === kind && known.message === message) return;
      problems.set(key, { kind, message, since: known?.since ?? Date.now() });
      publish();
    },
    clear(key) {
      if (problems.delete(key)) publish();
    },
    confirmed(block) {
      newest = block;
      publish();
    },
    followed(problem, count, { number, hash }) {
      newest = { number, hash };
      reorganizations = count;
      if (problem === null) problems.delete(HEAD);
      else problems.set(HEAD, problem);
      publish();
    },
    close() {
      isClosed = true;
      rest();
    },
  };
}
