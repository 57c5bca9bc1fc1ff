/**
 * Colors of code as CSS variables, which `theme/style.css` sets for light and dark. A page then has a handful of different
 * style attributes, which the content security policy can name by their hashes.
 */
const color = (name: string) => ({ foreground: `var(--code-${name})` });

export const codeTheme = {
  name: "coreswap",
  type: "light" as const,
  fg: "var(--code-text)",
  bg: "var(--code-background)",
  settings: [
    { settings: { ...color("text"), background: "var(--code-background)" } },
    { scope: ["comment", "punctuation.definition.comment"], settings: color("comment") },
    { scope: ["string", "markup.inline.raw"], settings: color("string") },
    { scope: ["constant.numeric", "constant.language", "support.type.property-name"], settings: color("constant") },
    { scope: ["keyword", "storage", "punctuation.definition.template-expression"], settings: color("keyword") },
    { scope: ["entity.name.function", "support.function"], settings: color("function") },
  ],
};
