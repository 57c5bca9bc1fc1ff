/** The networks of requests, of those that are on. */
import { type ApiNetwork, type ApiNetworkName, apiNameOf } from "../shared/networks.ts";
import { BadRequest } from "./errors.ts";

/**
 * Makes the look-up of what a parameter names, of what is on.
 * @returns a function that throws BadRequest for a name that is off, listing those that are on
 */
export function chooser<T>(parameter: string, on: readonly (readonly [name: string, item: T])[]): (name: string) => T {
  const items = new Map(on);
  return (name) => {
    const item = items.get(name);
    if (item !== undefined) return item;
    throw new BadRequest(`${parameter}: ${name} is off, on: ${[...items.keys()].join(", ") || "none"}`);
  };
}

/**
 * Makes something for each network that is on.
 * @returns a function that gives it for the network of a request, and throws BadRequest for one that is off
 */
export function perNetwork<T>(
  networks: readonly ApiNetwork[],
  make: (network: ApiNetwork) => T,
): (requested: ApiNetworkName) => T {
  return chooser(
    "network",
    networks.map((network) => [apiNameOf(network), make(network)]),
  );
}
