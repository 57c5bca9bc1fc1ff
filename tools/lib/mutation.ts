/**
 * Makes mutants of Solidity source text, which are small faults. A mutant that no test notices reveals untested code.
 */
import { nodesIn, type SyntaxNode } from "./solidity.ts";

/**
 * The kinds of faults. Each can be tried alone: `modifiers` deletes a modifier of a function, `operands` leaves only one
 * operand of an `&&` or `||`, and `changes` is everything else.
 */
export const KINDS = ["changes", "modifiers", "operands"] as const;
export type Kind = (typeof KINDS)[number];

/** One replacement in a source text. Offsets count UTF-8 bytes, as the compiler does. */
export interface Mutant {
  readonly kind: Kind;
  readonly start: number;
  readonly length: number;
  readonly original: string;
  readonly replacement: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "<": ["<=", ">"],
  "<=": ["<"],
  ">": [">=", "<"],
  ">=": [">"],
  "==": ["!="],
  "!=": ["=="],
  "&&": ["||"],
  "||": ["&&"],
  "+=": ["-="],
  "-=": ["+="],
  "++": ["--"],
  "--": ["++"],
};
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["Floor", "Ceil"],
  ["Ceil", "Floor"],
  ["min", "max"],
  ["max", "min"],
]);
const DELETABLE = ["ExpressionStatement", "EmitStatement", "RevertStatement"];

/**
 * Mutants of a source, in the order of the text: operators, comparison boundaries, roundings, `min` and `max` swapped;
 * constants one higher and one lower; flags and conditions negated; statements, modifiers and operands of `&&` and `||`
 * deleted.
 * @param source The text.
 * @param ast Its syntax tree, as the compiler gives it.
 */
export function mutantsOf(source: string, ast: unknown): Mutant[] {
  const text = new Text(Buffer.from(source, "utf8"));
  const functions = nodesIn(ast).filter(({ nodeType }) =>
    ["FunctionDefinition", "ModifierDefinition"].includes(nodeType),
  );
  const constants = nodesIn(ast).filter(
    ({ nodeType, constant }) => nodeType === "VariableDeclaration" && constant === true,
  );
  const nodes = [...functions, ...constants].flatMap((root) =>
    nodesIn(root.nodeType === "VariableDeclaration" ? root.value : root.body),
  );
  const mutants: Mutant[] = [
    ...nodes.flatMap((node) => replacements(node, text)).map((mutant) => ({ kind: "changes" as const, ...mutant })),
    ...functions
      .flatMap((node) => deleteModifiers(node, text))
      .map((mutant) => ({ kind: "modifiers" as const, ...mutant })),
    ...nodes.flatMap((node) => deleteOperands(node, text)).map((mutant) => ({ kind: "operands" as const, ...mutant })),
  ];
  return mutants.toSorted((a, b) => a.start - b.start || a.length - b.length);
}

type Replacement = Omit<Mutant, "kind">;

class Text {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
  /** Start and end of a node. */
  span(node: unknown): [start: number, end: number] {
    const [start = 0, length = 0] = String((node as SyntaxNode).src)
      .split(":")
      .map(Number);
    return [start, start + length];
  }
  of(node: unknown): string {
    return this.between(...this.span(node));
  }
  between(start: number, end: number): string {
    return this.bytes.subarray(start, end).toString("utf8");
  }
  replace(start: number, end: number, replacement: string): Replacement {
    return { start, length: end - start, original: this.between(start, end), replacement };
  }
  replaceNode(node: unknown, replacement: string): Replacement {
    return this.replace(...this.span(node), replacement);
  }
}

