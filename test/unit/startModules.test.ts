import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { ponderFile } from "../support/ponderPackage.ts";

/** Prints the modules that Ponder loads at a start, in each of its threads. */
const LIST = `
import { registerHooks } from "node:module";
const urls = [];
registerHooks({ load: (url, context, nextLoad) => (urls.push(url), nextLoad(url, context)) });
await import("ponder");
await import(${JSON.stringify(ponderFile("dist/esm/build/config.js"))});
console.log(urls.join("\\n"));
`;

function modulesOf(...options: readonly string[]): string[] {
  const args = [...options, "--input-type=module", "--eval", LIST];
  return execFileSync(process.execPath, args, { encoding: "utf8" }).trim().split("\n");
}

it("resolves the modules of drizzle-orm as Node.js does", () => {
  const modules = modulesOf("--import", "./tools/lib/drizzleModules.ts");
  expect(modules.filter((url) => url.includes("/drizzle-orm/")).length).toBeGreaterThan(100);
  expect(modules).toEqual(modulesOf());
});

it("loads neither GraphQL nor the chains of viem, which have 1,500 modules", () => {
  const modules = modulesOf();
  expect(modules.filter((url) => /\/node_modules\/graphql|\/viem\/_esm\/chains\/definitions\//.test(url))).toEqual([]);
});
