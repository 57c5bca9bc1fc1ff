/** Reads from /proc the resident memory and CPU time of a process and its descendants. Works only on Linux. */
import { readdirSync, readFileSync } from "node:fs";

const INTERVAL_MS = 100;
/** `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const KIB = 1_024;

export interface Usage {
  /** Largest sum of the processes' resident sets seen, in bytes. Pages that they share count for each. */
  readonly peakRssBytes: number;
  /** User and system time, in seconds. */
  readonly cpuSeconds: number;
}

export interface UsageMeter {
  /** Usage since the meter started. */
  stop(): Usage;
}

/** Watches a process tree, ten times a second. CPU time of processes that were running already counts from now on. */
export function watchProcessTree(rootPid: number): UsageMeter {
  let peakRssBytes = 0;
  const firstSeconds = cpuByPid(rootPid);
  const lastSeconds = new Map(firstSeconds);
  const sample = () => {
    const pids = descendants(rootPid);
    let rss = 0;
    for (const pid of pids) rss += residentBytes(pid);
    peakRssBytes = Math.max(peakRssBytes, rss);
    for (const [pid, seconds] of cpuOf(pids)) lastSeconds.set(pid, seconds);
  };
  sample();
  const timer = setInterval(sample, INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      sample();
      let cpuSeconds = 0;
      for (const [pid, seconds] of lastSeconds) cpuSeconds += seconds - (firstSeconds.get(pid) ?? 0);
      return { peakRssBytes, cpuSeconds };
    },
  };
}

/** Returns the current usage of a process tree. */
export function holdings(rootPid: number): { readonly rssBytes: number; readonly descriptors: number } {
  let rssBytes = 0;
  let descriptors = 0;
  for (const pid of descendants(rootPid)) {
    rssBytes += residentBytes(pid);
    descriptors += descriptorsOf(pid);
  }
  return { rssBytes, descriptors };
}

function cpuByPid(rootPid: number): Map<number, number> {
  return cpuOf(descendants(rootPid));
}

function cpuOf(pids: readonly number[]): Map<number, number> {
  const seconds = new Map<number, number>();
  for (const pid of pids) {
    const fields = statFields(pid);
    if (fields) seconds.set(pid, (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND);
  }
  return seconds;
}

/** The process and everything that it started, directly or not, and that still runs. */
function descendants(rootPid: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = Number(statFields(Number(entry))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const found = [rootPid];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** The fields of /proc/<pid>/stat from the state on; undefined when the process is gone. */
function statFields(pid: number): string[] | undefined {
  // "<pid> (<name>) <state> <parent> …", where the name may contain anything.
  return readProc(pid, "stat")?.split(")").at(-1)?.trim().split(" ");
}

function residentBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, "status") ?? "")?.[1];
  return Number(kib ?? 0) * KIB;
}

function descriptorsOf(pid: number): number {
  return unlessEnded(() => readdirSync(`/proc/${pid}/fd`))?.length ?? 0;
}

function readProc(pid: number, file: string): string | undefined {
  return unlessEnded(() => readFileSync(`/proc/${pid}/${file}`, "utf8"));
}

/** The values read for a process; undefined if it has ended since it was listed. */
function unlessEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
