/** Connects what a keeper needs, and starts it. */
import { formatEther } from "viem";
import { connect } from "../chain/connect.ts";
import { readDeployment } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { noticesOf } from "../status/attention.ts";
import { showTime } from "../text.ts";
import { remoteSigner } from "../write/remoteSigner.ts";
import { estimateGas } from "../write/send.ts";
import { openKeystore, type Signer } from "../write/signer.ts";
import { AccountSurvey } from "./accounts.ts";
import { AlertBoard, Webhook } from "./alerts.ts";
import { type KeeperConfig, minimumsOf, navDuties, readKeeperConfig } from "./config.ts";
import { type Action, type Alert, decide, refusedAction } from "./decide.ts";
import { balanceAlerts, Keeper, longestSilenceSeconds } from "./keeper.ts";
import { LockLeadership, SOLE_LEADER } from "./leader.ts";
import { KeeperMetrics } from "./metrics.ts";
import { type Duties, observe } from "./observe.ts";
import { Outbox } from "./outbox.ts";
import { RateSource } from "./rateSource.ts";
import { serve } from "./server.ts";

/** Reads a configuration file, and runs the keeper or, without `broadcast`, shows what it would do now. */
export async function startKeeper(path: string, broadcast: boolean): Promise<void> {
  const config = readKeeperConfig(path);
  const duties = await dutiesOf(config);
  const signer = await openSigner(config.signer);
  if (broadcast) await run(config, duties, signer);
  else await show(config, duties, signer);
}

function openSigner(signer: KeeperConfig["signer"]): Promise<Signer> {
  return "url" in signer
    ? remoteSigner(signer.url, signer.address)
    : openKeystore({ path: signer.keystore }, signer.passwordFile);
}

async function dutiesOf(config: KeeperConfig): Promise<Duties> {
  const deployment = readDeployment(config.network);
  const [navs, minimums] = [navDuties(config, deployment), minimumsOf(config, deployment)];
  const client = await connect(deployment, config.rpcUrl);
  const { rates, accounts } = config;
  return {
    deployment,
    client,
    navs,
    minimums,
    rates: rates === undefined ? null : { ...rates, source: new RateSource(client, rates.adapter) },
    accounts:
      accounts === undefined
        ? null
        : {
            survey: new AccountSurvey(client, deployment, accounts),
            minimumSolvency: accounts.minimumSolvency,
          },
  };
}

async function show({ gas }: KeeperConfig, duties: Duties, signer: Signer): Promise<void> {
  const { address } = signer;
  const observed = await observe(duties, address);
  const { block, account, observation, status } = observed;
  const decision = decide(observation);
  const [actions, refused] = await simulated(duties, signer, decision.actions);
  const alerts = [...decision.alerts, ...noticesOf(status), ...balanceAlerts(observed, address, gas), ...refused];
  const lines = [
    `${duties.deployment.network}, chain ${duties.deployment.chainId}, block ${block.number}, ${showTime(block.timestamp)}`,
    `account  ${address}, nonce ${account.nonce}, ${formatEther(account.balance)} ETH`,
    ...actions.map(({ title }) => `action   ${title}`),
    ...alerts.map(({ key, text }) => `alert    ${key}: ${text}`),
    "",
    actions.length === 0 ? "There is nothing to do." : "Nothing was sent. Add --broadcast.",
  ];
  console.log(lines.join("\n"));
}

/** Separates the actions that would succeed from those that would revert, such as for want of a role. */
async function simulated({ client }: Duties, signer: Signer, actions: readonly Action[]): Promise<[Action[], Alert[]]> {
  const possible: Action[] = [];
  const refused: Alert[] = [];
  for (const action of actions) {
    try {
      await estimateGas({ client, signer }, action.call);
      possible.push(action);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refused.push(refusedAction(action, error));
    }
  }
  return [possible, refused];
}

async function run(config: KeeperConfig, duties: Duties, signer: Signer): Promise<void> {
  const { deployment, client } = duties;
  const log = (line: string) => console.log(`${new Date().toISOString()} ${line}`);
  const metrics = new KeeperMetrics();
  const leadership =
    config.databaseUrl === null
      ? SOLE_LEADER
      : new LockLeadership(config.databaseUrl, deployment.chainId, signer.address, longestSilenceSeconds(config));
  const { webhookUrl, ...settings } = config.alerts;
  const webhook =
    webhookUrl === null
      ? null
      : new Webhook(
          webhookUrl,
          log,
          () => metrics.webhookFailures.inc(),
          () => metrics.webhookRefusals.inc(),
        );
  const board = new AlertBoard({
    ...settings,
    network: deployment.network,
    send(message) {
      log(`alert ${message.state}: ${message.key}: ${message.text}`);
      webhook?.post(message);
    },
  });
  const outbox = new Outbox({
    client,
    chainId: deployment.chainId,
    signer,
    gas: config.gas,
    requireLeader: () => leadership.require(),
    log,
    count: (outcome) => metrics.transactions.inc({ outcome }),
  });
  const keeper = new Keeper({ config, duties, leadership, outbox, account: signer.address, board, metrics, log });
  const { server, port } = await serve(config.host, config.port, metrics, () => keeper.health());
  log(`account ${signer.address}; http://${config.host}:${port} has /health and /metrics`);
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  await keeper.run(stop.signal);
  webhook?.stop();
  server.closeAllConnections();
  server.close();
  log("ended");
  // PostgreSQL releases the lock with the connection. A server that does not respond must not keep this process
  // running.
  process.exit(0);
}
