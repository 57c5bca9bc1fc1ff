/** What is sent on a real anvil behind a node that loses answers, lags, or leaves out parts of them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Hash,
  type Hex,
  keccak256,
  parseEther,
  parseGwei,
  parseTransaction,
  type TransactionSerializedEIP1559,
  toHex,
} from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type ChainClient, createChainClient } from "../../localnet/chain.ts";
import { type ChainNode, startNode } from "../../localnet/nodes.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { createNodeClient, type NodeClient } from "../../packages/cli/src/chain/connect.ts";
import { Failure } from "../../packages/cli/src/failure.ts";
import type { Action, Alert, Unjudged } from "../../packages/cli/src/keeper/decide.ts";
import { Outbox } from "../../packages/cli/src/keeper/outbox.ts";
import { Journal } from "../../packages/cli/src/write/journal.ts";
import { findEarlier, replace, resume, type Sending, send } from "../../packages/cli/src/write/send.ts";
import type { Signer } from "../../packages/cli/src/write/signer.ts";
import { simulate } from "../../packages/cli/src/write/simulate.ts";
import { type Fault, type FaultyNode, type RawAnswer, startFaultyNode } from "../support/faultyNode.ts";

const CHAIN_ID = 31_337;
const account = WALLETS.client2;
const signer: Signer = {
  address: account.address,
  sign: (transaction) => account.signTransaction({ type: "eip1559", ...transaction }),
  signTypedData: (data) => account.signTypedData(data),
};
const [first, second] = [WALLETS.client3, WALLETS.client1].map(
  ({ address }, index): Action => ({
    kind: "nav",
    title: `call ${index}`,
    call: { to: address, data: `0x0${index}` },
  }),
) as [Action, Action];

let directory: string;
let chain: ChainNode;
let node: FaultyNode;
let client: NodeClient;
/** Asks the node itself. */
let chainClient: ChainClient;
let journal: Journal;
/** Transactions that the node got, the newest last. */
let received: Hex[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-outbox-"));
  process.env.XDG_STATE_HOME = directory;
  chain = await startNode({ chainId: CHAIN_ID, logFile: join(directory, "node.log") });
  node = await startFaultyNode(chain.rpcUrl);
  client = createNodeClient(node.rpcUrl);
  chainClient = createChainClient(chain.rpcUrl);
  journal = await Journal.open(client, account.address);
});

beforeEach(() => {
  received = [];
});

afterEach(() => {
  node.spoil(null);
  rmSync(journal.path, { force: true });
  vi.restoreAllMocks();
});

afterAll(async () => {
  await node?.stop();
  await chain?.stop();
  rmSync(directory, { recursive: true });
});

const sending = (changes: Partial<Sending> = {}): Sending => ({
  ...{ client, chainId: CHAIN_ID, signer, journal },
  ...{ waitSeconds: 30, maxFeePerGas: parseGwei("50") },
  ...changes,
});
const nextNonce = () => chainClient.getTransactionCount({ address: account.address });

function refusal(code: number, message: string): RawAnswer {
  return { body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } }) };
}

/** Changes how transactions are taken, and keeps them. Another node behind the same URL does not know them. */
function taking(answer: (taken: () => Promise<unknown>) => ReturnType<Fault>): Fault {
  return async ({ method, params: [signed] }, result) => {
    if (method === "eth_getTransactionByHash") return { result: null };
    if (method !== "eth_sendRawTransaction") return { result: await result() };
    received.push(signed as Hex);
    return answer(result);
  };
}

test("a transaction that arrived on a connection that broke is waited for, and not handed over again", async () => {
  node.spoil(
    taking(async (taken) => {
      if (received.length > 1) return refusal(-32_000, "nonce too low");
      await taken();
      return "reset";
    }),
  );
  expect(await send(sending(), first.call)).toMatchObject({ status: "success" });
  expect(received).toHaveLength(1);
  expect(journal.read()).toBeNull();
});

test.each([-32_603, -32_002])("a node that gives up waiting (%d) may have the transaction", async (code) => {
  node.spoil(
    taking(async (taken) => {
      await taken();
      return refusal(code, "request timed out");
    }),
  );
  expect(await send(sending(), first.call)).toMatchObject({ status: "success" });
});

