/** The parts of the surrounding Ponder process that the API uses. */
import type { RunExclusively } from "../shared/database.ts";

/// <reference types="ponder/virtual" />

declare global {
  var PONDER_NAMESPACE_BUILD: { readonly schema: string };
  /** Added by this project's patch. Lets statements take turns with the indexer's transactions on PGlite. */
  var PONDER_PGLITE_RUN_EXCLUSIVELY: RunExclusively;
}

/** Returns the process's command, database schema, metrics and log. */
export function ponderProcess() {
  const common = globalThis.PONDER_COMMON;
  const entryOf = (msg: string, error: unknown) => ({
    msg,
    ...(error === undefined ? {} : { error: error instanceof Error ? error : new Error(String(error)) }),
  });
  return {
    command: common.options.command,
    schema: globalThis.PONDER_NAMESPACE_BUILD.schema,
    runExclusively: globalThis.PONDER_PGLITE_RUN_EXCLUSIVELY,
    metricsRegistry: common.metrics.registry,
    logWarning: (message: string, error?: unknown) => common.logger.warn(entryOf(message, error)),
    logError: (message: string, error: unknown) => common.logger.error(entryOf(message, error)),
  };
}
