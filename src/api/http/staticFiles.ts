/** Reads the files of a built site (`pnpm build`) into memory when the API starts, and serves them. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { conditional, questionOf } from "./answer.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Smaller files gain nothing. */
const LEAST_GZIPPED_BYTES = 1_024;

/** A file of a site. */
export interface StaticFile {
  readonly mediaType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The same, compressed once, at its first use. Null for files that are compressed already, or too small for it. */
  readonly gzipped: () => Uint8Array<ArrayBuffer> | null;
  /** Changes whenever the content does. */
  readonly digest: string;
}

/** The files by their paths below the folder, such as `assets/index-0a1b2c3d.js`. Includes `index.html`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** The names of the files in this folder contain a hash of their content. */
export const HASHED_FOLDER = "assets/";

/**
 * Makes a content security policy: a page runs only its own scripts, calls only its own server, and cannot be framed.
 * @param more further sources of a directive, each after a space
 */
export function pagePolicy(more: { scripts?: string; styles?: string; images?: string } = {}): string {
  return [
    "default-src 'none'",
    `script-src 'self'${more.scripts ?? ""}`,
    `style-src 'self'${more.styles ?? ""}`,
    `img-src 'self'${more.images ?? ""}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * Reads the files of a folder.
 * @returns null when the site was not built
 * @throws Error when a file has an extension that no site is expected to contain
 */
export function readStaticFiles(directory: string): StaticFiles | null {
  if (!existsSync(join(directory, "index.html"))) return null;
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1));
  return new Map(
    names.map((name) => [name.split(sep).join("/"), staticFile(name, readFileSync(join(directory, name)))]),
  );
}

/**
 * Makes a file from its content.
 * @throws Error when the file has an extension that no site is expected to contain
 */
export function staticFile(name: string, content: Uint8Array): StaticFile {
  const mediaType = MEDIA_TYPES[extname(name)];
  if (mediaType === undefined) throw new Error(`${name}: no media type is known for this file extension`);
  const body = new Uint8Array(content);
  const isCompressible = mediaType !== "image/png" && body.length >= LEAST_GZIPPED_BYTES;
  let gzipped: Uint8Array<ArrayBuffer> | null = null;
  return {
    mediaType,
    body,
    gzipped: () => {
      if (isCompressible) gzipped ??= new Uint8Array(gzipSync(body));
      return gzipped;
    },
    digest: createHash("sha256").update(body).digest("base64url"),
  };
}

interface FileAnswer {
  readonly name: string;
  readonly file: StaticFile;
  /** Content security policy of the site's pages. */
  readonly policy: string;
  readonly status?: 200 | 404;
}

/**
 * Answers with a file, or with 304 if the client's copy is current. Files with a hash in their name may be cached
 * forever.
 */
export function fileAnswer(c: Context, { name, file, policy, status = 200 }: FileAnswer): Response {
  const { isCurrent, headers } = conditional(c, questionOf(c.req.path), file.digest, file.mediaType);
  const all = {
    ...headers,
    "Cache-Control": name.startsWith(HASHED_FOLDER) ? "public, max-age=31536000, immutable" : "no-cache",
    "Content-Security-Policy": policy,
    "Referrer-Policy": "no-referrer",
    Vary: "Accept-Encoding",
  };
  if (isCurrent) return c.body(null, 304, all);
  const encoding = accepts(c, { header: "Accept-Encoding", supports: ["gzip", "identity"], default: "identity" });
  const gzipped = encoding === "gzip" ? file.gzipped() : null;
  return gzipped === null
    ? c.body(file.body, status, all)
    : c.body(gzipped, status, { ...all, "Content-Encoding": "gzip" });
}

/** Answers with a 404 that says why the file does not exist. */
export function noFile(c: Context, error: string): Response {
  return c.json({ error, status: 404 }, 404, { "Cache-Control": "no-store" });
}
