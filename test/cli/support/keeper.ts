/** Runs `core keeper` as a process, with the chain, feed and NAV source that it uses. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { encryptKeystoreJson } from "ethers";
import {
  type Abi,
  type Address,
  createWalletClient,
  encodeFunctionData,
  formatUnits,
  type Hex,
  http,
  keccak256,
  maxUint256,
  parseAbi,
  parseEther,
  parseEventLogs,
  stringToHex,
  toHex,
} from "viem";
import { coreSwapAbi, navPriceAdapterAbi, treasuryAbi, treasuryDelegateAbi } from "../../../abis/index.ts";
import { testTokenAbi } from "../../../localnet/abis.ts";
import type { ChainClient } from "../../../localnet/chain.ts";
import { Sender } from "../../../localnet/sender.ts";
import { WALLETS, type WalletName } from "../../../localnet/wallets.ts";
import type { Deployment } from "../../../packages/cli/src/chain/deployment.ts";
import { navTypedData } from "../../../packages/cli/src/keeper/navSource.ts";
import { waitUntil } from "../../e2e/harness/poll.ts";
import { documentedArguments } from "../../support/documented.ts";
import { type Artifact, call, create, type Deployed } from "./deployed.ts";

const KEEPER: WalletName = "client2";
const NAV_SIGNER = WALLETS.client3;
const DAY_SECONDS = 86_400n;
/** On a busy machine, a keeper takes ten seconds to start. */
const DEADLINE = { deadlineMs: 120_000, intervalMs: 200 };
/** The block that anvil reports as final is about 65 blocks old. */
const FINAL_BLOCKS = 80;
const feedAbi = parseAbi(["function set(int256 answer, uint256 updatedAt)"]);

/** A deployment with everything that the keeper needs: its roles, a feed with its adapter, and a first posted rate. */
export class KeeperWorld {
  readonly deployed: Deployed;
  readonly adapter: Address;
  readonly navFile: string;
  readonly #feed: Address;
  #sender: Sender;

  private constructor(deployed: Deployed, feed: Address, adapter: Address) {
    this.deployed = deployed;
    this.adapter = adapter;
    this.#feed = feed;
    this.#sender = deployed.sender;
    this.navFile = resolve(deployed.directory, "nav.json");
  }

  static async create(deployed: Deployed): Promise<KeeperWorld> {
    const { sender, deployment, directory } = deployed;
    await writeKeystore(directory);
    const feed = await create(sender, artifact("SettableFeed"), [8]);
    const maxAgeSeconds = 4n * DAY_SECONDS - 3_600n;
    const adapter = await create(sender, artifact("TBillRateAdapter"), [feed, false, maxAgeSeconds, 0n, WAD / 5n]);
    const { treasuryStablecoin, rwas } = deployment;
    for (const [contract, role] of [
      [treasuryStablecoin.delegate, "RATE_POSTER_ROLE"],
      [rwas[0]?.priceAdapter ?? "0x", "NAV_POSTER_ROLE"],
    ] as const) {
      const args = [keccak256(stringToHex(role)), WALLETS[KEEPER].address] as const;
      await callAsAdmin(deployed, contract, encodeFunctionData({ abi: treasuryAbi, functionName: "grantRole", args }));
    }
    const world = new KeeperWorld(deployed, feed, adapter);
    await world.#reach((await world.today()) + 1n, 12);
    const firstDay = (await world.today()) - 1n;
    const args = [firstDay, WAD / 25n] as const;
    const data = encodeFunctionData({ abi: treasuryDelegateAbi, functionName: "postDailyRate", args });
    await call(sender, "usdcIssuerAdmin", treasuryStablecoin.delegate, data);
    return world;
  }

  get client(): ChainClient {
    return this.#sender.client;
  }

  async now(): Promise<bigint> {
    return (await this.client.getBlock()).timestamp;
  }

  async today(): Promise<bigint> {
    return (await this.now()) / DAY_SECONDS;
  }

