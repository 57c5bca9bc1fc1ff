/**
 * Runs `core keeper` on a real anvil under faults. Afterwards, the chain must be the same as after a run without
 * faults.
 */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import { type Hex, keccak256, parseTransaction, toFunctionSelector } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { WALLETS } from "../../localnet/wallets.ts";
import { createNodeClient } from "../../packages/cli/src/chain/connect.ts";
import { AccountSurvey } from "../../packages/cli/src/keeper/accounts.ts";
import { decide } from "../../packages/cli/src/keeper/decide.ts";
import { RateSource } from "../../packages/cli/src/keeper/rateSource.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { type PostgresServer, startPostgres } from "../e2e/harness/postgres.ts";
import { always, type Fault, type FaultyNode, startFaultyNode } from "../support/faultyNode.ts";
import { core, type Deployed, deploy, namedDays } from "./support/deployed.ts";
import { KeeperProcess, KeeperWorld, startWebhook } from "./support/keeper.ts";

/** Three days. The fault happens on the second day. */
const DAYS = [
  { rateBps: 430, nav: "1.0524" },
  { rateBps: 440, nav: "1.0525" },
  { rateBps: 450, nav: "1.0526" },
] as const;
const [FIRST, SECOND, THIRD] = DAYS;
const GUARDIAN = WALLETS.admin.address;
/** Code that reverts without data. */
const REVERTING = "0x5f5ffd";
const YEAR_MS = 365 * 86_400_000;

let deployed: Deployed;
let world: KeeperWorld;
/** The outcome of a run without faults. */
let reference: Awaited<ReturnType<KeeperWorld["outcome"]>>;
let start: Hex;
const running: KeeperProcess[] = [];
const opened: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  deployed = await deploy("keeper");
  world = await KeeperWorld.create(deployed);
});

afterAll(async () => {
  await deployed?.node.stop();
});

beforeEach(async () => {
  start = await world.snapshot();
});

afterEach(async () => {
  for (const keeper of running.splice(0)) await keeper.end("SIGKILL");
  for (const each of opened.splice(0)) await each.stop();
  await world.revert(start);
});

function run(changes: Readonly<Record<string, unknown>> = {}, name?: string, nodeOptions?: readonly string[]) {
  const keeper = KeeperProcess.start(world, world.config(changes), name, nodeOptions);
  running.push(keeper);
  return keeper;
}

function opening<Opened extends { stop(): Promise<void> }>(each: Opened): Opened {
  opened.push(each);
  return each;
}

async function faultyNode(fault: Fault | null = null): Promise<FaultyNode> {
  return opening(await startFaultyNode(deployed.node.rpcUrl, fault));
}

async function passAndSettle(day: (typeof DAYS)[number], ...keepers: KeeperProcess[]): Promise<void> {
  await world.passDay(day);
  await world.settled(day.nav, keepers);
}

const nonce = () => world.client.getTransactionCount({ address: WALLETS.client2.address });

test("posts each NAV, and the rate of each finished day, exactly once", async () => {
  const keeper = run();
  for (const day of DAYS) await passAndSettle(day, keeper);
  await keeper.rounds();
  reference = await world.outcome();
  const [{ rates }, today] = [reference, await world.today()];
  // The posted rates are net of the management fee of 0.5 %.
  expect(rates.slice(1)).toEqual([38n, 39n, 40n].map((rate, index) => [today - 3n + BigInt(index), rate * 10n ** 15n]));
  expect(reference).toMatchObject({ navs: ["1.0523", ...DAYS.map(({ nav }) => nav)], nonce: 6 });
  expect(await keeper.health()).toBe(200);
  expect(await keeper.end()).toBe(0);
});

test("a remote signer signs for a keeper, and while it is away the keeper waits and alerts", async () => {
  const webhook = opening(await startWebhook());
  const signer = await faultyNode();
  const remoteSigner = { url: signer.rpcUrl, address: WALLETS.client2.address };
  const alerts = { webhookUrl: webhook.url, graceSeconds: 1, ignore: ["price:TBILL"] };
  const keeper = run({ keystore: undefined, passwordFile: undefined, remoteSigner, alerts });
  await keeper.rounds();
  signer.spoil(async () => "reset");
  await world.passDay(FIRST);
  expect(await webhook.received("act")).toContain("the signer failed");
  signer.spoil(null);
  await world.settled(FIRST.nav, [keeper]);
  await passAndSettle(SECOND, keeper);
  await passAndSettle(THIRD, keeper);
  expect(await world.outcome()).toEqual(reference);
});

