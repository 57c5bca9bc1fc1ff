/** The scripts of `ops/compose`, run on a real PostgreSQL: roles on the primary, and a standby that streams from it. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort, HOST } from "../../localnet/ports.ts";
import { type ManagedProcess, runProcess, startProcess } from "../../localnet/processes.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { serverAccount } from "../e2e/harness/postgres.ts";

/** Also a quote, which a script has to pass on as it is. */
const passwordOf = (name: string) => `pass'word of ${name}`;

let directory: string;
let programs: string;
const servers: ManagedProcess[] = [];
/** Ports of the primary and the standby. */
let ports: readonly [number, number];

/** Where Debian keeps the programs of its newest PostgreSQL. */
function serverPrograms(): string {
  const root = "/usr/lib/postgresql";
  try {
    const newest = readdirSync(root).sort((a, b) => Number(b) - Number(a))[0];
    if (newest !== undefined && readdirSync(join(root, newest, "bin")).includes("initdb"))
      return join(root, newest, "bin");
  } catch (cause) {
    throw new Error(`${root} is missing: apt-get install --no-install-recommends postgresql`, { cause });
  }
  throw new Error(`${root} has no server: apt-get install --no-install-recommends postgresql`);
}

/** A script as the container would see it, with this machine's places. */
function script(name: string): string {
  const path = join(directory, name);
  const text = readFileSync(join("ops/compose", name), "utf8");
  const placed = text.replaceAll("/run/secrets", join(directory, "secrets"));
  writeFileSync(path, placed.replaceAll("/etc/coreswap/roles.sql", resolve("ops/roles.sql")));
  return path;
}