test("a node whose answer is too long to be read may have the transaction", async () => {
  node.spoil(
    taking(async (taken) => {
      // A request without an answer is repeated, and the node has the transaction then.
      if (received.length === 1) await taken();
      return { body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: "x".repeat(11_000_000) }) };
    }),
  );
  expect(await send(sending(), first.call)).toMatchObject({ status: "success" });
});

test("a transaction counts as replaced only when the use of its nonce is final", async () => {
  const signed = await sign(first, await nextNonce());
  const { to, data } = first.call;
  const transaction = { hash: keccak256(signed), nonce: await nextNonce(), to, data, signed };
  await chainClient.sendRawTransaction({ serializedTransaction: signed });
  journal.write(transaction);
  node.spoil(async ({ method }, result) => ({
    result: method === "eth_getTransactionReceipt" ? null : await result(),
  }));
  await expect(findEarlier(sending())).rejects.toThrow(`no receipt of ${transaction.hash}`);
  expect(journal.read()).toEqual(transaction);
  node.spoil(null);
  expect(await findEarlier(sending())).toMatchObject({ sent: transaction, mined: { receipt: { status: "success" } } });

  journal.clear(transaction.hash);
  const replaced = { ...transaction, hash: keccak256("0x00") };
  journal.write(replaced);
  await expect(findEarlier(sending())).rejects.toThrow("Run the command again when the block is final");
  await chainClient.mine({ blocks: 100 });
  expect(await findEarlier(sending())).toBeNull();
  expect(journal.read()).toBeNull();
});

describe("a replacement", () => {
  beforeEach(() => chainClient.setAutomine(false));
  afterEach(async () => {
    await chainClient.mine({ blocks: 1 });
    await chainClient.setAutomine(true);
  });

  /** Sends the call without its being mined, and returns the transaction that the journal keeps. */
  async function stuck() {
    node.spoil(taking(async (taken) => ({ result: await taken() })));
    await expect(send(sending({ waitSeconds: 1 }), first.call)).rejects.toThrow("With --replace it raises the fee");
    const sent = journal.read();
    if (sent === null) throw new Error("the journal has no transaction");
    return sent;
  }

  test("has the same nonce and call and a higher fee, and is mined in place of the stuck transaction", async () => {
    const before = await nextNonce();
    const sent = await stuck();
    const again = replace(sending(), sent, first.call);
    await vi.waitUntil(() => received.length === 2, { timeout: 60_000 });
    const [old, raised] = received.map((signed) => parseTransaction(signed as TransactionSerializedEIP1559));
    expect(raised).toMatchObject({ nonce: old?.nonce, to: old?.to, data: old?.data, gas: old?.gas });
    for (const fee of ["maxFeePerGas", "maxPriorityFeePerGas"] as const) {
      expect(raised?.[fee]).toBeGreaterThanOrEqual(((old?.[fee] ?? 0n) * 5n) / 4n);
    }
    // Until one of them is mined, a further run knows both.
    expect(await findEarlier(sending())).toMatchObject({ sent: { replaces: [sent] }, mined: null });
    await chainClient.mine({ blocks: 1 });
    expect(await again).toMatchObject({ status: "success", transactionHash: keccak256(received[1] ?? "0x") });
    expect(await nextNonce()).toBe(before + 1);
    expect(journal.read()).toBeNull();
  });

  test("by another call takes the place of the stuck transaction", async () => {
    const before = await nextNonce();
    const sent = await stuck();
    const other = replace(sending(), sent, second.call);
    await vi.waitUntil(() => received.length === 2, { timeout: 60_000 });
    await chainClient.mine({ blocks: 1 });
    expect(await other).toMatchObject({ status: "success", to: lower(second) });
    expect(await nextNonce()).toBe(before + 1);
    expect(journal.read()).toBeNull();
  });

  test("by another call does not count the stuck transaction as its own", async () => {
    const sent = await stuck();
    node.spoil(losing);
    const lost = replace(sending({ waitSeconds: 1 }), sent, second.call);
    await expect(lost).rejects.toThrow("has no receipt after 1 s");
    await chainClient.mine({ blocks: 1 });
    const later = await findEarlier(sending());
    expect(later).toMatchObject({ sent: second.call, mined: { transaction: { hash: sent.hash, ...first.call } } });
    const replacement = later?.sent ?? sent;
    await expect(resume(sending(), replacement)).rejects.toThrow(
      `transaction ${sent.hash} of an earlier command was mined (success): ${first.call.data}. It has the nonce of ` +
        `${replacement.hash}, so nothing of this command was done. Run it again.`,
    );
    expect(journal.read()).toBeNull();
  });

  test("that comes too late finds the receipt of the transaction before it", async () => {
    const before = await nextNonce();
    const sent = await stuck();
    node.spoil(
      taking(async (taken) => {
        await chainClient.mine({ blocks: 1 });
        return { result: await taken() };
      }),
    );
    expect(await replace(sending(), sent, first.call)).toMatchObject({ status: "success", transactionHash: sent.hash });
    expect(await nextNonce()).toBe(before + 1);
    expect(journal.read()).toBeNull();
  });

  test("whose transaction before it is mined after the command has ended is not sent once more", async () => {
    const before = await nextNonce();
    const sent = await stuck();
    node.spoil(losing);
    await expect(replace(sending({ waitSeconds: 1 }), sent, first.call)).rejects.toThrow("has no receipt after 1 s");
    node.spoil(null);
    await chainClient.mine({ blocks: 100 });
    const mined = { transaction: sent, receipt: { status: "success", transactionHash: sent.hash } };
    expect(await findEarlier(sending())).toMatchObject({ mined });
    expect(await nextNonce()).toBe(before + 1);
  });

  test("is not sent if another command has replaced the transaction meanwhile", async () => {
    const sent = await stuck();
    const other = { ...sent, hash: keccak256("0x01"), replaces: [sent] };
    journal.replace(other);
    await expect(replace(sending(), sent, first.call)).rejects.toThrow(
      "another command of the same account is sending",
    );
    expect(received).toHaveLength(1);
    expect(journal.read()).toEqual(other);
  });

  test("is not sent above the limit of the fee", async () => {
    const sent = await stuck();
    const { maxFeePerGas = 0n } = parseTransaction(sent.signed as TransactionSerializedEIP1559);
    await expect(replace(sending({ maxFeePerGas }), sent, first.call)).rejects.toThrow(
      /^a replacement needs a fee of .+ it was not sent/,
    );
    expect(received).toHaveLength(1);
    expect(journal.read()).toEqual(sent);
  });
});

