/** A broken link of the documentation site fails its build. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkLinks } from "../../docs/.vitepress/checkLinks.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "site-"));
  writeFileSync(join(directory, "index.html"), "<a href='x' id=\"top\">top</a>");
  writeFileSync(join(directory, "fees.html"), '<h2 id="routes">Routes</h2>');
  writeFileSync(join(directory, "icon.svg"), "<svg/>");
});
afterEach(() => rmSync(directory, { recursive: true }));

const link = (href: string) => writeFileSync(join(directory, "page.html"), `<a class="link" href="${href}">link</a>`);

it.each([
  "/docs/guide/",
  "/docs/guide/fees",
  "/docs/guide/fees#routes",
  "/docs/guide/icon.svg",
  "/app",
  "https://ponder.sh",
])("%s leads somewhere, or leaves the site", (href) => {
  link(href);
  expect(() => checkLinks(directory, "/docs/guide/")).not.toThrow();
});

it.each(["/docs/guide/fee", "/docs/guide/fees#rates", "#nothing", "/docs/guide/assets/lost.js"])(
  "%s leads nowhere, and the error names it and its page",
  (href) => {
    link(href);
    expect(() => checkLinks(directory, "/docs/guide/")).toThrow(`links that lead nowhere:\npage.html: ${href}`);
  },
);