test.each([false, true])("a keeper killed while sending does nothing twice (arrived: %s)", async (arrives) => {
  const node = await faultyNode();
  const keeper = run({ rpcUrl: node.rpcUrl });
  await passAndSettle(FIRST, keeper);
  node.spoil(async ({ method }, result) => {
    if (method !== "eth_sendRawTransaction") return { result: await result() };
    if (arrives) await result();
    await keeper.end("SIGKILL");
    return "reset";
  });
  await world.passDay(SECOND);
  await waitUntil("the keeper is killed", async () => (keeper.hasEnded ? null : keeper.log), { deadlineMs: 120_000 });
  const next = run();
  await world.settled(SECOND.nav, [next]);
  await passAndSettle(THIRD, next);
  expect(await world.outcome()).toEqual(reference);
});

test("backfills a gap of days with the rates of those days, and posts the newest NAV", async () => {
  for (const day of DAYS) await world.passDay(day);
  const keeper = run();
  await world.settled(THIRD.nav, [keeper]);
  expect(await world.outcome()).toEqual({ rates: reference.rates, navs: ["1.0523", THIRD.nav], nonce: 4 });
});

test("a rate that is mined while a round runs raises no alert, although it cannot be posted again", async () => {
  const webhook = opening(await startWebhook());
  const node = await faultyNode();
  const keeper = run({ rpcUrl: node.rpcUrl, navs: [], alerts: { webhookUrl: webhook.url, ignore: ["price:TBILL"] } });
  await keeper.rounds();
  node.spoil(always("reset"));
  await world.passDay({ rateBps: 430, nav: null });
  let isSent = false;
  let refusal: string | null = null;
  await world.client.setAutomine(false);
  try {
    node.spoil(async ({ method }, result) => {
      // The round that now simulates has observed the block before.
      if (method === "eth_estimateGas" && isSent) await world.mine(1);
      try {
        const answer = await result();
        isSent ||= method === "eth_sendRawTransaction";
        return { result: answer };
      } catch (error) {
        if (method === "eth_estimateGas") refusal = (error as Error).message;
        return { body: `{"jsonrpc":"2.0","id":1,"error":${(error as Error).message}}` };
      }
    });
    await waitUntil("the rate is refused", async () => (refusal === null ? keeper.log : null), { deadlineMs: 120_000 });
    await keeper.rounds();
  } finally {
    await world.client.setAutomine(true);
  }
  const selector = toFunctionSelector("RateAlreadyPosted(uint256)");
  expect(refusal).toContain(selector);
  expect(await world.lastRateDay()).toBe((await world.today()) - 1n);
  expect(webhook.messages.filter(({ key }) => key.startsWith("action:"))).toEqual([]);
});

