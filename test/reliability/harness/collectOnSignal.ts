/** Loaded into an indexer before anything else: SIGUSR2 makes it collect all garbage, so that its memory can be compared. */
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  process.on("SIGUSR2", () => {
    globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  });
}
