/** Prints the state of a deployment as one screen of text. */
import { NO_DAILY_LIMIT, percent, showDay, showDuration, showTime, tokens, usd } from "../text.ts";
import { attention } from "./attention.ts";
import { type Queue, queueLines } from "./queue.ts";
import type { LpHoldings, LpStatus, RwaStatus, Status } from "./read.ts";

export function renderStatus(status: Status, queue: Queue): string {
  const { network, chainId, blockNumber, timestamp, timelock, roles, pauses, rwas, stablecoins, lps, rates } = status;
  const warnings = attention(status, queue);
  return [
    `${network}, chain ${chainId}, block ${blockNumber}, ${showTime(timestamp)}`,
    ...section("Attention", warnings.length === 0 ? ["nothing"] : warnings),
    ...section(
      "Pauses",
      table(pauses.map((each) => [each.contract, "error" in each ? unknown(each) : pauseText(each.paused, each.by)])),
    ),
    ...section("Prices", table(rwas.map((rwa) => rwaRow(rwa, timestamp)))),
    ...section(
      "Stablecoins",
      table(
        stablecoins.map(({ symbol, usdValueWad, issuerPaidProtocolFeeRateWad, guardrailEnabled, guardrailBandWad }) => [
          symbol,
          usd(usdValueWad),
          `issuer-paid fee ${percent(issuerPaidProtocolFeeRateWad)}`,
          guardrailEnabled ? `guardrail ${percent(guardrailBandWad)}` : "no guardrail",
        ]),
      ),
    ),
    ...section("Daily rates", ratesLines(rates)),
    ...section("Custody", lps.flatMap(lpLines)),
    ...section(
      "Roles",
      table(
        roles.map((each) => [
          each.contract,
          each.role,
          "error" in each ? unknown(each) : each.holders.map((holder) => named(holder, status)).join(", ") || "nobody",
        ]),
      ),
    ),
    ...(timelock === null
      ? section("Timelock", ["none: administrators act at once"])
      : section("Timelock", [
          `${timelock.address}, delay ${showDuration(timelock.delaySeconds)}`,
          ...("problem" in queue ? [`unknown: ${queue.problem}`] : queueLines(queue, timestamp)),
        ])),
  ].join("\n");
}

export function pauseText(
  paused: boolean,
  by: { readonly guardian: boolean; readonly issuer: boolean } | null,
): string {
  if (!paused) return "runs";
  const causes = [by?.guardian ? "the guardian" : null, by?.issuer ? "an issuer admin" : null].filter(Boolean);
  return causes.length === 0 ? "PAUSED" : `PAUSED by ${causes.join(" and ")}`;
}

function rwaRow(
  { symbol, accepted, priceWad, postedAt, maxAgeSeconds, maxMovePerPostWad, availableMoveWad }: RwaStatus,
  now: bigint,
): string[] {
  const price = "error" in priceWad ? priceWad.error : usd(priceWad.value);
  const age = "error" in postedAt ? "" : `${showDuration(now - postedAt.value)} old`;
  const limit =
    "error" in maxAgeSeconds
      ? ""
      : maxAgeSeconds.value === 0n
        ? "no age limit"
        : `of ${showDuration(maxAgeSeconds.value)}`;
  const moves = [
    ...("error" in maxMovePerPostWad ? [] : [`${percent(maxMovePerPostWad.value)} per post`]),
    ...("error" in availableMoveWad ? [] : [`${percent(availableMoveWad.value)} left today`]),
  ];
  return [
    symbol,
    accepted ? price : `${price} (not accepted)`,
    age,
    limit,
    moves.length === 0 ? "" : `moves ${moves.join(", ")}`,
  ];
}

function ratesLines(rates: Status["rates"]): string[] {
  if ("error" in rates) return [unknown(rates)];
  const { lastDay, missingDays, netRateWad, managementFeeWad, maxDailyRateWad } = rates;
  const last = missingDays === null ? "none was posted" : `last ${showDay(lastDay)}, net ${percent(netRateWad)}`;
  const missing = missingDays === null || missingDays === 0n ? "" : `, ${missingDays} missing`;
  return [
    `${last}${missing}`,
    `management fee ${percent(managementFeeWad)}, at most ${percent(maxDailyRateWad)} gross`,
  ];
}

function lpLines(lp: LpStatus): string[] {
  const { symbol, delegate } = lp;
  if ("error" in lp) return [`lp:${symbol} ${delegate}`, `  ${unknown(lp)}`];
  const { assets, reserve, unknown: others } = lp;
  const held = [
    ...assets.map((asset) => ({ ...asset, note: intakeText(asset) })),
    ...(reserve === null ? [] : [{ ...reserve, note: "reserve" }]),
  ];
  const rows = held.map((asset) => [
    asset.symbol,
    tokens(asset.balance, asset),
    asset.approved === null ? "own" : `approved ${tokens(asset.approved, asset)}`,
    asset.note,
    asset.custody === delegate ? "in the delegate" : `in ${asset.custody}`,
  ]);
  const lines = [...table(rows), ...others.map((each) => `${each.symbol}  ${unknown(each)}`)];
  return [`lp:${symbol} ${delegate}`, ...lines.map((line) => `  ${line}`)];
}

function intakeText({ intake, ...token }: LpHoldings["assets"][number]): string {
  if (intake === null) return "";
  return intake.cap === NO_DAILY_LIMIT
    ? "no intake cap"
    : `intake ${tokens(intake.used, token)} of ${tokens(intake.cap, token)}`;
}

function named(account: string, { timelock, lps }: Status): string {
  if (account === timelock?.address) return `timelock ${account}`;
  const lp = lps.find(({ delegate }) => delegate === account);
  return lp === undefined ? account : `lp:${lp.symbol} ${account}`;
}

function unknown({ error }: { readonly error: string }): string {
  return `unknown: ${error}`;
}

export function section(title: string, lines: readonly string[]): string[] {
  return ["", title, ...lines.map((line) => `  ${line}`)];
}

/** Aligns columns to the left. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
