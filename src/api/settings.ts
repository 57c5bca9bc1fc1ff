/** Settings of the API, from the environment. */
import { z } from "zod";

/** A variable that is a whole number. */
export const count = (fallback: number) =>
  z
    .string()
    .regex(/^[0-9]{1,6}$/, "expected a whole number below a million")
    .transform(Number)
    .default(fallback);

const environment = z.object({
  RATE_LIMIT_PER_MINUTE: count(0),
  TREASURY_ACCOUNTS_PER_MINUTE: count(60),
  CLIENT_ADDRESS_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, "expected the name of a header")
    .nullable()
    .default(null),
});

/** What an operator can set about the API. */
export interface ApiSettings {
  /** Requests per minute that a client may make; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Requests per minute that a client may make of `/v1/treasury/accounts`; 0 for no limit. */
  readonly accountRequestsPerMinute: number;
  /** Header in which a proxy names the client; null without a proxy. */
  readonly clientAddressHeader: string | null;
}

/**
 * Reads the settings; an empty variable is unset.
 * @throws Error naming each variable that is not what it has to be
 */
export function apiSettings(env: NodeJS.ProcessEnv = process.env): ApiSettings {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(set);
  if (!parsed.success) throw new Error(`settings of the API: ${z.prettifyError(parsed.error)}`);
  return {
    requestsPerMinute: parsed.data.RATE_LIMIT_PER_MINUTE,
    accountRequestsPerMinute: parsed.data.TREASURY_ACCOUNTS_PER_MINUTE,
    clientAddressHeader: parsed.data.CLIENT_ADDRESS_HEADER,
  };
}