  /**
   * Sets the feed's rate and the source's NAV at noon of the current day. Then ends the day and makes its last block
   * final.
   * @param rateBps null to leave the feed unchanged
   */
  async passDay({ rateBps, nav }: { readonly rateBps: number | null; readonly nav: string | null }): Promise<void> {
    const today = await this.today();
    await this.#reach(today, 13);
    if (rateBps !== null) await this.setFeed(rateBps);
    if (nav !== null) await this.publishNav(nav);
    await this.mine(1);
    await this.#reach(today + 1n, 0);
    await this.mine(FINAL_BLOCKS);
    await this.#reach(today + 1n, 11);
  }

  async setFeed(rateBps: number): Promise<void> {
    const args = [BigInt(rateBps) * 10_000n, await this.now()] as const;
    const data = encodeFunctionData({ abi: feedAbi, functionName: "set", args });
    await call(this.#sender, "outsider", this.#feed, data);
  }

  /** Writes the source's signed document, dated at the newest block. */
  async publishNav(nav: string): Promise<void> {
    writeFileSync(this.navFile, JSON.stringify(await this.signedNav(nav)));
  }

  async signedNav(nav: string, asOf?: bigint, signer = NAV_SIGNER) {
    const { deployment } = this.deployed;
    const signed = { navWad: parseEther(nav), asOf: asOf ?? (await this.now()) };
    const signing = { chainId: deployment.chainId, adapter: this.navAdapter };
    const signature = await signer.signTypedData(navTypedData(signing, signed));
    return { nav, asOf: Number(signed.asOf), signature };
  }

  get navAdapter(): Address {
    return this.deployed.deployment.rwas[0]?.priceAdapter ?? "0x";
  }

  /**
   * Makes three withheld records a day for an account, on consecutive days without rates: it deposits in two
   * stablecoins, and another account deposits for it in one of them.
   */
  async fillQueue(account: WalletName, days: number): Promise<void> {
    const sender = this.#sender;
    const { deployment } = this.deployed;
    const { treasury, coreSwap, treasuryStablecoin, stablecoins } = deployment;
    const receiver = WALLETS[account].address;
    const listing = encodeFunctionData({ abi: treasuryAbi, functionName: "addToWhitelist", args: [receiver] });
    await call(sender, "admin", treasury, listing);
    for (const { token, decimals } of stablecoins) {
      for (const payer of [account, "trader1"] as const) {
        const args = [WALLETS[payer].address, 1_000_000n * 10n ** BigInt(decimals)] as const;
        await call(sender, payer, token, encodeFunctionData({ abi: testTokenAbi, functionName: "mint", args }));
        const approval = [treasuryStablecoin.delegate, maxUint256] as const;
        const data = encodeFunctionData({ abi: testTokenAbi, functionName: "approve", args: approval });
        await call(sender, payer, token, data);
      }
    }
    const deposit = async (payer: WalletName, { id, decimals }: Deployment["stablecoins"][number]) => {
      const ids = { assetInID: id, assetOutID: treasuryStablecoin.id, stablecoinDelegateID: treasuryStablecoin.id };
      const leg = { routeId: 7n, ...ids, assetInAmt: 100n * 10n ** BigInt(decimals), assetOutAmt: 0n };
      const args = [WALLETS[payer].address, receiver, [leg], { deadline: 0n, signature: "0x" }] as const;
      await call(sender, payer, coreSwap, encodeFunctionData({ abi: coreSwapAbi, functionName: "swap", args }));
    };
    for (let day = 0; day < days; day++) {
      for (const stablecoin of stablecoins) await deposit(account, stablecoin);
      for (const stablecoin of stablecoins.slice(0, 1)) await deposit("trader1", stablecoin);
      await this.#reach((await this.today()) + 1n, 12);
    }
  }

  async withheldRecords(account: WalletName): Promise<number> {
    const address = this.deployed.deployment.treasuryStablecoin.delegate;
    const args = [WALLETS[account].address] as const;
    const call = { address, abi: treasuryDelegateAbi, functionName: "getWithheldCredits", args } as const;
    return (await this.client.readContract(call)).length;
  }

  async mine(blocks: number): Promise<void> {
    await this.client.mine({ blocks, interval: 1 });
  }

  /** Advances the chain to an hour of a day, unless that hour is past. */
  async #reach(day: bigint, hour: number): Promise<void> {
    const { client } = this;
    const timestamp = day * DAY_SECONDS + BigInt(hour) * 3_600n;
    if (timestamp <= (await this.now())) return;
    await client.setNextBlockTimestamp({ timestamp });
    await client.mine({ blocks: 1 });
  }

