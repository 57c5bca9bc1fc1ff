/** Text from code as Markdown: nothing in it may be read as HTML, as an interpolation or as the end of a table cell. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("{{", "&#123;{").replaceAll("|", "\\|");
}

/** Text of a table cell, which is one line. */
export function cell(text: string): string {
  return escapeText(text.replace(/\s+/g, " ").trim());
}

/** A name or type as code; `v-pre` keeps braces as they are. */
export function code(text: string): string {
  return `<code v-pre>${escapeText(text)}</code>`;
}

/** A table, or nothing when it has no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
