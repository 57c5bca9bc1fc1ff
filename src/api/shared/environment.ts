/** Reads settings from the environment. */
import { z } from "zod";

/** A variable that is a whole number. */
export const count = () =>
  z
    .string()
    .regex(/^[0-9]{1,6}$/, "expected a whole number below a million")
    .transform(Number);

/**
 * Reads variables by a schema. An empty variable counts as unset.
 * @param of what the settings belong to, as named in the message
 * @throws Error naming each variable with an invalid value
 */
export function readSettings<Settings extends z.ZodType>(
  of: string,
  schema: Settings,
  env: NodeJS.ProcessEnv,
): z.output<Settings> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(set);
  if (!parsed.success) throw new Error(`settings of ${of}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
