/** The steps of docs/operate/backup.md, with the settings of that page. */
import { execFile } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHAIN_IDS, type NetworkName } from "../../config/networks.ts";
import { randomOf } from "../../localnet/plan.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { compareAnswers, digestOf, NETWORKS, type Oracles, takeAnswers } from "../reliability/harness/answers.ts";
import { makeFinal } from "../reliability/harness/finality.ts";
import { waitUntilCaughtUp } from "../reliability/harness/settle.ts";
import { copyData, signalServer } from "../reliability/harness/standby.ts";
import { queryOnce } from "../support/postgres.ts";
import { waitForHistory } from "./harness/converge.ts";
import { waitUntil } from "./harness/poll.ts";
import {
  dataDirectory,
  makeServerDirectory,
  type PostgresServer,
  serveDirectory,
  serverAccount,
  startPostgres,
} from "./harness/postgres.ts";
import { reorganize } from "./harness/reorganize.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";
import { consultOracle } from "./oracle/network.ts";

/** Also the schema. */
const INDEX = "restored";
const run = promisify(execFile);
const random = randomOf(31, CHAIN_IDS.mainnet);

let stack: Stack;
/** Takes the place of the page's `/backup`. */
let backup: string;
let settings: Readonly<Record<string, string>>;
let primary: PostgresServer;

beforeAll(async () => {
  stack = await Stack.build({ name: "backup", seed: 31, transactionCount: 100, emptyBlocks: 80 });
  backup = mkdtempSync(join(tmpdir(), "coreswap-backup-"));
  stack.endWithStack(async () => rmSync(backup, { recursive: true, force: true }));
  mkdirSync(join(backup, "wal"));
  if (serverAccount) for (const path of [backup, archive()]) chownSync(path, serverAccount.uid, serverAccount.gid);
  settings = settingsOfPage();
  const archiving = Object.entries(settings).filter(([name]) => name.startsWith("archive_"));
  primary = await startPostgres(Object.fromEntries(archiving));
  stack.endWithStack(() => primary.stop());
});

afterAll(() => stack?.stop());

const archive = () => join(backup, "wal");
const base = () => join(backup, "base");

/** Settings of the primary and of the restored server. */
function settingsOfPage(): Record<string, string> {
  const page = readFileSync("docs/operate/backup.md", "utf8");
  const assignments = page.matchAll(/\b(\w+) = (?:'([^']*)'|(\S+))/g);
  const found = [...assignments].map(([, name = "", quoted, bare = ""]) => [name, quoted ?? bare] as const);
  expect(found.map(([name]) => name)).toEqual([
    ...["archive_mode", "archive_command", "archive_timeout"],
    ...["restore_command", "recovery_target_time", "recovery_target_action"],
  ]);
  return Object.fromEntries(found.map(([name, value]) => [name, value.replaceAll("/backup", backup)]));
}

const send = () => sendOne({ deployed: stack.deployed("mainnet"), random });

async function sendSeveral(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await send();
}

