/** Checks out another revision beside this folder, ready to run. */
import { spawnSync } from "node:child_process";

export interface CheckedOut {
  readonly folder: string;
  remove(): void;
}

/**
 * Makes a working tree of a revision and installs its packages.
 * @throws Error when Git does not know the revision, or its packages cannot be installed
 */
export function checkOut(revision: string, folder: string): CheckedOut {
  run("git", ["worktree", "prune"]);
  run("git", ["worktree", "add", "--quiet", "--force", "--detach", folder, revision]);
  const remove = () => run("git", ["worktree", "remove", "--force", folder]);
  try {
    run("pnpm", ["--dir", folder, "install", "--frozen-lockfile", "--silent"]);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}

function run(command: string, words: readonly string[]): void {
  const { status, error } = spawnSync(command, words, { stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${words.join(" ")} ended with exit code ${status}`);
}
