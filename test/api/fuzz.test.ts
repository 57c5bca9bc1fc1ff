/** Thousands of requests composed of valid and invalid pieces. Every answer must be one that the document allows. */
import { createPublicClient, custom } from "viem";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { Random } from "../../localnet/random.ts";
import { type HistoryTransaction, historyAnswer } from "../../src/api/transactions/schema.ts";
import { parseCsv } from "../support/csv.ts";
import { DocumentChecker, type OpenApi } from "../support/document.ts";
import { type FuzzRequest, fuzzRequest } from "../support/fuzz.ts";
import { openEngine, pricesOf, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { insertLegs, insertPricedAssets, LEGS, LP_1, LP_2, tbillPrice } from "./support/legs.ts";
import {
  addressOf,
  appOver,
  hashOf,
  insertHistory,
  insertStatus,
  LIVE,
  walletsOf,
  withStatusAge,
} from "./support/world.ts";

/** Fewer on PostgreSQL, and other ones, because most of what they test is the same on both. */
const [COUNT, OWN_SEED] = inject("testDatabase").kind === "postgres" ? [5_000, 2] : [20_000, 1];
const REQUEST_COUNT = Number(process.env.FUZZ_REQUESTS ?? COUNT);
const SEED = BigInt(process.env.FUZZ_SEED ?? OWN_SEED);
const HANG_MS = 60_000;

const HISTORY = { "evm-mainnet": madeHistory(30), "evm-sepolia": madeHistory(9, "sepolia ") };
const FINAL_BLOCKS = { "evm-mainnet": 105, "evm-sepolia": 101 };

/** A node that knows one block, which is enough for accounts without delegates. */
const node = createPublicClient({
  transport: custom({
    request: async () => ({ number: "0x69", hash: hashOf("block 105"), timestamp: "0x1", transactions: [] }),
  }),
});

let engine: TestEngine;
let api: ReturnType<typeof appOver>;
let checker: DocumentChecker;
beforeAll(async () => {
  engine = await openEngine("fuzz_test");
  await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
  await insertHistory(engine, 1, HISTORY["evm-mainnet"]);
  await insertHistory(engine, 11155111, HISTORY["evm-sepolia"]);
  await setCheckpoint(engine, "mainnet", FINAL_BLOCKS["evm-mainnet"]);
  await setCheckpoint(engine, "sepolia", FINAL_BLOCKS["evm-sepolia"]);
  await insertLegs(engine, LEGS);
  await insertPricedAssets(engine);
  await pricesOf(engine, tbillPrice);
  const empty = { program_id: "1".repeat(32), rwa_assets: [], stable_assets: [], lp_info: [] };
  api = appOver(engine, {
    database: withStatusAge(engine.database, () => 0),
    svm: { mainnet: empty, devnet: empty } as never,
    nodeOf: () => node,
  });
  checker = new DocumentChecker((await (await api.app.request("/openapi.json")).json()) as OpenApi);
});
afterAll(() => engine.close());

it(`${REQUEST_COUNT} requests neither fail nor hang, and each answer is the expected one`, async () => {
  const random = new Random(SEED);
  const answers = new Map<string, string>();
  const statuses = new Map<number, number>();
  const cursors: string[] = [];
  const more = {
    address: [...["alice", "bob", "carol"].map(addressOf), LP_1, LP_2],
    hash: HISTORY["evm-mainnet"].slice(0, 5).map(({ transactionHash }) => transactionHash),
    time: ["2027-01-15T07:43:20Z", "2027-01-15T08:00:00Z", "2026-12-31T00:00:00Z"],
    cursor: cursors,
  };
  for (let count = 0; count < REQUEST_COUNT; count += 1) {
    const request = fuzzRequest(random, more);
    const { status, body, text } = await send(request);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (request.expectedStatus !== null) expect(status, describeRequest(request)).toBe(request.expectedStatus);
    if (status !== 200 || request.method !== "GET" || request.meaning === null) continue;

    // The answer must not depend on the order, escapes and case of a request, or on earlier requests.
    const known = answers.get(request.meaning);
    if (request.expectedStatus === 200) {
      if (known !== undefined) expect(text, describeRequest(request)).toBe(known);
      answers.set(request.meaning, text);
    }
    if (request.endpoint?.path === "/v1/transactions") {
      const page = historyAnswer.parse(body);
      if (page.nextCursor !== null && cursors.length < 50) cursors.push(page.nextCursor);
      if (request.expectedStatus === 200) expectPage(page, request);
    }
    if (request.endpoint?.path === "/v1/transactions.csv" && request.expectedStatus === 200) expectFile(text, request);
  }
  expect(api.errors).toEqual([]);
  // Answers of all kinds occurred.
  for (const status of [200, 400, 404, 405]) expect(statuses.get(status) ?? 0).toBeGreaterThan(REQUEST_COUNT / 50);
  expect(answers.size).toBeGreaterThan(REQUEST_COUNT / 50);
  expect(cursors.length).toBeGreaterThan(0);
}, 600_000);

async function send(request: FuzzRequest) {
  const { method, path, headers } = request;
  const answered = (async () => {
    const response = await api.app.request(path, { method, headers });
    return { response, text: await response.text() };
  })();
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${describeRequest(request)} hangs`)), HANG_MS);
  });
  const { response, text } = await Promise.race([answered, hung]);
  clearTimeout(timer);
  const { status } = response;
  const body = checker.check({ method, path, status, contentType: response.headers.get("content-type"), text });
  return { status, body, text };
}

/** The transactions that satisfy the filters of a request, according to the definition of each filter. */
function matching({ parameters }: FuzzRequest): HistoryTransaction[] {
  const { network, wallet, outcome, activity, entrypoint, transactionHash } = parameters;
  return HISTORY[network as keyof typeof HISTORY].filter(
    (item) =>
      (wallet === undefined || walletsOf(item).includes(wallet)) &&
      (outcome === undefined || item.receipt.outcome === outcome) &&
      (activity === undefined || item.activities.some(({ type }) => type === activity)) &&
      (entrypoint === undefined || item.directCall?.entrypoint === entrypoint) &&
      (transactionHash === undefined || item.transactionHash === transactionHash),
  );
}

function expectPage(page: ReturnType<typeof historyAnswer.parse>, request: FuzzRequest) {
  const all = matching(request);
  const limit = Number(request.parameters.limit ?? 50);
  expect(page.network).toBe(request.parameters.network);
  expect(page.transactions, describeRequest(request)).toEqual(all.slice(0, limit));
  expect(page.nextCursor !== null).toBe(all.length > limit);
}

function expectFile(text: string, request: FuzzRequest) {
  const finalBlock = FINAL_BLOCKS[request.parameters.network as keyof typeof FINAL_BLOCKS];
  const isFinal = ({ inclusion }: HistoryTransaction) => Number(inclusion.blockNumber) <= finalBlock;
  const hashes = parseCsv(text).rows.map(({ transactionHash }) => transactionHash);
  expect([...new Set(hashes)], describeRequest(request)).toEqual(
    matching(request)
      .filter(isFinal)
      .map(({ transactionHash }) => transactionHash),
  );
}

function describeRequest({ method, path }: FuzzRequest): string {
  return `${method} ${path.slice(0, 500)} (seed ${SEED})`;
}
