/** The first days of a protocol: a deployment in which no party has acted yet, and the commands of its operators. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Address, encodeFunctionData, erc20Abi } from "viem";
import { expect } from "vitest";
import { WALLETS } from "../../../localnet/wallets.ts";
import {
  type Artifact,
  type ConfigurationFile,
  call,
  core,
  type Deployed,
  deploy,
  executeBatch,
  namedDays,
  type Outcome,
  TIMELOCK_DELAY_SECONDS,
} from "./deployed.ts";

/** Accounts by their names in docs/first-days.md. `guardian` is also whitelister, blacklister and pauser. */
export const ACCOUNTS = {
  proposer: WALLETS.operator.address,
  guardian: WALLETS.admin.address,
  navPoster: WALLETS.blacklister.address,
  ratePoster: WALLETS.usdcIssuerAdmin.address,
  depositor: WALLETS.depositor1.address,
  successor: WALLETS.depositor2.address,
} as const;

/** Safes that serve as every issuer admin, as custody of USDX, and as custody of the treasury token. */
interface Safes {
  readonly issuer: Address;
  readonly usdxCustody: Address;
  readonly treasuryCustody: Address;
}

export class FirstDays {
  readonly deployed: Deployed;
  readonly safes: Safes;
  /** Commands of pnpm that succeeded, with the account names that the documentation uses. */
  readonly commands: string[] = [];

  private constructor(deployed: Deployed, safes: Safes) {
    this.deployed = deployed;
    this.safes = safes;
  }

  static async start(): Promise<FirstDays> {
    let safes: Safes | undefined;
    const deployed = await deploy("firstDay", async (usual, newSafe) => {
      const issuer = await newSafe();
      const usdxCustody = await newSafe();
      const treasuryCustody = await newSafe();
      safes = { issuer, usdxCustody, treasuryCustody };
      const [usdx, usdy] = usual.stablecoins;
      return {
        ...usual,
        broadcastPartySteps: false,
        treasury: {
          ...usual.treasury,
          ...{ issuerAdmin: issuer, rwaCustody: treasuryCustody, stablecoinCustody: treasuryCustody },
        },
        stablecoins: [
          { ...usdx, issuerAdmin: issuer, rwaCustody: usdxCustody, stablecoinCustody: usdxCustody },
          { ...usdy, issuerAdmin: issuer },
        ],
        rwas: usual.rwas.map((rwa) => ({ ...rwa, maxAgeSeconds: 0 })),
      };
    });
    if (safes === undefined) throw new Error("the deployment asked for no configuration");
    return new FirstDays(deployed, safes);
  }

  stop(): Promise<void> {
    return this.deployed.node.stop();
  }

  get reads() {
    return this.deployed.sender.client;
  }

  /** The options that name the configuration. */
  get configured(): readonly string[] {
    return ["--config", this.deployed.configuration];
  }

  run(...args: readonly string[]): Promise<Outcome> {
    return core(this.deployed, args);
  }

  /** Runs a command that must succeed. */
  async succeed(...args: readonly string[]): Promise<Outcome> {
    const outcome = await this.run(...args);
    expect(outcome.status, `${args.join(" ")}: ${outcome.stderr}`).toBe(0);
    expect(outcome.stderr, args.join(" ")).toBe("");
    this.commands.push(`core ${this.#asDocumented(args)}`);
    return outcome;
  }

  /** The missing days with a rate, as the command shows them. */
  async missingDays(rate: string): Promise<string[]> {
    return namedDays(await this.succeed("rate", "post", rate));
  }

