/**
 * Determines which networks this process serves, from the environment and the deployment files.
 *
 * A network is enabled when it has a deployment file `<DEPLOYMENTS_DIR>/evm/<network>.json` and an RPC URL
 * `PONDER_RPC_URL_<chain id>`. `PONDER_NETWORKS` narrows the choice. `PONDER_WS_URL_<chain id>` is optional.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAddress } from "viem";
import { z } from "zod";

/** Chain IDs by network name, in the order in which networks are listed everywhere. */
export const CHAIN_IDS = { mainnet: 1, sepolia: 11155111 } as const;

/** A network that this project knows. */
export type NetworkName = keyof typeof CHAIN_IDS;

/** Every known network, in canonical order. */
export const NETWORK_NAMES = Object.keys(CHAIN_IDS) as NetworkName[];

const address = z
  .string()
  .refine((value) => isAddress(value, { strict: false }), "expected an address: 0x and 40 hex digits")
  .transform((value) => value.toLowerCase() as `0x${string}`);

/** The fields that the indexer needs from a deployment file. The file may contain more. */
const deploymentSchema = z.object({
  chainId: z.int().positive(),
  startBlock: z.int().nonnegative(),
  coreSwap: address,
  treasury: address,
});

type Deployment = z.infer<typeof deploymentSchema>;

/** An enabled network: its nodes and its deployment. */
export interface Network {
  readonly name: NetworkName;
  readonly chainId: number;
  /** At least one URL, in order of preference. */
  readonly rpcUrls: readonly string[];
  /** URL of a WebSocket on which a node announces blocks. */
  readonly wsUrl?: string;
  readonly deployment: Deployment;
}

/** Directory of the deployment files. */
export function deploymentsDirectory(env: NodeJS.ProcessEnv = process.env): string {
  return env.DEPLOYMENTS_DIR || "deployments";
}

/** Name of the database schema that shows the index of a network. */
export function indexSchema(name: NetworkName, env: NodeJS.ProcessEnv = process.env): string {
  return env[`DATABASE_SCHEMA_${name.toUpperCase()}`] || env.DATABASE_SCHEMA || "coreswap";
}

/** Path of a network's deployment file. */
function deploymentPath(name: NetworkName, env: NodeJS.ProcessEnv): string {
  return join(deploymentsDirectory(env), "evm", `${name}.json`);
}

/**
 * Reads and validates the deployment file of a network.
 * @throws Error naming the file, the field and what is expected
 */
export function readDeployment(name: NetworkName, env: NodeJS.ProcessEnv = process.env): Deployment {
  const path = deploymentPath(name, env);
  const chainId = CHAIN_IDS[name];
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new Error(`${path}: not readable as JSON (${(cause as Error).message})`, { cause });
  }
  const parsed = deploymentSchema.safeParse(content);
  if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`);
  if (parsed.data.chainId !== chainId) {
    throw new Error(`${path}: chainId is ${parsed.data.chainId}, expected ${chainId}`);
  }
  return parsed.data;
}

/**
 * Returns the enabled networks, in canonical order.
 * @throws Error when `PONDER_NETWORKS` names an unknown network or one that is not configured, when a deployment file
 * or an RPC URL is malformed, or when no network is enabled
 */
export function configuredNetworks(env: NodeJS.ProcessEnv = process.env): Network[] {
  const wanted = wantedNetworks(env);
  const networks: Network[] = [];
  for (const name of wanted ?? NETWORK_NAMES) {
    const chainId = CHAIN_IDS[name];
    const path = deploymentPath(name, env);
    const urlVariable = `PONDER_RPC_URL_${chainId}`;
    const rpcUrls = splitList(env[urlVariable]);
    const missing = [
      ...(existsSync(path) ? [] : [`the deployment file ${path}`]),
      ...(rpcUrls.length > 0 ? [] : [`an RPC URL in ${urlVariable}`]),
    ];
    if (missing.length > 0) {
      if (wanted) throw new Error(`PONDER_NETWORKS names ${name}, which lacks ${missing.join(" and ")}`);
      continue;
    }
    for (const [index, url] of rpcUrls.entries()) {
      if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
        // The value may contain a key, so the message has its position, not its text.
        throw new Error(`${urlVariable}: entry ${index + 1} is not an http(s) URL`);
      }
    }
    networks.push({ name, chainId, rpcUrls, ...webSocketOf(chainId, env), deployment: readDeployment(name, env) });
  }
  if (networks.length === 0) {
    throw new Error(
      `No network is enabled. A network needs a deployment file ` +
        `(${join(deploymentsDirectory(env), "evm", "<network>.json")}) and an RPC URL: ` +
        NETWORK_NAMES.map((name) => `${name} in PONDER_RPC_URL_${CHAIN_IDS[name]}`).join(", "),
    );
  }
  return networks;
}

function webSocketOf(chainId: number, env: NodeJS.ProcessEnv): Pick<Network, "wsUrl"> {
  const variable = `PONDER_WS_URL_${chainId}`;
  const wsUrl = env[variable];
  if (!wsUrl) return {};
  // Clients refuse a URL with a fragment.
  if (!/^wss?:$/.test(URL.parse(wsUrl)?.protocol ?? "") || wsUrl.includes("#")) {
    throw new Error(`${variable} is not a ws(s) URL`);
  }
  return { wsUrl };
}

function wantedNetworks(env: NodeJS.ProcessEnv): NetworkName[] | undefined {
  if (!env.PONDER_NETWORKS) return undefined;
  const names = splitList(env.PONDER_NETWORKS);
  for (const name of names) {
    if (!NETWORK_NAMES.some((known) => known === name)) {
      throw new Error(`PONDER_NETWORKS: unknown network "${name}", expected any of ${NETWORK_NAMES.join(", ")}`);
    }
  }
  return NETWORK_NAMES.filter((name) => names.includes(name));
}

function splitList(value: string | undefined): string[] {
  return (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
