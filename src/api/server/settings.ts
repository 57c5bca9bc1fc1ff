/** Settings of the API, from the environment. */
import { z } from "zod";
import type { TrustedProxies } from "../http/client.ts";
import { count, readSettings } from "../shared/environment.ts";
import type { ConnectionLimits } from "./connections.ts";

/** Each connection takes about 20 KB and a file descriptor, so any machine that runs this process can hold 2,000. */
const MAXIMUM_CONNECTIONS = 2_000;

/** One address may use at most an eighth, which is enough for an office that shares one address. */
const MAXIMUM_CONNECTIONS_PER_ADDRESS = 250;

/**
 * A supervisor kills the process after ten seconds at the earliest, and Ponder may need five of them after the drain.
 */
const SHUTDOWN_SECONDS = 4;

/**
 * Per client: 100 requests a second, a quarter of what a process answers of pages of 100 that all differ. Whoever pages
 * over the internet waits longer than ten milliseconds for each page, so a whole office can do it behind one address.
 */
const REQUESTS_PER_MINUTE = 6_000;

const environment = z
  .object({
    RATE_LIMIT_PER_MINUTE: count().optional(),
    NODE_REQUESTS_PER_MINUTE: count().default(60),
    API_KEYS_FILE: z.string().nullable().default(null),
    CLIENT_ADDRESS_HEADER: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, "expected the name of an HTTP header: letters, digits and hyphens")
      .nullable()
      .default(null),
    TRUSTED_PROXIES: z
      .string()
      .regex(/^[1-9][0-9]?$/, "expected a whole number from 1 to 99")
      .transform(Number)
      .optional(),
    MAX_CONNECTIONS: count().default(MAXIMUM_CONNECTIONS),
    MAX_CONNECTIONS_PER_ADDRESS: count().optional(),
    SHUTDOWN_SECONDS: count().default(SHUTDOWN_SECONDS),
    EXPLORER_LINKS: z.enum(["on", "off"]).default("on"),
  })
  .refine(({ CLIENT_ADDRESS_HEADER: header, TRUSTED_PROXIES: proxies }) => proxies === undefined || header !== null, {
    path: ["TRUSTED_PROXIES"],
    error: "expected CLIENT_ADDRESS_HEADER to name the header in which the proxies name the client",
  });

/** The settings of the API that operators make. */
export interface ApiSettings {
  /** Requests per minute that a client may make. 0 means no limit. */
  readonly requestsPerMinute: number;
  /**
   * Whether that limit is also for connections from this machine or a private network. By default it is not, unless
   * proxies name the client: such a connection may come from a proxy, whose clients would all share one limit.
   */
  readonly limitsLocalAddresses: boolean;
  /** Requests per minute that a client may make to each path that asks a node. 0 means no limit. */
  readonly nodeRequestsPerMinute: number;
  /** File of the keys of clients, or null for no keys. */
  readonly keysFile: string | null;
  /** The proxies in front of this process, or null when clients connect directly. */
  readonly proxies: TrustedProxies | null;
  readonly connections: ConnectionLimits;
  /** Time for requests in flight to finish when the process is told to end. */
  readonly shutdownMs: number;
  /** Whether the dashboard links addresses and transactions to public block explorers. Local chains are in none. */
  readonly hasExplorerLinks: boolean;
}

/**
 * Reads the settings. An empty variable counts as unset.
 * @throws Error naming each variable with an invalid value
 */
export function apiSettings(env: NodeJS.ProcessEnv = process.env): ApiSettings {
  const { CLIENT_ADDRESS_HEADER: header, ...settings } = readSettings("the API", environment, env);
  return {
    requestsPerMinute: settings.RATE_LIMIT_PER_MINUTE ?? REQUESTS_PER_MINUTE,
    limitsLocalAddresses: settings.RATE_LIMIT_PER_MINUTE !== undefined || header !== null,
    nodeRequestsPerMinute: settings.NODE_REQUESTS_PER_MINUTE,
    keysFile: settings.API_KEYS_FILE,
    proxies: header === null ? null : { header, count: settings.TRUSTED_PROXIES ?? 1 },
    connections: {
      total: settings.MAX_CONNECTIONS,
      // Behind a proxy, all connections come from the proxy's address.
      perAddress: settings.MAX_CONNECTIONS_PER_ADDRESS ?? (header === null ? MAXIMUM_CONNECTIONS_PER_ADDRESS : 0),
    },
    shutdownMs: settings.SHUTDOWN_SECONDS * 1_000,
    hasExplorerLinks: settings.EXPLORER_LINKS === "on",
  };
}
