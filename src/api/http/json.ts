/** JSON objects, of which a part may be text already. */

/** A value of a JSON object that is JSON text already, to be sent as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `Body` with a property given as text. */
export type JsonOf<Body, Name extends keyof Body> = Omit<Body, Name> & Readonly<Record<Name, JsonText>>;

/** Like `JSON.stringify` of an object that is no array, with the texts among its own properties taken over. */
export function stringifyJson(body: object): string {
  const properties = Object.entries(body).flatMap(([name, value]) => {
    const text: string | undefined = value instanceof JsonText ? value.text : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${properties.join(",")}}`;
}
