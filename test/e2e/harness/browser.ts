/** The browser of the tests, which is installed as a package. */
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** For each step in a browser, on a machine that does much else. */
export const BROWSER_TIMEOUT_MS = 120_000;

// No page uses WebGL, and drawing with emulated graphics hardware would take a third of the browser's CPU time.
chromium.setGraphicsMode = false;

/** Unpacks the browser. Of two test files that did it at once, one would start a program that the other still writes. */
export async function unpackBrowser(): Promise<void> {
  await chromium.executablePath();
}

/** Starts the browser. */
export async function startBrowser(): Promise<Browser> {
  // The package's arguments disable web security, which the tests check, and make the browser end with a context.
  const unwanted = ["--disable-web-security", "--single-process", "--no-zygote"];
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((argument) => !unwanted.includes(argument)), "--disable-gpu"],
    headless: true,
    timeout: BROWSER_TIMEOUT_MS,
  });
}
