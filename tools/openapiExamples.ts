/**
 * `pnpm openapi:examples <base URL>`: records answers of a running API, such as the demo's at http://127.0.0.1:42069, as
 * the examples of the OpenAPI document. Run `pnpm openapi` afterwards.
 */
import { writeFileSync } from "node:fs";
import { z } from "zod";
import { commandLine, refuse } from "./lib/commandLine.ts";

const FILE = "src/api/document/examples.json";

const { positionals } = commandLine({
  usage: "pnpm openapi:examples <base URL>",
  summary: `Records answers of a running API, such as the demo's at http://127.0.0.1:42069, as the examples of the OpenAPI
document. Run pnpm openapi afterwards.`,
  allowPositionals: true,
});
const baseUrl = positionals[0] ?? refuse("expected one argument: the base URL of a running API");

async function record(path: string, request: string) {
  const response = await fetch(baseUrl + request);
  const mediaType = (response.headers.get("content-type") ?? "").split(";", 1)[0];
  const text = await response.text();
  const body: unknown = mediaType === "application/json" ? JSON.parse(text) : text;
  return { path, request, status: String(response.status), mediaType, body };
}

const legs = z.object({
  transactions: z.array(
    z.object({
      activities: z.array(
        z.object({
          user: z.string(),
          routeId: z.string(),
          assetInId: z.string(),
          assetOutId: z.string(),
          stablecoinDelegateId: z.string(),
          amountIn: z.string(),
          amountOut: z.string(),
        }),
      ),
    }),
  ),
});

/** The request of a quote for a leg that was realized, and of one that the contract refuses. */
async function quotes(hash: string): Promise<readonly [string, string]> {
  const { body } = await record("", `/v1/transactions?network=evm-mainnet&transactionHash=${hash}`);
  const leg = legs.parse(body).transactions[0]?.activities[0];
  if (leg === undefined) throw new Error(`transaction ${hash} has no swap leg`);
  const { amountIn, amountOut, ...rest } = leg;
  const amount = Number(leg.routeId) % 2 === 1 ? { amountIn } : { amountOut };
  const query = { network: "evm-mainnet", ...rest, ...amount };
  const path = (parameters: Record<string, string>) => `/v1/quote?${new URLSearchParams(parameters)}`;
  return [path(query), path({ ...query, assetInId: `0x${"5a".repeat(32)}` })];
}

/** The newest transaction that is final, and a range that ends with it. */
async function sample() {
  const { body } = await record("", "/v1/transactions.csv?network=evm-mainnet&activity=swap");
  const [columns = [], newest] = z
    .string()
    .parse(body)
    .split("\r\n")
    .map((line) => line.split(","));
  const field = (name: string) => newest?.[columns.indexOf(name)] ?? "";
  if (field("timestamp") === "") throw new Error(`the API at ${baseUrl} has no final swap yet`);
  const second = Number(field("timestamp"));
  const time = (at: number) => new Date(at * 1000).toISOString().replace(".000Z", "Z");
  return {
    wallet: field("sender"),
    hash: field("transactionHash"),
    from: time(second - 3 * 86_400),
    to: time(second + 1),
  };
}

const accounts = z.object({ accounts: z.array(z.object({ redeemableTokens: z.string() })) });

/** A sender of recent transactions who holds treasury credits; `fallback` if there is none. */
async function depositor(fallback: string): Promise<string> {
  const { body } = await record("", "/v1/transactions?network=evm-mainnet&limit=100");
  const senders = z.object({ transactions: z.array(z.object({ sender: z.string() })) }).parse(body).transactions;
  for (const wallet of new Set(senders.map(({ sender }) => sender))) {
    const account = accounts.safeParse((await record("", `/v1/treasury/accounts/${wallet}?network=evm-mainnet`)).body);
    if (account.data?.accounts.some(({ redeemableTokens }) => redeemableTokens !== "0")) return wallet;
  }
  return fallback;
}

const stablecoins = z.object({
  stablecoins: z.array(z.object({ lpAddress: z.string(), yieldBearing: z.boolean() })),
});

/** The LP of a stablecoin without yield. */
async function plainLp(): Promise<string> {
  const { body } = await record("", "/v1/assets?network=evm-mainnet");
  const plain = stablecoins.parse(body).stablecoins.find(({ yieldBearing }) => !yieldBearing);
  if (plain === undefined) throw new Error("the API has no stablecoin without yield");
  return plain.lpAddress;
}

/** The newest call that failed. */
async function failedCall(): Promise<string> {
  const { body } = await record("", "/v1/transactions?network=evm-mainnet&outcome=revert&limit=1");
  const [failed] = z
    .object({ transactions: z.array(z.object({ transactionHash: z.string() })) })
    .parse(body).transactions;
  if (failed === undefined) throw new Error("no call has failed");
  return failed.transactionHash;
}