test("of two commands that send at the same time, one is refused before it sends", async () => {
  let estimates = 0;
  const before = await nextNonce();
  let oneIsRefused = () => {};
  const refusedOne = new Promise<void>((resolve) => {
    oneIsRefused = resolve;
  });
  const late = taking(async (taken) => {
    // Both would be here if none was refused.
    if (received.length > 1) oneIsRefused();
    await refusedOne;
    return { result: await taken() };
  });
  node.spoil(async (call, result) => {
    // Both have found no transaction of an earlier command by now.
    if (call.method === "eth_estimateGas") estimates++;
    while (call.method === "eth_estimateGas" && estimates < 2) await pause(50);
    return late(call, result);
  });
  const sends = [first, second].map(({ call }) => send(sending(), call));
  for (const each of sends) each.catch(oneIsRefused);
  const outcomes = await Promise.allSettled(sends);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  expect(String(refused?.reason)).toContain("another command of the same account is sending");
  expect(received).toHaveLength(1);
  expect(await nextNonce()).toBe(before + 1);
});

test("a node that asks for too high a fee gets no transaction", async () => {
  node.spoil(async (call, result) =>
    call.method === "eth_maxPriorityFeePerGas" ? { result: toHex(parseGwei("60")) } : losing(call, result),
  );
  await expect(send(sending(), first.call)).rejects.toThrow(/needs a fee of 6\d\.\d+ gwei, and --max-fee-gwei is 50/);
  expect(received).toEqual([]);
  expect(journal.read()).toBeNull();
});

