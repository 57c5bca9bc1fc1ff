import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { ApiClient } from "./harness/api.ts";
import { assertSame } from "./harness/compare.ts";
import { readDeploymentFromContracts } from "./oracle/deployment.ts";
import { consultOracle } from "./oracle/network.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);
const ADDRESS = `0x${"1".repeat(40)}`;
const HASH = `0x${"1".repeat(64)}`;
const PATHS = [
  "/",
  "/health",
  "/v1/status",
  "/api/status",
  "/v1/info",
  "/v1/info/evm",
  "/v1/info/svm",
  "/v1/transactions",
  "/v1/volume",
] as const;

async function expectedEvm() {
  const [mainnet, sepolia] = await Promise.all(
    [stack.networks.mainnet, stack.networks.sepolia].map(async (source) =>
      readDeploymentFromContracts(source.rpcUrl, (await consultOracle(source)).chain, source.contracts),
    ),
  );
  if (!mainnet || !sepolia) throw new Error("two deployments were asked for");
  return { mainnet, sepolia };
}

async function expectedSvm() {
  const read = async (chain: string): Promise<unknown> =>
    JSON.parse(await readFile(join(stack.deploymentsDirectory, "svm", `${chain}.json`), "utf8"));
  return { mainnet: await read("mainnet"), devnet: await read("devnet") };
}

test("the EVM deployments equal the contracts' own views", async () => {
  const evm = await expectedEvm();
  expect(evm.mainnet.stable_assets.length).toBeGreaterThanOrEqual(2);
  expect(evm.mainnet.rwa_assets.length).toBeGreaterThanOrEqual(3);
  expect(evm.mainnet.stablecoin_delegate_contracts.every(({ administrators }) => administrators.length > 0)).toBe(true);
  assertSame("/v1/info/evm", evm, await api.json("/v1/info/evm"));
  assertSame("/v1/info/evm?chain=mainnet", evm.mainnet, await api.json("/v1/info/evm?chain=mainnet"));
  assertSame("/v1/info/evm?chain=sepolia", evm.sepolia, await api.json("/v1/info/evm?chain=sepolia"));
});

test("the SVM deployments equal their files", async () => {
  const svm = await expectedSvm();
  assertSame("/v1/info/svm", svm, await api.json("/v1/info/svm"));
  assertSame("/v1/info/svm?chain=mainnet", svm.mainnet, await api.json("/v1/info/svm?chain=mainnet"));
  assertSame("/v1/info/svm?chain=devnet", svm.devnet, await api.json("/v1/info/svm?chain=devnet"));
});

test("the combined answer holds both runtimes, or the requested one", async () => {
  const [evm, svm] = [await expectedEvm(), await expectedSvm()];
  assertSame("/v1/info", { evm, svm }, await api.json("/v1/info"));
  assertSame("/v1/info?runtime=evm", { evm }, await api.json("/v1/info?runtime=evm"));
  assertSame("/v1/info?runtime=svm", { svm }, await api.json("/v1/info?runtime=svm"));
});

test("the API index names every documented endpoint, and the status paths answer in plain text", async () => {
  const index = JSON.stringify(await api.json("/"));
  for (const path of PATHS) expect(index).toContain(`"${path}"`);
  for (const path of ["/health", "/v1/status", "/api/status", "/v1/status?anything=1", "/health?anything=1"]) {
    const { status, headers, text } = await api.request(path);
    expect(status, path).toBe(200);
    expect(headers.get("content-type") ?? "text/plain", path).toMatch(/^text\/plain/);
    expect(text.startsWith("{"), path).toBe(false);
  }
  expect((await api.request("/api/status")).text).toBe((await api.request("/v1/status")).text);
});

