/** `core verify`: compares the live system with its configuration. */
import { type Address, isAddressEqual } from "viem";
import { connect, type NodeClient } from "../chain/connect.ts";
import { readDeployment } from "../chain/deployment.ts";
import { type NamedLog, olderContracts, readEvents } from "../chain/events.ts";
import { readImplementation } from "../chain/proposal.ts";
import { blocksOption, configOption, jsonOption, nodeCommand } from "../commandLine.ts";
import { expectationsOf } from "../desired/all.ts";
import { compareBridges } from "../desired/bridges.ts";
import { readConfiguration } from "../desired/configuration.ts";
import { findings, isChange } from "../desired/expectation.ts";
import { findForeignCreations, findForeignImplementations } from "../desired/foreignCreations.ts";
import { findEarlyCredits, findHastyOperations, HAND_OVER_EVENTS, handOverOf } from "../desired/handOver.ts";
import { proxiesOf, type System, systemOf } from "../desired/system.ts";
import { findUnlisted, UNLISTED_EVENTS } from "../desired/unlisted.ts";
import { type QueuedOperation, readQueue } from "../status/queue.ts";
import { showTime } from "../text.ts";

interface Difference {
  readonly text: string;
  /**
   * The last event that changed the value. Null when no event did, so that the value never was as configured; undefined
   * when no events are read of it.
   */
  readonly log: NamedLog | null | undefined;
}

export const verifyCommand = nodeCommand("verify", "compare the chain with the configuration")
  .description(
    "Compares every role, address, setting and listing with the configuration, at the newest block, and names the " +
      "transaction that made each difference. Exits with 1 when something differs, or an operation is queued in the timelock.",
  )
  .addOption(configOption)
  .option(
    "--creations",
    "also require that the compiled code of this revision created the timelock, the proxies and the NAV adapters, and " +
      "that nobody got credits or newly minted tokens, and that no proxy ran other code, before the deployer gave up its " +
      "roles, and that no operation of the timelock had a delay shorter than a day",
  )
  .addOption(blocksOption)
  .addOption(jsonOption)
  .action(async (options) => {
    const { blocksPerRequest } = options;
    const deployment = readDeployment(options.network);
    const system = systemOf(readConfiguration(options.config), deployment);
    const client = await connect(deployment, options.rpcUrl);
    const { number: toBlock, timestamp } = await client.getBlock();

    const expectations = expectationsOf(system);
    const startBlock = BigInt(deployment.startBlock);
    const [found, logs, replaced, bridges, older, queue] = await Promise.all([
      findings(client, expectations, toBlock),
      readEvents(
        client,
        contractsOf(system),
        new Set([
          ...[...expectations.flatMap(({ changes }) => changes.events), ...UNLISTED_EVENTS],
          ...[...HAND_OVER_EVENTS, "Upgraded", "CallScheduled"],
        ]),
        { fromBlock: startBlock, toBlock, blocksPerRequest },
      ),
      replacedImplementations(client, system, toBlock),
      compareBridges(client, system, toBlock),
      olderContracts(client, contractsOf(system), startBlock),
      deployment.timelock === undefined
        ? []
        : readQueue(client, deployment, deployment.timelock, toBlock, blocksPerRequest),
    ]);
    const last = (wanted: (log: NamedLog) => boolean) => logs.findLast(wanted) ?? null;
    const differences: Difference[] = [
      ...(options.creations ? await findInTheDeployment(client, system, logs, blocksPerRequest) : []),
      ...replaced.map(({ text, proxy }) => ({
        text,
        log: last(({ address, eventName }) => eventName === "Upgraded" && isAddressEqual(address, proxy)),
      })),
      ...found
        .filter(({ isMet }) => !isMet)
        .map(({ view, actual, expected, changes }) => ({
          text: `${view.label}: ${actual}, configured ${expected}`,
          log: last((log) => isChange(changes, log)),
        })),
      ...(await findUnlisted(client, system, logs, toBlock)).map(({ text, log }) => ({
        text: `${text}, which is not configured`,
        log,
      })),
      ...queue.map((operation) => ({
        text: queuedText(operation),
        log: last(({ eventName, args }) => eventName === "CallScheduled" && args.id === operation.id),
      })),
      ...[...bridges.differences, ...older].map((text) => ({ text, log: undefined })),
    ];
    if (differences.length > 0) process.exitCode = 1;
    const described = await Promise.all(differences.map((difference) => describe(client, difference)));
    if (options.json) {
      const { notCompared } = bridges;
      const { network, chainId } = deployment;
      const at = { network, chainId, block: String(toBlock), time: showTime(timestamp) };
      const compared = { compared: found.length, events: logs.length, notCompared, differences: described };
      console.log(JSON.stringify({ ...at, ...compared }, null, 2));
      return;
    }
    console.log(
      [
        `${deployment.network}, chain ${deployment.chainId}, block ${toBlock}, ${showTime(timestamp)}`,
        `compared ${found.length} values and ${logs.length} events: ${differences.length || "nothing"} ${differences.length > 1 ? "differ" : "differs"}`,
        ...bridges.notCompared.map((text) => `unknown  ${text}`),
        ...described.flatMap(({ text, event, transaction, block, time, sender }, index) => {
          const origin =
            transaction === null
              ? "no event changed it: a step of the deployment that is still to be done"
              : `${event} in ${transaction}, block ${block}, ${time}, sent by ${sender}`;
          return [`differs  ${text}`, ...(differences[index]?.log === undefined ? [] : [`         ${origin}`])];
        }),
      ].join("\n"),
    );
  });

