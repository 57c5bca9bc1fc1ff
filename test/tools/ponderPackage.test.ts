import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

it.each(["@electric-sql/pglite", "@ponder/utils"])(
  "%s is found from Ponder's package by any runner, also without the NODE_PATH that pnpm sets",
  (name) => {
    const script = `
      import { ponderDependency } from ${JSON.stringify(new URL("../support/ponderPackage.ts", import.meta.url).href)};
      console.log(Object.keys(await import(ponderDependency(${JSON.stringify(name)}))).length > 0);
    `;
    const { NODE_PATH: _, ...env } = process.env;
    const args = ["--input-type=module", "-e", script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
    expect(stdout, stderr).toBe("true\n");
  },
);
