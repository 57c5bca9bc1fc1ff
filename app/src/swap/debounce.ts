/** The reader may be typing. */
const DEBOUNCE_MS = 300;

/** Waits before a request, which the next key press cancels. @throws the reason of the signal when it is cancelled */
export function debounce(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, DEBOUNCE_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
