/** Example requests with their real answers. */
import { getText } from "./request.ts";

/** Longest answer shown, in lines. */
const MAXIMUM_LINES = 60;

/** Requests that show what the API is for, as paths. */
const EXAMPLES = [
  "/v1/status",
  "/v1/info/evm?chain=mainnet",
  "/v1/transactions?network=evm-mainnet&activity=swap&limit=1",
  "/v1/transactions?network=evm-sepolia&outcome=revert&limit=1",
  "/v1/volume?network=evm-mainnet",
] as const;

/**
 * Prints each example as a curl command, followed by its answer.
 * @throws Error when an answer is not 200
 */
export async function showExamples(baseUrl: string): Promise<void> {
  for (const path of EXAMPLES) {
    const body = await getText(`${baseUrl}${path}`);
    console.log(`\n$ curl '${baseUrl}${path}'\n${abridge(body)}`);
  }
}

/** Indents JSON and cuts lists to their first entry; plain text stays as it is. */
export function abridge(body: string): string {
  if (!/^[[{]/.test(body)) return body;
  const lines = JSON.stringify(JSON.parse(body), cutLists, 2).split("\n");
  return lines.length <= MAXIMUM_LINES
    ? lines.join("\n")
    : [...lines.slice(0, MAXIMUM_LINES), `… ${lines.length - MAXIMUM_LINES} more lines`].join("\n");
}

function cutLists(_key: string, value: unknown): unknown {
  return Array.isArray(value) && value.length > 1 ? [value[0], `… ${value.length - 1} more`] : value;
}
