import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { featureApp } from "../http/route.ts";
import { fileAnswer, HASHED_FOLDER, noFile, type StaticFiles } from "../http/staticFiles.ts";

/** The page runs only its own scripts, calls only its own server, and cannot be framed. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

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
