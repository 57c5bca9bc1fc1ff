/**
 * A JSON-RPC proxy that can hold back blocks, so that a backfill stops at a chosen block and can be examined or killed
 * there.
 */
import { text } from "node:stream/consumers";
import { postTo, type RpcRequest, type RpcServer, startRpcServer } from "../../support/rpcServer.ts";

/** Ponder treats this number of the newest blocks as not final, on both chains, and does not backfill them. */
export const FINALITY_BLOCKS = 65;

/**
 * Ponder fetches ranges of blocks, indexes each range when it is complete, and makes the next one at most half as long
 * again. A hold at or after this block leaves more than half of the earlier blocks indexed, however fast the ranges
 * grow.
 */
const EARLIEST_HOLD = 205;
const HELD_BLOCKS = 10;

export interface RpcGate extends RpcServer {
  /**
   * Holds requests for the last blocks that are final at the given head.
   * @throws Error when the chain is too short for a part of it to be indexed before the hold
   */
  holdBackfill(headBlock: number): void;
  release(): void;
  /** Starts or stops refusing every request. */
  refuse(isRefusing: boolean): void;
  /** Passes all requests on to another node from now on. Null goes back to the first one. */
  passTo(rpcUrl: string | null): void;
  /** Number of requests that are waiting. */
  waiting(): number;
}

export async function startRpcGate(targetUrl: string): Promise<RpcGate> {
  let held: { readonly from: number; readonly to: number } | null = null;
  let isRefusing = false;
  let otherUrl: string | null = null;
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of waiting) wake();
  };
  const isHeld = (block: number) => held !== null && block >= held.from && block <= held.to;

  const server = await startRpcServer(async (request, response) => {
    const body = await text(request);
    if (isRefusing) {
      response.writeHead(503).end();
      return;
    }
    const blocks = requestedBlocks(body);
    while (blocks.some(isHeld)) {
      const woken = Promise.withResolvers<void>();
      waiting.add(woken.resolve);
      request.socket.once("close", woken.resolve);
      await woken.promise;
      waiting.delete(woken.resolve);
      if (request.socket.destroyed) return;
    }
    const answer = await postTo(otherUrl ?? targetUrl, body);
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  });
  return {
    rpcUrl: server.rpcUrl,
    holdBackfill(headBlock) {
      const lastFinal = headBlock - FINALITY_BLOCKS;
      if (lastFinal - HELD_BLOCKS < EARLIEST_HOLD) throw new Error(`a chain of ${headBlock} blocks is too short`);
      // The last final block is fetched before the backfill begins, so it must not be held.
      held = { from: lastFinal - HELD_BLOCKS, to: lastFinal - 1 };
    },
    refuse(shouldRefuse) {
      isRefusing = shouldRefuse;
    },
    passTo(rpcUrl) {
      otherUrl = rpcUrl;
    },
    release() {
      held = null;
      wakeAll();
    },
    waiting: () => waiting.size,
    async stop() {
      held = null;
      wakeAll();
      await server.stop();
    },
  };
}

/** Numbers of the blocks that the call or batch requests by number. */
function requestedBlocks(body: string): number[] {
  const parsed = JSON.parse(body) as Partial<RpcRequest> | Partial<RpcRequest>[];
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap(({ method, params }) => {
    const [block] = params ?? [];
    return method === "eth_getBlockByNumber" && typeof block === "string" && block.startsWith("0x")
      ? [Number(block)]
      : [];
  });
}
