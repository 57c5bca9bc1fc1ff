import { createHash } from "node:crypto";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Handler } from "hono";
import { conditional, itself, questionOf } from "../http/answer.ts";
import { type FeatureOptions, featureApp } from "../http/route.ts";
import { indexOf, type OpenApiDocument } from "./document.ts";
import { EXPLORER_POLICY, type ExplorerAsset, explorerAssets } from "./explorer.ts";
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
  for (const [path, asset] of explorerAssets()) app.get(path, assetHandler(path, asset));
  return app;
}

/** Answers with a file of the explorer. */
function assetHandler(path: string, { mediaType, text }: ExplorerAsset): Handler {
  // The largest file has two megabytes, which no request should hash.
  const digest = createHash("sha256").update(text).digest("base64url");
  return (c) => {
    const { isCurrent, headers } = conditional(c, questionOf(path), digest, `${mediaType}; charset=utf-8`);
    if (isCurrent) return c.body(null, 304, headers);
    return c.body(text, 200, { ...headers, "Content-Security-Policy": EXPLORER_POLICY });
  };
}
