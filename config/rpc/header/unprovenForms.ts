/** Forms of blocks that this version does not know, and that an operator accepts without the proof by hash. */

/** A header field, or the type of a transaction as a hex quantity. */
const FORM = /^(?:[a-z][a-zA-Z]*|0x[1-9a-f][0-9a-f]*)$/;

/**
 * Reads the setting `UNPROVEN_FORMS`: header fields and types of transactions, separated by commas. Empty when the
 * variable is unset.
 * @throws Error for anything else
 */
export function unprovenForms(env: NodeJS.ProcessEnv = process.env): ReadonlySet<string> {
  const forms = (env.UNPROVEN_FORMS ?? "")
    .split(",")
    .map((form) => form.trim())
    .filter((form) => form !== "");
  for (const form of forms) {
    if (!FORM.test(form)) {
      throw new Error(
        `UNPROVEN_FORMS has "${form}", expected header fields and types of transactions, such as "requestsHash,0x4"`,
      );
    }
  }
  return new Set(forms);
}
