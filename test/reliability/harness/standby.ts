/** A streaming standby of a PostgreSQL server, created while the server runs. */
import { chmodSync, chownSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOST } from "../../../localnet/ports.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../../e2e/harness/databaseProxy.ts";
import { waitUntil } from "../../e2e/harness/poll.ts";
import {
  dataDirectory,
  makeServerDirectory,
  type PostgresServer,
  serveDirectory,
  serverAccount,
} from "../../e2e/harness/postgres.ts";
import { queryOnce, withClient } from "../../support/postgres.ts";

const DEADLINE_MS = 120_000;
/** Files of the process, of its cache, and of temporary tables, which vanish while they are copied. */
const NOT_COPIED = /\/(postmaster\.(pid|opts)|pg_internal\.init(\.\d+)?|t\d+_\d+(_\w+)?(\.\d+)?)$/;

export interface Standby {
  readonly server: PostgresServer;
  /** The proxy through which the standby streams. When the proxy blocks, the standby falls behind. */
  readonly stream: DatabaseProxy;
}

/**
 * Copies the data of a running server file by file, and starts a standby on the copy that streams from the server.
 * @throws Error when the standby does not stream
 */
export async function startStandby(primary: PostgresServer): Promise<Standby> {
  const directory = makeServerDirectory(tmpdir());
  const stream = await startDatabaseProxy(primary.port);
  const data = dataDirectory(directory);
  await copyData(primary, data);
  signalServer(data, "standby.signal");
  const server = await serveDirectory(directory, {
    ...primary.settings,
    hot_standby_feedback: "on",
    // By default, a standby that has lost its primary connects again only after five seconds.
    wal_retrieve_retry_interval: "500ms",
    primary_conninfo: `host=${HOST} port=${stream.port} user=postgres`,
  });
  await waitUntil(
    "the standby streams",
    async () => {
      const rows = await queryOnce(server.databaseUrl, "SELECT status FROM pg_stat_wal_receiver");
      return rows[0]?.status === "streaming" ? null : JSON.stringify(rows);
    },
    { deadlineMs: DEADLINE_MS },
  );
  return { server, stream };
}

/**
 * Makes a base backup: copies the data of a running server, file by file. On a server that archives its log, it settles
 * when the archive has what the copy needs.
 * @param isLeftOut tells which files are not copied, besides those that no copy needs
 */
export async function copyData(
  { databaseUrl, directory }: PostgresServer,
  copy: string,
  isLeftOut: (path: string) => boolean = () => false,
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    // The same session must begin and end the backup.
    await client.query("SELECT pg_backup_start('copy', true)");
    await cp(dataDirectory(directory), copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !NOT_COPIED.test(path) && !isLeftOut(path),
    });
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop()");
    writeFileSync(join(copy, "backup_label"), rows[0]?.labelfile ?? "");
  });
  ownAll(copy);
}

/** Creates the empty file that tells a server how to start on copied data. */
export function signalServer(data: string, name: "standby.signal" | "recovery.signal"): void {
  const path = join(data, name);
  writeFileSync(path, "");
  ownAll(path);
}

/** Makes a standby the primary. */
export async function promote({ databaseUrl }: PostgresServer): Promise<void> {
  await queryOnce(databaseUrl, "SELECT pg_promote()");
}

/** Gives a directory to the account of the server, which accepts only its own directories. */
function ownAll(path: string): void {
  if (!serverAccount) return;
  chownSync(path, serverAccount.uid, serverAccount.gid);
  if (!statSync(path).isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) ownAll(join(path, name));
}
