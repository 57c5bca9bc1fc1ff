/** Loaded into an indexer before anything else: SIGUSR2 makes it collect all garbage, so that its memory can be compared. */
import { BroadcastChannel, isMainThread } from "node:worker_threads";

// Signals reach the main thread alone, and each thread that indexes has a heap of its own.
const threads = new BroadcastChannel("collect garbage");
threads.unref();
threads.onmessage = collect;
if (isMainThread) {
  process.on("SIGUSR2", () => {
    threads.postMessage(null);
    collect();
  });
}

function collect(): void {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}