/** Copies the data of the primary while transactions arrive. Its log is left out, as it is in the archive. */
async function makeBaseBackup(): Promise<void> {
  let isCopying = true;
  const copy = async () => {
    try {
      await copyData(primary, base(), (path) => /\/pg_wal\//.test(path));
    } finally {
      isCopying = false;
    }
  };
  const traffic = async () => {
    while (isCopying) await send();
  };
  await Promise.all([copy(), traffic()]);
}

async function transactionsIn(server: PostgresServer): Promise<number> {
  const [row] = await queryOnce(server.databaseUrl, `SELECT count(*) FROM ${INDEX}.transaction`);
  return Number(row?.count);
}

/** Lets the server archive a file again, as after a crash before it noted that the file is archived. */
function forgetArchived(): void {
  const notes = join(dataDirectory(primary.directory), "pg_wal", "archive_status");
  const archived = readdirSync(notes).find((name) => /^[0-9A-F]{24}\.done$/.test(name));
  if (archived === undefined) throw new Error("nothing is archived");
  renameSync(join(notes, archived), join(notes, archived.replace(".done", ".ready")));
}

/** Waits until the archive has everything that is written now. */
async function waitUntilArchived(): Promise<void> {
  const [current] = await queryOnce(primary.databaseUrl, "SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS file");
  const file = String(current?.file);
  await waitUntil(`${file} is archived`, async () => {
    const files = readdirSync(archive());
    return files.includes(file) ? null : `the archive has ${files.join(", ")}`;
  });
}

/** Starts a server on the base backup, which restores the state of the given time. */
async function restore(time: string): Promise<PostgresServer> {
  const since = performance.now();
  const directory = makeServerDirectory(tmpdir());
  const data = dataDirectory(directory);
  // With owners and modes, which the server checks.
  await run("cp", ["-a", base(), data]);
  signalServer(data, "recovery.signal");
  const server = await serveDirectory(directory, { ...settings, recovery_target_time: time });
  stack.endWithStack(() => server.stop());
  await waitUntil("the recovery has ended", async () => {
    const [row] = await queryOnce(server.databaseUrl, "SELECT pg_is_in_recovery() AS recovers");
    return row?.recovers === false ? null : "the server recovers";
  });
  console.log(`restored in ${((performance.now() - since) / 1000).toFixed(1)} s`);
  return server;
}

/** Runs `pnpm audit:index`. */
async function audit(network: NetworkName, toBlock: number, { databaseUrl }: PostgresServer): Promise<string> {
  const { rpcUrl, startBlock } = stack.deployed(network);
  const range = ["--from", String(startBlock), "--to", String(toBlock)];
  const { stdout } = await run(process.execPath, ["tools/auditIndex.ts", "--network", network, ...range], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: INDEX,
      DEPLOYMENTS_DIR: stack.deploymentsDirectory,
      [`PONDER_RPC_URL_${CHAIN_IDS[network]}`]: rpcUrl,
      PONDER_RPC_REQUESTS_PER_SECOND: "500",
    },
  });
  return stdout;
}

async function startAndCatchUp(name: string, oracles: Oracles, server?: PostgresServer): Promise<RunningIndexer> {
  const indexer = await stack.startIndexer({ name, ...(server && { database: server }) });
  await waitUntilCaughtUp(indexer.api, oracles);
  return indexer;
}

async function consult(): Promise<Oracles> {
  return {
    mainnet: await consultOracle(stack.source("mainnet")),
    sepolia: await consultOracle(stack.source("sepolia")),
  };
}

test("an index restored to a point in time equals one without a restore, also after a reorganization", async () => {
  const before = await stack.startIndexer({ name: INDEX, database: primary });
  await before.process.ready();
  const indexed = async () => {
    await waitForHistory(before.api, "mainnet", stack.source("mainnet"));
    return transactionsIn(primary);
  };

  await makeBaseBackup();
  const inBackup = await indexed();
  await sendSeveral(3);
  const atTarget = await indexed();
  const [target] = await queryOnce(primary.databaseUrl, "SELECT clock_timestamp()::text AS time");
  await sendSeveral(3);
  const atLoss = await indexed();
  expect([atTarget, atLoss]).toEqual([inBackup + 3, atTarget + 3]);
  forgetArchived();
  await waitUntilArchived();
  await primary.kill();
  await before.process.stop();

  // Replaces the blocks after the target, those since the backup, and one of the backup.
  const { removed, added } = await reorganize(stack.deployed("mainnet").rpcUrl, 7);
  expect(removed).toHaveLength(7);
  expect(added).not.toEqual([]);
  const restored = await restore(String(target?.time));
  expect(await transactionsIn(restored)).toBe(atTarget);

  const now = await consult();
  const after = await startAndCatchUp(INDEX, now, restored);
  const reference = await startAndCatchUp("reference", now);
  await sendSeveral(2);
  const oracles = await consult();
  for (const { api } of [after, reference]) await waitUntilCaughtUp(api, oracles);
  await makeFinal({ world: { stack }, api: after.api }, oracles);
  const expected = await takeAnswers(reference.api, oracles);
  const answers = await takeAnswers(after.api, oracles);
  expect(compareAnswers(expected, answers)).toEqual({ lost: [], wrong: [], first: null });
  expect(digestOf(answers)).toBe(digestOf(expected));

  for (const network of NETWORKS) {
    const newest = oracles[network].chain.blockHashes.length - 1;
    expect(await audit(network, newest, restored)).toMatch(/: no difference\n$/);
  }
});
