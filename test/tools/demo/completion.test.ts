import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { waitUntilComplete } from "../../../localnet/demo/completion.ts";

const STALL_TIMEOUT_MS = 1_000;
const LAST_BLOCK = 12n;

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** An indexer as the API shows it: its progress at the time of a request. */
interface Progress {
  /** Newest block with a transaction. */
  readonly newest: number;
  readonly through: number | null;
  readonly observed: number | null;
  readonly missingPrices: readonly string[];
  readonly isReady: boolean;
}

const COMPLETE: Progress = { newest: 11, through: 5, observed: 11, missingPrices: [], isReady: true };

/**
 * Serves what the wait asks for, as `progress` says of each step. A step takes some milliseconds, and is not over before
 * the wait has asked again, so that it sees every one however rarely it runs.
 */
async function serve(progress: (step: number) => Progress, stepMs = 0): Promise<string> {
  let step = -1;
  let steppedAt = 0;
  server = createServer(({ url = "" }, response) => {
    if (url.startsWith("/v1/transactions") && performance.now() - steppedAt >= stepMs) {
      step += 1;
      steppedAt = performance.now();
    }
    const { newest, through, observed, missingPrices, isReady } = progress(step);
    const block = (number: number | null) => number?.toString() ?? null;
    const answers: Record<string, unknown> = {
      "/v1/transactions": {
        transactions: [{ transactionHash: `0x${newest}`, inclusion: { blockNumber: String(newest) } }],
        coverage: {
          historicalBackfill: { indexedThroughBlock: block(through) },
          lastMatchingStreamObservation: observed === null ? null : { blockNumber: block(observed) },
        },
      },
      "/v1/volume": { pricingComplete: missingPrices.length === 0, missingPriceAssetIds: missingPrices },
      "/ready": "",
    };
    const path = url.split("?", 1)[0] ?? "";
    response.statusCode = path === "/ready" && !isReady ? 503 : 200;
    response.end(JSON.stringify(answers[path]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function wait(baseUrl: string) {
  const said: string[] = [];
  const start = performance.now();
  await waitUntilComplete({
    baseUrl,
    histories: [{ network: "evm-mainnet", newestHash: "0x11", lastBlock: LAST_BLOCK }],
    stallTimeoutMs: STALL_TIMEOUT_MS,
    onProgress: (text) => said.push(text),
  });
  return { said, elapsedMs: performance.now() - start };
}

describe("waitUntilComplete", () => {
  it("waits while blocks advance, and reports the newest of how many", async () => {
    const baseUrl = await serve((step) => {
      const block = Math.min(11, step);
      const isFinal = block <= 5;
      return { ...COMPLETE, newest: block, through: isFinal ? block : 5, observed: isFinal ? null : block };
    }, 400);
    const { said, elapsedMs } = await wait(baseUrl);
    // Four times the period in which something must change.
    expect(elapsedMs).toBeGreaterThan(4_000);
    expect(said).toContain("evm-mainnet: block 3 of 12");
    expect(said).toContain("evm-mainnet: block 9 of 12");
  });

  it("continues with prices and the end of the backfill, which count as progress", async () => {
    const baseUrl = await serve(
      (step) => ({
        ...COMPLETE,
        missingPrices: ["A", "B", "C"].slice(step),
        isReady: step > 3,
      }),
      700,
    );
    const { said } = await wait(baseUrl);
    expect(said.at(0)).toBe("evm-mainnet: prices of A and B and C");
    expect(said.at(-1)).toBe("the end of the backfill");
  });

  it("fails once nothing changes, and says how far it came", async () => {
    const baseUrl = await serve(() => ({ ...COMPLETE, newest: 7 }));
    await expect(wait(baseUrl)).rejects.toThrow(
      "Nothing has changed for 1 s. Still missing: evm-mainnet: block 11 of 12",
    );
  });

  it("waits for an API that does not listen yet, but not forever", async () => {
    const baseUrl = await serve(() => COMPLETE);
    server.close();
    server.closeAllConnections();
    await expect(wait(baseUrl)).rejects.toThrow("an answer from the API");
  });
});
