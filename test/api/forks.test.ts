/** The watch for forks that are too deep for rows to be repaired, with a real node. */
import { Registry } from "prom-client";
import { createPublicClient, type Hash } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { rpcTransport } from "../../config/rpcTransport.ts";
import { scheduleForkWatch } from "../../src/api/forks/schedule.ts";
import { createForkWatch, type ForkWatch } from "../../src/api/forks/watch.ts";
import { requireSameChain } from "../../src/api/status/sameChain.ts";
import { createStatusTable, readStatusRows, writeStatusRow } from "../../src/api/status/table.ts";
import { type FaultyNode, noBlocks, startFaultyNode } from "../support/faultyNode.ts";
import { showIndex } from "./support/changes.ts";
import { openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { startAdapterNode } from "./support/node.ts";
import { addressOf, appOver, hashOf, insertHistory, insertStatus, LIVE, networkOf } from "./support/world.ts";

const HEAD = 180n;
const FINAL = 150;

let behind: FaultyNode;
let node: Awaited<ReturnType<typeof startAdapterNode>>;
let engine: TestEngine;
let watch: ForkWatch;

beforeAll(async () => {
  node = await startAdapterNode();
  behind = await startFaultyNode(node.rpcUrl, noBlocks);
  engine = await openEngine("forks_test");
  await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
  await node.client.mine({ blocks: Number(HEAD) });
});
afterAll(async () => {
  await engine.close();
  await behind.stop();
  await node.stop();
});
/** The first node has none of the blocks, as one that stopped long ago: the next one must answer every test. */
const clients = () => [behind.rpcUrl, node.rpcUrl].map((url) => createPublicClient({ transport: rpcTransport([url]) }));
beforeEach(() => {
  watch = createForkWatch({ database: engine.database, network: networkOf(engine, "mainnet"), nodes: clients() });
});
afterEach(async () => {
  await engine.execute(`TRUNCATE "${engine.schema}"._ponder_checkpoint`);
  for (const table of ["transaction", "transaction_by_hash", "transaction_by_filter"]) {
    await engine.execute(`TRUNCATE "${engine.schema}"."${table}"`);
  }
});

async function indexBlock(blockNumber: bigint) {
  const { hash, timestamp } = await node.client.getBlock({ blockNumber });
  await insertHistory(engine, 1, [
    {
      transactionHash: hashOf(`transaction of ${blockNumber}`),
      inclusion: {
        blockNumber: blockNumber.toString(),
        blockHash: hash,
        transactionIndex: "0",
        timestamp: timestamp.toString(),
      },
      sender: addressOf("sender"),
      recipient: addressOf("CoreSwap"),
      nonce: "1",
      value: "0",
      selector: null,
      receipt: { outcome: "success", gasUsed: "21000", effectiveGasPrice: "1" },
      directCall: null,
      activities: [],
    },
  ]);
  return hash;
}

let forks = 0;

/** Replaces the newest blocks with the same number of other blocks. */
async function fork(depth: number) {
  // Without another miner, a second fork can give the blocks of the first.
  forks += 1;
  await node.client.setCoinbase({ address: addressOf(`miner ${forks}`) });
  await node.client.request({ method: "anvil_reorg", params: [depth, []] } as never);
}

async function mineToHead() {
  const { number } = await node.client.getBlock();
  await node.client.mine({ blocks: Number(HEAD - number) });
}

describe("comparison", () => {
  it("waits for a final block with rows", async () => {
    expect(await watch.compare()).toBeNull();
    await indexBlock(160n);
    expect(await watch.compare()).toBeNull();
    await setCheckpoint(engine, "mainnet", FINAL);
    expect(await watch.compare()).toBeNull();
  });

  it("compares the newest final block, and ignores a fork of blocks that are not final", async () => {
    await setCheckpoint(engine, "mainnet", FINAL);
    for (const block of [120n, 149n, 151n]) await indexBlock(block);
    await fork(20);
    expect(await watch.compare()).toBeNull();
    expect(watch.current()).toBeNull();
  });

  it("finds a fork of final blocks, keeps it while the node lacks the block, and clears it when the rows are right", async () => {
    await setCheckpoint(engine, "mainnet", FINAL);
    const blockHash = await indexBlock(149n);
    await fork(40);
    const { hash: nodeBlockHash } = await node.client.getBlock({ blockNumber: 149n });
    expect(nodeBlockHash).not.toBe(blockHash);
    const found = { blockNumber: 149n, blockHash, nodeBlockHash };
    expect(await watch.compare()).toEqual(found);

    await node.client.request({ method: "anvil_rollback", params: [100] } as never);
    await expect(watch.compare()).rejects.toThrow(/could not be found/);
    expect(watch.current()).toEqual(found);

    await mineToHead();
    // The rows change as in an index that is built again in a new schema.
    const { hash: rebuilt } = await node.client.getBlock({ blockNumber: 149n });
    await engine.execute(`UPDATE "${engine.schema}".transaction SET block_hash = '${rebuilt}'`);
    expect(await watch.compare()).toBeNull();
  });

  it("forgets a fork of the index that another one has replaced, also while the node lacks the block", async () => {
    await setCheckpoint(engine, "mainnet", FINAL);
    await indexBlock(149n);
    await fork(40);
    expect(await watch.compare()).not.toBeNull();

    await showIndex(engine, engine.schema);
    await node.client.request({ method: "anvil_rollback", params: [100] } as never);
    await expect(watch.compare()).rejects.toThrow(/could not be found/);
    expect(watch.current()).toBeNull();
    await mineToHead();
  });
});

describe("reports", () => {
  const forked = { blockNumber: 149n, blockHash: hashOf("here"), nodeBlockHash: hashOf("there") };

  it("name the fork in both statuses for the network that has it", async () => {
    const text = `block 149 was indexed as ${forked.blockHash}, the node has ${forked.nodeBlockHash}`;
    const { app } = appOver(engine, { forkOf: ({ name }) => (name === "mainnet" ? forked : null) });
    for (const path of ["/v1/status", "/api/status"]) {
      const response = await app.request(path);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(`forked\nevm-mainnet on, forked: ${text}\nevm-sepolia on\n`);
    }
    const indexing = await app.request("/v1/status/indexing");
    expect(await indexing.json()).toMatchObject({
      networks: [
        { state: "forked", reason: text },
        { state: "live", reason: null },
      ],
    });
  });

  it("set the gauge and warn every minute while the fork lasts", async () => {
    vi.useFakeTimers();
    const registry = new Registry();
    const warnings: string[] = [];
    let found: typeof forked | null = null;
    const watched: ForkWatch = {
      network: networkOf(engine, "mainnet"),
      current: () => found,
      compare: async () => found,
    };
    const logWarning = (message: string) => warnings.push(message);
    // A reload of the API module starts the watch a second time.
    scheduleForkWatch([watched], { registry, logWarning });
    const schedule = scheduleForkWatch([watched], { registry, logWarning });
    const gauge = () => registry.metrics();
    await vi.advanceTimersByTimeAsync(0);
    expect(await gauge()).toContain('coreswap_deep_fork{chain="mainnet"} 0');
    found = forked;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await gauge()).toContain('coreswap_deep_fork{chain="mainnet"} 1');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(forked.nodeBlockHash);
    found = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await gauge()).toContain('coreswap_deep_fork{chain="mainnet"} 0');
    schedule.stop();
    vi.useRealTimers();
  });
});

