/** Links of the built pages: the generator checks that pages exist; this checks the places in them and other files, too. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Stands for the host of the site, which its links do not name. */
const SITE = "http://site.invalid";

/**
 * Follows each link of each built page that stays on the site.
 * @param outDir folder of the built site
 * @param base path that the site is served at, with a slash at its end
 * @throws Error that lists the links without a target
 */
export function checkLinks(outDir: string, base: string): void {
  const pages = globSync("**/*.html", { cwd: outDir });
  const places = new Map(pages.map((page) => [page, new Set(attributes(read(outDir, page), "id"))]));
  const dead = pages.flatMap((page) =>
    attributes(read(outDir, page), "href|src")
      .filter((link) => !leadsSomewhere(link, page))
      .map((link) => `${page}: ${link}`),
  );
  if (dead.length > 0) throw new Error(`links that lead nowhere:\n${[...new Set(dead)].join("\n")}`);

  function leadsSomewhere(link: string, page: string): boolean {
    const { origin, pathname, hash } = new URL(link, `${SITE}${base}${page.replace(/\.html$/, "")}`);
    if (origin !== SITE || !pathname.startsWith(base)) return true;
    const path = pathname.slice(base.length);
    const fragment = decodeURIComponent(hash.slice(1));
    const file = [path, `${path}.html`, `${path}index.html`].find(
      (name) => name !== "" && existsSync(join(outDir, name)),
    );
    return file !== undefined && (fragment === "" || places.get(file)?.has(fragment) === true);
  }
}

function read(outDir: string, page: string): string {
  return readFileSync(join(outDir, page), "utf8");
}

function attributes(html: string, names: string): string[] {
  return [...html.matchAll(new RegExp(`\\s(?:${names})="([^"]*)"`, "g"))].map(([, value = ""]) => value);
}
