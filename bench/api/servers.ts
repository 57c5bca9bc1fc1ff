/** The servers that are measured, each a process of its own. */
import { join } from "node:path";
import { freePort, HOST } from "../../localnet/ports.ts";
import { type ManagedProcess, startProcess } from "../../localnet/processes.ts";
import type { Statement } from "../../src/api/shared/database.ts";
import { waitUntil } from "../../test/e2e/harness/poll.ts";
import { CHAIN_ID, SCHEMA } from "./dataset.ts";
import { DIRECTORY } from "./stack.ts";

export interface Server {
  readonly baseUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const START_DEADLINE_MS = 60_000;

/**
 * `ponder serve`, with the paths of `selectOne.ts` beside the API's.
 * @param folder of another version of this project to run
 */
export async function startApi(
  databaseUrl: string,
  rpcUrl: string,
  deploymentsDirectory: string,
  folder = process.cwd(),
): Promise<Server> {
  const preload = new URL("./selectOne.ts", import.meta.url).href;
  return start({
    name: "ponder serve",
    cwd: folder,
    args: (port) => [
      ...["--import", preload, "tools/ponder.ts", "serve", "--hostname", HOST, "--port", String(port)],
      ...["--log-level", "warn"],
    ],
    env: {
      PONDER_NETWORKS: "",
      DATABASE_PRIVATE_URL: "",
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: SCHEMA,
      DEPLOYMENTS_DIR: deploymentsDirectory,
      PONDER_TELEMETRY_DISABLED: "1",
      RATE_LIMIT_PER_MINUTE: "0",
      [`PONDER_RPC_URL_${CHAIN_ID}`]: rpcUrl,
      PONDER_RPC_URL_11155111: "",
    },
    probe: "/ready",
  });
}

/** A bare route for each statement. */
export async function startBare(databaseUrl: string, statements: Readonly<Record<string, Statement>>): Promise<Server> {
  return start({
    name: "the bare server",
    args: () => ["bench/api/bareServer.ts"],
    env: { DATABASE_URL: databaseUrl, STATEMENTS: JSON.stringify(statements) },
    probe: Object.keys(statements)[0] ?? "/",
  });
}

interface StartOptions {
  readonly name: string;
  /** Default: this process's working directory. */
  readonly cwd?: string;
  readonly args: (port: number) => string[];
  readonly env: Readonly<Record<string, string>>;
  /** Path that answers 200 once the server is ready. */
  readonly probe: string;
}

async function start({ name, cwd, args, env, probe }: StartOptions): Promise<Server> {
  const port = await freePort();
  const baseUrl = `http://${HOST}:${port}`;
  const server: ManagedProcess = await startProcess({
    name,
    command: process.execPath,
    ...(cwd === undefined ? {} : { cwd }),
    args: args(port),
    env: { ...process.env, PORT: String(port), ...env },
    logFile: join(DIRECTORY, `${name.replaceAll(" ", "-")}.log`),
  });
  await waitUntil(
    `${name} answers`,
    async () => {
      server.requireRunning();
      const { status } = await fetch(baseUrl + probe);
      return status === 200 ? null : `${probe} is ${status}`;
    },
    { deadlineMs: START_DEADLINE_MS },
  );
  return { baseUrl, pid: server.pid, stop: () => server.stop() };
}
