/** No secret of a keeper's configuration, and no key of an RPC URL, is in what `core` prints, serves or sends. */
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { waitUntil } from "../e2e/harness/poll.ts";
import { dataDirectory, type PostgresServer, startPostgres } from "../e2e/harness/postgres.ts";
import { always, type FaultyNode, type RawAnswer, startFaultyNode } from "../support/faultyNode.ts";
import { queryOnce } from "../support/postgres.ts";
import { Evidence } from "../support/secrets.ts";
import { core, coreAlone, type Deployed, deploy } from "./support/deployed.ts";
import { KeeperProcess, KeeperWorld, startWebhook } from "./support/keeper.ts";

const SECRETS = {
  "user of the RPC URL": "rpc-user-S3cret",
  "password of the RPC URL": "rpc:pass/word@S3cret",
  "key in the path of the RPC URL": "path-key+S3cret=1",
  "key in the query of the RPC URL": "query/key+S3cret=1",
  "password of the database": "db/pass:word@S3cret#1",
  "key of the webhook": "webhook-key-S3cret",
  "key of the NAV source": "nav/key+S3cret",
  "password of the keystore": "keystore pass+word S3cret",
} as const;
const encoded = (name: keyof typeof SECRETS) => encodeURIComponent(SECRETS[name]);
const PATH = `/v2/${encoded("key in the path of the RPC URL")}?key=${encoded("key in the query of the RPC URL")}`;
const DEADLINE = { deadlineMs: 60_000 };

const evidence = new Evidence(SECRETS);
const running: KeeperProcess[] = [];
let deployed: Deployed;
let world: KeeperWorld;
let node: FaultyNode;
let postgres: PostgresServer;
let webhook: Awaited<ReturnType<typeof startWebhook>>;
let source: ReturnType<typeof createServer>;

beforeAll(async () => {
  deployed = await deploy("secrets");
  world = await KeeperWorld.create(deployed);
  node = await startFaultyNode(deployed.node.rpcUrl);
  webhook = await startWebhook();
  postgres = await startPostgres();
  await queryOnce(postgres.databaseUrl, "CREATE ROLE keeper LOGIN PASSWORD 'another'");
  const access = join(dataDirectory(postgres.directory), "pg_hba.conf");
  writeFileSync(access, `host all keeper all scram-sha-256\n${readFileSync(access, "utf8")}`);
  await queryOnce(postgres.databaseUrl, "SELECT pg_reload_conf()");
  source = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(`<html>Cannot GET ${request.url}</html>`);
  });
  await new Promise<void>((listening) => source.listen(0, "127.0.0.1", listening));
});

afterEach(async () => {
  for (const keeper of running.splice(0)) await keeper.end("SIGKILL");
  node.spoil(null);
});

afterAll(async () => {
  source?.close();
  await node?.stop();
  await webhook?.stop();
  await postgres?.stop();
  await deployed?.node.stop();
});

function rpcUrl(): string {
  const user = `${encoded("user of the RPC URL")}:${encoded("password of the RPC URL")}`;
  return `http://${user}@${new URL(node.rpcUrl).host}${PATH}`;
}

function faults(): readonly (RawAnswer | "reset")[] {
  const [user, password] = [SECRETS["user of the RPC URL"], SECRETS["password of the RPC URL"]];
  const basic = Buffer.from(`${user}:${password}`).toString("base64");
  const keys = Object.entries(SECRETS).filter(([name]) => name.includes("RPC URL"));
  const echo = `Cannot POST ${PATH} (Basic ${basic}); ${keys.map(([, key]) => key).join(" ")} are not allowed`;
  const refusal = (code: number) => ({
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message: echo, data: { url: PATH } } }),
  });
  return [
    { status: 401, contentType: "text/plain", body: echo },
    { status: 403, body: JSON.stringify({ error: echo }) },
    { status: 404, contentType: "text/html", body: `<html>${echo}</html>` },
    { contentType: "text/html", body: `<html>${echo}</html>` },
    refusal(-32_000),
    refusal(-32_005),
    "reset",
  ];
}

function databaseUrl(): string {
  return `postgresql://keeper:${encoded("password of the database")}@127.0.0.1:${postgres.port}/postgres`;
}

/** A configuration in which everything that can have a secret has one, and nothing works. */
function config(changes: Readonly<Record<string, unknown>> = {}) {
  const [nav] = world.config().navs;
  const { port } = source.address() as AddressInfo;
  const key = encoded("key of the NAV source");
  return world.config({
    rpcUrl: rpcUrl(),
    databaseUrl: databaseUrl(),
    navs: [{ ...nav, source: `http://127.0.0.1:${port}/${key}/nav?key=${key}` }],
    alerts: {
      webhookUrl: webhook.url.replace("secret-key", SECRETS["key of the webhook"]),
      graceSeconds: 1,
      repeatSeconds: 1,
    },
    ...changes,
  });
}

