/**
 * Detects the end of the package runner (`npx`, `pnpm`) that started this process. A runner that is ended by SIGTERM or
 * SIGKILL does not notify its script, and nobody would end the demo.
 *
 * The guard process (`localnet/guard.ts`) does not cover this: it acts when the demo itself has ended, and here the
 * demo is still running. The parent's id does not show it either, because the shells between `npx` and this process
 * keep running, too.
 *
 * Reads /proc, so it works only on Linux; elsewhere it watches nothing. Ctrl-C reaches the script directly everywhere.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

const INTERVAL_MS = 1_000;

/**
 * A command line (arguments separated by NUL) that runs npm, npx or pnpm, or the shell in which those run this script.
 * A path with a folder named `.pnpm`, where packages are installed, does not match.
 */
const RUNNER = /(?:^|[\s\0/'"])(?:npm|npx|pnpm)(?:-cli|[\s\0@.'"]|$)|demo\/index\.ts/;
const SHELL = /^(?:busybox|(?:a|ba|da|fi|k|z)?sh)$/;

/** Calls back once when a runner among the ancestors of this process has ended. */
export function whenRunnerEnds(callback: () => void): void {
  const chain = runnerChain();
  if (chain.length < 2) return;
  const timer = setInterval(() => {
    // An orphaned process gets another parent.
    if (chain.slice(0, -1).every((pid, index) => parentOf(pid) === chain[index + 1])) return;
    clearInterval(timer);
    callback();
  }, INTERVAL_MS);
  timer.unref();
}

/** This process, its parent and so on up to the outermost runner, with the shells between them. */
function runnerChain(): number[] {
  const chain = [process.pid];
  let length = 1;
  for (let pid = parentOf(process.pid); pid !== undefined && isPartOfRunner(pid); pid = parentOf(pid)) {
    chain.push(pid);
    // A shell at the top is the user's own, and may end without ending what it started.
    if (!SHELL.test(basename(attempt(() => readlinkSync(`/proc/${pid}/exe`))))) length = chain.length;
  }
  return chain.slice(0, length);
}

function isPartOfRunner(pid: number): boolean {
  const commandLine = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  return pid > 1 && RUNNER.test(commandLine);
}

/** Undefined when the process is gone, or on systems without /proc. */
function parentOf(pid: number): number | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // "<pid> (<name>) <state> <parent> …", where the name may contain anything.
  const [, parent] = stat.split(")").at(-1)?.trim().split(" ") ?? [];
  return parent === undefined ? undefined : Number(parent);
}

/** The text read, or "" when the process has just ended or belongs to another user. */
function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
