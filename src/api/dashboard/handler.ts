import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { featureApp } from "../http/route.ts";
import { fileAnswer, HASHED_FOLDER, noFile, pagePolicy, type StaticFiles } from "../http/staticFiles.ts";

const POLICY = pagePolicy();

/**
 * Serves the dashboard at `/app`: its files, and for every other path below it the page, which does its own routing.
 * @param files null when it was not built
 */
export function dashboardApp(files: StaticFiles | null): OpenAPIHono {
  const app = featureApp();
  const answer = (c: Context) => {
    if (files === null) return noFile(c, "the dashboard is not built: run `pnpm build` and start again");
    const path = c.req.path.replace(/^\/app\/?/, "");
    const name = files.has(path) || path.startsWith(HASHED_FOLDER) ? path : "index.html";
    const file = files.get(name);
    // The file is from another build, so the page must be reloaded.
    if (file === undefined) return noFile(c, "the dashboard has no such file");
    return fileAnswer(c, { name, file, policy: POLICY });
  };
  app.get("/app", answer);
  app.get("/app/*", answer);
  return app;
}
