/** The interactive explorer: Swagger UI from its npm package, so that nothing is loaded from other servers. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const fromPackage = (file: string) => readFileSync(require.resolve(`swagger-ui-dist/${file}`), "utf8");

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

/** A file of the explorer. */
export interface ExplorerAsset {
  readonly mediaType: string;
  readonly text: string;
}

/** Everything that a browser loads for the explorer, by path. */
export function explorerAssets(): ReadonlyMap<string, ExplorerAsset> {
  return new Map([
    ["/docs", { mediaType: "text/html", text: PAGE }],
    ["/docs/start.js", { mediaType: "text/javascript", text: START }],
    ["/docs/swagger-ui.css", { mediaType: "text/css", text: fromPackage("swagger-ui.css") }],
    ["/docs/swagger-ui-bundle.js", { mediaType: "text/javascript", text: fromPackage("swagger-ui-bundle.js") }],
  ]);
}

/** The page runs only its own scripts, calls only its own server, and cannot be framed. */
export const EXPLORER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