test("a token or a delegate that reverts hides neither the rest of the status nor what is to be posted", async () => {
  const { stablecoins, treasuryStablecoin, coreSwap } = deployed.deployment;
  const [usdx, usdy] = stablecoins;
  if (usdx === undefined || usdy === undefined) throw new Error("the deployment lacks stablecoins");
  const webhook = opening(await startWebhook());
  const keeper = run({
    minimums: [{ lp: "USDY", asset: "USDY", amount: "1000000000000" }],
    alerts: { webhookUrl: webhook.url, ignore: ["price:TBILL"] },
  });
  expect(await webhook.received("minimum:USDY:USDY")).toContain("the balance is too small");

  await world.client.setCode({ address: usdy.token, bytecode: REVERTING });
  const refused = `balanceOf() of ${usdy.token}: a revert without data`;
  const text = `what lp:USDY has of USDY and takes in is unknown: ${refused}`;
  expect(await webhook.received("holdings:USDY:USDY")).toContain(text);
  await passAndSettle(FIRST, keeper);
  // Whether the balance is too small is not known, so it does not count as resolved.
  await webhook.received("minimum:USDY:USDY");
  const status = await core(deployed, ["status"]);
  expect(status).toMatchObject({ status: 0, stderr: "" });
  expect(status.stdout).toContain(`\n    USDY  unknown: ${refused}\n`);
  expect(status.stdout).toMatch(/^ {2}lp:USDX 0x\w{40}\n {4}USDX +\d/m);
  expect(status.stdout).not.toContain("USDY in custody");

  await world.client.setCode({ address: treasuryStablecoin.delegate, bytecode: REVERTING });
  await webhook.received("rates");
  await world.passDay(SECOND);
  await waitUntil("the NAV is posted", async () => ((await world.nav()) === SECOND.nav ? null : keeper.log), {
    deadlineMs: 120_000,
  });
  const { stdout } = await core(deployed, ["status", "--json"]);
  const json = JSON.parse(stdout);
  expect(json.rates).toEqual({ error: expect.stringContaining(`of ${treasuryStablecoin.delegate}: a revert`) });
  for (const unknown of [/^whether lp:TRSY is paused is unknown: /, /^what lp:TRSY has and takes in is unknown: /]) {
    expect(json.attention).toContainEqual(expect.stringMatching(unknown));
  }
  const roles = json.roles.filter(({ contract }: { contract: string }) => contract === "lp:TRSY");
  for (const role of roles) expect(role).toMatchObject({ error: expect.stringContaining("getRoleMembers() of") });

  // CoreSwap itself is not one of many.
  await world.client.setCode({ address: coreSwap, bytecode: REVERTING });
  const whole = await core(deployed, ["status"]);
  expect(whole).toMatchObject({ status: 1, stderr: expect.stringMatching(/^the state cannot be read at block/) });
});

test("never posts a rate that the source did not give, and continues once a person has posted that rate", async () => {
  const webhook = opening(await startWebhook());
  const keeper = run({ navs: [], alerts: { webhookUrl: webhook.url, graceSeconds: 1, ignore: ["price:TBILL"] } });
  const silent = { rateBps: null, nav: null };
  await world.passDay({ rateBps: 430, nav: null });
  // The adapter serves an answer for less than four days.
  for (let day = 0; day < 4; day++) await world.passDay(silent);
  const missing = (await world.today()) - 1n;
  expect(await webhook.received("rate")).toContain("StaleAnswer(");
  await world.passDay({ rateBps: 440, nav: null });
  await keeper.rounds();
  expect(await world.lastRateDay()).toBe(missing - 1n);
  const day = new Date(Number(missing) * 86_400_000).toISOString().slice(0, 10);
  const unlocked = ["--broadcast", "--unlocked", "--from", WALLETS.usdcIssuerAdmin.address];
  const posted = await core(deployed, ["rate", "post", `${day}=4.2%`, ...unlocked]);
  expect(posted, posted.stderr).toMatchObject({ status: 0 });
  await webhook.received("rate", "resolved");
  await waitUntil("the day after is posted", async () => ((await world.lastRateDay()) > missing ? null : keeper.log), {
    deadlineMs: 120_000,
  });
  const { rates } = await world.outcome();
  expect(rates.slice(-2).map(([, rate]) => rate)).toEqual([37n * 10n ** 15n, 39n * 10n ** 15n]);
});

test("a day before the rate adapter was created has no rate, which is not a fault of the node", async () => {
  for (const day of DAYS) await world.passDay(day);
  const source = new RateSource(createNodeClient(deployed.node.rpcUrl), WALLETS.outsider.address);
  expect(await source.rateOf((await world.lastRateDay()) + 1n)).toEqual({
    problem: expect.stringContaining(`there is no adapter at ${WALLETS.outsider.address} at block`),
    isTransient: false,
  });
});

test("posts again the transactions that a reorganization dropped", async () => {
  const keeper = run();
  await passAndSettle(FIRST, keeper);
  const height = await world.client.getBlockNumber();
  await passAndSettle(SECOND, keeper);
  await keeper.rounds();
  const posted = await world.client.getTransactionCount({ address: WALLETS.client2.address });
  expect(posted).toBe(4);
  const before = await world.client.getBlock({ blockNumber: height });
  const dropped = Number((await world.client.getBlockNumber()) - height);
  expect(before.number).toBe(height);
  // The two newest blocks have the NAV and the rate.
  expect(dropped).toBeGreaterThan(2);
  await world.client.request({ method: "anvil_reorg" as never, params: [2, []] as never });
  expect(await nonce()).toBeLessThan(4);
  await world.settled(SECOND.nav, [keeper]);
  await passAndSettle(THIRD, keeper);
  expect(await world.outcome()).toEqual(reference);
});

