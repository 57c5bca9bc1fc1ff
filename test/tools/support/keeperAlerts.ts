/** A leading keeper and one that stands by, and when the alerts on them fire. */
import { always, type Case, type Series } from "./alertCase.ts";

const network = "mainnet";
const keeperLabels = (instance: string, of = network) => `instance="${instance}",job="coreswap-keeper",network="${of}"`;
const KEEPER_A = keeperLabels("a:42080");
const KEEPER_B = keeperLabels("b:42080");

export const HEALTHY_KEEPERS: Series = { ...keeperSeries("a:42080", 1), ...keeperSeries("b:42080", 0) };

const without = (isLeftOut: (series: string) => boolean): Case["series"] =>
  Object.fromEntries(Object.keys(HEALTHY_KEEPERS).flatMap((series) => (isLeftOut(series) ? [[series, null]] : [])));

const GONE = "No target of the network is left in the job coreswap-keeper";

/** The keeper of another network, and one of this network whose target comes and goes. */
const keeperOfSepoliaAnd = (up: string): Case["series"] => ({
  ...without(() => true),
  [`up{${keeperLabels("c:42080", "sepolia")}}`]: always(1),
  [`up{${KEEPER_A}}`]: up,
});

/** By alert: cases in which it fires, and cases that are not sufficient. */
export const KEEPER_CASES: Readonly<Record<string, readonly Case[]>> = {
  CoreSwapKeeperDown: [
    {
      series: { [`up{${KEEPER_B}}`]: always(0) },
      at: "1m",
      fires: {
        labels: { instance: "b:42080", job: "coreswap-keeper", network },
        summary: "b:42080 does not answer Prometheus",
      },
    },
    { series: { [`up{${KEEPER_B}}`]: always(0) }, at: "45s" },
  ],
  CoreSwapKeeperNotScraped: [
    {
      series: without(() => true),
      at: "5m",
      fires: {
        labels: { job: "coreswap-keeper" },
        summary: "Prometheus has no target in the job coreswap-keeper",
      },
    },
    { series: without((series) => series.includes(KEEPER_A)), at: "15s" },
  ],
  CoreSwapKeeperGone: [
    { series: keeperOfSepoliaAnd("1+0x4 stale"), at: "6m15s", fires: { labels: { network }, summary: GONE } },
    { series: keeperOfSepoliaAnd("1+0x4 stale"), at: "6m" },
    { series: keeperOfSepoliaAnd(always(1)), at: "1h" },
  ],
  CoreSwapKeeperBlind: [
    {
      series: { [`coreswap_keeper_round_age_seconds{${KEEPER_B}}`]: always(301) },
      at: "15s",
      fires: {
        labels: { instance: "b:42080", job: "coreswap-keeper", network },
        summary: "b:42080 last observed the chain 5m 1s ago",
      },
    },
    { series: { [`coreswap_keeper_round_age_seconds{${KEEPER_B}}`]: always(300) }, at: "1h" },
    // What it last saw is no alert: the other keeper sees that it has passed.
    {
      series: {
        [`coreswap_keeper_round_age_seconds{${KEEPER_B}}`]: always(40_000),
        [`coreswap_keeper_nav_age_seconds{rwa="TBILL",${KEEPER_B}}`]: always(95_000),
        [`coreswap_keeper_missing_rates{${KEEPER_B}}`]: always(2),
        [`coreswap_keeper_crowded_accounts{${KEEPER_B}}`]: always(3),
      },
      at: "3h",
      fires: {
        labels: { instance: "b:42080", job: "coreswap-keeper", network },
        summary: "b:42080 last observed the chain 11h 6m 40s ago",
      },
    },
  ],
  CoreSwapKeeperNodeBehind: [
    {
      // The clock of the tests starts at 0, and stands at ten minutes and a quarter of one.
      series: { [`coreswap_keeper_head_timestamp_seconds{${KEEPER_B}}`]: always(10) },
      at: "930s",
      fires: {
        labels: { instance: "b:42080", job: "coreswap-keeper", network },
        summary: "The newest block that the node of b:42080 shows is 15m 20s old",
      },
    },
    { series: { [`coreswap_keeper_head_timestamp_seconds{${KEEPER_B}}`]: "0+15x4000" }, at: "1h" },
    { series: { [`coreswap_keeper_head_timestamp_seconds{${KEEPER_B}}`]: always(0) }, at: "1h" },
  ],
  CoreSwapKeeperNoLeader: [
    {
      series: { [`coreswap_keeper_leader{${KEEPER_A}}`]: always(0) },
      at: "2m",
      fires: { labels: { network }, summary: "No keeper acts" },
    },
    { series: { [`coreswap_keeper_leader{${KEEPER_A}}`]: always(0) }, at: "105s" },
    {
      series: {
        [`coreswap_keeper_leader{${KEEPER_A}}`]: always(0),
        [`coreswap_keeper_leader{${KEEPER_B}}`]: always(1),
      },
      at: "1h",
    },
  ],
  CoreSwapKeeperTells: [
    {
      series: { [`coreswap_keeper_alerts{key="rate-late",${KEEPER_A}}`]: always(1) },
      at: "15s",
      fires: { labels: { network, key: "rate-late" }, summary: "The keeper raised its alert rate-late" },
    },
    { series: { [`coreswap_keeper_alerts{key="rate-late",${KEEPER_A}}`]: "1+0x4 _x400" }, at: "1h" },
  ],
  CoreSwapNavNearlyStale: [
    {
      series: navAge(95_000),
      at: "15s",
      fires: { labels: { network, rwa: "TBILL" }, summary: "The NAV of TBILL has reached 95% of its greatest age" },
    },
    { series: navAge(90_000), at: "1h" },
  ],
  CoreSwapRateMissing: [
    {
      series: { [`coreswap_keeper_missing_rates{${KEEPER_A}}`]: always(2) },
      at: "2h",
      fires: { labels: { network }, summary: "Finished days without a rate: 2" },
    },
    { series: { [`coreswap_keeper_missing_rates{${KEEPER_A}}`]: "2+0x470 0+0x100" }, at: "2h" },
  ],
  CoreSwapKeeperReverts: [
    {
      series: { [`coreswap_keeper_transactions_total{outcome="reverted",${KEEPER_A}}`]: "0+0x40 1+0x400" },
      at: "15m",
      fires: {
        labels: { network, instance: "a:42080", outcome: "reverted" },
        summary: "Within an hour, transactions of a:42080 were reverted",
      },
    },
    { series: { [`coreswap_keeper_transactions_total{outcome="mined",${KEEPER_A}}`]: "0+1x400" }, at: "1h" },
  ],
  CoreSwapAccountsCrowded: [
    {
      series: { [`coreswap_keeper_crowded_accounts{${KEEPER_B}}`]: always(3) },
      at: "2h",
      fires: { labels: { network }, summary: "3 accounts have 48 withheld records or more, of 64 that fit" },
    },
    { series: { [`coreswap_keeper_crowded_accounts{${KEEPER_B}}`]: always(3) }, at: "119m" },
  ],
  CoreSwapKeeperWebhookFails: [
    {
      series: { [`coreswap_keeper_webhook_failures_total{${KEEPER_A}}`]: "0+1x400" },
      at: "15m",
      fires: {
        labels: { network, instance: "a:42080" },
        summary: "The webhook of a:42080 rejects its messages",
      },
    },
    { series: { [`coreswap_keeper_webhook_failures_total{${KEEPER_A}}`]: "0+0x20 2+0x400" }, at: "15m" },
  ],
  CoreSwapKeeperWebhookRefuses: [
    {
      series: { [`coreswap_keeper_webhook_refusals_total{${KEEPER_A}}`]: "0+0x20 1+0x400" },
      at: "15m",
      fires: {
        labels: { network, instance: "a:42080" },
        summary: "The webhook of a:42080 refused messages, which are not sent again",
      },
    },
    { series: { [`coreswap_keeper_webhook_refusals_total{${KEEPER_A}}`]: always(3) }, at: "1h" },
  ],
};

function navAge(seconds: number): Series {
  return { [`coreswap_keeper_nav_age_seconds{rwa="TBILL",${KEEPER_A}}`]: always(seconds) };
}

/** A keeper that stands by observes as the leader does. */
function keeperSeries(instance: string, leader: 0 | 1): Series {
  const labels = keeperLabels(instance);
  const of = (name: string, value: number, more = "") => ({
    [`coreswap_keeper_${name}{${more}${labels}}`]: always(value),
  });
  return {
    [`up{${labels}}`]: always(1),
    ...of("leader", leader),
    ...of("round_age_seconds", 12),
    ...of("nav_age_seconds", 40_000, 'rwa="TBILL",'),
    ...of("nav_max_age_seconds", 100_000, 'rwa="TBILL",'),
    ...of("nav_age_seconds", 900_000, 'rwa="GOLD",'),
    ...of("nav_max_age_seconds", 0, 'rwa="GOLD",'),
    ...of("missing_rates", 0),
    ...of("crowded_accounts", 0),
    ...of("transactions_total", 7, 'outcome="mined",'),
    ...of("transactions_total", 0, 'outcome="reverted",'),
    ...of("webhook_failures_total", 0),
  };
}
