/** `pnpm supply-chain` with registries that answer about vulnerabilities, and with one that does not. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { importProblems } from "../../tools/lib/importedLicenses.ts";
import { licenseProblems } from "../../tools/lib/licenses.ts";
import { outcomeOf } from "../support/outcome.ts";
import { PNPM } from "../support/pnpm.ts";

const ADVISORY = {
  id: 1,
  url: "https://github.com/advisories/GHSA-test-test-test",
  title: "planted by this test",
  severity: "high",
  vulnerable_versions: "<999.0.0",
  cwe: [],
  cvss: { score: 8, vectorString: null },
};

let directory: string;
/** Registries by what they answer. */
let registries: Readonly<Record<"clean" | "vulnerable" | "silent", Server>>;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-supply-chain-"));
  registries = {
    clean: await registry(200, {}),
    vulnerable: await registry(200, { hono: [ADVISORY] }),
    silent: await registry(405, {}),
  };
});
afterAll(() => {
  for (const server of Object.values(registries)) server.close();
  rmSync(directory, { recursive: true });
});

async function registry(status: number, answer: object): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(status).end(JSON.stringify(answer)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function run(name: keyof typeof registries, ...options: string[]) {
  const sbom = join(directory, `${name}${options.length}.json`);
  const child = spawn(process.execPath, ["tools/supplyChain.ts", "--sbom", sbom, ...options], {
    env: {
      ...process.env,
      PATH: [dirname(PNPM), process.env.PATH].join(delimiter),
      pnpm_config_registry: `http://127.0.0.1:${(registries[name].address() as AddressInfo).port}/`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { ...(await outcomeOf(child)), sbom };
}

test.concurrent("passes when no license and no advisory is in the way", async ({ expect }) => {
  const { status, output, sbom } = await run("clean");
  expect(output).toContain("Vulnerabilities: none of severity high or worse");
  expect(output).toMatch(
    /Licenses: \d{3,} packages, and what contracts\/src imports of them, all as tools\/licenses\.json allows/,
  );
  expect(status).toBe(0);
  const { components } = JSON.parse(readFileSync(sbom, "utf8")) as { components: { purl: string }[] };
  const lockfile = readFileSync("pnpm-lock.yaml", "utf8");
  expect(components.map(({ purl }) => purl)).toContain(`pkg:npm/hono@${/hono@(\d[\d.]+):/.exec(lockfile)?.[1]}`);
});

test.concurrent("fails for an advisory, and shows it", async ({ expect }) => {
  const { status, output } = await run("vulnerable");
  expect(output).toContain("planted by this test");
  expect(status).toBe(1);
});

test.concurrent("says that it skipped what the registry does not answer", async ({ expect }) => {
  const { status, output } = await run("silent");
  expect(output).toMatch(/Vulnerabilities: SKIPPED, the registry did not answer: .*405/);
  expect(status).toBe(0);
});

test.concurrent("fails for it before a release", async ({ expect }) => {
  const { status, output } = await run("silent", "--require-audit");
  expect(output).toContain("SKIPPED");
  expect(status).toBe(1);
});

describe("A license", () => {
  const packages = { "@scope/*": { license: "GPL-3.0", reason: "a peer" } };
  const allowed = { accepted: ["MIT", "Zlib"], packages, importedWithoutCode: {} };
  const problems = (license: string, name = "it") =>
    licenseProblems({ [license]: [{ name, versions: ["1.0.0"] }] }, allowed).filter(
      (problem) => !problem.startsWith("nothing needs"),
    );

  it.each(["MIT", "(MIT AND Zlib)", "MIT OR GPL-3.0", "(GPL-3.0 OR Zlib)", "GPL-3.0 AND MIT OR Zlib"])(
    "%s is accepted",
    (license) => expect(problems(license)).toEqual([]),
  );

  it.each(["GPL-3.0", "MIT AND GPL-3.0", "Unknown", "(MIT OR Zlib) AND GPL-3.0", "SEE LICENSE IN LICENSE"])(
    "%s is refused, with the package's name",
    (license) => expect(problems(license)).toEqual([`it 1.0.0 has the license ${license}`]),
  );

  it("is accepted of a package or scope that is named with it, and with no other", () => {
    expect(problems("GPL-3.0", "@scope/one")).toEqual([]);
    expect(problems("BUSL-1.1", "@scope/one")).toEqual(["@scope/one 1.0.0 has the license BUSL-1.1"]);
  });

  it("that no package has is refused as an entry", () => {
    expect(licenseProblems({}, allowed)).toEqual(["nothing needs the entry of @scope/* any more"]);
  });
});

describe("A source that contracts/src imports", () => {
  const OTHER = "@other/Halves.sol";
  const source = (license: string, text: string) => ({
    content: `// SPDX-License-Identifier: ${license}\npragma solidity ^0.8.30;\n${text}`,
  });
  const problems = (license: string, body: string, listed = "BUSL-1.1") => {
    const contract = `import {Halves} from "${OTHER}";\ncontract It { function f(uint256 a) external pure returns (uint256) { ${body} } }`;
    const halves = "library Halves { function half(uint256 a) internal pure returns (uint256) { return a / 2; } }";
    const sources = { "contracts/src/It.sol": source("MIT", contract), [OTHER]: source(license, halves) };
    return importProblems(new Map([["contracts/src/It.sol", sources]]), {
      accepted: ["MIT"],
      packages: {},
      importedWithoutCode: { [OTHER]: { license: listed, reason: "nothing calls it" } },
    });
  };

  it("under another license is allowed if it is listed with it and leaves no instruction in the code", () => {
    expect(problems("BUSL-1.1", "return a;")).toEqual([]);
    expect(problems("BUSL-1.1", "return Halves.half(a);")).toEqual([
      `the code of contracts/src/It.sol has instructions of ${OTHER}, which it may only import`,
    ]);
  });

  it("is refused under a license that it is not listed with", () => {
    expect(problems("BUSL-1.1", "return a;", "GPL-3.0")).toEqual([
      `contracts/src/It.sol imports ${OTHER} under the license BUSL-1.1`,
    ]);
  });

  it("needs no entry under an accepted license", () => {
    expect(problems("MIT", "return Halves.half(a);")).toEqual([`nothing in contracts/src imports ${OTHER} any more`]);
  });
});