test("a keeper whose node, database, webhook and source all fail tells none", async () => {
  const keeper = KeeperProcess.start(world, config(), "secrets");
  running.push(keeper);
  await keeper.logged("standing: unknown");
  webhook.refuse(2);
  for (const fault of faults()) {
    const from = keeper.log.length;
    node.spoil(always(fault));
    await keeper.logged("round failed", from);
  }
  node.spoil(null);
  await keeper.rounds(2);
  await webhook.received("nav:TBILL");
  await postgres.kill();
  await keeper.rounds(2);
  await postgres.start();
  await webhook.stop();
  await keeper.logged("the webhook failed: fetch failed");
  const port = await keeper.port();
  for (const path of ["/metrics", "/health", "/nothing"]) {
    evidence.add(path, await (await fetch(`http://127.0.0.1:${port}${path}`)).text());
  }
  await keeper.end();
  evidence.add("the keeper's log", keeper.log);
  evidence.add("what the webhook got", JSON.stringify(webhook.messages));
  expect(keeper.log).toContain("<RPC URL>");
  expect(keeper.log).toContain("it is not JSON");
  expect(keeper.log).toContain("the webhook failed: HTTP 500");
  expect(evidence.leaks()).toEqual([]);
});

test("a keeper that refuses its configuration tells none", async () => {
  const { directory } = deployed;
  const right = readFileSync(join(directory, "keeper.password"), "utf8");
  writeFileSync(join(directory, "keeper.password"), SECRETS["password of the keystore"]);
  const withPassword = (url: string) => url.replace("//", `//name:${encoded("password of the database")}@`);
  const [nav] = config().navs;
  const cases: [Record<string, unknown>, string][] = [
    [{}, "cannot be opened: incorrect password"],
    [{ rpcUrl: `ws${rpcUrl().slice("http".length)}` }, "rpcUrl: expected an http or https URL"],
    [{ rpcUrl: rpcUrl().replace(/:\d+\//, ":99999/") }, "rpcUrl: expected an http or https URL"],
    [{ databaseUrl: databaseUrl().replace("postgresql://", "") }, "databaseUrl: expected a postgresql URL"],
    [{ navs: [{ ...nav, source: withPassword(nav?.source ?? "") }] }, "navs.0.source: expected an https URL"],
    [{ alerts: { webhookUrl: withPassword(webhook.url) } }, "alerts.webhookUrl: expected an https URL"],
  ];
  for (const [changes, message] of cases) {
    const keeper = KeeperProcess.start(world, config(changes), "refused");
    running.push(keeper);
    await waitUntil("the keeper ends", async () => (keeper.hasEnded ? null : keeper.log), DEADLINE);
    expect(keeper.log).toContain(message);
    evidence.add(message, keeper.log);
  }
  writeFileSync(join(directory, "keeper.password"), right);
  const file = join(directory, "broken.json");
  for (const text of ['{"databaseUrl":"a"\n,"rpcUrl":', '{"passwordFile" "x",\n"rpcUrl":']) {
    writeFileSync(file, `${text}${SECRETS["key of the webhook"]}}`);
    const { status, stdout, stderr } = await coreAlone(["keeper", file]);
    expect(status).toBe(1);
    expect(stderr).toContain("cannot be read: it is not valid JSON");
    // Not even the part that the message of the parser would quote.
    expect(stdout + stderr).not.toContain(SECRETS["key of the webhook"].slice(0, 4));
  }
  expect(evidence.leaks()).toEqual([]);
});

test("commands whose node fails tell none", async () => {
  for (const fault of faults()) {
    node.spoil(always(fault));
    for (const command of [
      ["status"],
      ["verify", "--config", deployed.configuration],
      ["nav", "post", "TBILL", "1.05"],
    ]) {
      const { status, stdout, stderr } = await core(deployed, command, rpcUrl());
      expect(status).toBe(1);
      expect(stderr).toMatch(/the node failed|cannot be read/);
      evidence.add(command.join(" "), stdout + stderr);
    }
  }
  for (const url of [`ws${rpcUrl().slice("http".length)}`, rpcUrl().replace(/:\d+\//, ":99999/")]) {
    const { status, stdout, stderr } = await core(deployed, ["status"], url);
    expect(status).toBe(1);
    evidence.add("a malformed URL", stdout + stderr);
  }
  expect(evidence.leaks()).toEqual([]);
});