test("transactions that another program sent are named, and nothing is sent behind them", async () => {
  const nonce = await nextNonce();
  const fee = { maxFeePerGas: parseGwei("20"), maxPriorityFeePerGas: 1n };
  await chainClient.setAutomine(false);
  try {
    const hashes: Hash[] = [];
    for (const [index, { call }] of [first, second].entries()) {
      const signed = await signer.sign({ chainId: CHAIN_ID, nonce: nonce + index, gas: 100_000n, ...call, ...fee });
      hashes.push(await chainClient.sendRawTransaction({ serializedTransaction: signed }));
    }
    const waiting = hashes.map((hash, index) => `nonce ${nonce + index} (${hash})`).join(", ");
    await expect(send(sending(), first.call)).rejects.toThrow(
      `${waiting}. Nothing more was sent. Run the command again`,
    );
    node.spoil(async ({ method, params: [block] }, result) =>
      method === "eth_getBlockByNumber" && block === "pending" ? refusal(-32_602, "no") : { result: await result() },
    );
    await expect(send(sending(), first.call)).rejects.toThrow(`: nonce ${nonce}, nonce ${nonce + 1}. Nothing more`);
    expect(journal.read()).toBeNull();
  } finally {
    await chainClient.mine({ blocks: 1 });
    await chainClient.setAutomine(true);
  }
  expect(await nextNonce()).toBe(nonce + 2);
});

test("the wait for a receipt ends, whatever the clock says", async () => {
  vi.spyOn(Date, "now").mockReturnValue(0);
  node.spoil(async ({ method }, result) => ({
    result: method === "eth_getTransactionReceipt" ? null : await result(),
  }));
  await expect(send(sending({ waitSeconds: 1 }), first.call)).rejects.toThrow("has no receipt after 1 s");
});

test("a simulation of which results are missing is none", async () => {
  node.spoil(async ({ method }, result) => {
    const answer = await result();
    return { result: method === "eth_simulateV1" ? [{ ...(answer as [object])[0], calls: [] }] : answer };
  });
  const simulation = simulate(client, account.address, [first.call], [], await client.getBlockNumber());
  await expect(simulation).rejects.toThrow("left out results");
});

function sign({ call: { to, data } }: Action, nonce: number): Promise<Hex> {
  const fees = { maxFeePerGas: parseGwei("10"), maxPriorityFeePerGas: parseGwei("1") };
  return signer.sign({ chainId: CHAIN_ID, nonce, to, data, gas: 30_000n, ...fees });
}

function outbox(requireLeader: () => Promise<void> = async () => {}) {
  const counts = new Map<string, number>();
  const box = new Outbox({
    ...{ client, chainId: CHAIN_ID, signer, requireLeader },
    gas: {
      ...{ maxFeeGwei: parseGwei("50"), priorityFeeGwei: parseGwei("1") },
      ...{ replaceAfterSeconds: 20, minBalanceEth: parseEther("1") },
    },
    log: () => {},
    count: (outcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1),
  });
  return {
    counts,
    async advance(
      actions: readonly Action[],
      now: bigint,
      alerts: Alert[] = [],
      baseFeeGwei = "1",
      unjudged: readonly Unjudged[] = [],
    ) {
      const nonce = await nextNonce();
      const baseFeePerGas = parseGwei(baseFeeGwei);
      const state = { nonce, pendingNonce: nonce, balance: parseEther("1"), baseFeePerGas };
      return box.advance({ actions, unjudged }, state, now, alerts);
    },
  };
}

const target = (signed: Hex | undefined) => parseTransaction(signed ?? "0x").to?.toLowerCase();
const lower = ({ call }: Action) => call.to.toLowerCase();

/** Takes transactions and loses them, as a pool does that never gets them mined. */
const losing = taking(async () => ({ result: keccak256(received.at(-1) ?? "0x") satisfies Hash }));

test("a keeper does not replace its transaction by an empty one because the node cannot estimate", async () => {
  const { advance } = outbox();
  node.spoil(losing);
  await advance([first], 100n);
  expect(target(received.at(-1))).toBe(lower(first));
  node.spoil(async (call, result) =>
    call.method === "eth_estimateGas" ? refusal(-32_005, "too many requests") : losing(call, result),
  );
  await expect(advance([first], 200n)).rejects.toThrow("too many requests");
  expect(received).toHaveLength(1);
  node.spoil(losing);
  await advance([first], 300n);
  expect(received.map(target)).toEqual([first, first].map(lower));
});

