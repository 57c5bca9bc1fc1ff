/** `core rate post` and `core rate correct`: set the daily rates of the treasury token. */
import { treasuryDelegateAbi as abi } from "@coreswap/abi";
import { encodeFunctionData } from "viem";
import { treasuryLp } from "../chain/contracts.ts";
import { Failure } from "../failure.ts";
import { percent, readDay, readPercentWad, showDay } from "../text.ts";
import { type DayRate, daysWithoutRate, ratePostCall } from "../write/calls.ts";
import { writeCommand } from "../write/options.ts";
import { type Context, callsOn, type Observation, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

/** The options of a plan that is not only shown. */
const SENDING = ["broadcast", "safe", "calldata", "schedule", "execute"] as const;

export const ratePost = writeCommand("post", "post the missing daily rates of the treasury token")
  .description(
    "Posts gross annual rates for finished days. The days have to begin with the first missing one and leave out none; " +
      "a day that already has the given rate is skipped. A rate alone is shown for every missing day, with the days to " +
      "name. It is never sent: after midnight it would include one more day.",
  )
  .argument("<day=rate...>", "days with their rates, such as 2026-01-31=4.5%, or one rate")
  .action((words, options) =>
    runPlan(options, async (context) => {
      const lp = treasuryLp(context);
      const missing = await missingDays(context);
      const [only = ""] = words;
      const isBare = words.length === 1 && !only.includes("=");
      const rates = isBare ? everyDay(only, missing) : await namedDays(context, words, missing);
      const named = rates.map(({ dayNumber }) => `${showDay(dayNumber)}=${only}`);
      const naming = `name the days: core rate post ${named.join(" ")}`;
      if (isBare && rates.length > 0 && SENDING.some((option) => options[option])) {
        throw new Failure(`a rate alone is only shown, because the missing days change; ${naming}`);
      }
      const [first, last] = [rates[0], rates.at(-1)];
      const span =
        first === undefined || last === undefined
          ? ""
          : ` of ${showDay(first.dayNumber)} to ${showDay(last.dayNumber)}`;
      return {
        title: `Post daily rates${span}`,
        whenRunAgain: "skips what is done",
        calls: callsOn(
          lp,
          [{ role: "RATE_POSTER_ROLE" }],
          rates.map((rate) => ratePostCall(lp.address, rate).data),
        ),
        observations: [lastPostedDay(context), ...rates.map(({ dayNumber }) => netRate(context, dayNumber))],
        notes: isBare && rates.length > 0 ? [`to send it, ${naming}`] : [],
      };
    }),
  );

export const rateCorrect = writeCommand("correct", "correct posted daily rates")
  .description(
    "Corrects posted gross annual rates. Later days keep their rates; a day that already has the given rate is skipped.",
  )
  .argument("<day=rate...>", "days with their rates, such as 2026-01-31=4.5%")
  .action(async (words, options) => {
    const named = words.map(readDayRate);
    await runPlan(options, async (context) => {
      const lp = treasuryLp(context);
      const states = await Promise.all(named.map((rate) => rateState(context, rate)));
      // A run that was cut off may have corrected some of them.
      const rates = named.filter((_, index) => states[index]?.isSame !== true);
      return {
        title: `Correct the daily rates of ${named.map(({ dayNumber }) => showDay(dayNumber)).join(", ")}`,
        whenRunAgain: "skips what is done",
        calls: callsOn(
          lp,
          [{ role: "OPERATOR_ROLE" }],
          rates.map(({ dayNumber, grossRateWad }) =>
            encodeFunctionData({ abi, functionName: "correctDailyRate", args: [dayNumber, grossRateWad] }),
          ),
        ),
        observations: named.map(({ dayNumber }) => netRate(context, dayNumber)),
      };
    });
  });

/** Finished days without a rate. Null when no rate was ever posted, because the caller then chooses the first day. */
async function missingDays({ client, deployment }: Pick<Context, "client" | "deployment">): Promise<bigint[] | null> {
  const address = deployment.treasuryStablecoin.delegate;
  const [lastDay, today] = await Promise.all([
    client.readContract({ address, abi, functionName: "lastRatePostingDay" }),
    client.readContract({ address, abi, functionName: "getCurrentDay" }),
  ]);
  return lastDay === 0n ? null : daysWithoutRate(lastDay, today);
}

/** One rate for every missing day. */
function everyDay(rate: string, missing: readonly bigint[] | null): DayRate[] {
  const grossRateWad = readPercentWad("the rate", rate);
  if (missing === null) throw new Failure(`no rate was ever posted: name the first day, such as 2026-01-31=${rate}`);
  return missing.map((dayNumber) => ({ dayNumber, grossRateWad }));
}

/**
 * Reads days with their rates, without those that an earlier run has posted.
 * @throws Failure unless the others begin with the first missing day and leave out none
 */
async function namedDays(
  context: Context,
  words: readonly string[],
  missing: readonly bigint[] | null,
): Promise<DayRate[]> {
  const all = words.map(readDayRate);
  const posted = await Promise.all(all.map((rate) => hasRate(context, rate)));
  const rates = all.filter((_, index) => !posted[index]);
  if (rates.length === 0) return [];
  const first = missing === null ? rates[0]?.dayNumber : missing[0];
  if (first === undefined) throw new Failure("every finished day has its rate: use rate correct to change one");
  for (const [index, { dayNumber }] of rates.entries()) {
    const expected = first + BigInt(index);
    if (dayNumber !== expected)
      throw new Failure(`the next day to post is ${showDay(expected)}, not ${showDay(dayNumber)}`);
  }
  return rates;
}

/**
 * Whether a day has this rate already.
 * @throws Failure when it has another one
 */
async function hasRate(context: Context, rate: DayRate): Promise<boolean> {
  const { postedWad, netWad, isPosted, isSame } = await rateState(context, rate);
  if (isPosted && !isSame) {
    throw new Failure(
      `${showDay(rate.dayNumber)} has the net rate ${percent(postedWad)} already, and this would be ${percent(netWad)}: use rate correct`,
    );
  }
  return isPosted;
}

/** Compares the posted net rate of a day with the one that would be posted. */
async function rateState({ client, deployment }: Context, { dayNumber, grossRateWad }: DayRate) {
  const address = deployment.treasuryStablecoin.delegate;
  const [[postedWad, isPosted], feeWad] = await Promise.all([
    client.readContract({ address, abi, functionName: "getDailyRate", args: [dayNumber] }),
    client.readContract({ address, abi, functionName: "managementFee" }),
  ]);
  const netWad = grossRateWad > feeWad ? grossRateWad - feeWad : 0n;
  return { postedWad, netWad, isPosted, isSame: isPosted && postedWad === netWad };
}

function readDayRate(word: string): DayRate {
  const [day = "", rate, ...rest] = word.split("=");
  if (rate === undefined || rest.length > 0)
    throw new Failure(`"${word}" is not a day with its rate, such as 2026-01-31=4.5%`);
  return { dayNumber: readDay("the day", day), grossRateWad: readPercentWad("the rate", rate) };
}

function lastPostedDay({ deployment }: Context): Observation {
  const address = deployment.treasuryStablecoin.delegate;
  return observe("last posted day", { address, abi, functionName: "lastRatePostingDay" }, (day) =>
    day === 0n ? "none" : showDay(day),
  );
}

function netRate({ deployment }: Context, dayNumber: bigint): Observation {
  const address = deployment.treasuryStablecoin.delegate;
  const view = { address, abi, functionName: "getDailyRate", args: [dayNumber] } as const;
  return observe(`net rate of ${showDay(dayNumber)}`, view, ([rateWad, isPosted]) =>
    isPosted ? percent(rateWad) : "not posted",
  );
}
