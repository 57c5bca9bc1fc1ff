/** The interactive explorer: Swagger UI from its npm package, so that nothing is loaded from other servers. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pagePolicy, type StaticFile, staticFile } from "../http/staticFiles.ts";

const require = createRequire(import.meta.url);
const fromPackage = (name: string) => staticFile(name, readFileSync(require.resolve(`swagger-ui-dist/${name}`)));
const fromText = (name: string, text: string) => staticFile(name, new TextEncoder().encode(text));

/** Paths are relative to the page, so that it also works below a prefix. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>CoreSwap API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="explorer"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** The validator is disabled because it would send the document's address to another server. */
const START = `SwaggerUIBundle({
  url: new URL("openapi.json", document.baseURI).href,
  dom_id: "#explorer",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** Everything that a browser loads for the explorer, by path. */
export function explorerFiles(): ReadonlyMap<string, StaticFile> {
  return new Map([
    ["/docs", fromText("docs.html", PAGE)],
    ["/docs/start.js", fromText("start.js", START)],
    ["/docs/swagger-ui.css", fromPackage("swagger-ui.css")],
    ["/docs/swagger-ui-bundle.js", fromPackage("swagger-ui-bundle.js")],
  ]);
}

/** Swagger UI has images in its style sheet. */
export const EXPLORER_POLICY = pagePolicy({ images: " data:" });