describe("the start of an indexer", () => {
  const start = () =>
    requireSameChain({ database: engine.database, network: networkOf(engine, "mainnet"), nodes: clients() });
  const stateOf = async () => (await readStatusRows(engine.database, [networkOf(engine, "mainnet")]))[0]?.state;
  /** Records a block as an indexer does whose newest final block it is. */
  const confirm = async (number: bigint) => {
    const { hash } = await node.client.getBlock({ blockNumber: number });
    await insertStatus(engine, { mainnet: { ...LIVE, confirmed: { number: Number(number), hash } } });
    return hash;
  };
  beforeAll(async () => {
    await createStatusTable(engine.database);
    // The columns that are read, as Ponder creates them.
    await engine.execute(`CREATE SCHEMA IF NOT EXISTS ponder_sync;
      CREATE TABLE ponder_sync.blocks (chain_id bigint NOT NULL, number bigint NOT NULL, hash varchar(66) NOT NULL);
      CREATE TABLE ponder_sync.intervals (chain_id bigint NOT NULL, blocks nummultirange NOT NULL)`);
  });
  afterAll(async () => {
    await engine.execute("DROP TABLE ponder_sync.blocks, ponder_sync.intervals");
    await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
  });

  it("is refused when the node has another final block, although no block with rows was abandoned", async () => {
    await setCheckpoint(engine, "mainnet", FINAL);
    const hash = await confirm(145n);
    await start();
    await fork(20);
    await start();
    expect(await stateOf()).toBe("live");
    await fork(60);
    await expect(start()).rejects.toThrow(`mainnet: block 145 was indexed as ${hash}, the node has 0x`);
    expect(await stateOf()).toBe("forked");
    await confirm(145n);
    await start();
  });

  it("is allowed for a new index, whose schema had another one before", async () => {
    await confirm(145n);
    await fork(60);
    await start();
    await setCheckpoint(engine, "mainnet", FINAL);
    await expect(start()).rejects.toThrow("index into a new DATABASE_SCHEMA");
  });

  it("is refused on another chain than that of the raw data, also for a new index", async () => {
    await engine.execute(`DELETE FROM "${engine.schema}"._ponder_checkpoint`);
    const [{ hash }, { hash: stays }] = [
      await node.client.getBlock({ blockNumber: 145n }),
      await node.client.getBlock({ blockNumber: 20n }),
    ];
    await engine.execute(`INSERT INTO ponder_sync.blocks VALUES
      (1, 20, '${stays}'), (1, 145, '${hash}'), (11155111, 150, '${hash}')`);
    await start();
    await fork(60);
    await expect(start()).rejects.toThrow(`mainnet: block 145 was stored as ${hash}, the node has 0x`);
    await engine.execute("DELETE FROM ponder_sync.blocks WHERE number = 145");
    await start();
  });

  describe("over raw data without a stored block", () => {
    /** What Ponder has fetched of the chain, as it notes it: up to the given block. */
    const fetch = (last: number) =>
      engine.execute(`DELETE FROM ponder_sync.intervals;
        INSERT INTO ponder_sync.intervals VALUES (1, '{[0,${last + 1}]}'), (11155111, '{[0,1000]}')`);
    let abandoned: string;

    beforeEach(async () => {
      // Of an index in another schema, and of none in this one.
      ({ hash: abandoned } = await node.client.getBlock({ blockNumber: 145n }));
      const place = { schema: "abandoned", chainId: 1 };
      await engine.execute("DELETE FROM core_offchain.indexing_status WHERE chain_id = 1");
      await writeStatusRow(engine.database, place, { ...LIVE, confirmed: { number: 145, hash: abandoned as Hash } });
      await fetch(145);
    });
    afterEach(() => engine.execute("DELETE FROM ponder_sync.intervals"));

    it("of the same chain is allowed for a new index, and refused on another chain", async () => {
      await start();
      await fork(60);
      const refusal = `mainnet: block 145 was fetched as ${abandoned}, the node has 0x`;
      await expect(start()).rejects.toThrow(refusal);
      // An index that is not as far would also take it from there.
      await setCheckpoint(engine, "mainnet", FINAL);
      await confirm(100n);
      await expect(start()).rejects.toThrow(refusal);
    });

    it("is allowed when the raw data was emptied, although the record of the other chain stays", async () => {
      await fork(60);
      await engine.execute("DELETE FROM ponder_sync.intervals WHERE chain_id = 1");
      await start();
      // Stopped before and behind that block, with the last range recorded, but not written.
      for (const last of [100, 144]) {
        await fetch(last);
        await confirm(BigInt(last));
        await start();
      }
      await fetch(150);
      await confirm(170n);
      await start();
    });
  });
});
