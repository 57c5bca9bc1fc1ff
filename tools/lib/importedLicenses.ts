/** Licenses of the sources of others that `contracts/src` imports, and what of them is in its code. */
import { globSync } from "node:fs";
import solc from "solc";
import { z } from "zod";
import { type AllowedLicenses, isAccepted } from "./licenses.ts";
import { collectSources } from "./solidity.ts";

const OWN = "contracts/";

const compilerOutput = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  sources: z.record(z.string(), z.object({ id: z.int() })).default({}),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          evm: z.object({
            bytecode: z.object({ sourceMap: z.string() }),
            deployedBytecode: z.object({ sourceMap: z.string() }),
          }),
        }),
      ),
    )
    .default({}),
});

type Sources = Readonly<Record<string, { readonly content: string }>>;

/** The files of `contracts/src`, each with everything that it imports. */
export function shippedContracts(): ReadonlyMap<string, Sources> {
  return new Map(globSync("contracts/src/**/*.sol").map((path) => [path, collectSources(path)]));
}

/**
 * What is wrong, one line each: imported sources under a license that is neither accepted nor allowed for that source,
 * those that were allowed as long as no code is made of them, and allowances that nothing needs.
 */
export function importProblems(contracts: ReadonlyMap<string, Sources>, allowed: AllowedLicenses): string[] {
  const problems = new Set<string>();
  const unused = new Set(Object.keys(allowed.importedWithoutCode));
  for (const [contract, sources] of contracts) {
    const restricted = Object.keys(sources).filter(
      (name) => !name.startsWith(OWN) && !isAccepted(licenseOf(sources[name]?.content ?? ""), allowed.accepted),
    );
    const listed = restricted.filter((name) => {
      const license = licenseOf(sources[name]?.content ?? "");
      unused.delete(name);
      if (allowed.importedWithoutCode[name]?.license === license) return true;
      problems.add(`${contract} imports ${name} under the license ${license}`);
      return false;
    });
    for (const name of listed.length === 0 ? [] : codeOf(contract, sources, listed))
      problems.add(`the code of ${contract} has instructions of ${name}, which it may only import`);
  }
  return [...problems, ...[...unused].map((name) => `nothing in contracts/src imports ${name} any more`)];
}

/** @returns the SPDX expression of a source */
function licenseOf(content: string): string {
  return /SPDX-License-Identifier: *(.*?) *$/m.exec(content)?.[1] ?? "none";
}

/**
 * Compiles a file without the optimizer, which would assign shared instructions to one of their sources.
 * @returns those of the given sources of which its contracts have an instruction
 * @throws Error when the file does not compile
 */
function codeOf(contract: string, sources: Sources, names: readonly string[]): string[] {
  const settings = {
    evmVersion: "cancun",
    remappings: ["src/=contracts/src/"],
    outputSelection: { [contract]: { "*": ["evm.bytecode.sourceMap", "evm.deployedBytecode.sourceMap"] } },
  };
  const input = { language: "Solidity", sources, settings };
  const output = compilerOutput.parse(JSON.parse(solc.compile(JSON.stringify(input))));
  const error = output.errors.find(({ severity }) => severity === "error");
  if (error !== undefined) throw new Error(error.formattedMessage);
  const used = new Set(
    Object.values(output.contracts[contract] ?? {})
      .flatMap(({ evm }) => [evm.bytecode.sourceMap, evm.deployedBytecode.sourceMap])
      .flatMap((map) => map.split(";"))
      .map((entry) => entry.split(":")[2]),
  );
  return names.filter((name) => used.has(String(output.sources[name]?.id)));
}
