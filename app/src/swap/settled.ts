/** The reader may be typing. */
const SETTLED_MS = 300;

/** Waits until a query has been wanted for a moment. @throws the reason of the signal when it is not wanted any more */
export function settled(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, SETTLED_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