/** Each query is refused because of a parameter, which the message must name. */
const REFUSED: readonly (readonly [query: string, parameter: string])[] = [
  ["/v1/info?runtime=move", "runtime"],
  ["/v1/info?runtime=", "runtime"],
  ["/v1/info?runtime=evm&runtime=evm", "runtime"],
  ["/v1/info?chain=mainnet", "chain"],
  ["/v1/info/evm?chain=devnet", "chain"],
  ["/v1/info/evm?chain=", "chain"],
  ["/v1/info/svm?chain=sepolia", "chain"],
  ["/v1/info/svm?runtime=svm", "runtime"],
  ["/v1/transactions", "network"],
  ["/v1/transactions?network=", "network"],
  ["/v1/transactions?network=mainnet", "network"],
  ["/v1/transactions?network=svm-mainnet", "network"],
  ["/v1/transactions?network=EVM-MAINNET", "network"],
  ["/v1/transactions?network=evm-mainnet&network=evm-mainnet", "network"],
  ["/v1/transactions?network=evm-mainnet&Wallet=", "Wallet"],
  ["/v1/transactions?network=evm-mainnet&wallet=0x12", "wallet"],
  [`/v1/transactions?network=evm-mainnet&wallet=${ADDRESS.slice(2)}`, "wallet"],
  [`/v1/transactions?network=evm-mainnet&wallet=0X${ADDRESS.slice(2)}`, "wallet"],
  [`/v1/transactions?network=evm-mainnet&wallet=${ADDRESS}&wallet=${ADDRESS}`, "wallet"],
  [`/v1/transactions?network=evm-mainnet&wallet=${ADDRESS}%00`, "wallet"],
  ["/v1/transactions?network=evm-mainnet&outcome=reverted", "outcome"],
  ["/v1/transactions?network=evm-mainnet&activity=transfer", "activity"],
  ["/v1/transactions?network=evm-mainnet&entrypoint=swap()", "entrypoint"],
  [`/v1/transactions?network=evm-mainnet&entrypoint=${"a".repeat(65)}`, "entrypoint"],
  ["/v1/transactions?network=evm-mainnet&transactionHash=0x1234", "transactionHash"],
  [`/v1/transactions?network=evm-mainnet&transactionHash=${HASH}0`, "transactionHash"],
  ...["0", "101", "-1", "1.5", "1e1", "0x10", "+1", "%201", "ten", ""].map(
    (limit) => [`/v1/transactions?network=evm-mainnet&limit=${limit}`, "limit"] as const,
  ),
  ["/v1/transactions?network=evm-mainnet&cursor=", "cursor"],
  ["/v1/transactions?network=evm-mainnet&cursor=AAAA", "cursor"],
  ["/v1/transactions?network=evm-mainnet&offset=1", "offset"],
  ["/v1/volume", "network"],
  ["/v1/volume?network=evm-goerli", "network"],
  ["/v1/volume?network=evm-mainnet&lpAddress=0x12", "lpAddress"],
  ["/v1/volume?network=evm-mainnet&bucket=day", "bucket"],
  ...[
    "2026-01-01",
    "2026-01-01T00:00:00",
    "2026-01-01T00:00:00.500Z",
    "2026-01-01T00:00:00%2B01:00",
    "2026-02-30T00:00:00Z",
    "2026-01-01T00:00:60Z",
    "1969-12-31T23:59:59Z",
    "1767225600",
    "",
  ].map((from) => [`/v1/volume?network=evm-mainnet&from=${from}&to=2026-06-01T00:00:00Z`, "from"] as const),
  ["/v1/volume?network=evm-mainnet&from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", "from"],
  ["/v1/volume?network=evm-mainnet&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "from"],
  ["/v1/volume?network=evm-mainnet&from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:01Z", "from"],
  ["/v1/volume?network=evm-mainnet&from=2999-01-01T00:00:00Z", "from"],
];

test.each(REFUSED)("a request for %s is a 400", async (path, parameter) => {
  const { status, headers, text } = await api.request(path);
  expect(status).toBe(400);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  const body = JSON.parse(text) as { error: string; status: number };
  expect(Object.keys(body).sort()).toEqual(["error", "status"]);
  expect(body.status).toBe(400);
  expect(body.error).toContain(parameter);
});

test("invalid percent-encoding is a 400, not a 500", async () => {
  for (const query of ["network=evm-mainnet&wallet=%zz", "network=%ff", "net%E0%A4%A=1"]) {
    expect((await api.request(`/v1/transactions?${query}`)).status, query).toBe(400);
  }
});

test("the longest range and a future end are accepted", async () => {
  for (const range of [
    "from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z",
    "from=9998-12-31T23:59:59Z&to=9999-12-31T23:59:59Z",
    "from=1970-01-01T00:00:00Z&to=1970-01-01T00:00:01Z",
  ]) {
    expect((await api.request(`/v1/volume?network=evm-mainnet&${range}`)).status, range).toBe(200);
  }
});

test.each([
  "/v1",
  "/v1/",
  "/v1/info/",
  "//v1/info",
  "/v1/infos",
  "/v2/info",
  "/v1/info/evm/mainnet",
  "/graphql",
  "/sql",
])("404 for %s", async (path) => {
  const { status, text } = await api.request(path);
  expect(status).toBe(404);
  expect(JSON.parse(text)).toMatchObject({ status: 404, error: expect.any(String) });
});

test.each(PATHS)("%s answers HEAD as GET without a body, and other methods with 405 and Allow", async (path) => {
  const query = path === "/v1/transactions" || path === "/v1/volume" ? "?network=evm-mainnet" : "";
  const head = await api.request(path + query, "HEAD");
  expect(head.status).toBe(200);
  expect(head.text).toBe("");
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const { status, headers, text } = await api.request(path, method);
    expect(status, method).toBe(405);
    expect(headers.get("allow")?.split(/,\s*/), method).toContain("GET");
    expect(JSON.parse(text), method).toMatchObject({ status: 405, error: expect.any(String) });
  }
});
