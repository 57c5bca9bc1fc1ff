import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

/** Prints the modules that an import of Ponder loads. */
const LIST = `
import { registerHooks } from "node:module";
const urls = [];
registerHooks({ load: (url, context, nextLoad) => (urls.push(url), nextLoad(url, context)) });
await import("ponder");
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
