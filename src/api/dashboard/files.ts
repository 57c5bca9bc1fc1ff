/** The built dashboard (`pnpm build`), read into memory: some hundred kilobytes. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** A file of the dashboard. */
export interface DashboardFile {
  readonly mediaType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Changes with the content. */
  readonly digest: string;
}

/** The files by their paths below the folder, such as `assets/index-0a1b2c3d.js`; `index.html` is among them. */
export type Dashboard = ReadonlyMap<string, DashboardFile>;

/**
 * Reads the files of a folder.
 * @returns null when the dashboard was not built
 * @throws Error when a file is of a kind that the dashboard is not known to have
 */
export function readDashboard(directory: string): Dashboard | null {
  if (!existsSync(join(directory, "index.html"))) return null;
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1));
  return new Map(names.map((name) => [name.split(sep).join("/"), readFile(join(directory, name))]));
}

function readFile(path: string): DashboardFile {
  const mediaType = MEDIA_TYPES[extname(path)];
  if (mediaType === undefined) throw new Error(`${path}: the dashboard has no such kind of file`);
  const body = new Uint8Array(readFileSync(path));
  return { mediaType, body, digest: createHash("sha256").update(body).digest("base64url") };
}
