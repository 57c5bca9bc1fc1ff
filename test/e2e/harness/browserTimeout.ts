/** For each step in a browser, on a machine that does much else. */
export const BROWSER_TIMEOUT_MS = 120_000;