const options = (name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => ({
  name,
  command: args[0] ?? "",
  args: args.slice(1),
  cwd: directory,
  env: { PATH: `${programs}:/usr/bin:/bin`, ...env },
  logFile: join(directory, `${name}.log`),
  ...(serverAccount && { runAs: serverAccount }),
});

const serverArguments = (port: number) => [
  ...["postgres", "-p", String(port), "-k", directory],
  ...["-c", `listen_addresses=${HOST}`, "-c", "fsync=off"],
];

async function startServer(name: string, args: readonly string[], env: NodeJS.ProcessEnv, port: number): Promise<void> {
  const server = await startProcess(options(name, args, env));
  servers.push(server);
  await waitUntil(
    `${name} accepts connections`,
    async () => {
      server.requireRunning();
      const client = new Client({ host: directory, port, user: "postgres", database: "postgres" });
      return client.connect().then(
        () => client.end().then(() => null),
        (error: Error) => error.message,
      );
    },
    { deadlineMs: 120_000 },
  );
}

async function rowsOf(role: string, port: number, text: string): Promise<unknown[]> {
  const client = new Client({
    ...{ host: HOST, port, database: "coreswap" },
    ...{ user: `coreswap_${role}`, password: passwordOf(role) },
  });
  await client.connect();
  try {
    return (await client.query(text)).rows as unknown[];
  } finally {
    await client.end();
  }
}

/** Runs a statement on the primary. */
async function asSuperuser(text: string): Promise<unknown[]> {
  const client = new Client({ host: directory, port: ports[0], user: "postgres", database: "coreswap" });
  await client.connect();
  try {
    return (await client.query(text)).rows as unknown[];
  } finally {
    await client.end();
  }
}

/** The state of the standby's slot on the primary. */
const slot = async () => JSON.stringify(await asSuperuser("SELECT active, wal_status FROM pg_replication_slots"));

async function startStandby(): Promise<void> {
  const [primary, standby] = ports;
  await startServer(
    "standby",
    ["sh", script("standby.sh"), ...serverArguments(standby)],
    { PGDATA: join(directory, "standby"), PRIMARY_HOST: HOST, PRIMARY_PORT: String(primary) },
    standby,
  );
}

const untilStandbyHas = (value: number) =>
  waitUntil(
    `the API's role reads ${value} on the standby`,
    async () => {
      const rows = await rowsOf("api", ports[1], "SELECT a FROM made.t ORDER BY a").catch(
        (error: Error) => error.message,
      );
      return JSON.stringify(rows).includes(`{"a":${value}}`) ? null : JSON.stringify(rows);
    },
    { deadlineMs: 120_000 },
  );

beforeAll(async () => {
  programs = serverPrograms();
  directory = mkdtempSync(join(tmpdir(), "coreswap-compose-"));
  mkdirSync(join(directory, "secrets"));
  for (const name of ["indexer", "api", "replication"])
    writeFileSync(join(directory, "secrets", `${name}_password`), passwordOf(name));
  chmodSync(directory, 0o755);
  if (serverAccount) chownSync(directory, serverAccount.uid, serverAccount.gid);
  ports = [await freePort(), await freePort()];
  const [port] = ports;
  const data = join(directory, "primary");
  // As the entry point of the image does it: sockets are trusted, everybody else needs a password.
  const auth = ["--auth-local=trust", "--auth-host=scram-sha-256"];
  await runProcess(options("initdb", ["initdb", "-D", data, "--username=postgres", "--no-sync", ...auth]));
  await startServer("primary", serverArguments(port), { PGDATA: data }, port);
  const local = { PGHOST: directory, PGPORT: String(port), PGDATA: data };
  await runProcess(options("createdb", ["createdb", "--username=postgres", "coreswap"], local));
  await runProcess(options("roles", ["sh", script("primary.sh")], local));
  await runProcess(options("reload", ["pg_ctl", "reload", "-D", data]));
}, 300_000);
afterAll(async () => {
  for (const server of servers.reverse()) await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

it("copies the primary, also after a copy that was interrupted, streams from it, and starts again on its data", async () => {
  const [primary] = ports;
  const data = join(directory, "standby");
  mkdirSync(join(data, ".copy"), { recursive: true });
  writeFileSync(join(data, ".copy", "PG_VERSION"), "half a copy");
  writeFileSync(join(data, "base"), "half a copy");
  if (serverAccount) {
    for (const path of [data, join(data, ".copy")]) chownSync(path, serverAccount.uid, serverAccount.gid);
  }
  await startStandby();
  await rowsOf("indexer", primary, "CREATE SCHEMA made CREATE TABLE t (a integer)");
  await rowsOf("indexer", primary, "INSERT INTO made.t VALUES (1)");
  await untilStandbyHas(1);

  await servers.pop()?.stop();
  await rowsOf("indexer", primary, "INSERT INTO made.t VALUES (2)");
  await startStandby();
  await untilStandbyHas(2);
}, 300_000);

it("copies the primary anew when that kept no more changes for it, after the documented statements", async () => {
  await servers.pop()?.stop();
  await asSuperuser("ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'");
  await asSuperuser("SELECT pg_reload_conf()");
  await waitUntil(
    "the slot is lost",
    async () => {
      await rowsOf("indexer", ports[0], "INSERT INTO made.t VALUES (3)");
      await asSuperuser("SELECT pg_switch_wal()");
      await asSuperuser("CHECKPOINT");
      return (await slot()).includes("lost") ? null : slot();
    },
    { deadlineMs: 120_000 },
  );
  await asSuperuser("ALTER SYSTEM RESET max_slot_wal_keep_size");
  await asSuperuser("SELECT pg_reload_conf()");
  const guide = readFileSync("docs/operate/containers.md", "utf8");
  const statements = [...guide.matchAll(/--command "(SELECT [^"]*)"/g)].map(([, statement = ""]) => statement);
  expect(statements).toHaveLength(2);
  for (const statement of statements) await asSuperuser(statement);
  rmSync(join(directory, "standby"), { recursive: true });
  mkdirSync(join(directory, "standby"));
  if (serverAccount) chownSync(join(directory, "standby"), serverAccount.uid, serverAccount.gid);
  await startStandby();
  await untilStandbyHas(3);
  expect(await slot()).toBe('[{"active":true,"wal_status":"reserved"}]');
}, 300_000);

it("lets the API's role read alone, and each role in with its own password alone", async () => {
  const [primary] = ports;
  await expect(rowsOf("api", primary, "CREATE SCHEMA another")).rejects.toThrow("permission denied");
  await expect(rowsOf("replication", primary, "CREATE SCHEMA another")).rejects.toThrow(/permission denied/);
  const wrong = new Client({
    host: HOST,
    port: primary,
    database: "coreswap",
    user: "coreswap_api",
    password: "wrong",
  });
  await expect(wrong.connect()).rejects.toThrow("password authentication failed");
});
