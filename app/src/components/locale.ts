/**
 * Makes `navigator.language` a tag that `Intl` accepts. A browser with a POSIX locale says "en-US@posix", for which uPlot
 * throws a RangeError as it loads. So this module is imported before it.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
}
