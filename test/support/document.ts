/** Checks answers against the OpenAPI document, with a JSON Schema validator that is independent of the code. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

interface Content {
  readonly [mediaType: string]: { readonly schema: object };
}

export interface OpenApi {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly responses: Readonly<Record<string, { readonly content?: Content }>> } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export interface Answer {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** Statuses that no operation lists, because they do not belong to any operation. */
const UNLISTED = [404, 405];

export class DocumentChecker {
  readonly #document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: false });
  readonly #validators = new Map<object, ValidateFunction>();
  /** `path status` of every answer that was checked. */
  readonly seen = new Set<string>();

  constructor(document: OpenApi) {
    this.#document = document;
    this.#ajv.addVocabulary(["example", "discriminator"]);
  }

  /**
   * Returns the body of an answer, parsed when it is JSON.
   * @throws Error unless status, media type and body match the document
   */
  check({ method, path, status, contentType, text }: Answer): unknown {
    const what = `${method} ${path.length > 200 ? `${path.slice(0, 200)}…` : path}: ${status}`;
    if (status === 304 || method === "HEAD") {
      if (text !== "") throw new Error(`${what} has a body`);
      return undefined;
    }
    const template = this.templateOf(path);
    const listed = template && this.#document.paths[template]?.get.responses[status];
    if (!listed && !UNLISTED.includes(status)) throw new Error(`${what} is not in the document`);
    const mediaType = contentType?.split(";")[0] ?? "";
    const schema = listed ? listed.content?.[mediaType]?.schema : mediaType === "application/json" && this.#errorSchema;
    if (!schema) throw new Error(`${what} has the media type ${contentType}`);
    this.seen.add(`${template ?? "unknown"} ${status}`);
    const body: unknown = mediaType === "application/json" ? JSON.parse(text) : text;
    const validate = this.#validatorOf(schema);
    if (!validate(body)) throw new Error(`${what}: ${this.#ajv.errorsText(validate.errors)}\n${text.slice(0, 500)}`);
    return body;
  }

  /** Returns the path in the document that matches the path of a request. */
  templateOf(path: string): string | undefined {
    const segments = (path.split(/[?#]/)[0] ?? "").split("/");
    return Object.keys(this.#document.paths).find((template) => {
      const parts = template.split("/");
      return (
        parts.length === segments.length &&
        parts.every((part, index) => part === segments[index] || (part.startsWith("{") && segments[index] !== ""))
      );
    });
  }

  get #errorSchema(): object {
    const schema = this.#document.components.schemas.ApiError;
    if (!schema) throw new Error("the document has no schema of errors");
    return schema;
  }

  #validatorOf(schema: object): ValidateFunction {
    const known = this.#validators.get(schema);
    if (known) return known;
    const text = JSON.stringify({ ...schema, $defs: this.#document.components.schemas });
    const validator = this.#ajv.compile(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")) as object);
    this.#validators.set(schema, validator);
    return validator;
  }
}
