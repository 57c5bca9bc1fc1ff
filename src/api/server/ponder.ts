/** The parts of the surrounding Ponder process that the API uses. */
/// <reference types="ponder/virtual" />

declare global {
  var PONDER_NAMESPACE_BUILD: { readonly schema: string };
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
    metricsRegistry: common.metrics.registry,
    logWarning: (message: string, error?: unknown) => common.logger.warn(entryOf(message, error)),
    logError: (message: string, error: unknown) => common.logger.error(entryOf(message, error)),
  };
}
