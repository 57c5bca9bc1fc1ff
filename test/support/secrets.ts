/** Looks for secrets in what processes write and answer. */
import { readFileSync } from "node:fs";

/** Secrets, by what they are. */
export type Secrets = Readonly<Record<string, string>>;

/** Every way in which a secret may be written: as it is, in a URL, in an HTTP header, in JSON. */
function formsOf(secret: string): string[] {
  const [encoded, plus] = [encodeURIComponent(secret), new URLSearchParams([["", secret]]).toString().slice(1)];
  const quoted = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, encoded, encoded.toLowerCase(), plus, encodeURI(secret), quoted, base64(secret)])];
}

/** The text in Base64, as far as it is the same wherever the text ends. */
function base64(text: string): string {
  return Buffer.from(text.slice(0, text.length - (text.length % 3))).toString("base64");
}

/** Texts that processes wrote or answered, by where they are from. */
export class Evidence {
  readonly #secrets: Secrets;
  readonly #files = new Set<string>();
  readonly #texts: { readonly where: string; readonly text: string }[] = [];

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** Adds a file, which is read when secrets are looked for. */
  addFile(path: string): string {
    this.#files.add(path);
    return path;
  }

  add(where: string, text: string): void {
    this.#texts.push({ where, text });
  }

  /** All texts, by where they are from. */
  read(): { readonly where: string; readonly text: string }[] {
    return [...this.#texts, ...[...this.#files].map((path) => ({ where: path, text: readFileSync(path, "utf8") }))];
  }

  /** Each secret that was found, with where it is and what surrounds it. Empty if there is none. */
  leaks(): string[] {
    return this.read().flatMap(({ where, text }) =>
      Object.entries(this.#secrets).flatMap(([name, secret]) => {
        const found = formsOf(secret).find((form) => text.includes(form));
        if (found === undefined) return [];
        const at = text.indexOf(found);
        return [`${name} in ${where}: …${text.slice(Math.max(0, at - 200), at + found.length + 100)}…`];
      }),
    );
  }
}
