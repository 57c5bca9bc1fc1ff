/** The jobs of `ops/prometheus/kubernetes.yml`, on the pods of `ops/kubernetes`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { prometheusProgram, RULES_FILES } from "../support/prometheus.ts";

const deployment = z.looseObject({
  kind: z.literal("Deployment"),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    template: z.looseObject({
      metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({
        containers: z.array(z.looseObject({ ports: z.array(z.object({ name: z.string(), containerPort: z.int() })) })),
      }),
    }),
  }),
});

/** What a cluster would tell Prometheus of each port of each pod. */
const pods = readdirSync("ops/kubernetes")
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => readFileSync(join("ops/kubernetes", name), "utf8").split(/^---$/m))
  .flatMap((text) => {
    const { success, data } = deployment.safeParse(parseYaml(text));
    return success ? [data] : [];
  })
  .flatMap(({ metadata: { name }, spec: { template } }) =>
    template.spec.containers.flatMap(({ ports }) =>
      // An evicted pod stays listed as failed until somebody removes it.
      ports.flatMap((port) =>
        ["Running", "Failed", "Succeeded"].map((phase) => ({
          targets: [`pod:${port.containerPort}`],
          labels: {
            __meta_kubernetes_pod_name: phase === "Running" ? name : `${name}-${phase}`,
            __meta_kubernetes_pod_phase: phase,
            __meta_kubernetes_pod_container_port_name: port.name,
            ...Object.fromEntries(
              Object.entries(template.metadata.labels).map(([key, value]) => [
                `__meta_kubernetes_pod_label_${key}`,
                value,
              ]),
            ),
          },
        })),
      ),
    ),
  );

let directory: string;
let configuration: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-pods-"));
  configuration = join(directory, "prometheus.yml");
  // Debian's promtool does not know clusters.
  const shipped = readFileSync("ops/prometheus/kubernetes.yml", "utf8");
  const told = `static_configs: ${JSON.stringify(pods)}`;
  writeFileSync(configuration, shipped.replaceAll("kubernetes_sd_configs: [{ role: pod }]", told));
  for (const path of Object.values(RULES_FILES)) symlinkSync(path, join(directory, basename(path)));
});
afterAll(() => rmSync(directory, { recursive: true }));

const promtool = (...args: string[]) => execFileSync(prometheusProgram("promtool"), args, { encoding: "utf8" });

const found = z.array(z.object({ labels: z.record(z.string(), z.string()).nullish() }));

/** The labels of what a job scrapes. It drops what has none. */
function scrapedBy(job: string): Record<string, string>[] {
  const output = promtool("check", "service-discovery", "--timeout=5s", configuration, job);
  return found.parse(JSON.parse(output)).flatMap(({ labels }) => (labels?.instance === undefined ? [] : [labels]));
}

it("promtool accepts the file, but for the discovery of pods", () => {
  expect(promtool("check", "config", configuration)).toContain("2 rule files found");
});

it("each process is scraped by the job that the alerts select, and nothing else is, such as a pod that failed", () => {
  const processes = scrapedBy("coreswap").map(({ instance, __address__ }) => [instance, __address__]);
  expect(processes.sort()).toEqual([
    ["coreswap-api", "pod:42069"],
    ["coreswap-indexer-mainnet", "pod:42069"],
    ["coreswap-indexer-sepolia", "pod:42069"],
  ]);
  expect(scrapedBy("coreswap-keeper")).toMatchObject([
    { instance: "coreswap-keeper", __address__: "pod:42080", network: "mainnet" },
  ]);
});
