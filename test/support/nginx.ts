/** Runs the proxy of `ops/nginx` as shipped, except for its ports and the addresses of its replicas. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, HOST } from "../../localnet/ports.ts";
import { startProcess } from "../../localnet/processes.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { installedProgram } from "./installed.ts";

export interface RunningProxy {
  readonly port: number;
  readonly baseUrl: string;
  /** The folder to which it writes. */
  readonly folder: string;
  stop(): Promise<void>;
}

/**
 * Starts the proxy in front of two replicas, each given as `host:port`.
 * @param edit returns `nginx.conf` as an operator changed it
 */
export async function startProxy(
  replicas: readonly [string, string],
  edit: (shipped: string) => string = (shipped) => shipped,
): Promise<RunningProxy> {
  const directory = mkdtempSync(join(tmpdir(), "coreswap-proxy-"));
  const configuration = join(directory, "nginx");
  const cache = join(directory, "cache");
  mkdirSync(configuration);
  mkdirSync(cache, { mode: 0o777 });
  // nginx reads included files from the folder of its configuration file.
  writeFileSync(join(configuration, "nginx.conf"), edit(readFileSync("ops/nginx/nginx.conf", "utf8")));
  const port = await freePort();
  const [first, second] = replicas;
  const shipped = readFileSync("ops/nginx/upstream.conf", "utf8");
  const upstream = shipped.replace("127.0.0.1:42070", first).replace("127.0.0.1:42071", second);
  writeFileSync(join(configuration, "upstream.conf"), upstream);
  writeFileSync(join(configuration, "listen.conf"), `listen ${HOST}:${port};\n`);
  const server = await startProcess({
    name: "nginx",
    command: installedProgram("nginx"),
    args: ["-p", cache, "-c", join(configuration, "nginx.conf"), "-g", "daemon off; master_process off;"],
    logFile: join(directory, "nginx.log"),
  });
  const baseUrl = `http://${HOST}:${port}`;
  await waitUntil(
    "nginx answers",
    async () => {
      server.requireRunning();
      await fetch(`${baseUrl}/metrics`);
      return null;
    },
    { deadlineMs: 60_000 },
  );
  return {
    port,
    baseUrl,
    folder: cache,
    async stop() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
