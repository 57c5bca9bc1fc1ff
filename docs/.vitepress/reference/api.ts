/** The API reference, from `openapi.json`: a page for each group of endpoints, and one for the schemas of answers. */
import { readFileSync } from "node:fs";
import { cell, code, escapeText, table } from "./markdown.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
  }[];
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}

interface OpenApi {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A page of the reference. */
export interface ApiPage {
  readonly slug: string;
  readonly title: string;
  readonly markdown: string;
}

/** Longest example shown, in lines. */
const MAXIMUM_LINES = 60;

/** All pages, in the order of the document. */
export function apiPages(): ApiPage[] {
  const document = JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8")) as OpenApi;
  const pages = document.tags.map(({ name, description }) => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => tags.includes(name))
        .map(([method, operation]) => operationSection(method, path, operation)),
    );
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return { slug: name, title, markdown: [`# ${title}`, `${escapeText(description)}.`, ...operations].join("\n\n") };
  });
  return [...pages, { slug: "schemas", title: "Schemas", markdown: schemasPage(document) }];
}

function operationSection(method: string, path: string, operation: Operation): string {
  const { summary, description, parameters = [], responses } = operation;
  return [
    `## ${method.toUpperCase()} ${escapeText(path)} {#${anchorOf(`${method} ${path}`)}}`,
    `**${escapeText(summary)}.** ${escapeText(description ?? "")}`,
    table(
      ["parameter", "required", "meaning"],
      parameters.map((parameter) => [
        code(parameter.name),
        parameter.required ? "yes" : "no",
        cell(parameter.description ?? ""),
      ]),
    ),
    table(
      ["status", "answer"],
      Object.entries(responses).map(([status, response]) => [status, answerCell(response)]),
    ),
    ...Object.values(responses["200"]?.content ?? {}).map(exampleOf),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");
}

function answerCell({ description, content = {} }: Operation["responses"][string]): string {
  const kinds = Object.entries(content).map(([type, { schema }]) =>
    schema?.$ref === undefined ? `<code>${type}</code>` : typeOf(schema),
  );
  return [cell(description), ...kinds].join(": ");
}

function exampleOf({ examples = {} }: Media): string {
  return Object.values(examples)
    .filter(({ value }) => typeof value === "object")
    .map(({ summary = "", value }) => `Recorded: ${code(summary)}\n\n\`\`\`json\n${abridged(value)}\n\`\`\``)
    .join("\n\n");
}

/** Indented, with lists cut to their first entry. */
function abridged(value: unknown): string {
  const lines = JSON.stringify(
    value,
    (_key, part) => (Array.isArray(part) && part.length > 1 ? [part[0], `… ${part.length - 1} more`] : part),
    2,
  ).split("\n");
  if (lines.length <= MAXIMUM_LINES) return lines.join("\n");
  return [...lines.slice(0, MAXIMUM_LINES), `… ${lines.length - MAXIMUM_LINES} more lines`].join("\n");
}

function schemasPage({ info, components }: OpenApi): string {
  const sections = Object.entries(components.schemas).map(([name, schema]) => {
    const rows = Object.entries(schema.properties ?? {}).map(([field, property]) => [
      code(field),
      typeOf(property),
      cell(property.description ?? ""),
    ]);
    const whole = rows.length > 0 ? "" : typeOf({ ...schema });
    return [
      `## ${name} {#${anchorOf(name)}}`,
      escapeText(schema.description ?? ""),
      whole,
      table(["field", "type", "meaning"], rows),
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  });
  const introduction = `Schemas of the answers of API version ${info.version}. Integers that can exceed 2^53 are decimal strings.`;
  return ["# Schemas", introduction, ...sections].join("\n\n");
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `[${name}](/reference/api/schemas#${anchorOf(name)})`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeOf).join(" or ");
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(" and ");
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(" or ");
  const types = [schema.type ?? "any"].flat().map((type) => (type === "array" ? `list of ${itemsOf(schema)}` : type));
  return types.join(" or ");
}

function itemsOf({ items }: Schema): string {
  return items === undefined ? "anything" : typeOf(items);
}