function replacements(node: SyntaxNode, text: Text): Replacement[] {
  const [start, end] = text.span(node);
  switch (node.nodeType) {
    case "BinaryOperation":
      return [
        ...swapOperator(node.operator, text, text.span(node.leftExpression)[1], text.span(node.rightExpression)[0]),
        ...(node.operator === "/" ? [roundUpDivision(node, text)] : []),
      ];
    case "Assignment":
      return swapOperator(node.operator, text, text.span(node.leftHandSide)[1], text.span(node.rightHandSide)[0]);
    case "UnaryOperation":
      if (node.operator === "!") return [text.replaceNode(node, text.of(node.subExpression))];
      return node.prefix
        ? swapOperator(node.operator, text, start, text.span(node.subExpression)[0])
        : swapOperator(node.operator, text, text.span(node.subExpression)[1], end);
    case "MemberAccess": {
      const member = String(node.memberName);
      const swapped = MEMBERS.get(member);
      return swapped ? [text.replace(end - member.length, end, swapped)] : [];
    }
    case "FunctionCall": {
      const { memberName } = node.expression as { memberName?: unknown };
      const floors = memberName === "mulDiv" && (node.arguments as unknown[]).length === 3;
      return floors ? [text.replace(end - 1, end, ", Math.Rounding.Ceil)")] : [];
    }
    case "Literal":
      if (node.kind === "bool") return [text.replaceNode(node, node.value === "true" ? "false" : "true")];
      if (node.kind !== "number") return [];
      return ["+", ...(node.value === "0" ? [] : ["-"])].map((sign) =>
        text.replaceNode(node, `(${text.of(node)} ${sign} 1)`),
      );
    case "IfStatement":
    case "Conditional": {
      // The operator's own mutants negate an equality already.
      const { operator } = node.condition as { operator?: unknown };
      const negated = operator === "==" || operator === "!=" || operator === "!";
      return negated ? [] : [text.replaceNode(node.condition, `!(${text.of(node.condition)})`)];
    }
    default:
      return DELETABLE.includes(node.nodeType) ? deleteStatement(start, end, text) : [];
  }
}

function swapOperator(operator: unknown, text: Text, start: number, end: number): Replacement[] {
  const name = String(operator);
  const at = start + text.between(start, end).indexOf(name);
  return (OPERATORS[name] ?? []).map((swapped) => text.replace(at, at + name.length, swapped));
}

function roundUpDivision(node: SyntaxNode, text: Text): Replacement {
  const [dividend, divisor] = [text.of(node.leftExpression), text.of(node.rightExpression)];
  return text.replaceNode(node, `((${dividend} + ${divisor} - 1) / ${divisor})`);
}

/** Empty for an expression in the head of a `for`, which no semicolon ends. */
function deleteStatement(start: number, end: number, text: Text): Replacement[] {
  if (text.between(end - 1, end) === ";") return [text.replace(start, end, "{}")];
  return text.between(end, end + 1) === ";" ? [text.replace(start, end + 1, "{}")] : [];
}

function deleteModifiers({ modifiers = [] }: SyntaxNode, text: Text): Replacement[] {
  // A constructor also lists the constructors of its bases there.
  return (modifiers as SyntaxNode[])
    .filter(({ kind }) => kind === "modifierInvocation")
    .map((modifier) => text.replaceNode(modifier, ""));
}

function deleteOperands(node: SyntaxNode, text: Text): Replacement[] {
  if (node.nodeType !== "BinaryOperation" || (node.operator !== "&&" && node.operator !== "||")) return [];
  return [node.leftExpression, node.rightExpression].map((operand) => text.replaceNode(node, text.of(operand)));
}

/** The source with one mutant in it. */
export function applyMutant(source: string, { start, length, replacement }: Mutant): string {
  const bytes = Buffer.from(source, "utf8");
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(replacement), bytes.subarray(start + length)]).toString();
}

/** `FeeMath.sol:80: - → +`, or `Treasury.sol:9: nonReentrant → nothing`. */
export function describeMutant(path: string, source: string, mutant: Mutant): string {
  const line = Buffer.from(source, "utf8").subarray(0, mutant.start).toString().split("\n").length;
  return `${path}:${line}: ${quoted(mutant.original)} → ${quoted(mutant.replacement)}`;
}

/** The mutated lines before and after, in the function around them: `post: if (a < b) return; → if (a <= b) return;`. */
export function mutatedLines(source: string, ast: unknown, { start, length, replacement }: Mutant): string {
  const bytes = Buffer.from(source, "utf8");
  const inside = nodesIn(ast)
    .filter(({ nodeType }) => ["FunctionDefinition", "ModifierDefinition"].includes(nodeType))
    .find((node) => {
      const [from = 0, size = 0] = node.src.split(":").map(Number);
      return from <= start && start < from + size;
    });
  const from = bytes.lastIndexOf("\n", start - 1) + 1;
  const to = bytes.indexOf("\n", start + length);
  const lineWith = (middle: string) =>
    quoted(bytes.subarray(from, start).toString() + middle + bytes.subarray(start + length, to).toString());
  const before = lineWith(bytes.subarray(start, start + length).toString());
  const name = inside === undefined ? "" : `\`${String(inside.name || inside.kind)}\`, `;
  return `${name}${before} → ${lineWith(replacement)}`;
}

function quoted(code: string): string {
  const short = code.replaceAll(/\s+/g, " ").trim();
  return short === "" ? "nothing" : `\`${short}\``;
}