test("uses the chain's time if the host's clock is wrong", async () => {
  const shifted = (years: number) => {
    const source = `const { now } = Date; Date.now = () => now() + ${years * YEAR_MS};
      globalThis.Date = class extends Date { constructor(...args) { super(...(args.length ? args : [Date.now()])); } };`;
    return ["--import", `data:text/javascript,${encodeURIComponent(source)}`];
  };
  const ahead = run({}, "ahead", shifted(2));
  await passAndSettle(FIRST, ahead);
  // Two years of 365 days can end in the last days of the year before.
  await ahead.logged(new Date(Date.now() + 2 * YEAR_MS).toISOString().slice(0, 7));
  await ahead.end();
  const behind = run({}, "behind", shifted(-2));
  await passAndSettle(SECOND, behind);
  await passAndSettle(THIRD, behind);
  await behind.rounds();
  expect(await world.outcome()).toEqual(reference);
});

/** A node whose pool holds the first transaction unmined, and accepts a replacement at fees 10 % higher. */
function keepingPool(): Fault & { held: Hex | null } {
  const error = (message: string) => ({
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32000, message } }),
  });
  const pool = Object.assign(
    (async ({ method, params }, result) => {
      const [first, tag] = params as [Hex, string];
      if (method === "eth_getTransactionCount" && tag === "pending") {
        return { result: `0x${(Number(await result()) + (pool.held === null ? 0 : 1)).toString(16)}` };
      }
      if (method !== "eth_sendRawTransaction") return { result: await result() };
      if (pool.held === null) {
        pool.held = first;
        return { result: keccak256(first) };
      }
      if (pool.held === first) return error("already known");
      const [held, offered] = [parseTransaction(pool.held), parseTransaction(first)];
      for (const fee of ["maxFeePerGas", "maxPriorityFeePerGas"] as const) {
        if ((offered[fee] ?? 0n) * 100n < (held[fee] ?? 0n) * 110n) return error("replacement transaction underpriced");
      }
      return { result: await result() };
    }) as Fault,
    { held: null as Hex | null },
  );
  return pool;
}

test("a stuck transaction is replaced at a higher fee, also by a run that did not send it", async () => {
  const node = await faultyNode();
  const keeper = run({ rpcUrl: node.rpcUrl });
  await passAndSettle(FIRST, keeper);
  const pool = keepingPool();
  node.spoil(always("reset"));
  await world.passDay(SECOND);
  node.spoil(pool);
  await waitUntil("a transaction is stuck", async () => (pool.held === null ? keeper.log : null), {
    deadlineMs: 120_000,
  });
  await keeper.rounds();
  expect(await nonce()).toBe(2);
  await world.mine(30);
  await waitUntil("it is replaced", async () => ((await nonce()) > 2 ? null : keeper.log), { deadlineMs: 120_000 });
  node.spoil(null);
  await world.settled(SECOND.nav, [keeper]);
  expect(await keeper.metric('coreswap_keeper_transactions_total{outcome="replaced"}')).toBe(1);

  const other = keepingPool();
  node.spoil(always("reset"));
  await world.passDay(THIRD);
  node.spoil(other);
  await waitUntil("a transaction is stuck", async () => (other.held === null ? keeper.log : null), {
    deadlineMs: 120_000,
  });
  await keeper.end("SIGKILL");
  const next = run({ rpcUrl: node.rpcUrl });
  await next.rounds(2);
  expect(await nonce()).toBe(4);
  // The fee can equal that of the first run. The transaction is then the same one, and waits again before it is
  // replaced.
  const replaced = async () => {
    await world.mine(30);
    return (await nonce()) > 4 ? null : next.log;
  };
  await waitUntil("it is replaced", replaced, { deadlineMs: 120_000, intervalMs: 3_000 });
  node.spoil(null);
  await world.settled(THIRD.nav, [next]);
  expect(await world.outcome()).toEqual(reference);
});

