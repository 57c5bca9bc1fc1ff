/** Runs a Prometheus server that watches processes of the product with the alert rules that operators receive. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, HOST } from "../../../localnet/ports.ts";
import { startProcess } from "../../../localnet/processes.ts";
import { prometheusProgram, RULES_FILES } from "../../support/prometheus.ts";
import { waitUntil } from "./poll.ts";

export interface PrometheusServer {
  /**
   * Counts the series that an expression returns now.
   * @throws Error with Prometheus's reason when it rejects the expression
   */
  count(expression: string): Promise<number>;
  /** Alerts whose condition holds, such as `CoreSwapStopped mainnet`. */
  alerts(): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * Starts a server on a free port of 127.0.0.1 that scrapes and evaluates every second.
 * @param targets URLs of indexers and replicas
 * @param directory folder for its configuration, data and log
 */
export async function startPrometheus(targets: readonly string[], directory: string): Promise<PrometheusServer> {
  const port = await freePort();
  const config = join(directory, "prometheus.json");
  writeFileSync(
    config,
    // JSON is valid YAML.
    JSON.stringify({
      global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
      rule_files: [RULES_FILES.indexer],
      scrape_configs: [
        {
          job_name: "coreswap",
          // Where pods are discovered, each target has its component.
          static_configs: [{ targets: targets.map((target) => new URL(target).host), labels: { component: "test" } }],
        },
      ],
    }),
  );
  const child = await startProcess({
    name: "Prometheus",
    command: prometheusProgram("prometheus"),
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(directory, "prometheus")}`,
      `--web.listen-address=${HOST}:${port}`,
    ],
    logFile: join(directory, "prometheus.log"),
  });

  async function ask<T>(path: string): Promise<T> {
    const response = await fetch(`http://${HOST}:${port}${path}`, { signal: AbortSignal.timeout(20_000) });
    const answer = (await response.json()) as { status: string; error?: string; data: T };
    if (answer.status !== "success") throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  }
  const query = (expression: string) =>
    ask<{ result: unknown[] }>(`/api/v1/query?${new URLSearchParams({ query: expression })}`);

  await waitUntil("Prometheus has scraped every target", async () => {
    child.requireRunning();
    // While it loads its rules and data, it answers questions with a text that says so.
    const ready = await fetch(`http://${HOST}:${port}/-/ready`, { signal: AbortSignal.timeout(20_000) });
    if (!ready.ok) return `it is not ready: ${(await ready.text()).trim()}`;
    const { result } = await query('up{job="coreswap"} == 1');
    return result.length === targets.length ? null : `${result.length} of ${targets.length} are up`;
  });
  return {
    count: async (expression) => (await query(expression)).result.length,
    async alerts() {
      const { alerts } = await ask<{ alerts: { labels: Record<string, string> }[] }>("/api/v1/alerts");
      return alerts.map(({ labels }) => `${labels.alertname} ${labels.chain ?? labels.path ?? labels.instance}`);
    },
    stop: () => child.stop(),
  };
}
