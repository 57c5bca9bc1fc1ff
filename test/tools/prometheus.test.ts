/** Tests with `promtool` when the alert rules fire and when they stay silent, on the series of a small installation. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KeeperMetrics } from "../../packages/cli/src/keeper/metrics.ts";
import { INDEXING_STATES, type IndexingState } from "../../src/api/status/state.ts";
import { prometheusProgram, RULES_FILES, readAlertRules, selectorsOf } from "../support/prometheus.ts";
import { always, type Case, type Series } from "./support/alertCase.ts";
import { HEALTHY_KEEPERS, KEEPER_CASES } from "./support/keeperAlerts.ts";

const keeperRules = readAlertRules("keeper");
const rules = [...readAlertRules("indexer"), ...keeperRules];
const runbook = readFileSync("docs/operate/runbook.md", "utf8").split("\n");
const promtool = () => prometheusProgram("promtool");

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-prometheus-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const INDEXER = 'instance="indexer:42069",job="coreswap"';
const REPLICA = 'instance="replica:42070",job="coreswap"';
const DURATION = "ponder_http_server_request_duration_ms";
const requests = (status: string, path = "/v1/volume") =>
  `${DURATION}_count{method="GET",path="${path}",status="${status}",${REPLICA}}`;
const requestsUpTo = (milliseconds: string) =>
  `${DURATION}_bucket{le="${milliseconds}",method="GET",path="/v1/volume",status="2XX",${REPLICA}}`;

function inState(state: IndexingState, labels = REPLICA): Series {
  return Object.fromEntries(
    INDEXING_STATES.map((each) => [
      `coreswap_indexing_state{chain="mainnet",state="${each}",${labels}}`,
      always(each === state ? 1 : 0),
    ]),
  );
}

const HEALTHY: Series = Object.assign(
  {},
  ...[INDEXER, REPLICA].map((labels) => ({
    [`up{${labels}}`]: always(1),
    [`coreswap_start_time_seconds{${labels}}`]: always(1_000),
    ...inState("live", labels),
    [`coreswap_deep_fork{chain="mainnet",${labels}}`]: always(0),
    [`coreswap_head_age_seconds{chain="mainnet",${labels}}`]: always(12),
    [`coreswap_indexing_lag_seconds{chain="mainnet",${labels}}`]: always(14),
    [`coreswap_status_age_seconds{chain="mainnet",${labels}}`]: always(4),
    [`coreswap_price_age_seconds{chain="mainnet",${labels}}`]: always(86_400),
    [`coreswap_unpriced_rwas{chain="mainnet",${labels}}`]: always(0),
    [`coreswap_audit_age_seconds{chain="mainnet",${labels}}`]: always(60),
  })),
  {
    [requests("2XX")]: "0+100x720",
    [requestsUpTo("100")]: "0+96x720",
    [requestsUpTo("5000")]: "0+100x720",
    [requestsUpTo("+Inf")]: "0+100x720",
    // A balancer that sends requests to a replica which is not ready.
    [requests("5XX", "/ready")]: "0+1x720",
    [requests("5XX", "/v1/status/indexing")]: "0+1x720",
  } satisfies Series,
  HEALTHY_KEEPERS,
);

const chain = "mainnet";
const replica = { instance: "replica:42070", job: "coreswap" };
const age = (name: string, value: number, labels: readonly string[] = [INDEXER, REPLICA]): Series =>
  Object.fromEntries(labels.map((each) => [`coreswap_${name}_seconds{chain="mainnet",${each}}`, always(value)]));
const unpriced = (count: number): Series =>
  Object.fromEntries(
    [INDEXER, REPLICA].map((each) => [`coreswap_unpriced_rwas{chain="mainnet",${each}}`, always(count)]),
  );
/** A process whose start time changes at each of the given samples. */
const starts = (count: number): Series => ({
  [`coreswap_start_time_seconds{${REPLICA}}`]: Array.from({ length: 100 }, (_, index) =>
    Math.min(Math.floor(index / 10), count),
  ).join(" "),
});
const failing = (perStep: number): Series => ({ [requests("5XX")]: `0+${perStep}x720` });
const slow = (fast: number): Series => ({
  [requestsUpTo("100")]: `0+${fast}x720`,
  [requestsUpTo("1000")]: `0+${fast}x720`,
});

