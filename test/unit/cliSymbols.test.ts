/** What `core asset add` and `core lp add` say of a token at a wrong address. */
import {
  createPublicClient,
  custom,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  stringToHex,
} from "viem";
import { expect, it } from "vitest";
import type { NodeClient } from "../../packages/cli/src/chain/connect.ts";
import { symbolNotes } from "../../packages/cli/src/desired/symbols.ts";

const TOKEN = getAddress(`0x${"11".repeat(20)}`);
const SYMBOL_CALL = encodeFunctionData({ abi: erc20Abi, functionName: "symbol" });

function notesOn(answer: Hex) {
  const request = async ({ method, params }: { method: string; params: [{ data: Hex }] }) => {
    if (method !== "eth_call" || params[0].data !== SYMBOL_CALL) throw new Error(`unexpected ${method}`);
    return answer;
  };
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }) as unknown as NodeClient;
  return symbolNotes(client, { symbol: "TBILL", address: TOKEN });
}

const text = (value: string) => encodeAbiParameters([{ type: "string" }], [value]);

it("says nothing of a token with the symbol of the configuration", async () => {
  expect(await notesOn(text("TBILL"))).toEqual([]);
});

it("names another symbol, and shows no control characters", async () => {
  expect(await notesOn(text("WETH"))).toEqual([`the token ${TOKEN} calls itself "WETH", not TBILL`]);
  expect(await notesOn(text("TBILL\n"))).toEqual([`the token ${TOKEN} calls itself "TBILL\\n", not TBILL`]);
});

it.each<[string, Hex]>([
  ["nothing", "0x"],
  ["32 bytes in place of a text", stringToHex("TBILL", { size: 32 })],
])("names a token that answers %s", async (_, answer) => {
  expect(await notesOn(answer)).toEqual([
    expect.stringMatching(new RegExp(`^the token ${TOKEN} does not say whether it is TBILL: [^\n]+$`)),
  ]);
});
