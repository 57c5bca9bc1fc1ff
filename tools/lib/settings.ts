/** Settings of tools that read or change an index. Prints one line and ends the process when one is missing or wrong. */
import { databaseLocation } from "../../config/database.ts";
import { NETWORK_NAMES, type NetworkName } from "../../config/networks.ts";
import { refuse } from "./commandLine.ts";

/** @param text the value of `--network` */
export function networkNamed(text: string | undefined): NetworkName {
  return NETWORK_NAMES.find((known) => known === text) ?? refuseOption("network", text, NETWORK_NAMES.join(" or "));
}

/** Refuses the value of an option. */
export function refuseOption(name: string, text: string | undefined, expected: string): never {
  return refuse(`--${name} is ${text === undefined ? "missing" : `"${text}"`}, expected ${expected}`);
}

/**
 * Returns the URL of the database.
 * @param onPglite what to do instead if PGlite holds the index, which only one process can open
 */
export function postgresUrl(onPglite: string): string {
  const location = databaseLocation();
  if (location.kind === "pglite") refuse(`DATABASE_URL is not set. ${onPglite}`);
  return location.connectionString;
}
