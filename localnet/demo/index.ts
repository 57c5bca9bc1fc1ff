/**
 * The demo: two local chains, the protocol on both, a history of 90 days, the indexer with its API and dashboard, and
 * new transactions every few seconds. Ctrl-C ends it and everything that it started.
 *
 * Environment: `PORT`, `MAINNET_RPC_PORT`, `SEPOLIA_RPC_PORT` (see `ports.ts`), `DEMO_TRAFFIC=off`.
 */
import { constants } from "node:os";
import { join } from "node:path";
import { firstLineOf } from "../../config/errorText.ts";
import { CHAIN_IDS, type NetworkName } from "../../config/networks.ts";
import { commandLine } from "../../tools/lib/commandLine.ts";
import { buildContracts, type DeployedNetwork, deployNetwork } from "../deployment.ts";
import { type HistorySummary, playHistory } from "../history.ts";
import { type Indexer, startIndexer } from "../indexer.ts";
import { startNode } from "../nodes.ts";
import { runProcess, stopAllProcesses } from "../processes.ts";
import { testKeyOf, WALLETS, type WalletName } from "../wallets.ts";
import { type ExpectedHistory, waitUntilComplete } from "./completion.ts";
import { type DemoPorts, readPorts, requireFreePorts } from "./ports.ts";
import { say, stage } from "./progress.ts";
import { whenRunnerEnds } from "./runner.ts";
import { showExamples } from "./showcase.ts";
import { startTraffic, type Traffic } from "./traffic.ts";
import { claimDirectory } from "./workspace.ts";

commandLine({
  usage: "pnpm demo",
  summary: `Runs two local chains with the protocol and a history of 90 days, the indexer, the API and the dashboard, until
Ctrl-C.

  PORT, MAINNET_RPC_PORT, SEPOLIA_RPC_PORT  ports (default 42069, 8545, 8546)
  DEMO_TRAFFIC=off                          send no new transactions`,
});

const DIRECTORY = ".demo";
/** The account that a reader of the demo uses. It has stablecoins, RWAs, and treasury tokens with credits. */
const VISITOR = "depositor1" satisfies WalletName;
const NETWORKS: readonly NetworkName[] = ["mainnet", "sepolia"];
const HISTORY_SECONDS = 90 * 86_400;
const TRANSACTIONS_PER_NETWORK = 720;
const SEED = 1;
const TRAFFIC_SEED = 2;
const TRAFFIC_INTERVAL_MS = 4_000;
/** On a busy machine the history takes minutes, but it never stops for long. */
const STALL_TIMEOUT_MS = 120_000;

/** Rejects when something that must keep running ends. */
const failure = Promise.withResolvers<never>();
const traffic: Traffic[] = [];
let isServing = false;
let ending: Promise<void> | undefined;

process.chdir(join(import.meta.dirname, "..", ".."));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // On the second signal, leave the rest to the guard process.
    if (ending) process.exit(1);
    say(`${signal}: ending everything`);
    const exitCode = isServing ? 0 : 128 + constants.signals[signal];
    end(exitCode);
  });
}
whenRunnerEnds(() => {
  if (ending) return;
  say("The command that started the demo has ended. Ending everything");
  end(1);
});
try {
  await Promise.race([run(), failure.promise]);
} catch (error) {
  if (!ending) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    end(1);
  }
}

async function run(): Promise<never> {
  const ports = readPorts(process.env);
  await requireFreePorts(ports);
  await claimDirectory(DIRECTORY);
  // Built each time, because that takes only a second or two.
  await stage("Building the dashboard", () =>
    runProcess({
      name: "vite build",
      command: process.execPath,
      args: ["app/node_modules/vite/bin/vite.js", "build", "app"],
      logFile: join(DIRECTORY, "vite.log"),
    }),
  );
  await stage("Compiling the contracts", () => buildContracts(join(DIRECTORY, "forge.log")));
  const networks = await Promise.all(NETWORKS.map((network) => bringUp(network, ports)));
  const deployed = networks.map((network) => network.deployed);
  const histories = networks.map(({ expected }) => expected);
  const indexer = await serve(deployed, histories, ports);
  isServing = true;
  describeWhatRuns(deployed, indexer);
  await showExamples(indexer.baseUrl);
  if (process.env.DEMO_TRAFFIC === "off") {
    console.log("\nNo new transactions (DEMO_TRAFFIC=off). Ctrl-C ends everything.");
  } else {
    for (const network of deployed) {
      // A visitor can pause the contracts, or redeem what the next transaction would redeem.
      const onError = (error: Error) => {
        const reason = firstLineOf(error).replace(/\.$/, "");
        console.error(`No more transactions on ${network.network}: ${reason}. Everything else goes on.`);
      };
      traffic.push(startTraffic({ deployed: network, seed: TRAFFIC_SEED, intervalMs: TRAFFIC_INTERVAL_MS, onError }));
    }
    console.log(`\nA new transaction every ${TRAFFIC_INTERVAL_MS / 1000} s on each network. Ctrl-C ends everything.`);
  }
  return failure.promise;
}

