/** A server of the API behind a TCP proxy, as clients meet it, and what their tests wait for. */
import { inspect } from "node:util";
import { waitUntil } from "../../e2e/harness/poll.ts";
import { startTcpProxy, type TcpProxy } from "../../support/tcpProxy.ts";
import { openEngine, type TestEngine } from "./engine.ts";
import { type ListeningApi, listen } from "./listening.ts";
import { streamsOf } from "./streams.ts";
import { appOver } from "./world.ts";

export interface ClientServer {
  readonly engine: TestEngine;
  readonly api: ListeningApi;
  readonly proxy: TcpProxy;
  readonly endStreams: () => void;
  readonly close: () => Promise<void>;
}

/** @param schema the schema of the index */
export async function startClientServer(schema: string): Promise<ClientServer> {
  const engine = await openEngine(schema);
  const events = streamsOf(engine);
  const api = await listen(appOver(engine, { events }));
  const proxy = await startTcpProxy(Number(new URL(api.baseUrl).port));
  const close = async () => {
    events.end();
    await proxy.stop();
    await api.close();
    await engine.close();
  };
  return { engine, api, proxy, endStreams: () => events.end(), close };
}

/** Runs with a server that has an index of its own. */
export async function withOtherServer(
  run: (other: TestEngine, app: ReturnType<typeof appOver>["app"]) => Promise<void>,
): Promise<void> {
  const other = await openEngine("client_other_test");
  try {
    await run(other, appOver(other).app);
  } finally {
    await other.close();
  }
}

/** Waits up to 90 seconds. @param found what the error shows */
export async function until(what: string, isReached: () => boolean, found: () => unknown): Promise<void> {
  await waitUntil(what, async () => (isReached() ? null : inspect(found()).slice(0, 500)), {
    deadlineMs: 90_000,
    intervalMs: 50,
  });
}
