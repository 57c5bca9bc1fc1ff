/** The command line of `pnpm test:reliability`. */
import { commandLine, refuse, wholeNumber } from "../../tools/lib/commandLine.ts";

export interface Options {
  readonly seed: number;
  /** Names of the parts to run, in this order. */
  readonly parts: readonly string[];
  /** Maximum number of parts that run at once. */
  readonly jobs: number;
  /** Whether to list the parts instead of running any. */
  readonly list: boolean;
}

/** The part that runs by default. */
const SHORT_PART = "ci";

/**
 * Reads the command line. Prints one line and ends the process with 1 when an option is unknown or malformed.
 * @param known names of all parts
 */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values } = commandLine(
    {
      usage: "pnpm test:reliability [options]",
      summary: `Injects faults into what the indexer depends on, and compares its answers afterwards with an undisturbed index
of the same chains. Ends with 1 if a row is lost or wrong, a promise of docs/operate/faults.md is not kept, or a fault
could not be injected.`,
      options: {
        part: {
          type: "string",
          multiple: true,
          default: [],
          value: "<name>",
          help: `part to run; can be repeated. Without it: ${SHORT_PART}, a sample of all others that takes some minutes`,
        },
        full: { type: "boolean", default: false, help: `run every part but ${SHORT_PART}, within 90 minutes` },
        seed: {
          type: "string",
          default: "1",
          value: "<number>",
          help: "seed of the histories and of all random moments and choices",
        },
        jobs: { type: "string", default: "2", value: "<number>", help: "maximum number of parts that run at once" },
        list: { type: "boolean", default: false, help: "list the parts and run none" },
      },
    },
    args,
  );
  if (values.full && values.part.length > 0) refuse("--full runs every part: leave out --part");
  for (const name of values.part) {
    if (!known.includes(name)) refuse(`--part: there is no "${name}", expected one of ${known.join(", ")}`);
  }
  const chosen = values.full ? known.filter((name) => name !== SHORT_PART) : [...new Set(values.part)];
  return {
    seed: wholeNumber("seed", values.seed),
    parts: chosen.length > 0 ? chosen : [SHORT_PART],
    jobs: wholeNumber("jobs", values.jobs),
    list: values.list,
  };
}
