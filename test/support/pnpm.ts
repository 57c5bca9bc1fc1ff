/** Runs pnpm as the shell of a developer or operator does. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Path of the pnpm that runs these tests, which every script has on its PATH, or else of the version that `.ci/run`
 * uses.
 */
export const PNPM = execFileSync(
  "sh",
  ["-c", `command -v pnpm || npx --yes --package=${version()} -c 'command -v pnpm'`],
  {
    encoding: "utf8",
  },
).trim();

interface PnpmOptions {
  /** Default: the working directory. */
  readonly cwd?: string;
  /** Variables added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs `pnpm <args>`.
 * @returns Its exit status, null when a signal ended it, and its standard output followed by its standard error.
 * @throws Error when it cannot be started
 */
export function pnpm(
  args: readonly string[],
  { cwd, env }: PnpmOptions = {},
): { status: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync(PNPM, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    // Tests use the installed packages and install nothing.
    env: { ...process.env, pnpm_config_verify_deps_before_run: "false", ...env },
  });
  if (error) throw error;
  return { status, output: stdout + stderr };
}

function version(): string {
  const [found] = /pnpm@[\d.]+/.exec(readFileSync(".ci/run", "utf8")) ?? [];
  if (found === undefined) throw new Error(".ci/run names no version of pnpm");
  return found;
}
