/** Tables of the results, and the bars for them. */
import { CONTENDERS, type Contender, type GrowthPoint, type MeasuredRun, type Results } from "./bench.ts";
import { spreadOf } from "./statistics.ts";

/** Ratios of medians, and the limit on that of the CPU time. The wall time of a shared machine says little. */
const RATIOS = [
  { name: "cold, over bare Ponder", above: "coreSwap", below: "bare", cpuAtMost: 1.3 },
  { name: "cold, over Subsquid", above: "coreSwap", below: "subsquid", cpuAtMost: 2.2 },
  { name: "warm, over Subsquid cold", above: "coreSwapWarm", below: "subsquid", cpuAtMost: 1.2 },
] as const;

/** Limits on bytes, and on a ratio of slopes. */
const BARS = {
  peakRssBytes: 1.5e9,
  slopeGrowth: 1.2,
} as const;

interface Bar {
  readonly name: string;
  readonly measured: number;
  readonly atMost: number;
  readonly met: boolean;
}

export function printReport(results: Results): void {
  const { history, runs, growth, compared, emptyBlocks } = results;
  if (history === null) throw new Error("nothing was measured");
  console.log(
    `\nHistory: ${history.lastBlock - history.startBlock + 1} blocks, ${history.batches} batches of ten legs, ` +
      `${history.legs} legs, ${history.reverted} reverted calls, ${history.allowlistChanges} allowlist changes\n`,
  );
  console.log("| contender | median s | min | max | runs | CPU s (median) | PostgreSQL CPU s | peak RSS MB |");
  console.log("|---|---|---|---|---|---|---|---|");
  for (const [key, name] of Object.entries(CONTENDERS) as [Contender, string][]) {
    const of = runs[key] ?? [];
    if (of.length === 0) continue;
    const wall = spreadOf(of.map(({ seconds }) => seconds));
    const cpu = spreadOf(of.map(({ cpuSeconds }) => cpuSeconds));
    const databaseCpu = spreadOf(of.map(({ databaseCpuSeconds }) => databaseCpuSeconds)).median;
    const rss = Math.max(...of.map(({ peakRssBytes }) => peakRssBytes));
    const figures = [wall.median, wall.min, wall.max].map((value) => value.toFixed(2));
    console.log(
      `| ${[name, ...figures, wall.runs, cpu.median.toFixed(2), databaseCpu.toFixed(2), (rss / 1e6).toFixed(0)].join(" | ")} |`,
    );
  }
  const ratios = ratiosOf(runs);
  if (ratios.length > 0) {
    console.log("\n| ratio of medians | CPU time | wall time |");
    console.log("|---|---|---|");
    for (const { name, cpu, wall } of ratios) console.log(`| ${name} | ${cpu.toFixed(2)} | ${wall.toFixed(2)} |`);
  }
  for (const [who, { requests, bytesReceived, requestsByMethod }] of Object.entries(results.traffic)) {
    console.log(
      `\n${who}: ${requests} requests, ${(bytesReceived / 1e6).toFixed(1)} MB ${JSON.stringify(requestsByMethod)}`,
    );
  }
  if (growth.length > 0) {
    console.log(
      "\n| legs | blocks | median s | min | max | runs | CPU s | peak RSS MB | database MB | of it raw data MB |",
    );
    console.log("|---|---|---|---|---|---|---|---|---|---|");
    for (const point of growth) console.log(`| ${growthRow(point).join(" | ")} |`);
  }
  if (emptyBlocks && compared) {
    const added = emptyBlocks.blocks - compared.blocks;
    const perBlock = ((secondsOf(emptyBlocks) - secondsOf(compared)) / added) * 1_000;
    console.log(`\n${added} blocks without transactions more: ${perBlock.toFixed(2)} ms a block`);
  }
  console.log("\n| bar | measured | at most | |");
  console.log("|---|---|---|---|");
  for (const { name, measured, atMost, met } of barsOf(results)) {
    const format = (value: number) => (atMost > 1e6 ? `${(value / 1e6).toFixed(0)} MB` : value.toFixed(2));
    console.log(`| ${name} | ${format(measured)} | ${format(atMost)} | ${met ? "met" : "missed"} |`);
  }
}

function growthRow({ legs, blocks, runs, databaseBytes, rawDataBytes }: GrowthPoint): (string | number)[] {
  const wall = spreadOf(runs.map(({ seconds }) => seconds));
  const cpu = spreadOf(runs.map(({ cpuSeconds }) => cpuSeconds));
  const rss = Math.max(...runs.map(({ peakRssBytes }) => peakRssBytes));
  return [
    legs,
    blocks,
    ...[wall.median, wall.min, wall.max].map((value) => value.toFixed(2)),
    wall.runs,
    cpu.median.toFixed(2),
    ...[rss, databaseBytes, rawDataBytes].map((bytes) => (bytes / 1e6).toFixed(0)),
  ];
}

/** The ratios of all contenders that ran. */
function ratiosOf(runs: Results["runs"]) {
  return RATIOS.filter(({ above, below }) => runs[above].length > 0 && runs[below].length > 0).map((ratio) => {
    const of = (cost: (run: MeasuredRun) => number) =>
      spreadOf(runs[ratio.above].map(cost)).median / spreadOf(runs[ratio.below].map(cost)).median;
    return { ...ratio, cpu: of(COSTS["CPU time, PostgreSQL's included,"]), wall: of(COSTS.time) };
  });
}

/** Every limit that the available runs can be checked against. */
function barsOf({ runs, growth }: Results): Bar[] {
  const bars: Bar[] = [];
  const bar = (name: string, measured: number, atMost: number) =>
    bars.push({ name, measured, atMost, met: measured <= atMost });
  for (const { name, cpu, cpuAtMost } of ratiosOf(runs)) bar(`CPU time, ${name}`, cpu, cpuAtMost);

  const largest = growth.at(-1);
  if (largest) {
    const rss = Math.max(...largest.runs.map(({ peakRssBytes }) => peakRssBytes));
    bar(`peak memory at ${largest.legs} legs`, rss, BARS.peakRssBytes);
  }
  const [a, b, c] = growth.slice(-3);
  if (a && b && c) {
    for (const [what, costOf] of Object.entries(COSTS)) {
      const cost = ({ runs }: GrowthPoint) => spreadOf(runs.map(costOf)).median;
      const slope = (from: GrowthPoint, to: GrowthPoint) => (cost(to) - cost(from)) / (to.legs - from.legs);
      const name = `slope of ${what} ${b.legs} to ${c.legs} over slope ${a.legs} to ${b.legs}`;
      bar(name, slope(b, c) / slope(a, b), BARS.slopeGrowth);
    }
  }
  return bars;
}

/**
 * The quantities that may grow. The first is sufficient on a quiet machine; the second is more reliable on a shared
 * one.
 */
const COSTS = {
  time: ({ seconds }: MeasuredRun) => seconds,
  "CPU time, PostgreSQL's included,": ({ cpuSeconds, databaseCpuSeconds }: MeasuredRun) =>
    cpuSeconds + databaseCpuSeconds,
} as const;

function secondsOf({ runs }: GrowthPoint): number {
  return spreadOf(runs.map(({ seconds }) => seconds)).median;
}
