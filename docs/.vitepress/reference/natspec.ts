/**
 * The contract reference, from the NatSpec of the sources. The compiler of the `solc` package analyzes them without
 * generating code, so the site needs neither Foundry nor compiled contracts, and the text of an interface is inherited as
 * Solidity defines it.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Abi, AbiFunction, AbiParameter } from "viem";
import { code, escapeText, table } from "./markdown.ts";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** What integrators, LPs and operators call. */
export const CONTRACTS = [
  { name: "CoreSwap", file: "contracts/src/CoreSwap.sol" },
  { name: "BalanceSheetDelegate", file: "contracts/src/BalanceSheetDelegate.sol" },
  { name: "Treasury", file: "contracts/src/Treasury.sol" },
  { name: "TreasuryDelegate", file: "contracts/src/TreasuryDelegate.sol" },
  { name: "NavPriceAdapter", file: "contracts/src/adapters/NavPriceAdapter.sol" },
  { name: "ChainlinkPriceAdapter", file: "contracts/src/adapters/ChainlinkPriceAdapter.sol" },
  { name: "ERC4626PriceAdapter", file: "contracts/src/adapters/ERC4626PriceAdapter.sol" },
  { name: "TBillRateAdapter", file: "contracts/src/adapters/TBillRateAdapter.sol" },
  { name: "TreasuryOFTAdapter", file: "contracts/src/bridge/TreasuryOFTAdapter.sol" },
] as const;

interface MemberDocs {
  readonly notice?: string;
  readonly details?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly returns?: Readonly<Record<string, string>>;
}

/** Of an error, the compiler gives a list: two contracts may declare the same one. */
type Docs = MemberDocs & {
  readonly title?: string;
  readonly methods?: Readonly<Record<string, MemberDocs>>;
  readonly events?: Readonly<Record<string, MemberDocs>>;
  readonly errors?: Readonly<Record<string, readonly MemberDocs[]>>;
};

interface Analyzed {
  readonly abi: Abi;
  readonly devdoc: Docs;
  readonly userdoc: Docs;
}

interface Compiler {
  compile(
    input: string,
    callbacks: { readonly import: (path: string) => { contents: string } | { error: string } },
  ): string;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Analyzed>>>>;
}

/** A page for each contract. */
export function contractPages(): { readonly contract: string; readonly markdown: string }[] {
  const analyzed = analyze();
  return CONTRACTS.map(({ name, file }) => {
    const contract = analyzed[file]?.[name];
    if (contract === undefined) throw new Error(`${file} has no contract ${name}`);
    return { contract: name, markdown: contractPage(name, file, contract) };
  });
}

function analyze(): CompilerOutput["contracts"] {
  const solc = createRequire(import.meta.url)("solc") as Compiler;
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(CONTRACTS.map(({ file }) => [file, { content: read(file) }])),
    settings: {
      evmVersion: "cancun",
      remappings: remappings(),
      outputSelection: Object.fromEntries(
        CONTRACTS.map(({ name, file }) => [file, { [name]: ["abi", "devdoc", "userdoc"] }]),
      ),
    },
  };
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), {
      import(path) {
        try {
          return { contents: read(path) };
        } catch (error) {
          return { error: String(error) };
        }
      },
    }),
  ) as CompilerOutput;
  const failed = output.errors?.filter(({ severity }) => severity === "error") ?? [];
  if (failed.length > 0) throw new Error(failed.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return output.contracts;
}

function read(file: string): string {
  return readFileSync(join(REPOSITORY, file), "utf8");
}

/** Those of `foundry.toml`, so that the two compilations read the same files. */
function remappings(): string[] {
  const list = /^remappings = \[([^\]]*)\]/m.exec(read("foundry.toml"))?.[1];
  if (list === undefined) throw new Error("foundry.toml has no remappings");
  return [...list.matchAll(/"([^"]+)"/g)].map(([, remapping = ""]) => remapping);
}

