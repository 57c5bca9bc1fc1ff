/** What is wrong with the nodes of one network now, told to the reporter of the thread. */
import { createNodeReporter, type NodeProblem, type NodeProblemKind, type NodeReporter } from "../nodeReports.ts";

export interface NetworkReport {
  /** Reports a problem until it is cleared. Told again under the same key it keeps its first time. */
  raise(key: string, kind: NodeProblemKind, message: string): void;
  clear(key: string): void;
}

/** Of several problems the worst is told. */
const SEVERITY: Readonly<Record<NodeProblemKind, number>> = { unreachable: 0, damaged: 1, forked: 2 };

/**
 * A reporter repeats its newest report, and the following of the head has one of its own: this one lives only as long as
 * there is a problem.
 */
export function createNetworkReport(
  chainId: number,
  createReporter: () => NodeReporter = createNodeReporter,
): NetworkReport {
  const problems = new Map<string, NodeProblem>();
  let reporter: NodeReporter | null = null;
  const publish = () => {
    const [worst = null] = [...problems.values()].sort((a, b) => SEVERITY[b.kind] - SEVERITY[a.kind]);
    reporter ??= createReporter();
    reporter.publish({ chainId, problem: worst, reorganizations: 0 });
    if (worst !== null) return;
    reporter.close();
    reporter = null;
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
  };
}