const API_POD = 'component="api",instance="pod",job="coreswap"';

const withoutSeriesOf = (label: string): Case["series"] =>
  Object.fromEntries(Object.keys(HEALTHY).flatMap((series) => (series.includes(label) ? [[series, null]] : [])));

/** By alert: cases in which it fires, and cases that are not sufficient. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  CoreSwapDown: [
    {
      series: { [`up{${REPLICA}}`]: always(0) },
      at: "1m",
      fires: { labels: replica, summary: "replica:42070 does not answer Prometheus" },
    },
    { series: { [`up{${REPLICA}}`]: always(0) }, at: "45s" },
  ],
  CoreSwapNotScraped: [
    {
      series: withoutSeriesOf('job="coreswap"'),
      at: "5m",
      fires: { labels: { job: "coreswap" }, summary: "Prometheus has no target in the job coreswap" },
    },
    { series: { [`up{${INDEXER}}`]: null }, at: "5m" },
  ],
  CoreSwapGone: [
    {
      series: { [`up{${API_POD}}`]: "1+0x4 stale" },
      at: "6m15s",
      fires: { labels: { component: "api" }, summary: "No target of the component api is left in the job coreswap" },
    },
    { series: { [`up{${API_POD}}`]: "1+0x4 stale" }, at: "6m" },
    {
      series: {
        [`up{${API_POD}}`]: always(1),
        [`coreswap_indexing_state{chain="mainnet",state="live",${API_POD}}`]: always(1),
      },
      at: "1h",
    },
  ],
  CoreSwapRestarting: [
    {
      series: starts(3),
      at: "10m",
      fires: { labels: replica, summary: "replica:42070 was restarted 3 times within 30 minutes" },
    },
    { series: starts(2), at: "10m" },
  ],
  CoreSwapNoState: [
    {
      series: Object.fromEntries(Object.keys(inState("live")).map((series) => [series, null])),
      at: "2m",
      fires: { labels: replica, summary: "replica:42070 cannot tell the state of any network" },
    },
    { series: Object.fromEntries(Object.keys(inState("live")).map((series) => [series, null])), at: "105s" },
  ],
  CoreSwapServerErrors: [
    {
      series: failing(2),
      at: "10m",
      fires: {
        labels: { instance: "replica:42070", path: "/v1/volume" },
        summary: "replica:42070 fails 1.961% of the requests for /v1/volume",
      },
    },
    { series: failing(1), at: "10m" },
    // One failed request among 20.
    { series: { [requests("2XX")]: "0+1x720", [requests("5XX")]: "0 0 1+0x718" }, at: "5m30s" },
  ],
  CoreSwapSlow: [
    {
      series: slow(94),
      at: "15m",
      fires: {
        labels: { instance: "replica:42070", path: "/v1/volume" },
        summary: "replica:42070 takes more than a second for one in 20 requests for /v1/volume",
      },
    },
    { series: slow(95), at: "15m" },
  ],
  CoreSwapDamaged: [
    {
      series: inState("damaged"),
      at: "0s",
      fires: {
        labels: { chain },
        summary: "mainnet: rows differ from the chain, or its nodes contradict themselves",
      },
    },
  ],
  CoreSwapForked: [
    {
      series: inState("forked"),
      at: "0s",
      fires: { labels: { chain }, summary: "mainnet: final rows are of a different chain than the node's" },
    },
    {
      series: { [`coreswap_deep_fork{chain="mainnet",${REPLICA}}`]: always(1) },
      at: "0s",
      fires: { labels: { chain }, summary: "mainnet: final rows are of a different chain than the node's" },
    },
  ],
  CoreSwapStopped: [
    {
      series: { ...inState("stopped"), ...inState("stopped", INDEXER), ...age("status_age", 21) },
      at: "1m",
      fires: { labels: { chain }, summary: "mainnet: no indexer is running" },
    },
    { series: { ...inState("stopped"), ...inState("stopped", INDEXER), ...age("status_age", 21) }, at: "45s" },
    // It never wrote a state.
    {
      series: { ...withoutSeriesOf("status_age"), ...inState("stopped"), ...inState("stopped", INDEXER) },
      at: "1m",
      fires: { labels: { chain }, summary: "mainnet: no indexer is running" },
    },
    // The replica keeps the last state that it read before its database was gone.
    {
      series: { ...inState("stopped", INDEXER), ...age("status_age", 75) },
      at: "1m",
      fires: { labels: { chain }, summary: "mainnet: no indexer is running" },
    },
  ],
  CoreSwapReplicaBehind: [
    {
      series: { ...inState("stopped"), ...age("status_age", 75, [REPLICA]) },
      at: "1m",
      fires: { labels: { chain, ...replica }, summary: "mainnet: the index that replica:42070 reads is 1m 15s old" },
    },
    { series: { ...inState("stopped"), ...age("status_age", 75, [REPLICA]) }, at: "45s" },
    { series: age("status_age", 20, [REPLICA]), at: "1h" },
  ],
  CoreSwapUnreachable: [
    {
      series: inState("unreachable"),
      at: "2m",
      fires: { labels: { chain }, summary: "mainnet: the indexer reaches no node" },
    },
    { series: inState("unreachable"), at: "105s" },
  ],
  CoreSwapStalled: [
    {
      series: inState("stalled"),
      at: "0s",
      fires: { labels: { chain }, summary: "mainnet: the head advances and nothing is indexed" },
    },
    { series: inState("live"), at: "1h" },
  ],
  CoreSwapBackfilling: [
    {
      series: { ...inState("backfill"), ...age("indexing_lag", 9_000_000, [REPLICA]) },
      at: "1h",
      fires: { labels: { chain }, summary: "mainnet: a part of the history has been missing for an hour" },
    },
    { series: { ...inState("backfill"), ...age("indexing_lag", 9_000_000, [REPLICA]) }, at: "59m" },
  ],
  CoreSwapLag: [
    {
      series: age("indexing_lag", 135, [REPLICA]),
      at: "2m",
      fires: {
        labels: { chain, ...replica },
        summary: "mainnet: the newest block on replica:42070 is 2m 15s old",
      },
    },
    { series: age("indexing_lag", 120, [REPLICA]), at: "1h" },
    { series: age("indexing_lag", 135, [REPLICA]), at: "105s" },
  ],
  CoreSwapHeadAge: [
    {
      series: age("head_age", 180),
      at: "2m",
      fires: { labels: { chain }, summary: "mainnet: the node's newest block is 3m 0s old" },
    },
    // This replica does not read newer states; the others have a newer block.
    { series: age("head_age", 180, [REPLICA]), at: "1h" },
    { series: age("head_age", 120), at: "1h" },
  ],
  CoreSwapPriceAge: [
    {
      series: age("price_age", 100_800),
      at: "10m",
      fires: { labels: { chain }, summary: "mainnet: the oldest price in use was read 1d 4h 0m 0s ago" },
    },
    { series: age("price_age", 93_600), at: "1h" },
  ],
  CoreSwapPriceMissing: [
    {
      series: unpriced(2),
      at: "2h",
      fires: { labels: { chain }, summary: "mainnet: RWAs whose price adapter cannot be read: 2" },
    },
    { series: unpriced(2), at: "119m" },
  ],
  CoreSwapAuditAge: [
    {
      series: age("audit_age", 960),
      at: "5m",
      fires: {
        labels: { chain },
        summary: "mainnet: the audit has made no progress, or a part of it has been waiting, for 16m 0s",
      },
    },
    { series: age("audit_age", 900), at: "1h" },
  ],
  CoreSwapAuditMissing: [
    {
      series: withoutSeriesOf("audit_age"),
      at: "15m",
      fires: { labels: { chain }, summary: "mainnet: the audit has never compared anything of this index" },
    },
    { series: withoutSeriesOf("audit_age"), at: "14m" },
    {
      series: { ...withoutSeriesOf("audit_age"), ...inState("backfill"), ...inState("backfill", INDEXER) },
      at: "30m",
    },
  ],
  ...KEEPER_CASES,
};

/** Returns a test for `promtool`, which also expects every other alert to be silent. */
function testOf(alert: string | null, { series, at, fires }: Case) {
  const present = Object.entries({ ...HEALTHY, ...series }).filter(([, values]) => values !== null);
  const annotations = rules.find((rule) => rule.alert === alert)?.annotations;
  return {
    interval: "15s",
    input_series: present.map(([name, values]) => ({ series: name, values })),
    alert_rule_test: rules.map((rule) => ({
      eval_time: at,
      alertname: rule.alert,
      exp_alerts:
        fires && rule.alert === alert
          ? [
              {
                exp_labels: { ...fires.labels, severity: rule.labels.severity },
                exp_annotations: { ...annotations, summary: fires.summary },
              },
            ]
          : [],
    })),
  };
}

