/** The pooler of `ops/pgbouncer`, run as it is shipped but for its ports, its files and the number of its connections. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, HOST } from "../../localnet/ports.ts";
import { type ManagedProcess, startProcess } from "../../localnet/processes.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { type PostgresServer, serverAccount } from "../e2e/harness/postgres.ts";
import { installedProgram } from "./installed.ts";
import { queryOnce } from "./postgres.ts";

const SHIPPED = "ops/pgbouncer/pgbouncer.ini";
/** The first version that keeps prepared statements in transaction mode. */
const OLDEST = [1, 21] as const;

/** Debian 12 has an older one, so the name of a package would not help. */
const NEEDED = `${OLDEST.join(".")} or later is needed: on Debian, \`.ci/pgbouncer\` installs it`;

/** Returns the path of a pgbouncer that keeps prepared statements, or says why there is none and how to get one. */
export function findPgbouncer(): { readonly path: string } | { readonly missing: string } {
  let path: string;
  try {
    path = installedProgram("pgbouncer");
  } catch {
    return { missing: `pgbouncer is not installed, and ${NEEDED}` };
  }
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? [];
  const isOlder = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  if (major !== undefined && !isOlder) return { path };
  return { missing: `${path} is ${stdout.split("\n")[0]}, and ${NEEDED}` };
}

/**
 * Returns the path of a pgbouncer that keeps prepared statements.
 * @throws Error that says why there is none, and how to get one
 */
export function requirePgbouncer(): string {
  const found = findPgbouncer();
  if ("missing" in found) throw new Error(found.missing);
  return found.path;
}

export interface RunningPooler {
  urlAs(role: string): string;
  /** Ends it like a crash: connections break without a word. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the pooler before a server's database `postgres`, which it calls `coreswap`.
 * @param settings settings of the file with other values, or in addition to those there
 */
export async function startPooler(
  path: string,
  server: PostgresServer,
  roles: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningPooler> {
  const directory = mkdtempSync(join(tmpdir(), "coreswap-pooler-"));
  const file = (name: string) => join(directory, name);
  const port = await freePort();
  const password = "only for this test";
  const changed: Readonly<Record<string, string>> = {
    listen_port: String(port),
    auth_file: file("userlist.txt"),
    unix_socket_dir: "",
    ...settings,
  };
  const placed = readFileSync(SHIPPED, "utf8")
    .replace("port=5432 dbname=coreswap", `port=${server.port} dbname=postgres`)
    .split("\n")
    .filter((line) => !Object.hasOwn(changed, line.split(" = ", 1)[0] ?? ""))
    .concat(Object.entries(changed).map(([name, value]) => `${name} = ${value}`));
  writeFileSync(file("pgbouncer.ini"), `${placed.join("\n")}\n`);
  writeFileSync(file("userlist.txt"), roles.map((role) => `"${role}" "${password}"\n`).join(""));
  if (serverAccount) chownSync(directory, serverAccount.uid, serverAccount.gid);
  chmodSync(directory, 0o755);
  const urlAs = (role: string) => `postgresql://${role}:${encodeURIComponent(password)}@${HOST}:${port}/coreswap`;
  let process: ManagedProcess;
  const start = async () => {
    const started = await startProcess({
      name: "pgbouncer",
      command: path,
      args: [file("pgbouncer.ini")],
      logFile: file("pgbouncer.log"),
      // Like PostgreSQL, it refuses to run as root.
      ...(serverAccount ? { runAs: serverAccount } : {}),
    });
    process = started;
    await waitUntil(
      "pgbouncer passes statements on",
      async () => {
        started.requireRunning();
        return queryOnce(urlAs(roles[0] ?? ""), "SELECT 1").then(() => null, String);
      },
      { deadlineMs: 60_000 },
    );
  };
  await start();
  return {
    urlAs,
    kill: () => process.kill(),
    start,
    async stop() {
      await process.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
