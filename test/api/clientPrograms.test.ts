/** The programs that keep a copy of the history with `@coreswap/client`, while the history changes and servers fail. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { HistoryTransaction } from "../../src/api/transactions/schema.ts";
import { add, inBlocks, onFork, rollBack, rollBackSql, showIndex } from "./support/changes.ts";
import { type ClientServer, startClientServer, until, withOtherServer } from "./support/clientServer.ts";
import { setCheckpoint, type TestEngine } from "./support/engine.ts";
import { listen } from "./support/listening.ts";
import { streamsOf } from "./support/streams.ts";
import { appOver } from "./support/world.ts";

vi.setConfig({ testTimeout: 360_000 });

const network = "evm-mainnet";

let server: ClientServer;
let engine: TestEngine;

beforeEach(async () => {
  server = await startClientServer("client_programs_test");
  engine = server.engine;
});

afterEach(() => server.close());

/** Runs a program while `run` waits for what it has printed. */
async function withProgram(
  words: readonly string[],
  run: (printed: { readonly output: string; readonly errors: string }) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, words);
  const ended = once(child, "close");
  const printed = { output: "", errors: "" };
  child.stdout.on("data", (chunk) => {
    printed.output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    printed.errors += chunk;
  });
  try {
    await run(printed);
  } finally {
    child.kill();
    await ended;
  }
}

/** Runs the Node.js example while `run` waits for what it prints. */
function withExample(
  baseUrl: string,
  run: (untilPrinted: (lines: readonly string[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  return withProgram(["examples/node/swapFeed.ts", baseUrl, network], (printed) =>
    run((lines) =>
      until(
        "the lines of the example",
        () => printed.output === lines.map((line) => `${line}\n`).join(""),
        () => [printed, lines],
      ),
    ),
  );
}

/** The lines of the example about transactions. */
const linesOf = (sign: "+" | "-", transactions: readonly HistoryTransaction[]) =>
  transactions.flatMap(({ transactionHash, inclusion, activities }) => {
    const legs = activities.filter(({ type }) => type === "swap").length;
    if (legs === 0) return [];
    const line = `${sign} ${transactionHash} block ${inclusion.blockNumber}`;
    return [sign === "+" ? `${line} legs ${legs}` : line];
  });

it("lets the Node.js example undo what a reorganization removed", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 112));
  await withExample(`http://127.0.0.1:${server.proxy.port}`, async (untilPrinted) => {
    // The newest 20 transactions, and the third one of the oldest block.
    await untilPrinted(linesOf("+", inBlocks(106, 112)));
    // With these, it has an ID from the stream, which names the first block that is not final.
    await add(engine, inBlocks(113, 115));
    const first = linesOf("+", inBlocks(106, 115));
    await untilPrinted(first);
    server.proxy.refuse();
    await rollBack(engine, 114);
    const replaced = onFork(inBlocks(114, 117)).slice(1);
    await add(engine, replaced);
    server.proxy.resume();
    await untilPrinted([...first, ...linesOf("-", inBlocks(114, 115)), ...linesOf("+", replaced)]);
  });
});

it("lets the Node.js example print no older swap when another index takes the place of the one before", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 114));
  await withExample(server.api.baseUrl, async (untilPrinted) => {
    await untilPrinted(linesOf("+", inBlocks(108, 114)));
    await add(engine, inBlocks(115, 115));
    await untilPrinted(linesOf("+", inBlocks(108, 115)));
    // The new index also corrects a block.
    await showIndex(engine, "another", rollBackSql(engine, 115));
    const corrected = onFork(inBlocks(115, 115));
    await add(engine, corrected);
    await untilPrinted([
      ...linesOf("+", inBlocks(108, 115)),
      ...linesOf("-", inBlocks(115, 115)),
      ...linesOf("+", corrected),
    ]);
  });
});

it("lets the Node.js example undo what was removed also if a server that did not notice is asked first", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 112));
  await withOtherServer(async (other, otherApp) => {
    await setCheckpoint(other, "mainnet", 105);
    await add(other, inBlocks(100, 114));
    let sentThere = 0;
    const events = streamsOf(engine);
    const { app } = appOver(engine, { events });
    let isReset = false;
    const both = await listen({
      app: {
        fetch: (request, ...rest) => {
          if (!isReset || sentThere === 1 || !request.url.includes("/v1/transactions"))
            return app.fetch(request, ...rest);
          sentThere += 1;
          return otherApp.fetch(request, ...rest);
        },
      },
    });
    try {
      await withExample(both.baseUrl, async (untilPrinted) => {
        const first = linesOf("+", inBlocks(106, 112));
        await untilPrinted(first);
        isReset = true;
        await rollBack(engine, 111);
        const replaced = onFork(inBlocks(111, 113)).slice(1);
        await add(engine, replaced);
        await untilPrinted([...first, ...linesOf("-", inBlocks(111, 112)), ...linesOf("+", replaced)]);
        expect(sentThere).toBe(1);
      });
    } finally {
      events.end();
      await both.close();
    }
  });
});