/** `promtool` reads JSON, which is YAML. @returns what it printed about failures; empty when there are none */
function runTests(tests: readonly object[]): string {
  const file = join(directory, "tests.json");
  writeFileSync(file, JSON.stringify({ rule_files: Object.values(RULES_FILES), evaluation_interval: "15s", tests }));
  const { status, stdout, stderr } = spawnSync(promtool(), ["test", "rules", file], { encoding: "utf8" });
  return status === 0 ? "" : `exit code ${status}\n${stdout}${stderr}`;
}

it("promtool accepts the rules and the configuration that loads them", () => {
  const output = execFileSync(promtool(), ["check", "config", "ops/prometheus/prometheus.yml"], { encoding: "utf8" });
  expect(output).toContain(`${rules.length - keeperRules.length} rules found`);
  expect(output).toContain(`${keeperRules.length} rules found`);
});

it("each alert has a test case", () => {
  expect(Object.keys(CASES)).toEqual(rules.map(({ alert }) => alert));
});

it("the rules on keepers select nothing that a keeper does not show", async () => {
  const shown = await new KeeperMetrics().registry.getMetricsAsJSON();
  const names = ["up", ...shown.map(({ name }) => name)];
  const selected = keeperRules.flatMap(({ expr }) => selectorsOf(expr)).map((selector) => selector.replace(/{.*/, ""));
  expect(selected.filter((name) => !names.includes(name))).toEqual([]);
  expect(selected).toContain("coreswap_keeper_alerts");
});

it("no alert fires on a healthy installation", () => {
  expect(runTests(["0s", "15m", "2h"].map((at) => testOf(null, { series: {}, at })))).toBe("");
});

describe.each(Object.entries(CASES))("%s", (alert, cases) => {
  it("fires alone once its condition has held for its time, and not before", () => {
    expect(cases[0]?.fires).toBeDefined();
    expect(runTests(cases.map((each) => testOf(alert, each)))).toBe("");
  });

  it("has a severity, a summary of one line and an entry in the runbook", () => {
    const rule = rules.find((each) => each.alert === alert);
    expect(["critical", "warning"]).toContain(rule?.labels.severity);
    expect(rule?.annotations.summary).toMatch(/^\S.*$/);
    expect(rule?.annotations.runbook_url).toBe(`docs/operate/runbook.md#${alert.toLowerCase()}`);
    expect(runbook).toContain(`### ${alert}`);
  });
});

it("the selectors of an expression are distinguished from functions, keywords, labels and durations", () => {
  const expression =
    'sum by (chain, path) (rate(a_total{job="x",path!~"/b|c"}[5m])) / on (chain) group_left (d) max(e:f) > 26 * 3600 and up unless absent(g) or h offset 5m';
  expect(selectorsOf(expression)).toEqual(['a_total{job="x",path!~"/b|c"}', "e:f", "up", "g", "h"]);
});