test("a keeper offers the same fees again after a node whose pool is full has refused them", async () => {
  const { advance } = outbox();
  node.spoil(taking(async () => refusal(-32_000, "transaction underpriced")));
  const alerts: Alert[] = [];
  for (let round = 0n; round < 30n; round++) await advance([first], 100n + round, alerts);
  expect(alerts).toHaveLength(30);
  expect(alerts[0]?.text).toContain("transaction underpriced");
  node.spoil(losing);
  await advance([first], 200n);
  const [offered, taken] = [received[0], received.at(-1)].map((signed) => parseTransaction(signed ?? "0x"));
  expect(received).toHaveLength(31);
  expect(taken?.maxFeePerGas).toBe(offered?.maxFeePerGas);
});

test("a keeper whose node shows old blocks says that the nonce is used", async () => {
  const { advance } = outbox();
  node.spoil(taking(async () => refusal(-32_000, "nonce too low: next nonce 7, tx nonce 0")));
  const alerts: Alert[] = [];
  await advance([first], 100n, alerts);
  expect(alerts).toMatchObject([{ key: "refused", text: expect.stringContaining("nonce too low"), isTransient: true }]);
});

test("a keeper replaces at once what is not wanted any more, and does not hand it over again", async () => {
  const { advance } = outbox();
  node.spoil(losing);
  await advance([first], 100n);
  await advance([second], 101n);
  await advance([], 102n);
  expect(received.map(target)).toEqual([lower(first), lower(second), account.address.toLowerCase()]);
  const fees = received.map((signed) => parseTransaction(signed).maxFeePerGas ?? 0n);
  expect(fees).toEqual(fees.toSorted((left, right) => Number(left - right)));
  // An empty transaction undoes nothing, so it has the usual time.
  await advance([first], 103n);
  expect(received.at(-1)).toBe(received.at(-2));
  await advance([first], 122n);
  expect(target(received.at(-1))).toBe(lower(first));
});

test("a keeper keeps its transaction while nobody can say whether it is still wanted", async () => {
  const { advance } = outbox();
  node.spoil(losing);
  await advance([first], 100n);
  const { to } = first.call;
  await advance([], 101n, [], "1", [{ kind: "nav", to, doneAt: 99n }]);
  await advance([], 200n, [], "1", [{ kind: "nav", to, doneAt: 99n }]);
  expect(new Set(received.map(target))).toEqual(new Set([lower(first)]));
  // Somebody else did it meanwhile, which this transaction would undo.
  await advance([], 201n, [], "1", [{ kind: "nav", to, doneAt: 200n }]);
  expect(target(received.at(-1))).toBe(account.address.toLowerCase());
});

test("a keeper withdraws its NAV once that is too old, although its source is silent", async () => {
  const { advance } = outbox();
  node.spoil(losing);
  const { to } = first.call;
  const silent: readonly Unjudged[] = [{ kind: "nav", to, doneAt: 99n }];
  await advance([{ ...first, validUntil: 150n }], 100n);
  await advance([], 150n, [], "1", silent);
  expect(received.map(target)).toEqual([first, first].map(lower));
  await advance([], 151n, [], "1", silent);
  expect(received.map(target).slice(2)).toEqual([account.address.toLowerCase()]);
});

test("a keeper replaces what is not wanted although nobody can judge other calls of that contract", async () => {
  const { advance } = outbox();
  node.spoil(losing);
  await advance([first], 100n);
  await advance([], 101n, [], "1", [{ kind: "accrue", to: first.call.to, doneAt: 0n }]);
  expect(target(received.at(-1))).toBe(account.address.toLowerCase());
});

test("a keeper whose unwanted transaction cannot be replaced within the cap at least does not spread it", async () => {
  const { advance } = outbox();
  node.spoil(losing);
  await advance([first], 100n, [], "24");
  const alerts: Alert[] = [];
  await advance([], 101n, alerts, "24");
  expect(received).toHaveLength(1);
  expect(alerts.map(({ key }) => key)).toEqual(["fee-cap"]);
});

