/** Makes the content security policy of the documentation site from its pages. */
import { createHash } from "node:crypto";
import { pagePolicy, type StaticFiles } from "../http/staticFiles.ts";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
const STYLE_ATTRIBUTE = /\sstyle="([^"]*)"/g;

/**
 * Makes the policy. All pages have the same policy, because client-side navigation keeps the policy of the first page.
 * It allows the site's own files and, by their hashes, the few inline scripts and style attributes that the generator
 * writes into pages. The site's icons are `data:` images.
 */
export function guidePolicy(files: StaticFiles): string {
  const pages = [...files]
    .filter(([name]) => name.endsWith(".html"))
    .map(([, { body }]) => new TextDecoder().decode(body));
  return pagePolicy({
    scripts: hashesOf(pages, INLINE_SCRIPT),
    styles: ` 'unsafe-hashes'${hashesOf(pages, STYLE_ATTRIBUTE)}`,
    images: " data:",
  });
}

function hashesOf(pages: readonly string[], pattern: RegExp): string {
  const texts = new Set(pages.flatMap((page) => [...page.matchAll(pattern)].map(([, text = ""]) => text)));
  return [...texts].map((text) => ` 'sha256-${createHash("sha256").update(text).digest("base64")}'`).join("");
}