function contractsOf({ coreSwap, treasury, deployment, rwas, lps }: System): Address[] {
  const own = [...lps.map(({ contract }) => contract.address), ...rwas.map(({ adapter }) => adapter.address)];
  const timelock = deployment.timelock === undefined ? [] : [deployment.timelock];
  return [...new Set([coreSwap.address, treasury.address, ...own, ...timelock])];
}

/**
 * What will change, although the chain is as configured now. An operation does not expire: whoever administered the
 * timelock for a while can have scheduled one.
 */
function queuedText({ id, state, due, openPredecessor, calls }: QueuedOperation): string {
  const condition = openPredecessor === null ? `until ${showTime(due)}` : `for operation ${openPredecessor}`;
  const when = state === "waits" ? `${state} ${condition}` : state;
  const upgrade = calls.some((call) => call.includes(" upgradeToAndCall(")) ? ", an upgrade," : "";
  return `operation ${id} of the timelock${upgrade} ${when}: ${calls.join("; ")}`;
}

/** What whoever deployed did before it gave up its roles, and what neither code nor settings show. */
async function findInTheDeployment(
  client: NodeClient,
  system: System,
  logs: readonly NamedLog[],
  blocksPerRequest: bigint,
) {
  const handOver = handOverOf(system, logs);
  return [
    ...(await findForeignCreations(client, system, logs)),
    ...findForeignImplementations(system, logs, handOver),
    ...findHastyOperations(logs),
    ...(handOver === null ? [] : await findEarlyCredits(client, system, handOver, blocksPerRequest)),
  ];
}

/** Proxies whose implementation differs from the one in the deployment file. */
async function replacedImplementations(client: NodeClient, system: System, blockNumber: bigint) {
  const read = proxiesOf(system).map(async ({ name, address: proxy, implementation: expected }) => {
    const actual = await readImplementation(client, proxy, blockNumber);
    return isAddressEqual(actual, expected)
      ? []
      : [{ proxy, text: `implementation of ${name}: ${actual}, in the deployment file ${expected}` }];
  });
  return (await Promise.all(read)).flat();
}

async function describe(client: NodeClient, { text, log }: Difference) {
  if (!log) {
    const origin = log === null ? "no event" : "not searched";
    return { text, origin, event: null, transaction: null, block: null, time: null, sender: null };
  }
  const [{ from }, { timestamp }] = await Promise.all([
    client.getTransaction({ hash: log.transactionHash }),
    client.getBlock({ blockNumber: log.blockNumber }),
  ]);
  return {
    text,
    origin: "event",
    event: log.eventName,
    transaction: log.transactionHash,
    block: String(log.blockNumber),
    time: showTime(timestamp),
    sender: from,
  };
}
