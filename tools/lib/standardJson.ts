/** The compiler's input of single contracts (standard JSON), from which explorers and readers compile the same code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { keccak256 } from "viem";
import { z } from "zod";

const artifactSchema = z.object({
  metadata: z.object({
    language: z.string(),
    settings: z.looseObject({ compilationTarget: z.record(z.string(), z.string()) }),
    sources: z.record(z.string(), z.object({ keccak256: z.string() })),
  }),
});

/**
 * Returns the input that compiles a contract to its artifact: its own sources alone, with the settings of the build.
 * @param artifacts folder of the compiled contracts
 * @throws Error naming a source that is not the one that was compiled
 */
export function standardJsonOf(name: string, artifacts = "out"): object {
  const path = join(artifacts, `${name}.sol`, `${name}.json`);
  const { metadata } = artifactSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  const { compilationTarget, ...settings } = metadata.settings;
  const sources = Object.entries(metadata.sources).map(([file, compiled]) => {
    const content = readFileSync(file);
    if (keccak256(content) !== compiled.keccak256)
      throw new Error(`${file} differs from what ${path} was compiled from`);
    return [file, { content: content.toString("utf8") }] as const;
  });
  return {
    language: metadata.language,
    sources: Object.fromEntries(sources),
    // Libraries are linked afterwards: their addresses differ from chain to chain.
    settings: { ...settings, libraries: {}, outputSelection: { "*": { "*": ["abi", "evm.bytecode", "metadata"] } } },
  };
}
