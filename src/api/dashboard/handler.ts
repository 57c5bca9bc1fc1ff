import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { compress } from "hono/compress";
import { conditional, questionOf } from "../http/answer.ts";
import { featureApp } from "../http/route.ts";
import type { Dashboard, DashboardFile } from "./files.ts";

/** Names of these files hold a hash of their content. */
const HASHED = "assets/";

/** The page runs its own scripts, asks its own server, and is framed by nobody. */
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
 * The dashboard at `/app`: its files, and its page for every other path below, which the page itself understands.
 * @param dashboard null when it was not built
 */
export function dashboardApp(dashboard: Dashboard | null): OpenAPIHono {
  const app = featureApp();
  const answer = (c: Context) => {
    if (dashboard === null) return refused(c, "the dashboard is not built: run `pnpm build` and start again");
    const name = c.req.path.replace(/^\/app\/?/, "");
    const isPage = !dashboard.has(name) && !name.startsWith(HASHED);
    const file = dashboard.get(isPage ? "index.html" : name);
    // Of another build: its page has to be loaded anew.
    if (file === undefined) return refused(c, "the dashboard has no such file");
    return fileAnswer(c, file, name.startsWith(HASHED) ? "public, max-age=31536000, immutable" : "no-cache");
  };
  app.use("/app/*", compress());
  app.get("/app", answer);
  app.get("/app/*", answer);
  return app;
}

/** Answers with a file, or says that the client's copy is current. */
function fileAnswer(c: Context, { mediaType, body, digest }: DashboardFile, cacheControl: string): Response {
  const { isCurrent, headers } = conditional(c, questionOf(c.req.path), digest, mediaType);
  const all = {
    ...headers,
    "Cache-Control": cacheControl,
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
  };
  return isCurrent ? c.body(null, 304, all) : c.body(body, 200, all);
}

function refused(c: Context, error: string): Response {
  return c.json({ error, status: 404 }, 404, { "Cache-Control": "no-store" });
}
