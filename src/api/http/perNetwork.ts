/** The enabled networks that requests can name. */
import { type ApiNetwork, type ApiNetworkName, apiNameOf } from "../shared/networks.ts";
import { BadRequest } from "./errors.ts";

/**
 * Makes a function that looks up a parameter's value among the enabled items.
 * @returns a function that throws BadRequest for a disabled name, listing the enabled ones
 */
export function chooser<T>(parameter: string, on: readonly (readonly [name: string, item: T])[]): (name: string) => T {
  const items = new Map(on);
  return (name) => {
    const item = items.get(name);
    if (item !== undefined) return item;
    throw new BadRequest(`${parameter}: ${name} is not enabled; enabled: ${[...items.keys()].join(", ") || "none"}`);
  };
}

/**
 * Makes something for each enabled network.
 * @returns a function that returns it for the network of a request, and throws BadRequest for a disabled one
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
