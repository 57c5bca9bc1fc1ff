/** Links between pages, and from pages to files of the repository, as the site shows them. */
import { existsSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** Files outside `docs/` that a page of the site includes. */
const INCLUDED: Readonly<Record<string, string>> = { "SECURITY.md": "docs/security.md" };

/**
 * Links of pages are written for readers of the repository. Those to other pages stay links. Those to files that the
 * site does not have become the path of the file: the site stands alone, and may be served where no repository is.
 * A page that includes a file of the repository names it as `source`, because its links start from there.
 */
export function repositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.push("repository_links", ({ tokens, env }) => {
    const { relativePath, frontmatter } = env as Partial<MarkdownEnv>;
    // The title of a container, which is rendered apart from its page and has no links.
    if (relativePath === undefined) return;
    const page = posix.join("docs", relativePath);
    const source = typeof frontmatter?.source === "string" ? frontmatter.source : page;
    for (const { children } of tokens) {
      const opened: boolean[] = [];
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const file = fileOf(token.attrGet("href") ?? "", source);
          opened.push(file !== null && !isPage(file.path));
          if (file === null) continue;
          if (isPage(file.path)) {
            token.attrSet("href", pageLink(file, page));
          } else {
            token.type = "repository_file_open";
            token.tag = "span";
            token.attrs = [
              ["class", "repository-file"],
              ["title", `${file.path} in the repository`],
            ];
          }
        } else if (token.type === "link_close" && opened.pop()) {
          token.type = "repository_file_close";
          token.tag = "span";
        }
      }
    }
  });
}

interface LinkedFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly fragment: string;
}

/**
 * What a relative link names.
 * @returns null for any other link
 * @throws Error when the repository has no such file
 */
function fileOf(href: string, source: string): LinkedFile | null {
  if (!/^[\w.]/.test(href) || /^[a-z]+:/.test(href)) return null;
  const [target = "", fragment = ""] = href.split("#");
  const path = posix.join(dirname(source), decodeURI(target));
  const onDisk = isPage(path) && !existsSync(join(REPOSITORY, path)) ? null : join(REPOSITORY, path);
  // The generator itself refuses links to pages that do not exist, also those that it generates.
  if (onDisk !== null && !existsSync(onDisk)) throw new Error(`${source} links to ${href}, and there is no ${path}`);
  return { path: INCLUDED[path] ?? path, fragment: fragment === "" ? "" : `#${fragment}` };
}

function isPage(path: string): boolean {
  return path.startsWith("docs/") && path.endsWith(".md");
}

function pageLink({ path, fragment }: LinkedFile, page: string): string {
  const target = relative(dirname(page), path);
  return `${target.startsWith(".") ? target : `./${target}`}${fragment}`;
}