interface BroughtUp {
  readonly deployed: DeployedNetwork;
  readonly expected: ExpectedHistory;
}

/** Chain, contracts and history of one network. */
async function bringUp(network: NetworkName, ports: DemoPorts): Promise<BroughtUp> {
  const node = await startNode({
    chainId: CHAIN_IDS[network],
    port: ports[network],
    timestamp: secondsNow() - HISTORY_SECONDS,
    logFile: join(DIRECTORY, `${network}.node.log`),
  });
  void node.ended.then((description) => failure.reject(new Error(description)));
  const deployed = await stage(`${network}: deploying`, () => deployNetwork({ node, network, directory: DIRECTORY }));
  const summary = await stage(`${network}: playing the history`, () => play(deployed));
  describeHistory(network, summary);
  const newest = summary.transactions.findLast(({ economic }) => economic);
  if (newest === undefined) throw new Error(`${network}: the history has no economic transaction`);
  const { lastBlock } = summary;
  return { deployed, expected: { network: `evm-${network}`, newestHash: newest.hash, lastBlock } };
}

function play(deployed: DeployedNetwork): Promise<HistorySummary> {
  let announced = 0;
  return playHistory({
    deployed,
    seed: SEED,
    transactionCount: TRANSACTIONS_PER_NETWORK,
    now: secondsNow(),
    onProgress({ blocksDone, blockCount, transactionsDone }) {
      const quarters = Math.floor((4 * blocksDone) / blockCount);
      if (quarters > announced) say(`${deployed.network}: ${transactionsDone} transactions`);
      announced = quarters;
    },
  });
}

/** Starts the indexer and waits until its API answers with the whole history. */
async function serve(
  deployed: readonly DeployedNetwork[],
  histories: readonly ExpectedHistory[],
  ports: DemoPorts,
): Promise<Indexer> {
  const logFile = join(DIRECTORY, "ponder.log");
  const indexer = await startIndexer({
    deploymentsDirectory: join(DIRECTORY, "deployments"),
    rpcUrls: Object.fromEntries(deployed.map(({ chainId, rpcUrl }) => [chainId, rpcUrl])),
    port: ports.api,
    database: { pgliteDirectory: join(DIRECTORY, "pglite") },
    // No public explorer has the blocks of these chains.
    settings: { EXPLORER_LINKS: "off" },
    logFile,
  });
  void indexer.ended.then((description) => failure.reject(new Error(description)));
  await stage(`Indexing the history and reading prices (log: ${logFile})`, (onProgress) =>
    waitUntilComplete({ baseUrl: indexer.baseUrl, histories, stallTimeoutMs: STALL_TIMEOUT_MS, onProgress }),
  );
  return indexer;
}

function describeHistory(network: NetworkName, { transactions, firstBlock, lastBlock }: HistorySummary): void {
  const economic = transactions.filter((transaction) => transaction.economic);
  const reverted = economic.filter(({ outcome }) => outcome === "revert").length;
  const legs = transactions.reduce((sum, { routeIds }) => sum + routeIds.length, 0);
  const derived = transactions.reduce((sum, { derivedRouteIds }) => sum + derivedRouteIds.length, 0);
  say(
    `${network}: blocks ${firstBlock} to ${lastBlock} hold ${transactions.length} transactions, ` +
      `${economic.length} of them economic (${reverted} reverted), with ${legs} swap legs and ${derived} derived from them`,
  );
}

function describeWhatRuns(deployed: readonly DeployedNetwork[], { baseUrl }: Indexer): void {
  console.log(`\nThe dashboard: ${baseUrl}/app`);
  console.log(`The API: ${baseUrl} (its document: ${baseUrl}/openapi.json)`);
  for (const { network, chainId, rpcUrl, coreSwap, treasury } of deployed) {
    console.log(`${network}: node ${rpcUrl} (chain ${chainId}), CoreSwap ${coreSwap}, Treasury ${treasury}`);
  }
  console.log(
    `To swap at ${baseUrl}/app/swap, import this test key into a browser wallet, and set the wallet's RPC URL of each ` +
      `network to the node above (README, "Swap in the demo"):\n  ${testKeyOf(VISITOR)} (${WALLETS[VISITOR].address})`,
  );
  console.log(`Files of this run: ${DIRECTORY}/\n\nA few requests and their answers (lists cut to their first entry):`);
}

/** Ends everything that was started, then this process. */
function end(exitCode: number): void {
  ending = (async () => {
    await Promise.all(traffic.map((running) => running.stop()));
    await stopAllProcesses();
    process.exit(exitCode);
  })();
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}
