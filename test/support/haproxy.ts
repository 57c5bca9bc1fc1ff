/** The balancer of `ops/haproxy`, run as it is shipped but for its port and the addresses of its replicas. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, HOST } from "../../localnet/ports.ts";
import { startProcess } from "../../localnet/processes.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { installedProgram } from "./installed.ts";

export interface RunningBalancer {
  readonly baseUrl: string;
  /** Whether it counts a replica among those with a current database, by the last change that it logged. */
  isCurrent(replica: 1 | 2): boolean;
  stop(): Promise<void>;
}

/** Starts the balancer before two replicas, each named as `host:port`, and waits until it passes requests on. */
export async function startBalancer(replicas: readonly [string, string]): Promise<RunningBalancer> {
  const directory = mkdtempSync(join(tmpdir(), "coreswap-balancer-"));
  const configuration = join(directory, "haproxy.cfg");
  const logFile = join(directory, "haproxy.log");
  const address = `${HOST}:${await freePort()}`;
  const shipped = readFileSync("ops/haproxy/haproxy.cfg", "utf8");
  const [first, second] = replicas;
  const placed = shipped
    .replace("127.0.0.1:42068", address)
    .replaceAll("127.0.0.1:42070", first)
    .replaceAll("127.0.0.1:42071", second);
  writeFileSync(configuration, placed);
  const server = await startProcess({
    name: "HAProxy",
    command: installedProgram("haproxy"),
    args: ["-db", "-f", configuration],
    logFile,
  });
  const baseUrl = `http://${address}`;
  await waitUntil(
    "HAProxy passes requests on",
    async () => {
      server.requireRunning();
      const { status } = await fetch(`${baseUrl}/`);
      return status === 200 ? null : `it answers ${status}`;
    },
    { deadlineMs: 60_000 },
  );
  return {
    baseUrl,
    isCurrent(replica) {
      const changes = new RegExp(`Server current/replica-${replica} is (UP|DOWN)`, "g");
      // It begins with all of them, and logs nothing about that.
      return [...readFileSync(logFile, "utf8").matchAll(changes)].at(-1)?.[1] !== "DOWN";
    },
    async stop() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
