/** Flags of `pnpm test:reliability`. */
import { parseArgs } from "node:util";

export interface Options {
  readonly seed: number;
  /** Names of the parts to run, in this order. */
  readonly parts: readonly string[];
  /** Parts that run at once. */
  readonly jobs: number;
  readonly list: boolean;
  readonly help: boolean;
}

export const HELP = `pnpm test:reliability [flags]
  --part ci      the part to run; may be repeated. Without it: ci, a sample of all others, some minutes long
  --full         every part but ci, within 90 minutes
  --seed 1       of the histories and of every random moment and choice
  --jobs 2       parts that run at once
  --list         names the parts`;

/** What runs without a choice. */
const SHORT_PART = "ci";

/** @throws Error naming the flag that is unknown or malformed */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      part: { type: "string", multiple: true, default: [] },
      full: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      jobs: { type: "string", default: "2" },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.full && values.part.length > 0) throw new Error("--full runs every part: leave out --part");
  for (const name of values.part) {
    if (!known.includes(name)) throw new Error(`--part: there is no "${name}", expected one of ${known.join(", ")}`);
  }
  const chosen = values.full ? known.filter((name) => name !== SHORT_PART) : [...new Set(values.part)];
  return {
    seed: wholeNumber("seed", values.seed),
    parts: chosen.length > 0 ? chosen : [SHORT_PART],
    jobs: wholeNumber("jobs", values.jobs),
    list: values.list,
    help: values.help,
  };
}

function wholeNumber(flag: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${flag} is "${text}", expected a whole number from 1`);
  return Number(text);
}
