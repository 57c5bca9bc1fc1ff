/**
 * Proves the assertions of a Solidity contract with the SMTChecker of the compiler, whose solver (Z3) is part of the
 * npm package.
 *
 * Foundry's `model_checker` settings start the same checker, but they are not enough: an up-to-date build checks
 * nothing, and neither a loop with only its first round checked nor a contract without assertions is reported.
 */
import { posix } from "node:path";
import { collectSources, compile, nodesIn } from "./solidity.ts";

const SAFE = "BMC: Assertion violation check is safe!";
/** The checker treats the result of such an operator as unknown. That can lose a proof, but never create one. */
const UNKNOWN_RESULT = "Assertion checker does not yet implement this operator.";

/** Outcome of one proof contract. */
interface Proof {
  /** Assertions proved. */
  readonly proved: number;
  /** Problems with the proof, in the compiler's words; empty when every assertion is proved. */
  readonly problems: readonly string[];
}

/** Files to read in place of imports, by import path: the checker cannot read the assembly of 512-bit products. */
export const DEFINITIONS: Readonly<Record<string, string>> = {
  "@openzeppelin/contracts/utils/math/Math.sol": "contracts/proofs/definitions/Math.sol",
};

/**
 * Proves every assertion of the contract that a file is named after, for all inputs that its `require`s allow and that
 * do not revert, by bounded model checking. It follows a loop for only one round, so a loop in a function that the
 * contract uses counts as a problem.
 * @param path The contract's file, relative to the working directory, with forward slashes.
 * @param substitutes Files to read in place of sources, by source name.
 * @throws when the compiler ends abnormally or takes longer than 15 minutes
 */
export async function prove(path: string, substitutes = DEFINITIONS): Promise<Proof> {
  const { errors: messages, sources } = await compile(collectSources(path, substitutes), {
    modelChecker: {
      engine: "bmc",
      solvers: ["z3"],
      targets: ["assert"],
      // Uses the solver's own division rather than a guessed quotient and remainder, which finds more counterexamples.
      divModNoSlacks: true,
      contracts: { [path]: [posix.basename(path, ".sol")] },
      showProvedSafe: true,
      showUnproved: true,
      showUnsupported: true,
    },
  });
  const proved = messages.filter(({ message }) => message === SAFE).length;
  const problems = messages
    .filter(({ message }) => message !== SAFE && message !== UNKNOWN_RESULT)
    .map(({ formattedMessage }) => formattedMessage);
  for (const name of loopsUsedBy(sources[path]?.ast, Object.values(sources))) {
    problems.push(`the loop in ${name} was checked for its first iteration only`);
  }
  return { proved, problems: proved === 0 && problems.length === 0 ? ["it has no assertion to prove"] : problems };
}

/** Names of the functions with a loop, in a file and everything that it uses. */
function loopsUsedBy(file: unknown, sources: readonly { ast?: unknown }[]): string[] {
  const functions = new Map(sources.flatMap(({ ast }) => functionsIn(ast)).map((used) => [used.id, used]));
  const reached = new Map(functionsIn(file).map((used) => [used.id, used]));
  // A map's iterator also visits what is added during the iteration.
  for (const { references } of reached.values()) {
    for (const reference of references) {
      const used = functions.get(reference);
      if (used) reached.set(reference, used);
    }
  }
  return [...reached.values()].filter(({ hasLoop }) => hasLoop).map(({ name }) => name);
}

interface FunctionNode {
  readonly id: number;
  readonly name: string;
  readonly hasLoop: boolean;
  readonly references: readonly number[];
}

function functionsIn(ast: unknown): FunctionNode[] {
  return nodesIn(ast)
    .filter(({ nodeType }) => nodeType === "FunctionDefinition")
    .map((node) => {
      const inner = nodesIn(node);
      return {
        id: Number(node.id),
        name: String(node.name),
        hasLoop: inner.some(({ nodeType }) => LOOPS.includes(String(nodeType))),
        references: inner.map((each) => Number(each.referencedDeclaration)).filter(Number.isInteger),
      };
    });
}

const LOOPS = ["ForStatement", "WhileStatement", "DoWhileStatement"];
