/** What the search finds in generated pages: its own index reads files, and they have none. */
import { apiPages } from "./api.ts";
import { contractPages } from "./natspec.ts";

/** A part of a page, as the search index takes it. */
interface Section {
  readonly anchor: string;
  readonly text: string;
  /** From that of the page down to its own. */
  readonly titles: string[];
}

let pages: ReadonlyMap<string, string> | undefined;

/**
 * Sections of a generated page.
 * @param file path of the page, as if it were a file
 * @returns null for a page that is a file, which the index splits by itself
 */
export function generatedSections(file: string): Section[] | null {
  pages ??= new Map([
    ...apiPages().map(({ slug, markdown }) => [`api/${slug}`, markdown] as const),
    ...contractPages().map(({ contract, markdown }) => [`contracts/${contract}`, markdown] as const),
  ]);
  const name = /\/reference\/(.+)\.md$/.exec(file)?.[1];
  const markdown = name === undefined ? undefined : pages.get(name);
  return markdown === undefined ? null : sectionsOf(markdown);
}

/** Generated headings name their anchors, all but the title of the page. */
function sectionsOf(markdown: string): Section[] {
  const [first = "", ...parts] = markdown.split(/^(?=#{2,3} )/m);
  const pageTitle = /^# (.*)/.exec(first)?.[1] ?? "";
  const sections = parts.map((part) => {
    const [, title = "", anchor = ""] = /^#+ (.*?) \{#(.*)\}/.exec(part) ?? [];
    return { anchor, titles: [pageTitle, title], text: textOf(part) };
  });
  return [{ anchor: "", titles: [pageTitle], text: textOf(first) }, ...sections];
}

/** Without headings, examples and markup. */
function textOf(markdown: string): string {
  return markdown
    .replace(/^#.*$/gm, "")
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/<[^>]*>|[|*`]|^[-| ]+$/gm, " ")
    .replace(/\s+/g, " ")
    .trim();
}