test("a keeper does what it can of which the node can estimate", async () => {
  node.spoil(async (call, result) => {
    const [{ to }] = call.params as [{ to: string }];
    const isFirst = call.method === "eth_estimateGas" && to.toLowerCase() === lower(first);
    return isFirst ? refusal(-32_005, "too many requests") : losing(call, result);
  });
  await outbox().advance([first, second], 100n);
  expect(received.map(target)).toEqual([lower(second)]);
});

test("a keeper tells what would not succeed, although the node cannot estimate the rest", async () => {
  node.spoil(async (call, result) => {
    if (call.method !== "eth_estimateGas") return losing(call, result);
    const [{ to }] = call.params as [{ to: string }];
    return to.toLowerCase() === lower(first) ? { result: toHex(20_000_000) } : refusal(-32_005, "too many requests");
  });
  const alerts: Alert[] = [];
  await expect(outbox().advance([first, second], 100n, alerts)).rejects.toThrow("too many requests");
  expect(alerts).toEqual([
    { key: `action:nav:${first.call.to}`, text: expect.stringContaining("would use 26000000 gas"), isTransient: true },
  ]);
  expect(received).toEqual([]);
});

test("a keeper that no longer leads does not even hand over again what it sent", async () => {
  let leads = true;
  const { advance } = outbox(async () => {
    if (!leads) throw new Error("another keeper leads");
  });
  node.spoil(losing);
  await advance([first], 100n);
  await advance([first], 101n);
  expect(received).toHaveLength(2);
  leads = false;
  await expect(advance([first], 102n)).rejects.toThrow("another keeper leads");
  expect(received).toHaveLength(2);
});

test("the outcome of a transaction is not lost with the node's answer", async () => {
  const { advance, counts } = outbox();
  const nonce = await nextNonce();
  await advance([first], 100n);
  // The node answers before it has mined the transaction.
  await vi.waitUntil(async () => (await nextNonce()) > nonce, { timeout: 60_000 });
  node.spoil(async ({ method }, result) =>
    method === "eth_getTransactionReceipt" ? "reset" : { result: await result() },
  );
  await expect(advance([], 101n)).rejects.toThrow();
  expect(counts.get("mined")).toBeUndefined();
  node.spoil(null);
  await advance([], 102n);
  expect(counts.get("mined")).toBe(1);
});

test("a folder in which nothing can be written is refused in one line, and so is a journal that cannot be read", async () => {
  const taken = join(directory, "taken");
  writeFileSync(taken, "");
  process.env.XDG_STATE_HOME = taken;
  await expect(Journal.open(client, account.address)).rejects.toThrow(
    /^nothing was sent, because .+taken.coreswap cannot be written: .+; set XDG_STATE_HOME to a folder$/,
  );
  process.env.XDG_STATE_HOME = directory;
  writeFileSync(journal.path, "no JSON");
  expect(() => journal.read()).toThrow(Failure);
  expect(() => journal.read()).toThrow(/^cannot read .+\.json, which says what an earlier command sent: /);
});

test("a transaction that does not fit on the disk is refused before it is sent", () => {
  const transaction = { hash: "0x01", nonce: 0, to: account.address, data: "0x", signed: `0x${"00".repeat(10_000)}` };
  const program = `
    import { Journal } from ${JSON.stringify(resolve("packages/cli/src/write/journal.ts"))};
    const journal = await Journal.open({ getBlock: async () => ({ hash: "${transaction.signed}" }) }, "${account.address}");
    try {
      journal.write(${JSON.stringify(transaction)});
    } catch (error) {
      console.log(error.name, error.message, journal.read());
    }`;
  // The system takes the first part of a file that is too long, as it does on a disk that is nearly full.
  const command = ["-c", 'ulimit -f 8 && exec "$0" --input-type=module --eval "$1"', process.execPath, program];
  const output = execFileSync("sh", command, { encoding: "utf8", env: { XDG_STATE_HOME: directory } });
  expect(output).toMatch(
    /^Failure nothing was sent, because .* cannot be written: EFBIG: file too large, write; set XDG_STATE_HOME to a folder null\n$/,
  );
});
