/**
 * Upgrade safety and storage layouts of the upgradeable contracts, which OpenZeppelin's upgrades-core derives from
 * forge's build information. Works offline: the compiler comes from npm.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  getContractVersion,
  getErrors,
  getStorageLayout,
  getStorageUpgradeReport,
  makeNamespacedInput,
  type SolcInput,
  type SolcOutput,
  type StorageLayout,
  solcInputOutputDecoder,
  type ValidationOptions,
  type ValidationRunData,
  validate,
  withValidationDefaults,
} from "@openzeppelin/upgrades-core";
import { type Abi, type Hex, keccak256, stringToBytes } from "viem";
import { foundryBinary } from "./foundry.ts";

/** Every contract that runs behind a proxy, by its name in deployment files. */
export const UPGRADEABLE = {
  coreSwap: "contracts/src/CoreSwap.sol:CoreSwap",
  treasury: "contracts/src/Treasury.sol:Treasury",
  treasuryDelegate: "contracts/src/TreasuryDelegate.sol:TreasuryDelegate",
  balanceSheetDelegate: "contracts/src/BalanceSheetDelegate.sol:BalanceSheetDelegate",
} as const;

export type UpgradeableName = keyof typeof UPGRADEABLE;

export const UPGRADEABLE_NAMES = Object.keys(UPGRADEABLE) as UpgradeableName[];

/** Folder of the committed layouts: those deployed, or those to be deployed first. */
export const LAYOUT_DIRECTORY = "contracts/storage-layout";

const OPTIONS: ValidationOptions = { kind: "uups" };

/** Linked libraries, by `<path>:<name>`, with their names in deployment files. */
const LIBRARIES: Readonly<Record<string, string>> = {
  "contracts/src/libraries/TreasuryDelegateLibrary.sol:TreasuryDelegateLibrary": "treasuryDelegate",
};

/** A compiled contract with the libraries that it is linked to. */
interface CompiledContract {
  readonly abi: Abi;
  readonly creationCode: Hex;
  readonly libraries: readonly LinkedLibrary[];
}

interface LinkedLibrary {
  readonly name: string;
  /** Placeholder of the library's address in the contract's creation code. */
  readonly placeholder: string;
  readonly creationCode: Hex;
}

interface SolcContract {
  readonly abi: Abi;
  readonly evm: {
    readonly bytecode: {
      readonly object: string;
      readonly linkReferences: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
  };
}

/** A function that runs once for each proxy, when it is at a lower version. Until then anybody can call it. */
interface Reinitializer {
  readonly name: string;
  /** The version that the function initializes; null when it is not a literal, so that it may be any. */
  readonly version: number | null;
}

/** The parts of the compiler's syntax tree that are read here. */
interface SyntaxNode {
  readonly nodeType: string;
  readonly id: number;
  readonly name?: string;
  readonly nodes?: readonly SyntaxNode[];
  readonly linearizedBaseContracts?: readonly number[];
  readonly modifiers?: readonly {
    readonly modifierName: { readonly name: string };
    readonly arguments?: readonly { readonly nodeType: string; readonly value?: string }[] | null;
  }[];
}

interface BuildInfo {
  readonly solcVersion: string;
  readonly input: SolcInput;
  readonly output: SolcOutput;
}

/** One compilation and the queries about its contracts. Contracts are named `<path>:<name>`. */
export class Compilation {
  readonly #build: BuildInfo;
  readonly #run: ValidationRunData;

  constructor(build: BuildInfo) {
    this.#build = build;
    const decoder = solcInputOutputDecoder(build.input, build.output);
    this.#run = validate(build.output, decoder, build.solcVersion, build.input, compileNamespaces(build));
  }

