/**
 * Returns the first line of an error's message, because viem's errors continue with the request and the versions of
 * packages.
 */
export function firstLineOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
  return line;
}
