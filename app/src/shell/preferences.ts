/** What a reader chose in this browser: colours and zone of times. */
import type { Zone } from "../components/Time.tsx";

export type Theme = "system" | "light" | "dark";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** The colours that were chosen; those of the system by default. */
export function storedTheme(): Theme {
  return THEMES.find((theme) => theme === read("theme")) ?? "system";
}

/** Shows the page in these colours and remembers them. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  write("theme", theme);
}

/** The zone that was chosen; UTC by default, as the API answers. */
export function storedZone(): Zone {
  return read("zone") === "local" ? "local" : "utc";
}

/** Remembers the zone. */
export function storeZone(zone: Zone): void {
  write("zone", zone);
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(`coreswap.${name}`);
  } catch {
    // A browser may refuse storage; the choice then lasts as long as the page.
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
