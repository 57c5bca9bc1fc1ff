import { isMainThread, workerData } from "node:worker_threads";
import { createConfig } from "ponder";
import { zeroAddress } from "viem";
import {
  coreSwapAbi,
  navPriceAdapterAbi,
  stablecoinDelegateAbi,
  treasuryAbi,
  treasuryDelegateAbi,
} from "./abis/index.ts";
import { callsFromSetting } from "./config/callsFrom.ts";
import { databaseConfig, databaseLocation, shortenLock } from "./config/database.ts";
import { holdFolder } from "./config/folderLock.ts";
import { configuredNetworks, type Network, type NetworkName } from "./config/networks.ts";
import { indexingTransport } from "./config/rpc/backfill/indexingTransport.ts";
import { unprovenForms } from "./config/rpc/header/unprovenForms.ts";
import { searchedEvents } from "./config/rpc/indexedData.ts";
import { liveTransport } from "./config/rpc/live/liveTransport.ts";
import { createNetworkReport } from "./config/rpc/networkReport.ts";
import { configuredRequestsPerSecond } from "./config/rpc/pace.ts";
import { holdSchema } from "./config/schemaLock.ts";
import { verifyStart } from "./config/startChecks.ts";

// Both refuse a wrong setting before anything starts.
configuredRequestsPerSecond();
unprovenForms();
const callsFrom = callsFromSetting();
// Ponder runs this file again in the worker thread of each network. A thread that configured the other networks, too,
// would not start while the node of one of them is away.
const networks = configuredNetworks().filter(
  ({ chainId }) => isMainThread || (workerData as { chainIds: readonly number[] }).chainIds.includes(chainId),
);
const database = databaseLocation();

const isIndexing = ["dev", "start"].includes(globalThis.PONDER_COMMON.options.command);
if (isMainThread && isIndexing) {
  await verifyStart(networks, database, callsFrom);
  if (database.kind === "pglite") await holdFolder(database.directory);
  else await holdSchema(database.connectionString, globalThis.PONDER_NAMESPACE_BUILD.schema);
  shortenLock();
}

/** One entry per network that is on. Typed as if all were, since handlers are typed for any of them. */
function perNetwork<T>(entry: (network: (typeof networks)[number]) => T): Record<NetworkName, T> {
  return Object.fromEntries(networks.map((network) => [network.name, entry(network)])) as Record<NetworkName, T>;
}

/** How the nodes of a network are asked: for its history, and for its newest blocks. */
function transportOf(network: Network) {
  const { chainId, rpcUrls, deployment } = network;
  const report = createNetworkReport(chainId);
  const searched = searchedEvents(deployment);
  const proxies = [deployment.coreSwap, deployment.treasury];
  return liveTransport(indexingTransport({ chainId, rpcUrls, report, searched, callsFrom, proxies }), network, report);
}

/** The type of an account demands a default address, although every network has its own. */
const NO_ADDRESS = zeroAddress;

export default createConfig({
  // Networks share nothing: the default ordering lets a reorganization of one revert rows of another.
  ordering: "experimental_isolated",
  database: databaseConfig(database, isIndexing),
  chains: perNetwork((network) => ({
    id: network.chainId,
    rpc: transportOf(network),
  })),
  // A backfill takes no log without the receipt of its transaction, so every source includes receipts.
  contracts: {
    CoreSwap: {
      abi: coreSwapAbi,
      chain: perNetwork(({ deployment: { coreSwap, startBlock } }) => ({ address: coreSwap, startBlock })),
      includeTransactionReceipts: true,
    },
    Treasury: {
      abi: treasuryAbi,
      chain: perNetwork(({ deployment: { treasury, startBlock } }) => ({ address: treasury, startBlock })),
      includeTransactionReceipts: true,
    },
    // Without an address: a delegate announces its issuer admins before CoreSwap accepts it.
    StablecoinDelegate: {
      abi: stablecoinDelegateAbi,
      chain: perNetwork(({ deployment: { startBlock } }) => ({ startBlock })),
      includeTransactionReceipts: true,
    },
    // Likewise, for the rates that it posted before.
    TreasuryDelegate: {
      abi: treasuryDelegateAbi,
      chain: perNetwork(({ deployment: { startBlock } }) => ({ startBlock })),
      includeTransactionReceipts: true,
    },
    // Likewise: an adapter posts its first NAV when it is deployed.
    NavPriceAdapter: {
      abi: navPriceAdapterAbi,
      chain: perNetwork(({ deployment: { startBlock } }) => ({ startBlock })),
      includeTransactionReceipts: true,
    },
  },
  accounts: {
    // Calls to the proxies, reverted and event-less ones included.
    CoreSwapCalls: {
      address: NO_ADDRESS,
      chain: perNetwork(({ deployment: { coreSwap, startBlock } }) => ({ address: coreSwap, startBlock })),
    },
    TreasuryCalls: {
      address: NO_ADDRESS,
      chain: perNetwork(({ deployment: { treasury, startBlock } }) => ({ address: treasury, startBlock })),
    },
  },
});