  async snapshot(): Promise<Hex> {
    return this.client.snapshot();
  }

  async revert(id: Hex): Promise<void> {
    await this.client.revert({ id });
    // The sender counts nonces, which the revert resets, so it is replaced.
    this.#sender = new Sender(this.deployed.node);
  }

  /** Returns what the keeper did, which must be the same after a run with faults as after one without. */
  async outcome() {
    const { client } = this;
    const { delegate } = this.deployed.deployment.treasuryStablecoin;
    const logs = await client.getLogs({ fromBlock: 0n, address: [delegate, this.navAdapter] });
    const rates = parseEventLogs({ abi: treasuryDelegateAbi, logs, eventName: "DailyRatePosted" });
    const navs = parseEventLogs({ abi: navPriceAdapterAbi, logs, eventName: "NavPosted" });
    return {
      rates: rates.map(({ args }) => [args.dayNumber, args.rate]),
      navs: navs.map(({ args }) => formatUnits(args.navWad, 18)),
      nonce: await client.getTransactionCount({ address: WALLETS[KEEPER].address }),
    };
  }

  async lastRateDay(): Promise<bigint> {
    const address = this.deployed.deployment.treasuryStablecoin.delegate;
    const call = { address, abi: treasuryDelegateAbi, functionName: "lastRatePostingDay" } as const;
    return this.client.readContract(call);
  }

  async nav(): Promise<string> {
    const call = { address: this.navAdapter, abi: navPriceAdapterAbi, functionName: "navWad" } as const;
    return formatUnits(await this.client.readContract(call), 18);
  }

  /** Waits until every finished day has its rate and the adapter has the NAV. */
  async settled(nav: string, keepers: readonly KeeperProcess[]): Promise<void> {
    await waitUntil(
      "the keeper posts",
      async () => {
        const [lastDay, today, posted] = [await this.lastRateDay(), await this.today(), await this.nav()];
        const isDone = lastDay === today - 1n && posted === nav;
        if (isDone) return null;
        const logs = keepers.map(({ log }) => log.slice(-2_000)).join("\n---\n");
        return `last day ${lastDay} of ${today}, NAV ${posted} of ${nav}\n${logs}`;
      },
      DEADLINE,
    );
  }

  /** Returns a valid configuration of the keeper, with the given changes. */
  config(changes: Readonly<Record<string, unknown>> = {}) {
    const { directory, file, node } = this.deployed;
    return {
      network: file,
      rpcUrl: node.rpcUrl,
      keystore: join(directory, "keeper.json"),
      passwordFile: join(directory, "keeper.password"),
      databaseUrl: null,
      port: 0,
      pollSeconds: 1,
      gas: { maxFeeGwei: "50", priorityFeeGwei: "1", replaceAfterSeconds: 20, minBalanceEth: "0.05" },
      rates: { adapter: this.adapter },
      navs: [{ rwa: "TBILL", source: this.navFile, signer: NAV_SIGNER.address, maxAgeSeconds: 90_000 }],
      ...changes,
    };
  }
}

const WAD = 10n ** 18n;

