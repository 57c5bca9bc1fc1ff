/** `pnpm supply-chain`: licenses and known vulnerabilities of all dependencies, and the bill of materials of a release. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { commandLine } from "./lib/commandLine.ts";
import { importProblems, shippedContracts } from "./lib/importedLicenses.ts";
import { allowedSchema, installedSchema, licenseProblems } from "./lib/licenses.ts";
import { runTool, UsageError } from "./lib/runTool.ts";

const ALLOWED = "tools/licenses.json";

const { values } = commandLine({
  usage: "pnpm supply-chain [--sbom <file>] [--require-audit]",
  summary: `Compares the licenses of all installed packages, and of the sources that contracts/src imports, with
${ALLOWED}, writes a bill of materials (CycloneDX) of everything in pnpm-lock.yaml, and asks the registry for
known vulnerabilities of what production installs. Ends with 1 when a license is not allowed, when a package lacks its
version or hash, or when a vulnerability is of high severity or worse. A registry that does not answer about
vulnerabilities is reported, and is not a failure without --require-audit.`,
  options: {
    sbom: { type: "string", value: "<file>", default: "artifacts/sbom.cdx.json", help: "where the bill goes" },
    "require-audit": { type: "boolean", help: "fail when vulnerabilities could not be asked for, as for a release" },
  },
});

/** Packages of this repository, which no registry has yet. */
const OWN_PACKAGES = "pkg:npm/%40coreswap/";

/** Advisories below this do not fail: most are about input that only developers control. */
const AUDIT_LEVEL = "high";

const bill = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z
    .array(
      z.object({
        name: z.string(),
        purl: z.string(),
        version: z.string().optional(),
        externalReferences: z
          .array(z.object({ type: z.string(), hashes: z.array(z.object({ alg: z.string() })).optional() }))
          .default([]),
      }),
    )
    .min(1),
});

const auditReport = z.object({ advisories: z.record(z.string(), z.object({ severity: z.string() })) });

await runTool(async () => {
  checkLicenses();
  writeBill(values.sbom);
  audit();
});

function checkLicenses(): void {
  const { stdout } = pnpm(["--recursive", "licenses", "list", "--json"]);
  const installed = installedSchema.parse(JSON.parse(stdout));
  const allowed = allowedSchema.parse(JSON.parse(readFileSync(ALLOWED, "utf8")));
  const problems = [...licenseProblems(installed, allowed), ...importProblems(shippedContracts(), allowed)];
  if (problems.length > 0) throw new UsageError(`${ALLOWED} does not fit:\n${problems.join("\n")}`);
  const count = Object.values(installed).reduce((sum, packages) => sum + packages.length, 0);
  console.log(`Licenses: ${count} packages, and what contracts/src imports of them, all as ${ALLOWED} allows.`);
}

/** @throws UsageError when a package could be replaced by another one without a change of the bill */
function writeBill(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  pnpm(["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--out", path]);
  const { components } = bill.parse(JSON.parse(readFileSync(path, "utf8")));
  const bare = components.filter(
    ({ purl, version, externalReferences }) =>
      !purl.startsWith(OWN_PACKAGES) &&
      (version === undefined ||
        !externalReferences.some(({ hashes = [] }) => hashes.some(({ alg }) => alg === "SHA-512"))),
  );
  if (bare.length > 0) {
    throw new UsageError(`${path}: without a version or a SHA-512: ${bare.map(({ purl }) => purl).join(", ")}`);
  }
  console.log(`Bill of materials: ${components.length} packages in ${path}.`);
}

function audit(): void {
  const { stdout, stderr } = pnpm(["audit", "--prod", "--audit-level", AUDIT_LEVEL, "--json"], { mayFail: true });
  const report = auditReport.safeParse(jsonOf(stdout));
  if (!report.success) {
    const reason = stderr.replaceAll(/[│×]/g, "").replaceAll(/\s+/g, " ").trim();
    const message = `Vulnerabilities: SKIPPED, the registry did not answer: ${reason}`;
    if (values["require-audit"]) throw new UsageError(message);
    console.log(message);
    return;
  }
  const grave = Object.entries(report.data.advisories).filter(([, { severity }]) =>
    ["high", "critical"].includes(severity),
  );
  if (grave.length > 0) {
    throw new UsageError(`Vulnerabilities of severity ${AUDIT_LEVEL} or worse in what production installs:\n${stdout}`);
  }
  console.log(`Vulnerabilities: none of severity ${AUDIT_LEVEL} or worse in what production installs.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Runs the pnpm that runs this script. */
function pnpm(args: readonly string[], { mayFail = false } = {}): { readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr, error } = spawnSync("pnpm", args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (error) throw error;
  if (status !== 0 && !mayFail) throw new UsageError(`pnpm ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return { stdout, stderr };
}