/** An RWA whose price adapter posted a NAV lately. */
async function rwaWithNavs(): Promise<string> {
  const { body } = await record("", "/v1/assets?network=evm-mainnet");
  for (const { rwaId } of z.object({ rwas: z.array(z.object({ rwaId: z.string() })) }).parse(body).rwas) {
    const navs = await record("", `/v1/assets/${rwaId}/navs?network=evm-mainnet`);
    if (z.object({ changes: z.array(z.unknown()) }).parse(navs.body).changes.length > 1) return rwaId;
  }
  throw new Error("no RWA has posted NAVs");
}

const { wallet: sender, hash, from, to } = await sample();
const wallet = await depositor(sender);
const [quote, refusedQuote] = await quotes(hash);
const lp = await plainLp();
const failed = await failedCall();
const rwa = await rwaWithNavs();
const range = `from=${from}&to=${to}`;
const REQUESTS: readonly (readonly [path: string, request: string])[] = [
  ["/v1/info", "/v1/info?runtime=evm"],
  ["/v1/info", "/v1/info?runtime=tvm"],
  ["/v1/info/evm", "/v1/info/evm?chain=mainnet"],
  ["/v1/info/evm", "/v1/info/evm?chain=holesky"],
  ["/v1/info/svm", "/v1/info/svm?chain=mainnet"],
  ["/v1/info/svm", "/v1/info/svm?chain=sepolia"],
  ["/v1/status/indexing", "/v1/status/indexing?network=evm-mainnet"],
  ["/v1/status/indexing", "/v1/status/indexing?maxLagSeconds=-1"],
  ["/v1/assets", "/v1/assets?network=evm-mainnet"],
  ["/v1/assets", "/v1/assets?network=mainnet"],
  ["/v1/assets/{rwaId}/navs", `/v1/assets/${rwa}/navs?network=evm-mainnet&${range}`],
  ["/v1/assets/{rwaId}/navs", `/v1/assets/${rwa}/navs`],
  ["/v1/lps/{address}", `/v1/lps/${lp}?network=evm-mainnet`],
  ["/v1/lps/{address}", `/v1/lps/${lp}`],
  ["/v1/quote", quote],
  ["/v1/quote", refusedQuote],
  ["/v1/quote", "/v1/quote?network=evm-mainnet"],
  ["/v1/transactions", "/v1/transactions?network=evm-mainnet&activity=swap&limit=2"],
  ["/v1/transactions", "/v1/transactions?network=evm-mainnet&limit=101"],
  ["/v1/transactions.csv", `/v1/transactions.csv?network=evm-mainnet&transactionHash=${hash}`],
  ["/v1/transactions.csv", "/v1/transactions.csv?network=evm-mainnet&limit=10"],
  ["/v1/transactions/{transactionHash}/revert", `/v1/transactions/${failed}/revert?network=evm-mainnet`],
  ["/v1/transactions/{transactionHash}/revert", `/v1/transactions/${failed}/revert`],
  ["/v1/volume", `/v1/volume?network=evm-mainnet&${range}`],
  ["/v1/volume", "/v1/volume?network=evm-mainnet&from=2026-02-30T00:00:00Z"],
  ["/v1/volume/series", `/v1/volume/series?network=evm-mainnet&interval=day&${range}`],
  ["/v1/volume/series", "/v1/volume/series?network=evm-mainnet&interval=minute"],
  ["/v1/volume/series.csv", `/v1/volume/series.csv?network=evm-mainnet&interval=day&${range}`],
  ["/v1/volume/series.csv", "/v1/volume/series.csv?network=evm-mainnet"],
  ["/v1/treasury/summary", "/v1/treasury/summary?network=evm-mainnet"],
  ["/v1/treasury/summary", "/v1/treasury/summary?network=mainnet"],
  ["/v1/treasury/rates", `/v1/treasury/rates?network=evm-mainnet&${range}`],
  ["/v1/treasury/rates", "/v1/treasury/rates?network=evm-mainnet&delegate=0x12"],
  ["/v1/treasury/accounts/{wallet}", `/v1/treasury/accounts/${wallet}?network=evm-mainnet`],
  ["/v1/treasury/accounts/{wallet}", `/v1/treasury/accounts/${wallet}`],
  [
    "/v1/treasury/accounts/{wallet}/history",
    `/v1/treasury/accounts/${wallet}/history?network=evm-mainnet&interval=day&${range}`,
  ],
  ["/v1/treasury/accounts/{wallet}/history", `/v1/treasury/accounts/${wallet}/history?network=evm-mainnet`],
];
const examples = [];
for (const [path, request] of REQUESTS) examples.push(await record(path, request));
writeFileSync(FILE, `${JSON.stringify(examples, null, 2)}\n`);