  /** Why a contract must not run behind a proxy; empty when it may. */
  safetyReport(contract: string): string {
    const version = getContractVersion(this.#run, contract);
    const errors = getErrors({ version: "3.4", log: [this.#run] }, version, OPTIONS);
    return errors.map((error) => `${error.src}: ${error.kind}`).join("\n");
  }

  /** Storage layout with slots and offsets, including ERC-7201 namespaces; the same for the same declarations. */
  layout(contract: string): StorageLayout {
    const version = getContractVersion(this.#run, contract);
    return normalized(getStorageLayout({ version: "3.4", log: [this.#run] }, version));
  }

  /** Interface and creation code, in which each library to link has its placeholder. */
  artifact(contract: string): CompiledContract {
    const { abi, evm } = this.#compiled(contract);
    const libraries = Object.entries(evm.bytecode.linkReferences).flatMap(([path, names]) =>
      Object.keys(names).map((name) => {
        const library = `${path}:${name}`;
        return {
          name: LIBRARIES[library] ?? fail(`the library ${library} has no name in deployment files`),
          placeholder: placeholderOf(library),
          creationCode: creationCodeOf(this.#compiled(library)),
        };
      }),
    );
    return { abi, creationCode: creationCodeOf({ abi, evm }), libraries };
  }

  /** The functions of a contract and its parents with the modifier `reinitializer`. */
  reinitializers(contract: string): readonly Reinitializer[] {
    const sources = this.#build.output.sources as unknown as Readonly<Record<string, { readonly ast: SyntaxNode }>>;
    const [path, name] = contract.split(":") as [string, string];
    const own = sources[path]?.ast.nodes?.find((node) => node.nodeType === "ContractDefinition" && node.name === name);
    const family = own?.linearizedBaseContracts ?? fail(`the contract ${contract} was not compiled`);
    return Object.values(sources)
      .flatMap(({ ast }) => ast.nodes ?? [])
      .filter(({ id }) => family.includes(id))
      .flatMap(({ nodes = [] }) => nodes)
      .flatMap((node) => {
        const modifier = node.modifiers?.find(({ modifierName }) => modifierName.name === "reinitializer");
        if (modifier === undefined) return [];
        const [version] = modifier.arguments ?? [];
        const isLiteral = version?.nodeType === "Literal" && /^\d+$/.test(version.value ?? "");
        return [{ name: node.name ?? "", version: isLiteral ? Number(version.value) : null }];
      });
  }

  #compiled(contract: string): SolcContract {
    const [path, name] = contract.split(":") as [string, string];
    const compiled = this.#build.output.contracts[path]?.[name] as unknown as SolcContract | undefined;
    return compiled ?? fail(`the contract ${contract} was not compiled`);
  }
}

/** The 40 characters that the compiler writes in place of a library's address. */
function placeholderOf(library: string): string {
  return `__$${keccak256(stringToBytes(library)).slice(2, 36)}$__`;
}

function creationCodeOf({ evm }: SolcContract): Hex {
  return `0x${evm.bytecode.object.replace(/^0x/, "")}`;
}

function fail(message: string): never {
  throw new Error(message);
}

/** Returns why the updated layout is not a safe successor of the original; empty if it is. */
export function layoutReport(original: StorageLayout, updated: StorageLayout): string {
  const report = getStorageUpgradeReport(original, updated, withValidationDefaults(OPTIONS));
  return report.ok ? "" : report.explain(false);
}

/** Those that anybody can call at a proxy of this version. */
export function openReinitializers(
  reinitializers: readonly Reinitializer[],
  initializedVersion: number,
): readonly Reinitializer[] {
  return reinitializers.filter(({ version }) => version === null || version > initializedVersion);
}

/**
 * Compiles `contracts/src` and further files or folders from scratch, in a separate folder: the build information of an
 * incremental build would omit unchanged contracts.
 * @throws Error with the compiler's messages
 */
export function compile(furtherSources: readonly string[] = []): Compilation {
  const directory = mkdtempSync(join(tmpdir(), "coreswap-upgrade-"));
  try {
    const { status, stdout, stderr } = spawnSync(
      foundryBinary("forge"),
      [
        ...["build", "contracts/src", ...furtherSources, "--force"],
        // Other builds leave these out: with all tests, the compiler's memory would not hold them.
        ...["--build-info", "--ast", "--extra-output", "storageLayout"],
      ],
      {
        encoding: "utf8",
        // Options of the command line would yield to the same variables of the caller.
        env: { ...process.env, FOUNDRY_OUT: join(directory, "out"), FOUNDRY_CACHE_PATH: join(directory, "cache") },
      },
    );
    if (status !== 0) throw new Error(`forge build failed:\n${stdout}${stderr}`);
    const buildInfo = join(directory, "out", "build-info");
    const [file, ...others] = readdirSync(buildInfo);
    if (file === undefined || others.length > 0) throw new Error(`expected exactly one file in ${buildInfo}`);
    return new Compilation(JSON.parse(readFileSync(join(buildInfo, file), "utf8")) as BuildInfo);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * Slots and offsets of namespaces. The compiler reports them once each namespace is declared as a state variable.
 * @throws Error when it does not compile
 */
function compileNamespaces({ input, output, solcVersion }: BuildInfo): SolcOutput {
  const { language, sources, settings } = makeNamespacedInput(input, output, solcVersion) as SolcInput & {
    language: string;
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/solc", "--standard-json"], {
    input: JSON.stringify({ language, sources, settings }),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`the compiler failed: ${stderr}`);
  const compiled = JSON.parse(stdout) as SolcOutput & {
    errors?: { severity: string; formattedMessage: string }[];
  };
  const errors = compiled.errors?.filter(({ severity }) => severity === "error") ?? [];
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return compiled;
}

/**
 * The layout without what changes between compilations of the same declarations: AST ids (numbered anew, in order of
 * appearance) and source positions.
 */
function normalized({ storage, types, namespaces = {} }: StorageLayout): StorageLayout {
  const ordered = {
    layoutVersion: "1.2",
    storage: storage.map(withoutPosition),
    namespaces: Object.fromEntries(
      Object.entries(namespaces)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, items]) => [name, items.map(withoutPosition)]),
    ),
    types: Object.fromEntries(
      Object.entries(types).sort(([left], [right]) => (withoutIds(left) < withoutIds(right) ? -1 : 1)),
    ),
  };
  const ids = new Map<string, number>();
  const text = JSON.stringify(ordered).replace(AST_ID, (_, id: string) => {
    if (!ids.has(id)) ids.set(id, ids.size + 1);
    return `)${ids.get(id)}`;
  });
  return JSON.parse(text) as StorageLayout;
}

/** Matches ids in type ids such as `t_struct(Account)4993_storage`. */
const AST_ID = /\)(\d+)(?=_storage|[,)"])/g;

function withoutIds(type: string): string {
  return type.replace(AST_ID, ")");
}

function withoutPosition({ contract, label, type, offset, slot }: StorageLayout["storage"][number]) {
  return { contract, label, type, offset, slot } as StorageLayout["storage"][number];
}
