/**
 * The code that tests deploy. Forge compiles every test anew when a library changes, which takes ten times as long as
 * compiling the contracts that use the library. Tests that deploy contracts by name (`dynamic_test_linking`) do not
 * contain their code, so it is enough to replace it in the artifacts from which Forge reads it.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import solc from "solc";
import { z } from "zod";
import { collectSources } from "./solidity.ts";

const OUTPUT = [
  "evm.bytecode.object",
  "evm.bytecode.linkReferences",
  "evm.deployedBytecode.object",
  "evm.deployedBytecode.linkReferences",
  "evm.deployedBytecode.immutableReferences",
];

const bytecode = z.looseObject({ object: z.string() });
const code = { bytecode, deployedBytecode: bytecode };
const artifact = z.looseObject(code);
const compiled = z.object(code);
const compilerOutput = z.object({
  errors: z.array(z.object({ severity: z.string() })).default([]),
  contracts: z.record(z.string(), z.record(z.string(), z.object({ evm: compiled }))).default({}),
});

/** Code by the path of its artifact inside Forge's output: `FeeMath.sol/FeeMath.json`. */
type DeployedCode = ReadonlyMap<string, z.infer<typeof compiled>>;

/**
 * A compiler, without the optimizer, of every contract and mock whose code includes that of a file.
 * @param path The file.
 * @returns Compiles them with the given content of the file. Its result is undefined if they do not compile.
 */
export function compilerOfUsers(path: string): (content: string) => DeployedCode | undefined {
  const users = globSync("contracts/{src,test/mocks}/**/*.sol")
    .map((user) => ({ user, sources: collectSources(user) }))
    .filter(({ sources }) => path in sources);
  const settings = {
    evmVersion: "cancun",
    remappings: ["src/=contracts/src/", "script/=contracts/script/"],
    outputSelection: Object.fromEntries(users.map(({ user }) => [user, { "*": OUTPUT }])),
  };
  return (content) => {
    const sources = { ...Object.assign({}, ...users.map(({ sources }) => sources)), [path]: { content } };
    // In this process, because a compiler that has been running for a while is twice as fast as a new one.
    const output = compilerOutput.parse(
      JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings }))),
    );
    if (output.errors.some(({ severity }) => severity === "error")) return undefined;
    return new Map(
      Object.entries(output.contracts).flatMap(([file, contracts]) =>
        Object.entries(contracts).map(([name, { evm }]) => [`${basename(file)}/${name}.json`, evm] as const),
      ),
    );
  };
}

/**
 * Runs something while the artifacts of a project hold other code.
 * @param project A project that Forge has built.
 * @param deployed The code; what the project has no artifact of is left out.
 */
export function withDeployedCode<T>(project: string, deployed: DeployedCode, run: () => T): T {
  const originals = new Map<string, string>();
  for (const [name, evm] of deployed) {
    const path = join(project, "out", name);
    if (!existsSync(path)) continue;
    const text = readFileSync(path, "utf8");
    originals.set(path, text);
    const { bytecode, deployedBytecode, ...others } = artifact.parse(JSON.parse(text));
    const changed = {
      ...others,
      bytecode: { ...bytecode, ...evm.bytecode, object: `0x${evm.bytecode.object}` },
      deployedBytecode: { ...deployedBytecode, ...evm.deployedBytecode, object: `0x${evm.deployedBytecode.object}` },
    };
    writeFileSync(path, JSON.stringify(changed));
  }
  try {
    return run();
  } finally {
    for (const [path, text] of originals) writeFileSync(path, text);
  }
}
