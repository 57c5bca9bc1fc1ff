/**
 * Child processes that never outlive their starter.
 *
 * Each child leads its own process group, so that Ctrl-C in a terminal reaches only this process, which then ends its
 * children in the right order, together with everything they started. A guard process watches for the end of this one.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const GRACE_MS = 15_000;

interface ProcessOptions {
  /** Name in messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Default: this process's working directory. */
  readonly cwd?: string;
  /** Standard output and error are appended here. */
  readonly logFile: string;
  /** Account to run as, if different from this process's. */
  readonly runAs?: { readonly uid: number; readonly gid: number };
}

export interface ManagedProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Settles when the process has ended, with the reason: "exit code 1", "signal SIGKILL". */
  readonly ended: Promise<string>;
  /** How the process ended; undefined while it runs. */
  end(): string | undefined;
  /** @throws Error with the end of its log if the process has ended */
  requireRunning(): void;
  /** SIGTERM to the group, SIGKILL after 15 seconds; settles when the process has ended. */
  stop(): Promise<void>;
  /** SIGKILL to the group; settles when the process has ended. */
  kill(): Promise<void>;
}

const running = new Set<ManagedProcess>();
let guardInput: Writable | undefined;
let closing = false;

/**
 * Starts a process in its own group.
 * @throws Error when it cannot be started, or after `stopAllProcesses`
 */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  const { name, command, args, env, cwd, logFile, runAs } = options;
  if (closing) throw new Error(`${name} was not started, because all processes are being stopped`);
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, "a");
  const child = spawn(command, args, {
    detached: true,
    cwd,
    // Logs go to files. With CI set, they would be colored nevertheless.
    env: { ...(env ?? process.env), NO_COLOR: "1", FORCE_COLOR: undefined },
    stdio: ["ignore", log, log],
    ...runAs,
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) {
    const [cause] = (await once(child, "error")) as [Error];
    throw new Error(`${name} cannot be started: ${cause.message}`, { cause });
  }
  // Done at once: from here on, the child is ended with this process, whatever happens.
  guard().write(`${pid}\n`);

  let end: string | undefined;
  const ended = new Promise<string>((settle) => {
    child.once("exit", (code, signal) => {
      end = signal ? `signal ${signal}` : `exit code ${code}`;
      running.delete(managed);
      // Processes that the child started must not stay behind either.
      signalGroup(pid, "SIGKILL");
      guard().write(`-${pid}\n`);
      settle(end);
    });
  });
  const managed: ManagedProcess = {
    name,
    pid,
    logFile,
    ended,
    end: () => end,
    requireRunning() {
      if (end !== undefined) throw new Error(describeEnd(managed, end));
    },
    async stop() {
      if (end !== undefined) return;
      signalGroup(pid, "SIGTERM");
      const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS);
      await ended;
      clearTimeout(timer);
    },
    async kill() {
      if (end === undefined) signalGroup(pid, "SIGKILL");
      await ended;
    },
  };
  running.add(managed);
  return managed;
}

/**
 * Runs a process to its end.
 * @throws Error with the tail of its log unless it exits 0
 */
export async function runProcess(options: ProcessOptions): Promise<void> {
  const child = await startProcess(options);
  const end = await child.ended;
  if (end !== "exit code 0") throw new Error(describeEnd(child, end));
}

/** Ends every running process, newest first, and prevents new ones from starting. */
export async function stopAllProcesses(): Promise<void> {
  closing = true;
  for (const child of [...running].reverse()) await child.stop();
}

/** "<name> ended with <end>", and the last lines of its log if there are any. */
export function describeEnd({ name, logFile }: ManagedProcess, end: string): string {
  const tail = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-25).join("\n");
  return `${name} ended with ${end}${tail === "" ? " and logged nothing" : `. The end of ${logFile}:\n${tail}`}`;
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // The group ended between the decision and the signal.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Input of the guard process, which is started with the first child and does not keep this process alive. */
function guard(): Writable {
  if (guardInput === undefined) {
    const child = spawn(process.execPath, [fileURLToPath(new URL("./guard.ts", import.meta.url))], {
      detached: true,
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.unref();
    (child.stdin as Writable & { unref(): void }).unref();
    guardInput = child.stdin;
  }
  return guardInput;
}
