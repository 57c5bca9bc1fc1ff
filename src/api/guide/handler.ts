import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { featureApp } from "../http/route.ts";
import { fileAnswer, noFile, type StaticFiles } from "../http/staticFiles.ts";
import { guidePolicy } from "./policy.ts";

/**
 * Serves the documentation site at `/docs/guide`: one file per page, whose address omits `.html`.
 * @param files null when it was not built
 */
export function guideApp(files: StaticFiles | null): OpenAPIHono {
  const app = featureApp();
  const policy = files === null ? "" : guidePolicy(files);
  const answer = (c: Context) => {
    if (files === null) return noFile(c, "the documentation site is not built: run `pnpm build` and start again");
    const path = c.req.path.replace(/^\/docs\/guide\/?/, "");
    const name = [path, `${path}.html`, `${path}index.html`].find((candidate) => files.has(candidate));
    const file = files.get(name ?? "404.html");
    if (file === undefined) return noFile(c, "the documentation site has no such file");
    return fileAnswer(c, { name: name ?? "404.html", file, policy, status: name === undefined ? 404 : 200 });
  };
  app.get("/docs/guide", answer);
  app.get("/docs/guide/*", answer);
  return app;
}
