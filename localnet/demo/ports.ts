/** Ports of the demo: read from the environment and checked before anything starts. */

import { parsePort } from "../../tools/lib/port.ts";
import { isFreePort } from "../ports.ts";

export interface DemoPorts {
  readonly api: number;
  readonly mainnet: number;
  readonly sepolia: number;
}

const VARIABLES = { api: "PORT", mainnet: "MAINNET_RPC_PORT", sepolia: "SEPOLIA_RPC_PORT" } as const;
const DEFAULTS: DemoPorts = { api: 42069, mainnet: 8545, sepolia: 8546 };
const PURPOSES = { api: "the API", mainnet: "the mainnet node", sepolia: "the sepolia node" } as const;

/**
 * The ports to use.
 * @throws Error naming the variable when a value is not a port, or when two of the three are the same
 */
export function readPorts(env: NodeJS.ProcessEnv): DemoPorts {
  const read = (key: keyof DemoPorts): number => {
    const text = env[VARIABLES[key]];
    return text ? parsePort(VARIABLES[key], text) : DEFAULTS[key];
  };
  const ports = { api: read("api"), mainnet: read("mainnet"), sepolia: read("sepolia") };
  const users = new Map<number, string>();
  for (const key of ["api", "mainnet", "sepolia"] as const) {
    const other = users.get(ports[key]);
    if (other)
      throw new Error(`Port ${ports[key]} is used twice: by ${other} and ${VARIABLES[key]}. Change one of them.`);
    users.set(ports[key], VARIABLES[key]);
  }
  return ports;
}

/**
 * Checks that all three ports are free.
 * @throws Error naming every port that is not, and the variables that choose others
 */
export async function requireFreePorts(ports: DemoPorts): Promise<void> {
  const busy: string[] = [];
  for (const key of ["api", "mainnet", "sepolia"] as const) {
    if (await isFreePort(ports[key])) continue;
    busy.push(
      `Port ${ports[key]} of ${PURPOSES[key]} is in use: ` +
        `stop what listens there, or set ${VARIABLES[key]} to another port.`,
    );
  }
  if (busy.length > 0) throw new Error(busy.join("\n"));
}
