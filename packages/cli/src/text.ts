/** Reads and writes amounts, rates and times as people do. No digit is lost in either direction. */
import { DAY_SECONDS } from "@coreswap/sdk";
import { type Address, formatUnits, getAddress, isAddress, maxUint96, maxUint256, parseUnits } from "viem";
import { Failure } from "./failure.ts";

const WAD_DECIMALS = 18;
export const GWEI_DECIMALS = 9;

/**
 * Reads a decimal number as units of a token.
 * @throws Failure when it is not a number, has more decimals than the token, or is above the greatest amount of a token
 */
export function readAmount(what: string, text: string, decimals: number): bigint {
  const [, fraction = ""] = text.split(".");
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Failure(`${what} is "${text}", expected a number such as 1234.56`);
  if (fraction.length > decimals) throw new Failure(`${what} is "${text}", which has more than ${decimals} decimals`);
  const units = parseUnits(text, decimals);
  if (units > maxUint256) throw new Failure(`${what} is "${text}", which is more than a contract can hold (2^256 - 1)`);
  return units;
}

/** Reads USD per whole token as WAD. */
export function readPriceWad(what: string, text: string): bigint {
  return readAmount(what, text, WAD_DECIMALS);
}

/**
 * Reads a rate in percent, with its sign, as a WAD fraction: "4.5%" is 45000000000000000.
 * @throws Failure when the sign is missing, because 4.5 could mean 450 %
 */
export function readPercentWad(what: string, text: string): bigint {
  if (!text.endsWith("%")) throw new Failure(`${what} is "${text}", expected a percentage such as 4.5%`);
  return readAmount(what, text.slice(0, -1), WAD_DECIMALS - 2);
}

/**
 * Reads a slippage in percent as basis points.
 * @throws Failure when it is not a percentage below 100 %, or finer than 0.01 %
 */
export function readSlippageBps(what: string, text: string): bigint {
  if (!text.endsWith("%")) throw new Failure(`${what} is "${text}", expected a percentage such as 0.5%`);
  const slippageBps = readAmount(what, text.slice(0, -1), 2);
  if (slippageBps >= 10_000n) throw new Failure(`${what} is "${text}", expected less than 100%`);
  return slippageBps;
}

/** Formats a WAD fraction in percent: "4.5%". */
export function percent(rateWad: bigint): string {
  return `${formatUnits(rateWad, WAD_DECIMALS - 2)}%`;
}

/** Formats USD in WAD: "1.0523 USD". */
export function usd(priceWad: bigint): string {
  return `${formatUnits(priceWad, WAD_DECIMALS)} USD`;
}

/**
 * Formats an amount of a token in whole tokens. Amounts of 2^255 and more, such as approvals without a limit, are
 * "unlimited".
 */
export function tokens(
  amount: bigint,
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
): string {
  return amount >= 1n << 255n ? `unlimited ${symbol}` : `${formatUnits(amount, decimals)} ${symbol}`;
}

/** Whether an approval is so large that it bounds nothing. Some tokens keep an unlimited one in 96 bits. */
export function isUnlimitedApproval(amount: bigint): boolean {
  return amount >= maxUint96;
}

/** The largest intake cap or bridge limit. As an intake cap, it means no cap. */
export const NO_DAILY_LIMIT = maxUint96;

/** Formats an amount a day, such as an intake cap or a bridge limit, in whole tokens. */
export function dailyLimitText(limit: bigint, token: { readonly symbol: string; readonly decimals: number }): string {
  return limit === NO_DAILY_LIMIT ? "no cap" : tokens(limit, token);
}

export function yesOrNo(value: boolean): string {
  return value ? "yes" : "no";
}

/**
 * Reads an address.
 * @throws Failure when the text is not an address, or its capitals contradict its digits
 */
export function readAddress(what: string, text: string): Address {
  if (isAddress(text)) return getAddress(text);
  throw new Failure(`${what} is "${text}", expected an address: 0x and 40 hex digits, capitals as in its checksum`);
}

/**
 * Whether nobody can change an answer of this URL in transit: it is encrypted, or on this machine. One with a password is
 * refused, because `fetch` would refuse it at each request, with the password in the message.
 */
export function isGuarded(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  const { protocol, hostname } = url;
  return protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(hostname));
}

/**
 * Returns the number of a day since 1970, in UTC.
 * @throws Failure when the text is not a day of the calendar since 1970
 */
export function readDay(what: string, text: string): bigint {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const dayNumber = time >= 0 ? BigInt(time / 1000) / DAY_SECONDS : null;
  if (dayNumber === null || showDay(dayNumber) !== text) {
    throw new Failure(`${what} is "${text}", expected a day from 1970 on, such as 2026-01-31`);
  }
  return dayNumber;
}

/** Formats a day from its number since 1970: "2026-01-31". */
export function showDay(dayNumber: bigint): string {
  return new Date(Number(dayNumber * DAY_SECONDS) * 1000).toISOString().slice(0, 10);
}

/** The last second of the year 9999. */
export const LAST_SECONDS = 253_402_300_799n;

/** Formats a time in seconds since 1970: "2026-01-31 12:00:00 UTC". A contract can state any time at all. */
export function showTime(seconds: bigint): string {
  if (seconds > LAST_SECONDS) return "a time after the year 9999";
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Formats a duration exactly: "172800 s". */
export function seconds(duration: bigint): string {
  return `${duration} s`;
}

/** Formats a duration in its two largest units, rounded down: "3 d 4 h". Not for comparisons. */
export function showDuration(seconds: bigint): string {
  const units = [
    [seconds / DAY_SECONDS, "d"],
    [(seconds / 3_600n) % 24n, "h"],
    [(seconds / 60n) % 60n, "min"],
    [seconds % 60n, "s"],
  ] as const;
  const first = units.findIndex(([count]) => count > 0n);
  if (first < 0) return "0 s";
  const shown = units.slice(first, first + 2).filter(([count]) => count > 0n);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

/** Formats a value as JSON, in which integers of any size are strings. */
export function showJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === "bigint" ? String(each) : each), 2);
}

/** Joins the lines of a message. */
export function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}
