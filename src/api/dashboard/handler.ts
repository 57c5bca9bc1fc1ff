import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { featureApp } from "../http/route.ts";
import { fileAnswer, HASHED_FOLDER, noFile, pagePolicy, type StaticFiles, staticFile } from "../http/staticFiles.ts";

const POLICY = pagePolicy();

/** Tells the page to link to no block explorer (`app/src/components/explorers.ts` reads it). */
const NO_EXPLORER_LINKS = '<meta name="explorer-links" content="off" />';

/**
 * Returns the dashboard with a page that links to no block explorer.
 * @throws Error when the page has no head
 */
export function withoutExplorerLinks(files: StaticFiles): StaticFiles {
  const page = new TextDecoder().decode(files.get("index.html")?.body);
  if (!page.includes("</head>")) throw new Error("the dashboard's index.html has no head: run `pnpm build`");
  const changed = page.replace("</head>", `${NO_EXPLORER_LINKS}</head>`);
  return new Map([...files, ["index.html", staticFile("index.html", new TextEncoder().encode(changed))]]);
}

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
