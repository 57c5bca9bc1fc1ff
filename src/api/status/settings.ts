/** Settings for monitoring the index, from the environment. */
import { z } from "zod";
import { count, readSettings } from "../shared/environment.ts";

const environment = z.object({
  WATCHDOG_SECONDS: count()
    .refine((seconds) => seconds > 0, "expected at least 1 second")
    .default(120),
  AUDIT_REQUESTS_PER_MINUTE: count().default(60),
});

/** The settings for monitoring the index. */
interface StatusSettings {
  /**
   * Seconds without progress, while the head rises, after which the process ends. Half of that time counts as a stall.
   */
  readonly watchdogSeconds: number;
  /** Requests per minute of the audit to each network's nodes. 0 means no audit. */
  readonly auditRequestsPerMinute: number;
}

/**
 * Reads the settings. An empty variable counts as unset.
 * @throws Error naming each variable with an invalid value
 */
export function statusSettings(env: NodeJS.ProcessEnv = process.env): StatusSettings {
  const settings = readSettings("the status", environment, env);
  return {
    watchdogSeconds: settings.WATCHDOG_SECONDS,
    auditRequestsPerMinute: settings.AUDIT_REQUESTS_PER_MINUTE,
  };
}
