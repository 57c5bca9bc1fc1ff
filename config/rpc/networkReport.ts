/** What is wrong with the nodes of one network now, told to the reporter of the thread. */
import { createNodeReporter, type NodeProblem, type NodeProblemKind, type NodeReporter } from "../nodeReports.ts";

export interface NetworkReport {
  /** Reports a problem until it is cleared. Told again under the same key it keeps its first time. */
  raise(key: string, kind: NodeProblemKind, message: string): void;
  clear(key: string): void;
  /** What the follower of the head found. From its first call on the report is repeated while nothing is wrong, too. */
  followed(problem: NodeProblem | null, reorganizations: number): void;
  /** Ends the repetition: nothing is said of the network any more. */
  close(): void;
}

/** Of several problems the worst is told. */
const SEVERITY: Readonly<Record<NodeProblemKind, number>> = { unreachable: 0, damaged: 1, forked: 2 };

/** The problem that the follower of the head names. */
const HEAD = "head";

/**
 * The report of one network. A reporter repeats its newest report, so there is one only while there is a problem, or the
 * head is followed: the main thread asks nodes for a network that another thread indexes, and must not speak for it.
 */
export function createNetworkReport(
  chainId: number,
  createReporter: () => NodeReporter = createNodeReporter,
): NetworkReport {
  const problems = new Map<string, NodeProblem>();
  let reporter: NodeReporter | null = null;
  let isFollowing = false;
  let reorganizations = 0;
  const close = () => {
    reporter?.close();
    reporter = null;
  };
  const publish = () => {
    const [worst = null] = [...problems.values()].sort((a, b) => SEVERITY[b.kind] - SEVERITY[a.kind]);
    reporter ??= createReporter();
    reporter.publish({ chainId, problem: worst, reorganizations });
    if (worst === null && !isFollowing) close();
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
    followed(problem, count) {
      isFollowing = true;
      reorganizations = count;
      if (problem === null) problems.delete(HEAD);
      else problems.set(HEAD, problem);
      publish();
    },
    close,
  };
}
