/** Contracts that forge's records of sent transactions created, with the sources and arguments that explain their code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getAddress, type Hash, type Hex, size, slice } from "viem";
import { z } from "zod";
import type { ExplainedContract } from "../../packages/cli/src/desired/verification.ts";

/** What `contracts/script` creates of a deployment. */
const SCRIPTED = [
  ...["TimelockController", "ERC1967Proxy", "CoreSwap", "Treasury", "TreasuryDelegate", "TreasuryDelegateLibrary"],
  ...["BalanceSheetDelegate", "NavPriceAdapter"],
];
/** Everything that the scripts create: those of a development network create tokens, too. */
const NAMES = [...SCRIPTED, "TestToken"];
/** What a deployment can consist of: `core adapter deploy` adds the other adapters. */
export const DEPLOYED_CONTRACTS: readonly string[] = [
  ...SCRIPTED,
  ...["ChainlinkPriceAdapter", "ERC4626PriceAdapter", "TBillRateAdapter"],
];
const SALT_BYTES = 32;

const artifactSchema = z.object({
  bytecode: z.object({
    object: z.string(),
    linkReferences: z.record(z.string(), z.record(z.string(), z.array(z.object({ start: z.number() })))),
  }),
  metadata: z.object({
    compiler: z.object({ version: z.string() }),
    settings: z.object({ compilationTarget: z.record(z.string(), z.string()) }),
  }),
});
type Artifact = z.infer<typeof artifactSchema>;

const recordSchema = z.object({
  transactions: z.array(
    z.object({
      hash: z.string().nullable(),
      transactionType: z.string(),
      contractAddress: z.string().nullable(),
      transaction: z.object({ input: z.string() }),
    }),
  ),
});

/**
 * Reads the contracts of a record of forge.
 * @param path `broadcast/<script>/<chain ID>/run-latest.json`
 * @throws Error naming a contract whose code is none of the compiled ones, or which was not sent
 */
export function readCreatedContracts(path: string): ExplainedContract[] {
  const compiled = NAMES.map((name) =>
    artifactSchema.parse(JSON.parse(readFileSync(join("out", `${name}.sol`, `${name}.json`), "utf8"))),
  );
  const { transactions } = recordSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  return transactions
    .filter(({ transactionType }) => transactionType.startsWith("CREATE"))
    .map(({ hash, transactionType, contractAddress, transaction }) => {
      const address = getAddress(contractAddress ?? "");
      if (hash === null) throw new Error(`${address} was not sent: resume the script first`);
      const input = transaction.input as Hex;
      const code = transactionType === "CREATE2" ? slice(input, SALT_BYTES) : input;
      const found = compiled.map((artifact) => explain(artifact, code)).find((explained) => explained !== null);
      if (found === undefined) {
        throw new Error(`the code of ${address} is none of out: check out and build what was deployed`);
      }
      return { address, transactionHash: hash as Hash, ...found };
    });
}

/** Takes code of a creation apart, or returns null if it is not that of the artifact. */
function explain({ bytecode, metadata }: Artifact, code: Hex) {
  const references = Object.entries(bytecode.linkReferences).flatMap(([file, libraries]) =>
    Object.entries(libraries).flatMap(([name, places]) =>
      places.map(({ start }) => ({ name: `${file}:${name}`, start })),
    ),
  );
  let linked = bytecode.object;
  const libraries = new Set<string>();
  for (const { name, start } of references) {
    if (size(code) < start + 20) return null;
    const library = slice(code, start, start + 20);
    const at = 2 + 2 * start;
    linked = linked.slice(0, at) + library.slice(2) + linked.slice(at + 40);
    libraries.add(`${name}:${getAddress(library)}`);
  }
  if (!code.startsWith(linked)) return null;
  const [[file, name] = ["", ""]] = Object.entries(metadata.settings.compilationTarget);
  return {
    source: `${file}:${name}`,
    compilerVersion: metadata.compiler.version,
    constructorArgs: `0x${code.slice(linked.length)}` as Hex,
    libraries: [...libraries],
  };
}
