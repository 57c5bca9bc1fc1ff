/** Licenses of the installed packages, compared with those that are allowed (`tools/licenses.json`). */
import { z } from "zod";

export const allowedSchema = z.strictObject({
  /** For any package. */
  accepted: z.array(z.string()),
  /** Other licenses, each of one package, or of a scope (`@scope/*`), with the reason why it does no harm. */
  packages: z.record(z.string(), z.strictObject({ license: z.string(), reason: z.string() })),
  /** Sources that a contract may import, with the reason, as long as none of its code is made of them. */
  importedWithoutCode: z.record(z.string(), z.strictObject({ license: z.string(), reason: z.string() })),
});

/** What `tools/licenses.json` allows. */
export type AllowedLicenses = z.output<typeof allowedSchema>;

export const installedSchema = z.record(
  z.string(),
  z.array(z.object({ name: z.string(), versions: z.array(z.string()) })),
);

/** What `pnpm licenses list --json` prints: packages by license. */
type InstalledLicenses = z.output<typeof installedSchema>;

/** What is wrong, one line each: packages with a license that is not allowed, and allowances that nothing needs. */
export function licenseProblems(installed: InstalledLicenses, allowed: AllowedLicenses): string[] {
  const unused = new Set(Object.keys(allowed.packages));
  const problems: string[] = [];
  for (const [license, packages] of Object.entries(installed)) {
    if (isAccepted(license, allowed.accepted)) continue;
    for (const { name, versions } of packages) {
      const entry = [name, name.replace(/\/.*/, "/*")].find((key) => allowed.packages[key]?.license === license);
      if (entry === undefined) problems.push(`${name} ${versions.join(", ")} has the license ${license}`);
      else unused.delete(entry);
    }
  }
  return [...problems, ...[...unused].map((name) => `nothing needs the entry of ${name} any more`)];
}

/** Whether an SPDX expression is accepted: all parts of AND, one part of OR. OR binds less than AND. */
export function isAccepted(expression: string, accepted: readonly string[]): boolean {
  if (accepted.includes(expression)) return true;
  const inner = /^\(([^()]*)\)$/.exec(expression)?.[1] ?? expression;
  // Expressions in other parentheses are not taken apart, and so are not accepted.
  return inner
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every((license) => accepted.includes(license.trim())));
}