export class KeeperProcess {
  readonly #child: ChildProcess;
  #log = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#log += text;
      });
    }
  }

  /** @param nodeOptions options of Node.js */
  static start(world: KeeperWorld, config: unknown, name = "keeper", nodeOptions: readonly string[] = []) {
    const path = join(world.deployed.directory, `${name}.config.json`);
    writeFileSync(path, JSON.stringify(config));
    const documented = documentedArguments("docs/keeper.md", /pnpm core (?=.*--broadcast)/, { "keeper.json": path });
    const args = [...nodeOptions, "packages/cli/src/main.ts", ...documented];
    return new KeeperProcess(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] }));
  }

  get log(): string {
    return this.#log;
  }

  async logged(text: string | RegExp, from = 0): Promise<void> {
    const isThere = () => (typeof text === "string" ? this.log.includes(text, from) : text.test(this.log.slice(from)));
    await waitUntil(
      `the keeper logs ${text}`,
      async () => (isThere() ? null : `status ${this.#child.exitCode}\n${this.log.slice(-3_000)}`),
      DEADLINE,
    );
  }

  /** Waits for some rounds, so that any pending action has been done. */
  async rounds(count = 3): Promise<void> {
    const name = "coreswap_keeper_rounds_total";
    const last = (await this.metric(name)) + count;
    await waitUntil(
      "rounds end",
      async () => ((await this.metric(name)) >= last ? null : this.log.slice(-3_000)),
      DEADLINE,
    );
  }

  async port(): Promise<number> {
    await this.logged("has /health and /metrics");
    return Number(/http:\/\/[^:]+:(\d+) has/.exec(this.log)?.[1]);
  }

  /** Reads a value from `/metrics`. The name includes the labels as printed there. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${await this.port()}/metrics`)).text();
    const line = text.split("\n").find((each) => each.startsWith(`${name} `));
    if (line === undefined) throw new Error(`there is no ${name} in\n${text}`);
    return Number(line.slice(name.length + 1));
  }

  async health(): Promise<number> {
    return (await fetch(`http://127.0.0.1:${await this.port()}/health`)).status;
  }

  /** @returns The exit code; null after a signal that ended it */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, "exit");
      this.#child.kill(signal);
      await ended;
    }
    return this.#child.exitCode;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/** Starts a webhook that records messages, and refuses as many as a test requests. */
export async function startWebhook() {
  const messages: { readonly text: string; readonly key: string; readonly state: string }[] = [];
  let refusals = 0;
  let refusal = 500;
  const server = createServer(async (request, response) => {
    const body = await new Response(request).text();
    const isRefused = refusals > 0;
    if (isRefused) refusals--;
    else messages.push(JSON.parse(body));
    response.writeHead(isRefused ? refusal : 200).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`,
    messages,
    refuse(count: number, status = 500) {
      refusals = count;
      refusal = status;
    },
    async received(key: string, state = "raised"): Promise<string> {
      const find = () => messages.findLast((message) => message.key === key)?.state === state;
      await waitUntil(
        `the webhook gets ${key}`,
        async () => (find() ? null : JSON.stringify(messages, null, 1)),
        DEADLINE,
      );
      return messages.findLast((message) => message.key === key)?.text ?? "";
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function artifact(name: string): Artifact {
  const { abi, bytecode } = JSON.parse(readFileSync(`out/${name}.sol/${name}.json`, "utf8")) as {
    abi: Abi;
    bytecode: { object: Hex };
  };
  return { abi, bytecode: bytecode.object };
}

async function writeKeystore(directory: string): Promise<void> {
  const account = WALLETS[KEEPER];
  const privateKey = toHex(account.getHdKey().privateKey ?? new Uint8Array());
  mkdirSync(directory, { recursive: true });
  // Uses a cheap key derivation, because each start of a keeper decrypts the keystore.
  const json = await encryptKeystoreJson({ address: account.address, privateKey }, "a password", {
    scrypt: { N: 1_024, r: 8, p: 1 },
  });
  writeFileSync(join(directory, "keeper.json"), json);
  writeFileSync(join(directory, "keeper.password"), "a password\n");
}

/** Calls a contract as the timelock, which administers every contract. */
export async function callAsAdmin({ sender, deployment, node }: Deployed, to: Address, data: Hex): Promise<void> {
  const { timelock } = deployment;
  if (timelock === undefined) throw new Error("the deployment has no timelock");
  const { client } = sender;
  await client.impersonateAccount({ address: timelock });
  await client.setBalance({ address: timelock, value: parseEther("1") });
  const wallet = createWalletClient({ account: timelock, transport: http(node.rpcUrl) });
  const hash = await wallet.sendTransaction({ chain: null, to, data, gas: 1_000_000n });
  const { status } = await sender.waitForReceipt(hash);
  if (status !== "0x1") throw new Error(`a call of the administrator to ${to} reverted`);
  await client.stopImpersonatingAccount({ address: timelock });
}
