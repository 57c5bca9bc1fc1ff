/** Shell commands of the documentation, which tests run as they stand on its pages. */
import { readFileSync } from "node:fs";

/** The commands of a page's shell blocks, each on one line and without its comment. */
export function documentedCommands(page: string): string[] {
  const blocks = readFileSync(page, "utf8").matchAll(/^```sh\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, block = ""]) =>
    block
      .replace(/ \\\n\s*/g, " ")
      .split("\n")
      .map((line) => line.replace(/(^|\s+)#.*$/, ""))
      .filter((line) => line !== ""),
  );
}

/**
 * Returns the arguments of the one command on a page that a pattern matches: the words after the match, without a
 * redirection of the output.
 * @param values what takes the place of whole words, such as a variable of the shell
 */
export function documentedArguments(
  page: string,
  pattern: RegExp,
  values: Readonly<Record<string, string>> = {},
): string[] {
  const rests = documentedCommands(page).flatMap((line) => {
    const [, rest] = line.split(pattern, 2);
    return rest === undefined ? [] : [rest.replace(/ > \S+$/, "")];
  });
  const [rest] = rests;
  if (rest === undefined || rests.length > 1)
    throw new Error(`${page} has ${rests.length} commands ${pattern}, not one`);
  const words = rest.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/, "$2")).map((word) => values[word] ?? word);
}