function contractPage(name: string, file: string, { abi, devdoc, userdoc }: Analyzed): string {
  const functions = abi.filter((item) => item.type === "function");
  const isView = ({ stateMutability }: AbiFunction) => stateMutability === "view" || stateMutability === "pure";
  const functionSection = (item: AbiFunction) =>
    memberSection(item, merged(userdoc.methods?.[signature(item)], devdoc.methods?.[signature(item)]), item.outputs);
  const sections = [
    { title: "Transactions", parts: functions.filter((item) => !isView(item)).map(functionSection) },
    { title: "Views", parts: functions.filter(isView).map(functionSection) },
    {
      title: "Events",
      parts: abi
        .filter((item) => item.type === "event")
        .map((item) =>
          memberSection(item, merged(userdoc.events?.[signature(item)], devdoc.events?.[signature(item)])),
        ),
    },
    {
      title: "Errors",
      parts: abi
        .filter((item) => item.type === "error")
        .map((item) =>
          memberSection(item, merged(userdoc.errors?.[signature(item)]?.[0], devdoc.errors?.[signature(item)]?.[0])),
        ),
    },
  ];
  return [
    `# ${name}`,
    prose(userdoc.notice),
    `From the NatSpec of ${code(file)}.`,
    devdoc.details === undefined ? "" : `::: details Design, trust and limits\n${prose(devdoc.details)}\n:::`,
    ...sections
      .filter(({ parts }) => parts.length > 0)
      .flatMap(({ title, parts }) => [`## ${title} {#${title.toLowerCase()}}`, ...parts]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

interface Member {
  readonly type: string;
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
}

function memberSection(member: Member, docs: MemberDocs, outputs: readonly AbiParameter[] = []): string {
  return [
    `### ${member.name} {#${anchorOf(member)}}`,
    code(`${member.name}(${member.inputs.map(parameterText).join(", ")})`),
    prose(docs.notice),
    prose(docs.details),
    table(
      ["parameter", "meaning"],
      member.inputs
        .filter(({ name = "" }) => docs.params?.[name] !== undefined)
        .map(({ name = "" }) => [code(name), inline(docs.params?.[name] ?? "")]),
    ),
    outputs.length === 0 ? "" : `Returns ${outputs.map((output, index) => returned(output, index, docs)).join("; ")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function returned(output: AbiParameter, index: number, docs: MemberDocs): string {
  const text = docs.returns?.[output.name || `_${index}`];
  return `${code(parameterText(output))}${text === undefined ? "" : `: ${inline(text)}`}`;
}

function parameterText({ type, name, internalType }: AbiParameter): string {
  const shown = type.startsWith("tuple") ? (internalType ?? type).replace(/^struct (\w+\.)?/, "") : type;
  return name ? `${shown} ${name}` : shown;
}

/** Overloads share a name, not a signature; a function and an event may differ by the case of a letter alone. */
function anchorOf(member: Member): string {
  return `${member.type}-${signature(member)}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");
}

function signature({ name, inputs }: Member): string {
  return `${name}(${inputs.map(canonicalType).join(",")})`;
}

function canonicalType(parameter: AbiParameter): string {
  if (!("components" in parameter)) return parameter.type;
  return `(${parameter.components.map(canonicalType).join(",")})${parameter.type.slice("tuple".length)}`;
}

/** What the compiler tells users of a member, and developers. */
function merged(user: MemberDocs | undefined, developer: MemberDocs | undefined): MemberDocs {
  return { ...developer, ...(user?.notice === undefined ? {} : { notice: user.notice }) };
}

/** The compiler joins lines, so the dash of a list follows the end of a sentence; `{name}` is a reference within the sources. */
function prose(text = ""): string {
  return escapeText(text)
    .replace(/\{(\w+)\}/g, (_, name: string) => `<code>${name}</code>`)
    .replace(/([.:]) - /g, "$1\n- ")
    .trim();
}

function inline(text: string): string {
  return escapeText(text.replace(/\s+/g, " ")).replace(/\{(\w+)\}/g, (_, name: string) => `<code>${name}</code>`);
}
