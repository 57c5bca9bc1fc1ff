/** The reader's preferences in this browser: colors and time zone. */
import type { Zone } from "../components/Time.tsx";

export type Theme = "system" | "light" | "dark";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** The chosen colors; by default those of the system. */
export function storedTheme(): Theme {
  return THEMES.find((theme) => theme === read("theme")) ?? "system";
}

/** Shows the page in these colors and stores the choice. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  write("theme", theme);
}

/** The chosen zone; by default UTC, as in the API's answers. */
export function storedZone(): Zone {
  return read("zone") === "local" ? "local" : "utc";
}

/** Stores the zone. */
export function storeZone(zone: Zone): void {
  write("zone", zone);
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(`coreswap.${name}`);
  } catch {
    // A browser may refuse storage; the choice then lasts until the page is closed.
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(`coreswap.${name}`, value);
  } catch {
    // As above.
  }
}
