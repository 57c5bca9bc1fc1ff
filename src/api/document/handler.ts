import type { OpenAPIHono } from "@hono/zod-openapi";
import { itself, questionOf } from "../http/answer.ts";
import { type FeatureOptions, featureApp } from "../http/route.ts";
import { fileAnswer } from "../http/staticFiles.ts";
import { indexOf, type OpenApiDocument } from "./document.ts";
import { EXPLORER_POLICY, explorerFiles } from "./explorer.ts";
import { docsRoute, documentRoute, indexRoute } from "./route.ts";

interface DocumentOptions extends Pick<FeatureOptions, "answer"> {
  /** The document of the whole app, made once all routes are known. */
  readonly documentOf: () => OpenApiDocument;
}

/** Serves the description of the API: `/`, `/openapi.json` and the explorer at `/docs`. */
export function documentation({ answer, documentOf }: DocumentOptions): OpenAPIHono {
  const app = featureApp()
    .openapi(indexRoute, (c) => answer(c, { text: questionOf("/"), ...itself(indexOf(documentOf())) }))
    .openapi(documentRoute, (c) => answer(c, { text: questionOf("/openapi.json"), ...itself(documentOf()) }));
  app.openAPIRegistry.registerPath(docsRoute);
  for (const [path, file] of explorerFiles()) {
    app.get(path, (c) => fileAnswer(c, { name: path, file, policy: EXPLORER_POLICY }));
  }
  return app;
}
