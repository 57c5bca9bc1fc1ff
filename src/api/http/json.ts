/** JSON objects with parts that are text already. */

/** JSON text that stands for a value of an object, to be sent as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `Body` with one property given as text. */
export type JsonOf<Body, Name extends keyof Body> = Omit<Body, Name> & Readonly<Record<Name, JsonText>>;

/** `JSON.stringify` of an object that is no array, whose own properties may be `JsonText`. */
export function stringifyJson(body: object): string {
  const properties = Object.entries(body).flatMap(([name, value]) => {
    const text: string | undefined = value instanceof JsonText ? value.text : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${properties.join(",")}}`;
}
