/** Tests the generated client against the server. Compiling this file is half of the test. */
import { ApiError, allTransactions, createClient, type Schemas } from "@coreswap/client";
import { expect, inject, test } from "vitest";
import { clientAddress } from "../support/clients.ts";
import { ApiClient } from "./harness/api.ts";
import { waitUntil } from "./harness/poll.ts";

const stack = inject("sharedStack");
// This client has its own address: clients without one share a limit, which another test file exhausts.
const client = createClient(stack.baseUrl, { headers: { "X-Test-Client": clientAddress("the generated client") } });
const api = new ApiClient(stack.baseUrl);
const network = "evm-mainnet";

test("the client returns deployments, history and volume with the documented types", async () => {
  const { data: info } = await client.GET("/v1/info", { params: { query: { runtime: "evm" } } });
  const deployment: Schemas["EvmDeployment"] | undefined = info?.evm?.mainnet;
  expect(deployment?.chain_id).toBe(1);

  const { data: volume } = await client.GET("/v1/volume", { params: { query: { network } } });
  const lines: Schemas["LpVolume"][] = volume?.lpVolumes ?? [];
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.reduce((sum, { totalLegCount }) => sum + totalLegCount, 0)).toBe(volume?.totalLegCount);

  const { data: series } = await client.GET("/v1/volume/series", { params: { query: { network, interval: "week" } } });
  expect(series?.buckets.at(0)?.from).toBe(series?.from);
  expect(series?.buckets.at(-1)?.to).toBe(series?.to);
});

test("allTransactions returns the whole filtered history once, in order", async () => {
  const hashes: string[] = [];
  for await (const { transactionHash } of allTransactions(client, { network, outcome: "revert", limit: 7 })) {
    hashes.push(transactionHash);
  }
  const expected = await api.wholeHistory(network, { outcome: "revert" });
  expect(hashes.length).toBeGreaterThan(7);
  expect(hashes).toEqual(expected.map(({ transactionHash }) => transactionHash));
});

test("the client handles a path parameter, plain text and the CSV files", async () => {
  const wallet = (await api.history(network, { limit: 1 })).transactions[0]?.sender ?? "";
  const { data: accounts } = await client.GET("/v1/treasury/accounts/{wallet}", {
    params: { path: { wallet }, query: { network } },
  });
  expect(accounts?.wallet).toBe(wallet);
  await waitUntil("all is well", async () => {
    const { data: status } = await client.GET("/v1/status", { parseAs: "text" });
    return status?.startsWith("ok\n") ? null : String(status);
  });
  const { data: file } = await client.GET("/v1/transactions.csv", { params: { query: { network } }, parseAs: "text" });
  expect(file).toMatch(/^blockNumber,/);
  const { data: volume } = await client.GET("/v1/volume/series.csv", {
    params: { query: { network, interval: "month" } },
    parseAs: "text",
  });
  expect(volume).toMatch(/^from,to,lpAddress,pricedVolumeUsd,/);
});

test("a refused request returns an error with its status instead of data", async () => {
  const { data, error, response } = await client.GET("/v1/transactions", {
    params: { query: { network, limit: 101 } },
  });
  expect(data).toBeUndefined();
  expect(response.status).toBe(400);
  expect(error).toMatchObject({ status: 400, error: expect.stringContaining("limit") });
  const pages = allTransactions(client, { network, wallet: "0x" });
  await expect(pages.next()).rejects.toThrow(ApiError);
});