test("a stuck NAV that its source no longer vouches for is replaced by an empty transaction", async () => {
  const node = await faultyNode();
  const keeper = run({ rpcUrl: node.rpcUrl, rates: undefined });
  const pool = keepingPool();
  node.spoil(pool);
  await world.passDay(FIRST);
  await waitUntil("a transaction is stuck", async () => (pool.held === null ? keeper.log : null), {
    deadlineMs: 120_000,
  });
  writeFileSync(world.navFile, "withdrawn");
  await world.mine(30);
  await waitUntil("its nonce is used", async () => ((await nonce()) > 0 ? null : keeper.log), { deadlineMs: 120_000 });
  expect(await world.nav()).toBe("1.0523");
  // The stuck transaction can no longer be mined.
  const late = world.client.sendRawTransaction({ serializedTransaction: pool.held ?? "0x" });
  await expect(late).rejects.toThrow(/nonce too low/);
});

test("continues when a node that failed responds again", async () => {
  const node = await faultyNode();
  const webhook = opening(await startWebhook());
  const keeper = run({ rpcUrl: node.rpcUrl, alerts: { webhookUrl: webhook.url, graceSeconds: 1 } });
  await passAndSettle(FIRST, keeper);
  node.spoil(always("reset"));
  await world.passDay(SECOND);
  const told = await webhook.received("round");
  expect(told).not.toContain(node.rpcUrl);
  expect(told).toMatch(/the keeper cannot act: .*the node failed: it did not answer \(fetch failed/);
  node.spoil(always({ body: "<html>502 Bad Gateway</html>", contentType: "text/html" }));
  await keeper.rounds(2);
  node.spoil(null);
  await world.settled(SECOND.nav, [keeper]);
  await webhook.received("round", "resolved");
  await passAndSettle(THIRD, keeper);
  expect(await world.outcome()).toEqual(reference);
});

test("an invalid answer of a source is never posted, and a failing webhook does not delay the keeper", async () => {
  const webhook = opening(await startWebhook());
  webhook.refuse(2);
  let answer: { readonly status: number; readonly body: string; readonly location?: string } = {
    status: 500,
    body: "",
  };
  const server = createServer((_, response) => {
    response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  opening({ stop: () => new Promise((closed) => server.close(() => closed())) });
  const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/nav`;
  const good = await world.signedNav("1.0524");
  const now = await world.now();
  const { signature } = await world.signedNav("1.0524", now, WALLETS.outsider);
  const answers = [
    { status: 500, body: JSON.stringify(good) },
    { status: 302, body: "", location: `${source}/elsewhere` },
    ...[
      "",
      "<html></html>",
      "null",
      "[]",
      { nav: good.nav, asOf: good.asOf },
      { ...good, signature },
      { ...good, nav: "1.0525" },
      { ...good, nav: 1.0524 },
      { ...good, nav: "-1.0524" },
      { ...good, nav: "1e18" },
      { ...good, asOf: good.asOf + 1 },
      { ...good, also: "x".repeat(100_000) },
      await world.signedNav("0"),
      await world.signedNav("1.0545"),
      await world.signedNav("1.0524", now - 100_000n),
      await world.signedNav("1.0524", now + 100_000n),
    ].map((body) => ({ status: 200, body: typeof body === "string" ? body : JSON.stringify(body) })),
  ];
  const [nav] = world.config().navs;
  const keeper = run({ rates: undefined, navs: [{ ...nav, source }], alerts: { webhookUrl: webhook.url } });
  for (answer of answers) {
    await keeper.rounds(2);
    expect({ answer, nonce: await nonce() }).toEqual({ answer, nonce: 0 });
  }
  expect(await keeper.metric('coreswap_keeper_alerts{key="nav:TBILL"}')).toBe(1);
  expect(await webhook.received("nav:TBILL")).toContain("refused");
  expect(await keeper.metric("coreswap_keeper_webhook_failures_total")).toBe(2);
  expect(keeper.log).not.toContain("secret-key");
  // The deployment's NAV is younger than the minimum interval between posts.
  await world.passDay({ rateBps: null, nav: "1.0524" });
  answer = { status: 200, body: JSON.stringify(await world.signedNav("1.0524")) };
  await waitUntil("it is posted", async () => ((await world.nav()) === "1.0524" ? null : keeper.log), {
    deadlineMs: 120_000,
  });
  await webhook.received("nav:TBILL", "resolved");
});

test("full queues are accrued once a record can merge, and an insufficient reserve raises an alert", async () => {
  await world.fillQueue("client1", 16);
  expect(await world.withheldRecords("client1")).toBe(48);
  const webhook = opening(await startWebhook());
  const account = WALLETS.client1.address;
  const keeper = run({
    rates: undefined,
    navs: [],
    accounts: { everySeconds: 1 },
    minimums: [{ lp: "TRSY", asset: "USDX", amount: "1000000" }],
    alerts: { webhookUrl: webhook.url },
  });
  expect(await webhook.received(`queue:${account}`)).toContain("has 48 of 64 withheld records");
  expect(await webhook.received("minimum:TRSY:USDX")).toContain("3200 USDX");
  await keeper.rounds();
  expect(await nonce()).toBe(0);
  expect(webhook.messages.map(({ key }) => key)).not.toContain("solvency");

  const from = ["--from", WALLETS.usdcIssuerAdmin.address];
  const named = namedDays(await core(deployed, ["rate", "post", "4.5%", ...from]));
  const posted = await core(deployed, ["rate", "post", ...named, "--broadcast", "--unlocked", ...from]);
  expect(posted, posted.stderr).toMatchObject({ status: 0 });
  await waitUntil(
    "the queue is accrued",
    async () => ((await world.withheldRecords("client1")) < 48 ? null : keeper.log.slice(-2_000)),
    { deadlineMs: 120_000 },
  );
  expect(await webhook.received("solvency")).toMatch(/the reserve covers 99\.\d+% of what the credits are worth/);
  await webhook.received(`queue:${account}`, "resolved");
  await keeper.rounds();
  expect(await nonce()).toBe(1);
});

type SurveyOutcome = Awaited<ReturnType<AccountSurvey["at"]>>;

/** Repeats a survey until it has ended as wanted, because on a busy machine it takes longer than a call waits for it. */
async function surveyed(
  survey: AccountSurvey,
  block: Parameters<AccountSurvey["at"]>[0],
  wanted: "completed" | "failed" = "completed",
): Promise<SurveyOutcome> {
  let found: SurveyOutcome | undefined;
  const isWanted = (outcome: SurveyOutcome) => {
    if ("problem" in outcome) return wanted === "failed" && outcome.problem.includes("cannot be read");
    return wanted === "completed" && outcome.timestamp === block.timestamp && !outcome.isOutdated;
  };
  await waitUntil(
    `the survey has ${wanted}`,
    async () => {
      found = await survey.at(block);
      return isWanted(found) ? null : inspect(found);
    },
    { deadlineMs: 120_000 },
  );
  return found as SurveyOutcome;
}

test("an accrual stays wanted while the next survey runs or has failed, and needs no prices", async () => {
  await world.fillQueue("client1", 16);
  const from = ["--from", WALLETS.usdcIssuerAdmin.address];
  const named = namedDays(await core(deployed, ["rate", "post", "4.5%", ...from]));
  const posted = await core(deployed, ["rate", "post", ...named, "--broadcast", "--unlocked", ...from]);
  expect(posted, posted.stderr).toMatchObject({ status: 0 });
  const { deployment } = deployed;
  const node = await faultyNode();
  const client = createNodeClient(node.rpcUrl);
  const settings = { blocksPerRequest: 10_000, everySeconds: 1, minimumSolvency: 10n ** 18n };
  const survey = new AccountSurvey(client, deployment, settings);
  const delegate = deployment.treasuryStablecoin.delegate;
  const decision = (found: SurveyOutcome) => {
    const accounts = { delegate, survey: found, minimumSolvencyWad: 0n };
    return decide({ now: 0n, navs: [], rates: null, lps: [], minimums: [], accounts });
  };
  const coreSwap = deployment.coreSwap.slice(2).toLowerCase();
  node.spoil(async ({ params }, result) => {
    if (JSON.stringify(params).toLowerCase().includes(coreSwap)) return { status: 500, body: "" };
    return { result: await result() };
  });
  const accrual = { actions: [{ kind: "accrue" }], unjudged: [] };
  const block = await client.getBlock();
  expect(decision(await surveyed(survey, block))).toMatchObject({ ...accrual, alerts: [{ key: "solvency" }] });

  const held = Promise.withResolvers<void>();
  node.spoil(async ({ method }, result) => {
    if (method === "eth_getLogs") await held.promise;
    return { result: await result() };
  });
  const kept = { actions: [], unjudged: [{ kind: "accrue", to: delegate, doneAt: 0n }] };
  expect(decision(await survey.at(block))).toMatchObject(kept);
  held.resolve();
  expect(decision(await surveyed(survey, block))).toMatchObject(accrual);
  node.spoil(async () => "reset");
  await surveyed(survey, { ...block, timestamp: 0n }, "failed");
});

test("a survey of a paused delegate still has the solvency, and nothing that accrual would merge", async () => {
  await world.fillQueue("client1", 16);
  const from = ["--from", WALLETS.usdcIssuerAdmin.address];
  const named = namedDays(await core(deployed, ["rate", "post", "4.5%", ...from]));
  const posted = await core(deployed, ["rate", "post", ...named, "--broadcast", "--unlocked", ...from]);
  expect(posted, posted.stderr).toMatchObject({ status: 0 });
  const paused = await core(deployed, ["pause", "lp:TRSY", "--broadcast", "--unlocked", "--from", GUARDIAN]);
  expect(paused, paused.stderr).toMatchObject({ status: 0 });
  const client = createNodeClient(deployed.node.rpcUrl);
  const settings = { blocksPerRequest: 10_000, everySeconds: 1, minimumSolvency: 10n ** 18n };
  const survey = await new AccountSurvey(client, deployed.deployment, settings).at(await client.getBlock());
  expect(survey).toMatchObject({
    crowded: [{ account: WALLETS.client1.address, records: 48, mergeable: 0n }],
    solvency: { isSolvent: false, ratioWad: expect.any(BigInt) },
  });
});

test("the next survey finds the accounts of blocks that became final after the observed block", async () => {
  const client = createNodeClient(deployed.node.rpcUrl);
  const settings = { blocksPerRequest: 10_000, everySeconds: 1, minimumSolvency: 10n ** 18n };
  const survey = new AccountSurvey(client, deployed.deployment, settings);
  const observed = await client.getBlock();
  await world.fillQueue("client1", 16);
  // The block that anvil treats as final is 64 blocks old.
  await world.mine(100);
  expect(await surveyed(survey, observed)).toMatchObject({ crowded: [] });
  const account = WALLETS.client1.address;
  expect(await surveyed(survey, await client.getBlock())).toMatchObject({ crowded: [{ account, records: 48 }] });
});

test("a survey on a node that gives no old events is no survey of accounts without credits", async () => {
  const node = await faultyNode(async ({ method }, result) => ({
    result: method === "eth_getLogs" ? [] : await result(),
  }));
  const settings = { blocksPerRequest: 20, everySeconds: 1, minimumSolvency: 10n ** 18n };
  const client = createNodeClient(node.rpcUrl);
  const survey = new AccountSurvey(client, deployed.deployment, settings);
  const { delegate } = deployed.deployment.treasuryStablecoin;
  expect(await survey.at(await client.getBlock())).toMatchObject({
    problem: expect.stringContaining(`the node gives no events of ${delegate} since block`),
  });
  node.spoil(null);
  expect(await survey.at(await client.getBlock())).toMatchObject({ crowded: [] });
});

test("a survey that takes long does not delay a NAV, and one that failed continues where it ended", async () => {
  const node = await faultyNode();
  const client = createNodeClient(node.rpcUrl);
  await world.fillQueue("client1", 16);
  const settings = { blocksPerRequest: 20, everySeconds: 1, minimumSolvency: 10n ** 18n };
  const survey = new AccountSurvey(client, deployed.deployment, settings);
  await world.mine(100);
  const requested: string[] = [];
  let isBroken = true;
  let isSlow = false;
  node.spoil(async ({ method, params: [filter] }, result) => {
    if (method === "eth_getLogs") {
      requested.push((filter as { fromBlock: string }).fromBlock);
      if (isBroken && requested.length > 2) return "reset";
      if (isSlow) await pause(2_000);
    }
    return { result: await result() };
  });
  const block = await client.getBlock();
  await surveyed(survey, block, "failed");
  isBroken = false;
  const failedAt = requested.at(-1);
  requested.length = 0;
  const account = WALLETS.client1.address;
  expect(await surveyed(survey, block)).toMatchObject({ crowded: [{ account, records: 48 }] });
  expect(requested[0]).toBe(failedAt);

  isSlow = true;
  const keeper = run({ rpcUrl: node.rpcUrl, rates: undefined, accounts: { everySeconds: 1, blocksPerRequest: 5 } });
  await world.passDay(FIRST);
  await waitUntil("the NAV is posted", async () => ((await world.nav()) === FIRST.nav ? null : keeper.log), {
    deadlineMs: 120_000,
  });
  // The survey still runs.
  expect(BigInt(requested.at(-1) ?? 0)).toBeLessThan(block.number - 100n);
});

test("only one of two keepers acts, the other takes over if it is killed, and none acts without PostgreSQL", async () => {
  const postgres: PostgresServer = opening(await startPostgres());
  const databaseUrl = postgres.databaseUrl;
  const first = run({ databaseUrl }, "first");
  await first.logged("standing: leader");
  const second = run({ databaseUrl }, "second");
  await second.logged("standing: standby");
  await passAndSettle(FIRST, first, second);
  await first.end("SIGKILL");
  await world.passDay(SECOND);
  await second.logged("standing: leader");
  await world.settled(SECOND.nav, [second]);
  const third = run({ databaseUrl }, "third");
  await third.logged("standing: standby");

  await postgres.kill();
  await Promise.all([second.logged("standing: unknown"), third.logged("standing: unknown")]);
  await world.passDay(THIRD);
  await Promise.all([second.rounds(), third.rounds()]);
  expect(await nonce()).toBe(4);
  await postgres.start();
  await world.settled(THIRD.nav, [second, third]);
  await Promise.all([second.rounds(), third.rounds()]);
  const leaders = await Promise.all([second, third].map((keeper) => keeper.metric("coreswap_keeper_leader")));
  expect(leaders.toSorted()).toEqual([0, 1]);
  expect(await world.outcome()).toEqual(reference);
});

test("a leader whose node is gone steps down, tells so, and leads again only when it sees the chain", async () => {
  const postgres: PostgresServer = opening(await startPostgres());
  const webhook = opening(await startWebhook());
  const { databaseUrl } = postgres;
  const node = await faultyNode();
  const settings = {
    databaseUrl,
    alerts: { webhookUrl: webhook.url, graceSeconds: 1 },
    gas: { maxFeeGwei: "50", priorityFeeGwei: "1", replaceAfterSeconds: 20, minBalanceEth: "1000000" },
  };
  const first = run({ ...settings, rpcUrl: node.rpcUrl }, "first");
  await first.logged("standing: leader");
  const second = run({ databaseUrl }, "second");
  await second.logged("standing: standby");
  await passAndSettle(FIRST, first, second);
  node.spoil(always("reset"));
  await world.passDay(SECOND);
  await second.logged("standing: leader");
  await world.settled(SECOND.nav, [first, second]);
  expect(await first.metric("coreswap_keeper_leader")).toBe(0);
  await webhook.received("balance");
  await webhook.received("round");
  // Only the leader tells of everything else.
  expect(await first.metric('coreswap_keeper_alerts{key="round"}')).toBe(1);
  await expect(first.metric('coreswap_keeper_alerts{key="balance"}')).rejects.toThrow("there is no");
  await second.end("SIGKILL");
  await world.passDay(THIRD);
  await first.rounds();
  expect(await first.metric("coreswap_keeper_leader")).toBe(0);
  expect(await first.metric('coreswap_keeper_alerts{key="round"}')).toBe(1);
  node.spoil(null);
  await webhook.received("round", "resolved");
  await world.settled(THIRD.nav, [first]);
  expect(await first.metric("coreswap_keeper_leader")).toBe(1);
  expect(await world.outcome()).toEqual(reference);
});
