/** How the files of the documentation site are served, with a small site made for the test. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readStaticFiles } from "../../src/api/http/staticFiles.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { appOver } from "./support/world.ts";

const INLINE = "document.documentElement.classList.add('dark')";
const STYLE = "color:var(--code-comment)";
const INDEX = `<!doctype html><script id="theme">${INLINE}</script><script type="module" src="/docs/guide/assets/a.js"></script>`;
const PAGE = `<!doctype html><title>Fees</title><span style="${STYLE}">#</span>`;
const MISSING = "<!doctype html><title>404</title>";
const SCRIPT = "console.log(1)";

let engine: TestEngine;
let directory: string;
let api: ReturnType<typeof appOver>["app"];
beforeAll(async () => {
  engine = await openEngine("guide_test");
  directory = mkdtempSync(join(tmpdir(), "guide-"));
  mkdirSync(join(directory, "concepts"));
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), INDEX);
  writeFileSync(join(directory, "404.html"), MISSING);
  writeFileSync(join(directory, "concepts/fees.html"), PAGE);
  writeFileSync(join(directory, "assets/a.js"), SCRIPT);
  const limits = {
    requestsPerMinute: 1,
    nodeRequestsPerMinute: 0,
    clientOf: () => "client",
  };
  api = appOver(engine, { guide: readStaticFiles(directory), limits }).app;
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await engine.close();
});

it.each([
  ["/docs/guide", INDEX],
  ["/docs/guide/", INDEX],
  ["/docs/guide/?from=elsewhere", INDEX],
  ["/docs/guide/concepts/fees", PAGE],
  ["/docs/guide/concepts/fees.html", PAGE],
])("%s is a page, which caches must revalidate each time", async (path, text) => {
  const response = await api.request(path);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(text);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-cache");
  const again = await api.request(path, { headers: { "If-None-Match": response.headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
});

it("the policy allows the site's own files, and the inline scripts and styles of all its pages by their hashes", async () => {
  const policy = (await api.request("/docs/guide/concepts/fees")).headers.get("content-security-policy");
  const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  expect(policy).toContain(`default-src 'none'; script-src 'self' ${hashOf(INLINE)}; `);
  expect(policy).toContain(`style-src 'self' 'unsafe-hashes' ${hashOf(STYLE)}; `);
  expect(policy).not.toContain("unsafe-inline");
});

it("a file with its hash in the name may be cached forever", async () => {
  const response = await api.request("/docs/guide/assets/a.js");
  expect(await response.text()).toBe(SCRIPT);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

it.each(["/docs/guide/nothing", "/docs/guide/concepts", "/docs/guide/concepts/fees/", "/docs/guide/..%2findex"])(
  "%s is not a page, so the answer is the 404 page of the site",
  async (path) => {
    const response = await api.request(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe(MISSING);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  },
);

it("POST is answered 405", async () => {
  const { app } = appOver(engine, { guide: readStaticFiles(directory) });
  const response = await app.request("/docs/guide/concepts/fees", { method: "POST" });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});

it.each(["/docs/guide", "/docs/guide/", "/docs/guide/concepts/fees"])(
  "%s says how to build the site when it was not built",
  async (path) => {
    const response = await appOver(engine, { guide: null }).app.request(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: "the documentation site is not built: run `pnpm build` and start again",
      status: 404,
    });
  },
);
