/**
 * Tests the packages as they would be published: packed, installed in an empty folder, and used as their READMEs say.
 */
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import * as abi from "@coreswap/abi";
import * as client from "@coreswap/client";
import * as react from "@coreswap/react";
import * as sdk from "@coreswap/sdk";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { installTarballs, LIBRARIES, manifestOf, PACKAGES } from "./support/tarballs.ts";

const run = promisify(execFile);
const deployed = inject("packages");
const tarballs = inject("tarballs");

type Library = (typeof LIBRARIES)[number];

const SOURCES: Readonly<Record<Library, object>> = { abi, client, sdk, react };
const DEMO_NODE = "http://127.0.0.1:8545";

let directory: string;

const versionIn = (folder: string, name: string) => manifestOf(join(folder, "node_modules", name)).version ?? "none";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-packages-"));
  installTarballs(directory, tarballs, {
    name: "integrator",
    private: true,
    type: "module",
    dependencies: {
      ...Object.fromEntries(PACKAGES.map((name) => [`@coreswap/${name}`, `file:${tarballs[name]}`])),
      viem: versionIn(".", "viem"),
      "@types/node": versionIn(".", "@types/node"),
      vite: versionIn("examples/react", "vite"),
      ...Object.fromEntries(
        ["@tanstack/react-query", "@types/react", "react", "wagmi"].map((peer) => [
          peer,
          versionIn("packages/react", peer),
        ]),
      ),
    },
  });
}, 600_000);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Returns the TypeScript of a README, whose blocks are parts of one program. */
function programOf(name: Library): string {
  const text = readFileSync(join("packages", name, "README.md"), "utf8");
  const blocks = [...text.matchAll(/^```tsx?\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
  return blocks.join("\n").replaceAll(DEMO_NODE, deployed.rpcUrl);
}

test.each(PACKAGES)("@coreswap/%s is packed as publint requires", async (name) => {
  const tarball = new Uint8Array(readFileSync(tarballs[name])).buffer;
  expect((await publint({ pack: { tarball }, strict: true })).messages).toEqual([]);
});

test.each(PACKAGES)("@coreswap/%s does not need a version that only this repository has", (name) => {
  const manifest = manifestOf(join(directory, "node_modules/@coreswap", name));
  const { private: isPrivate, dependencies = {} } = manifest;
  expect(isPrivate).toBeUndefined();
  expect(Object.values(dependencies).filter((version) => !/^\^?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("the README of the examples overrides the packages that depend on each other, by the names of their tarballs", () => {
  const text = readFileSync("examples/README.md", "utf8");
  const overrides = [...text.matchAll(/^ {2}"@coreswap\/(\w+)": "file:(?:.+\/)?(.+)"$/gm)];
  const expected = (["abi", "sdk", "react"] as const).map((name) => [name, basename(tarballs[name])]);
  expect(overrides.map(([, name, tarball]) => [name, tarball])).toEqual(expected);
});

describe.each(LIBRARIES)("@coreswap/%s", (name) => {
  test("has types that are correct for every current module resolution", async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarballs[name]))));
    if (analysis.types === false) throw new Error("no types");
    // An ES module does not support `require` in TypeScript, nor resolutions that do not know `exports`.
    const legacy = ["node10", "node16-cjs"];
    const problems = analysis.problems.filter(
      (problem) => !("resolutionKind" in problem && legacy.includes(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });

  test("exports its build alone", () => {
    const { exports } = manifestOf(join(directory, "node_modules/@coreswap", name));
    const build = { types: "./dist/index.d.ts", default: "./dist/index.js" };
    expect(exports).toEqual(expect.objectContaining({ ".": build }));
  });

  test("exports to Node.js what the sources export", async () => {
    const program = `console.log(JSON.stringify(Object.keys(await import("@coreswap/${name}")).sort()))`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: directory });
    expect(JSON.parse(stdout)).toEqual(Object.keys(SOURCES[name]).sort());
  });
});

test.each([
  // As JSON it is longer than as JavaScript, whose keys have no quotes.
  ["abi", "coreSwapAbi", JSON.stringify(abi.coreSwapAbi).length],
  ["sdk", "WAD, minimumOut", 2_000],
])("a bundle that imports of @coreswap/%s only %s contains little else", async (name, imported, maximumBytes) => {
  writeFileSync(join(directory, "entry.js"), `export { ${imported} } from "@coreswap/${name}";`);
  const rolldownOptions = `{ input: "entry.js", external: /^viem/, preserveEntrySignatures: "strict" }`;
  const program = `import { build } from "vite";
    const options = { write: false, rolldownOptions: ${rolldownOptions} };
    const { output } = await build({ configFile: false, logLevel: "silent", build: options });
    console.log(output.map(({ code }) => code).join("").length);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: directory });
  expect(Number(stdout)).toBeGreaterThan(100);
  expect(Number(stdout)).toBeLessThan(maximumBytes);
});

test.each(["nodenext", "bundler"])("the READMEs compile with the module resolution %s", async (moduleResolution) => {
  for (const name of LIBRARIES) writeFileSync(join(directory, `${name}.tsx`), programOf(name));
  const config = join(directory, `tsconfig.${moduleResolution}.json`);
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: {
        target: "es2022",
        lib: ["es2022", "dom", "dom.iterable"],
        module: moduleResolution === "bundler" ? "esnext" : moduleResolution,
        moduleResolution,
        types: ["node"],
        jsx: "react-jsx",
        strict: true,
        noEmit: true,
        // Checks the types of the packages, once.
        skipLibCheck: moduleResolution === "bundler",
        resolveJsonModule: true,
      },
      files: LIBRARIES.map((name) => `${name}.tsx`),
    }),
  );
  const { stdout } = await run(process.execPath, [
    resolve("tools/node_modules/typescript/bin/tsc"),
    "-p",
    config,
  ]).catch((error: unknown) => error as { stdout: string });
  // The types of wagmi do not fit those of the current TanStack Query.
  const own = stdout.split(/\n(?! )/).filter((line) => !/node_modules\/(@wagmi\/core|wagmi)\/dist\//.test(line));
  expect(own.join("\n")).toBe("");
});

test.each(["abi", "sdk"] as const)(
  "the README of %s runs in the empty folder, against the deployment",
  async (name) => {
    copyFileSync(join(deployed.deploymentsDirectory, "evm/mainnet.json"), join(directory, "mainnet.json"));
    writeFileSync(join(directory, `${name}.ts`), programOf(name));
    const { stdout } = await run(process.execPath, [`${name}.ts`], { cwd: directory });
    for (const line of EXPECTED[name]) expect(stdout).toMatch(line);
  },
);

/** What the programs print. */
const EXPECTED = {
  abi: [/^swap \[/m, /^true \d+ errors \d+ events$/m],
  sdk: [
    /^quoted \d+n fees \d+n$/m,
    /^success received \d+n$/m,
    /^\d+n tokens are worth \d+n before fees$/m,
    /^\d+n merge after \d+n$/m,
    /^InsufficientStablecoinInput \[\] The amount is too small/m,
    /^solvent (true|false) surplus -?\d+n without a price \[\]$/m,
  ],
} as const;