it("lets the Node.js example print the first transaction of a history, just after it read that it is empty", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  const { app } = appOver(engine);
  let requests = 0;
  const changing = await listen({
    app: {
      fetch: async (...request) => {
        requests += 1;
        if (requests === 2) await add(engine, inBlocks(107, 107));
        return app.fetch(...request);
      },
    },
  });
  try {
    await withExample(changing.baseUrl, async (untilPrinted) => {
      await untilPrinted(linesOf("+", inBlocks(107, 107)));
      await add(engine, inBlocks(108, 108));
      await untilPrinted(linesOf("+", inBlocks(107, 108)));
    });
  } finally {
    await changing.close();
  }
});

/** Serves the API of the engine, apart from the readings of its history that `answer` answers. */
async function listenAround(answer: (reading: number) => Promise<Response | null>) {
  const events = streamsOf(engine);
  const { app } = appOver(engine, { events });
  let readings = 0;
  const around = await listen({
    app: {
      fetch: async (request, ...rest) => {
        // And not the request for the newest transaction, with which following begins.
        const isReading = request.url.includes("/v1/transactions?") && !/[?&]limit=1(&|$)/.test(request.url);
        if (isReading) readings += 1;
        return (isReading && (await answer(readings))) || app.fetch(request, ...rest);
      },
    },
  });
  return {
    baseUrl: around.baseUrl,
    close: async () => {
      events.end();
      await around.close();
    },
  };
}

it("lets the Node.js example go on after a failed reading, and after a reorganization during another one", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 112));
  const replaced = onFork(inBlocks(111, 113), "f1").slice(1);
  const again = onFork(inBlocks(110, 114), "f2").slice(2);
  let isReset = false;
  const failing = await listenAround(async (reading) => {
    if (reading === 1) return new Response("Bad Gateway", { status: 502 });
    if (!isReset) return null;
    isReset = false;
    // The transaction of the position is not in the history any more when it is read.
    await rollBack(engine, 110);
    await add(engine, again);
    return null;
  });
  try {
    await withExample(failing.baseUrl, async (untilPrinted) => {
      const first = linesOf("+", inBlocks(106, 112));
      await untilPrinted(first);
      isReset = true;
      await rollBack(engine, 111);
      await add(engine, replaced);
      await untilPrinted([...first, ...linesOf("-", inBlocks(110, 112)), ...linesOf("+", again)]);
      await add(engine, inBlocks(115, 115));
      await untilPrinted([
        ...first,
        ...linesOf("-", inBlocks(110, 112)),
        ...linesOf("+", [...again, ...inBlocks(115, 115)]),
      ]);
    });
  } finally {
    await failing.close();
  }
});

it("lets the Node.js example forget what it printed of blocks that are final", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 112));
  const inBlock = (transactions: readonly HistoryTransaction[], blockNumber: string) =>
    transactions.map((each) => ({ ...each, inclusion: { ...each.inclusion, blockNumber } }));
  const later = inBlock(inBlocks(113, 113), "1112");
  await withExample(server.api.baseUrl, async (untilPrinted) => {
    await untilPrinted(linesOf("+", inBlocks(106, 112)));
    await add(engine, later);
    await untilPrinted(linesOf("+", [...inBlocks(106, 112), ...later]));
    // Of the blocks that another index corrects, it still has the last one only.
    await showIndex(engine, "another", rollBackSql(engine, 111));
    const corrected = [...onFork(inBlocks(111, 112)), ...later];
    await add(engine, corrected);
    await untilPrinted([
      ...linesOf("+", [...inBlocks(106, 112), ...later]),
      ...linesOf("-", inBlocks(112, 112)),
      ...linesOf("+", onFork(inBlocks(112, 112))),
    ]);
  });
});

it("lets the program of the package's README go on after a failed reading", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 112));
  // The first reading is that of the filtered history.
  const failing = await listenAround(async (reading) =>
    reading === 2 ? new Response("Bad Gateway", { status: 502 }) : null,
  );
  mkdirSync(".demo", { recursive: true });
  // Inside the checkout, where the program finds the package.
  const directory = mkdtempSync(".demo/clientReadme-");
  try {
    const text = readFileSync("packages/client/README.md", "utf8");
    const code = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block).join("\n");
    const program = join(directory, "program.ts");
    // A busy machine needs longer than a reader does.
    expect(code).toContain("AbortSignal.timeout(3_000)");
    writeFileSync(program, code.replaceAll("http://127.0.0.1:42069", failing.baseUrl).replace("3_000", "90_000"));
    await withProgram([program], async (printed) => {
      const line = `replace block 0n and later by ${inBlocks(100, 112).length} transactions\n`;
      await until(
        "the copy of the README's program",
        () => printed.output.includes(line),
        () => printed,
      );
      expect(printed.errors).toContain("502: Bad Gateway");
    });
  } finally {
    rmSync(directory, { recursive: true });
    await failing.close();
  }
});
