/**
 * Branching trees: what a function must do, written before its tests.
 *
 * ```
 * CoreSwap::setMaxSwapLegs
 * ├── when the caller is not an operator
 * │   └── it should revert with AccessControlUnauthorizedAccount
 * └── when the caller is an operator [S17]
 *     ├── it should store the limit
 *     └── it should change nothing else
 * ```
 *
 * The first line names the functions covered. A leaf is a condition whose children are outcomes, or an outcome directly
 * below the first line. Each leaf has one test, whose name follows from the leaf.
 *
 * bulloak checks such trees, too, but it is a Rust program that npm does not provide, and it compares trees only with
 * tests, not with the functions and errors of the contracts.
 */

/** A leaf with the name of its test, without the prefix `test_` or `testFuzz_`. */
interface Leaf {
  readonly line: number;
  readonly testName: string;
}

/** A parsed tree file. `functions` are `Contract::function`; `errors` are messages, none when it is well formed. */
interface Tree {
  readonly functions: readonly string[];
  readonly leaves: readonly Leaf[];
  readonly errors: readonly string[];
}

interface Node {
  readonly line: number;
  readonly text: string;
  readonly isLast: boolean;
  readonly children: Node[];
}

const FUNCTION = /^[A-Z]\w*::[a-zA-Z]\w*$/;
const NODE = /^((?:│ {3}| {4})*)(├|└)── (\S.*)$/;
const CONDITION = /^(when|given) (.+?)(?: \[([A-Z]\d+(?:, [A-Z]\d+)*)\])?$/;
const OUTCOME = /^it should (.+?)(?: \[([A-Z]\d+(?:, [A-Z]\d+)*)\])?$/;
const COLUMNS_PER_LEVEL = 4;

/** Parses a tree file. It collects errors instead of throwing, so that one run shows them all. */
export function parseTree(text: string): Tree {
  const errors: string[] = [];
  const lines = text.replace(/\n$/, "").split("\n");
  const functions = (lines[0] ?? "").split(", ");
  for (const name of functions) {
    if (!FUNCTION.test(name)) errors.push(`line 1: "${name}" is not of the form Contract::function`);
  }
  const nodes = nest(lines, errors);
  const leaves: Leaf[] = [];
  checkBranch(nodes, 0, leaves, errors);
  if (nodes.length === 0) errors.push("line 1: expected at least one leaf below");
  reportDuplicates(leaves, errors);
  return { functions, leaves, errors };
}

/** The nodes below the first line. Errors in the drawing are added to `errors`. */
function nest(lines: readonly string[], errors: string[]): readonly Node[] {
  const top: Node[] = [];
  const open: Node[] = [];
  for (const [index, raw] of lines.entries()) {
    if (index === 0) continue;
    const line = index + 1;
    const match = NODE.exec(raw);
    if (match === null) {
      errors.push(`line ${line}: not a node: "${raw}"`);
      continue;
    }
    const [, prefix = "", corner, text = ""] = match;
    const depth = prefix.length / COLUMNS_PER_LEVEL;
    const drawnPrefix = open.slice(0, depth).map((node) => (node.isLast ? "    " : "│   "));
    if (depth > open.length || prefix !== drawnPrefix.join("")) {
      errors.push(`line ${line}: its indentation does not continue the line above`);
      continue;
    }
    const node: Node = { line, text, isLast: corner === "└", children: [] };
    (depth === 0 ? top : (open[depth - 1]?.children ?? [])).push(node);
    open.length = depth;
    open.push(node);
  }
  return top;
}

function checkBranch(siblings: readonly Node[], depth: number, leaves: Leaf[], errors: string[]): void {
  for (const [index, node] of siblings.entries()) {
    if (node.isLast !== (index === siblings.length - 1))
      errors.push(`line ${node.line}: only the last sibling has └, and the last one must have it`);
    if (OUTCOME.test(node.text)) checkOutcome(node, depth, leaves, errors);
    else if (CONDITION.test(node.text)) checkCondition(node, depth, leaves, errors);
    else errors.push(`line ${node.line}: "${node.text}" must start with "when", "given" or "it should"`);
  }
}

function checkOutcome(node: Node, depth: number, leaves: Leaf[], errors: string[]): void {
  if (node.children.length !== 0) errors.push(`line ${node.line}: an outcome must not have anything below it`);
  const [, words = "", ids] = OUTCOME.exec(node.text) ?? [];
  if (depth === 0) leaves.push({ line: node.line, testName: `Should${title(words)}${suffix(ids)}` });
}

function checkCondition(node: Node, depth: number, leaves: Leaf[], errors: string[]): void {
  const outcomes = node.children.filter((child) => OUTCOME.test(child.text));
  const [, kind = "", words = "", ids] = CONDITION.exec(node.text) ?? [];
  if (node.children.length === 0) errors.push(`line ${node.line}: the condition must have an outcome below it`);
  if (outcomes.length === 0) {
    if (ids !== undefined) errors.push(`line ${node.line}: only a leaf can have invariant IDs`);
  } else if (outcomes.length !== node.children.length) {
    errors.push(`line ${node.line}: below it are both conditions and outcomes; expected one kind`);
  } else {
    const reverting = outcomes.filter((child) => child.text.startsWith("it should revert"));
    const reverts = reverting.length === outcomes.length;
    if (reverting.length !== 0 && !reverts) errors.push(`line ${node.line}: some outcomes revert and some do not`);
    const keyword = kind === "when" ? "When" : "Given";
    leaves.push({
      line: node.line,
      testName: `${reverts ? `Revert${keyword}_` : keyword}${title(words)}${suffix(ids)}`,
    });
  }
  checkBranch(node.children, depth + 1, leaves, errors);
}

function reportDuplicates(leaves: readonly Leaf[], errors: string[]): void {
  const seen = new Set<string>();
  for (const { line, testName } of leaves) {
    if (seen.has(testName)) errors.push(`line ${line}: a second leaf named ${testName}`);
    seen.add(testName);
  }
}

function title(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function suffix(ids: string | undefined): string {
  return ids === undefined ? "" : `_${ids.split(", ").join("_")}`;
}
