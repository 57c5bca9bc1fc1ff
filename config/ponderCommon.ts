/** The parts of Ponder's global state that this project uses. Ponder does not export their types. */
import type { Registry } from "prom-client";

/** One structured line per call. */
interface Logger {
  warn(entry: { msg: string; error?: Error }): void;
  error(entry: { msg: string; error?: Error }): void;
}

declare global {
  var PONDER_COMMON: {
    readonly options: {
      readonly command: "dev" | "start" | "serve" | "codegen" | "list" | "prune";
      /** Milliseconds between two signs of life of an indexer that holds its schema. */
      databaseHeartbeatInterval: number;
      /** Milliseconds of silence after which another indexer takes over the schema. */
      databaseHeartbeatTimeout: number;
    };
    readonly logger: Logger;
    readonly metrics: {
      readonly registry: Registry;
      readonly ponder_sync_is_realtime: {
        get(): Promise<{ values: { labels: { chain?: string | number }; value: number }[] }>;
      };
    };
  };
}

/** Where Ponder does not run, as in a tool. */
const consoleLogger: Logger = {
  warn: ({ msg }) => console.warn(msg),
  error: ({ msg }) => console.error(msg),
};

/** Ponder's logger, or one that writes to the console where Ponder does not run. */
export function logger(): Logger {
  return globalThis.PONDER_COMMON?.logger ?? consoleLogger;
}