  /** Runs `pnpm contracts:upgrade` on the deployment, which must succeed. */
  async contractsUpgrade(...args: readonly string[]): Promise<string> {
    const { node, directory } = this.deployed;
    const all = ["--network", "mainnet", "--rpc-url", node.rpcUrl, ...args];
    const child = spawn(process.execPath, ["tools/upgrade.ts", ...all], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, DEPLOYMENTS_DIR: directory, FOUNDRY_BROADCAST: join(directory, "broadcast") },
    });
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    expect(status, stdout + stderr).toBe(0);
    this.commands.push(`contracts:upgrade ${this.#asDocumented(all)}`);
    return stdout;
  }

  /** Runs a command that must be refused, and returns its message. */
  async refusal(...args: readonly string[]): Promise<string> {
    const outcome = await this.run(...args);
    expect(outcome.status, args.join(" ")).toBe(1);
    expect(outcome.stderr).toMatch(/^[^\n]+\n$/);
    return outcome.stderr;
  }

  /** Lets the timelock execute the calls of a command. */
  async throughTimelock(...args: readonly string[]): Promise<Outcome> {
    await this.schedule(...args);
    await this.passTime(TIMELOCK_DELAY_SECONDS + 1);
    return this.succeed(...args, "--execute", ...unlocked(ACCOUNTS.proposer));
  }

  /** Schedules the calls of a command in the timelock. */
  schedule(...args: readonly string[]): Promise<Outcome> {
    return this.succeed(...args, "--schedule", ...unlocked(ACCOUNTS.proposer));
  }

  /** Writes the batch of a Safe, and executes it. */
  async throughSafe(safe: Address, ...args: readonly string[]): Promise<void> {
    const [name = "safe"] = Object.entries(this.safes).find(([, address]) => address === safe) ?? [];
    const path = join(
      this.deployed.directory,
      `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`,
    );
    await this.succeed(...args, "--from", safe, "--safe", path);
    await executeBatch(this.deployed.sender, path);
  }

  async passTime(seconds: number): Promise<void> {
    await this.reads.increaseTime({ seconds });
    await this.reads.mine({ blocks: 1 });
  }

  /** Changes the configuration, as an operator edits its file. */
  configure(change: (file: ConfigurationFile) => ConfigurationFile): void {
    const { configuration } = this.deployed;
    const file = JSON.parse(readFileSync(configuration, "utf8")) as ConfigurationFile;
    writeFileSync(configuration, JSON.stringify(change(file)));
  }

  async mint(token: Address, to: Address, amount: bigint): Promise<void> {
    const data = encodeFunctionData({ abi: testToken().abi, functionName: "mint", args: [to, amount] });
    await call(this.deployed.sender, "outsider", token, data);
  }

  balanceOf(token: Address, account: Address): Promise<bigint> {
    return this.reads.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [account] });
  }

  stablecoin(index: number) {
    const found = this.deployed.deployment.stablecoins[index];
    if (found === undefined) throw new Error("the deployment lacks a stablecoin");
    return found;
  }

  /** A command as docs/first-days.md writes it. */
  #asDocumented(args: readonly string[]): string {
    const names: Readonly<Record<string, string>> = {
      [ACCOUNTS.proposer]: "proposer",
      [ACCOUNTS.guardian]: "guardian",
      [ACCOUNTS.navPoster]: "nav-poster",
      [ACCOUNTS.ratePoster]: "rate-poster",
      [ACCOUNTS.depositor]: "depositor",
      [ACCOUNTS.successor]: "successor",
      [this.safes.issuer]: "issuer-safe",
      [this.safes.usdxCustody]: "usdx-custody-safe",
      [this.safes.treasuryCustody]: "treasury-custody-safe",
    };
    let words = args.join(" ").replaceAll(this.deployed.configuration, "deploy.json");
    words = words.replaceAll(join(this.deployed.directory, "/"), "");
    words = words.replace(
      /--unlocked --from (0x\w{40})/,
      (_, account: string) => `--account ${names[account] ?? account}`,
    );
    words = words.replace(
      /--sender (0x\w{40})(.*) --unlocked/,
      (_, account: string, between: string) => `--sender ${account}${between} --account ${names[account] ?? account}`,
    );
    words = words.replaceAll(this.deployed.node.rpcUrl, "$RPC_URL");
    for (const [account, name] of Object.entries(names)) {
      words = words.replaceAll(account, `$${name.toUpperCase().replaceAll("-", "_")}`);
    }
    words = words.replace(/\d{4}-\d\d-\d\d=\S+( \d{4}-\d\d-\d\d=\S+)+/, "$DAYS_WITH_RATE");
    return words.replace(/\d{4}-\d\d-\d\d/, "$YESTERDAY").replace(/--proof 0x\w{64}/, "--proof $PROOF");
  }
}

/** Adds an RWA to a configuration, in which the LP of USDX trades. */
export function withFund(file: ConfigurationFile, token: Address): ConfigurationFile {
  const fund = { name: "New Fund", symbol: "FUND", token, decimals: 8, navWad: "2000000000000000000" };
  const rates = { discountRateWad: "1000000000000000", redemptionFeeWad: "1000000000000000" };
  const terms = { symbol: "FUND", ...rates, intakeCap: "100000000" };
  return {
    ...file,
    rwas: [...file.rwas, { ...file.rwas[0], ...fund }],
    stablecoins: file.stablecoins.map((each) =>
      each.symbol === "USDX" ? { ...each, rwas: [...(each.rwas as unknown[]), terms] } : each,
    ),
  };
}

/** Adds a stablecoin to a configuration, whose LP trades TBILL. */
export function withDollar(file: ConfigurationFile, token: Address, safes: Safes): ConfigurationFile {
  const terms = { symbol: "TBILL", discountRateWad: "1000000000000000", redemptionFeeWad: "0", intakeCap: "1000000" };
  const dollar = {
    ...{ name: "New Dollar", symbol: "USDZ", id: null, token, decimals: 6, issuerAdmin: safes.issuer },
    ...{ rwaCustody: null, stablecoinCustody: safes.usdxCustody, usdValueWad: String(10n ** 18n) },
    ...{ protocolFeeExempt: false, issuerPaidProtocolFeeRateWad: "500000000000000", guardrail: null },
    intakeCap: "50000000000",
    ...{ stablecoins: [], rwas: [terms] },
  };
  return { ...file, stablecoins: [...file.stablecoins, dollar] };
}

/** The options that send transactions from an account of the node. */
export function unlocked(from: string): readonly string[] {
  return ["--broadcast", "--unlocked", "--from", from];
}

/** The contract of a token that anyone can mint. */
export function testToken(): Artifact {
  const { abi, bytecode } = JSON.parse(readFileSync("out/TestToken.sol/TestToken.json", "utf8"));
  return { abi, bytecode: bytecode.object };
}
