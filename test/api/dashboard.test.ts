/** How the files of the dashboard are served, with a small dashboard made for the test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withoutExplorerLinks } from "../../src/api/dashboard/handler.ts";
import { readStaticFiles, staticFile } from "../../src/api/http/staticFiles.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { appOver } from "./support/world.ts";

const PAGE = "<!doctype html><title>made for the test</title>";
const SCRIPT = `console.log(${JSON.stringify("long enough to be compressed".repeat(100))})`;
const ASSET = "/app/assets/index-0a1b2c3d.js";

let engine: TestEngine;
let directory: string;
let api: ReturnType<typeof appOver>["app"];
beforeAll(async () => {
  engine = await openEngine("dashboard_test");
  directory = mkdtempSync(join(tmpdir(), "dashboard-"));
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), PAGE);
  writeFileSync(join(directory, "assets/index-0a1b2c3d.js"), SCRIPT);
  const limits = {
    requestsPerMinute: 1,
    nodeRequestsPerMinute: 0,
    clientOf: () => "client",
  };
  api = appOver(engine, { dashboard: readStaticFiles(directory), limits }).app;
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await engine.close();
});

it.each(["/app", "/app/", "/app/transactions", "/app/transactions/0x00/", "/app//status", "/app/?network=evm-sepolia"])(
  "%s is the page, which caches must revalidate each time",
  async (path) => {
    const response = await api.request(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(PAGE);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'; ");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const again = await api.request(path, { headers: { "If-None-Match": response.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  },
);

it("a file with its hash in the name may be cached forever", async () => {
  const response = await api.request(ASSET);
  expect(await response.text()).toBe(SCRIPT);
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

it("files are compressed for clients that accept it", async () => {
  const response = await api.request(ASSET, { headers: { "Accept-Encoding": "gzip, deflate, br" } });
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(response.headers.get("vary")).toBe("Accept-Encoding");
  const plain = response.body?.pipeThrough(new DecompressionStream("gzip"));
  expect(await new Response(plain).text()).toBe(SCRIPT);
});

it.each(["identity", "gzip;q=0", "br"])("files are sent as they are for Accept-Encoding: %s", async (encodings) => {
  const response = await api.request(ASSET, { headers: { "Accept-Encoding": encodings } });
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(response.headers.get("vary")).toBe("Accept-Encoding");
  expect(await response.text()).toBe(SCRIPT);
});

it.each(["/app/assets/index-ffffffff.js", "/app/assets/", "/app/assets/..%2findex.html"])(
  "%s is not the page, because a script of another build must fail as a missing file",
  async (path) => {
    const response = await api.request(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: "the dashboard has no such file", status: 404 });
  },
);

it.each(["/app", "/app/status"])("POST %s is answered 405", async (path) => {
  const { app } = appOver(engine, { dashboard: readStaticFiles(directory) });
  const response = await app.request(path, { method: "POST" });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});

it("says how to build the dashboard when it was not built", async () => {
  const dashboard = readStaticFiles(join(directory, "assets"));
  expect(dashboard).toBeNull();
  const response = await appOver(engine, { dashboard }).app.request("/app/");
  expect(response.status).toBe(404);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.json()).toEqual({
    error: "the dashboard is not built: run `pnpm build` and start again",
    status: 404,
  });
});

it("tells the page to link to no explorer, which changes its ETag and no other file", async () => {
  const page = "<!doctype html><head><title>made for the test</title></head><body></body>";
  const files = new Map([
    ...(readStaticFiles(directory) ?? []),
    ["index.html", staticFile("index.html", new TextEncoder().encode(page))] as const,
  ]);
  const { app } = appOver(engine, { dashboard: withoutExplorerLinks(files) });
  const response = await app.request("/app/networks");
  expect(await response.text()).toBe(page.replace("</head>", '<meta name="explorer-links" content="off" /></head>'));
  const before = await appOver(engine, { dashboard: files }).app.request("/app/networks");
  expect(response.headers.get("etag")).not.toBe(before.headers.get("etag"));
  expect(await (await app.request(ASSET)).text()).toBe(SCRIPT);
  expect(() => withoutExplorerLinks(readStaticFiles(directory) ?? new Map())).toThrow("has no head: run `pnpm build`");
});

it("refuses to start with an unknown kind of file", () => {
  const other = mkdtempSync(join(tmpdir(), "dashboard-"));
  writeFileSync(join(other, "index.html"), PAGE);
  writeFileSync(join(other, "photo.webp"), "");
  expect(() => readStaticFiles(other)).toThrow("photo.webp: no media type is known for this file extension");
  rmSync(other, { recursive: true });
});
