/**
 * Command lines of this project's scripts: one description of each defines its parsing, its `--help` and its errors.
 */
import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };

interface Option extends ParseArgsOptionDescriptor {
  readonly help: string;
  /** Placeholder of the value in the help: `<block>`. */
  readonly value?: string;
}

interface Command<Options extends Record<string, Option>> {
  /** The command as typed, with its arguments: `pnpm mutants:known [ID…]`. */
  readonly usage: string;
  /** What it does, and when it exits with 1. */
  readonly summary: string;
  readonly options?: Options;
  /** Whether it accepts positional arguments. */
  readonly allowPositionals?: boolean;
}

/**
 * Reads the command line. For `--help` it prints the help and exits with 0; for an unknown option, a missing value or a
 * Node.js that is too old it prints one line and exits with 1.
 * @param args words after the script's name
 */
export function commandLine<const Options extends Record<string, Option>>(
  command: Command<Options>,
  args: readonly string[] = process.argv.slice(2),
) {
  const problem = nodeProblem(process.versions.node);
  if (problem !== null) refuse(problem);
  if (args.includes("--help")) {
    console.log(helpOf(command));
    process.exit(0);
  }
  const options = command.options ?? ({} as Options);
  try {
    return parseArgs({ args: [...args], options, allowPositionals: command.allowPositionals ?? false });
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/, 1);
    const accepted = [...Object.keys(options), "help"].map((name) => `--${name}`);
    return refuse(`${reason}; options are ${accepted.join(", ")}`);
  }
}

/** Prints one line that says what is wrong with the command line, and exits with 1. */
export function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

/**
 * Reads a whole number.
 * @param flag the option, for the message printed when the text is not a whole number
 */
export function wholeNumber(flag: string, text: string, least = 1): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  return refuse(`--${flag} is "${text}", expected a whole number of at least ${least}`);
}

/** Why a version of Node.js cannot run the scripts; null when it can. */
export function nodeProblem(version: string): string | null {
  const needed = manifest.engines.node.replace(">=", "");
  if (version.localeCompare(needed, "en", { numeric: true }) >= 0) return null;
  return `This needs Node.js ${needed} or later, and runs on ${version}: start it through pnpm, which brings its own.`;
}

function helpOf({ usage, summary, options = {} }: Command<Record<string, Option>>): string {
  const rows = Object.entries(options).map(([name, { value = "", default: preset, help }]) => {
    const shown = preset === undefined || preset === false || Array.isArray(preset) ? "" : ` (default ${preset})`;
    return [`  --${name} ${value}`.trimEnd(), `${help}${shown}`] as const;
  });
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  const lines = rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
  return [usage, "", summary, ...(lines.length > 0 ? ["", ...lines] : [])].join("\n");
}

/** The words that are this script's own, if what follows `--` is for another program. */
export function beforeDoubleDash(words: readonly string[]): string[] {
  const at = words.indexOf("--");
  return at < 0 ? [...words] : words.slice(0, at);
}

/** The words for the other program. */
export function afterDoubleDash(words: readonly string[]): string[] {
  const at = words.indexOf("--");
  return at < 0 ? [] : words.slice(at + 1);
}
