/** Packs the packages as they would be published, and installs them elsewhere. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pnpm } from "../../support/pnpm.ts";

/** Packages that programs import. */
export const LIBRARIES = ["abi", "client", "sdk", "react"] as const;
export const PACKAGES = [...LIBRARIES, "cli"] as const;
type PackageName = (typeof PACKAGES)[number];

/** Absolute paths of the packed packages. */
export type Tarballs = Readonly<Record<PackageName, string>>;

/** The part of a package.json that tests read and write. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/**
 * Runs `pnpm <args>`.
 * @returns Its output.
 * @throws Error with its output unless it succeeds
 */
function succeed(args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): string {
  const { status, output } = pnpm(args, options);
  if (status !== 0) throw new Error(output);
  return output;
}

/** Reads the package.json of a folder. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Builds and packs all packages into a folder, given by its absolute path. */
export function packAll(directory: string): Tarballs {
  succeed(["--dir", "tools", "packages"]);
  const pack = (name: PackageName) => {
    const folder = join("packages", name);
    succeed(["pack", "--pack-destination", directory], { cwd: folder });
    return join(directory, `coreswap-${name}-${manifestOf(folder).version}.tgz`);
  };
  return { abi: pack("abi"), client: pack("client"), sdk: pack("sdk"), react: pack("react"), cli: pack("cli") };
}

/** Writes a package.json into a folder and installs what it names, with the tarballs as the packages of this name. */
export function installTarballs(folder: string, tarballs: Tarballs, manifest: Manifest): void {
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  // No registry has the packages, so a dependency on them, such as the SDK's, is a tarball, too.
  const overrides = PACKAGES.map((name) => `  "@coreswap/${name}": ${JSON.stringify(`file:${tarballs[name]}`)}\n`);
  writeFileSync(join(folder, "pnpm-workspace.yaml"), `overrides:\n${overrides.join("")}`);
  // The packages of this folder are already in the store, unless it was cleaned.
  if (pnpm(["install", "--offline"], { cwd: folder }).status !== 0) succeed(["install"], { cwd: folder });
}
