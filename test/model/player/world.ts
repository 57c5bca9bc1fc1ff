/** The same protocol twice: deployed on a local chain, and in the model. */
import { type Abi, type Address, encodeDeployData, encodeFunctionData, getAddress, type Hex, maxUint256 } from "viem";
import { type Artifact, artifactOf, linked } from "../../../localnet/artifacts.ts";
import { DAY_SECONDS } from "../arithmetic.ts";
import type { VerifySignature } from "../contracts/coreSwap.ts";
import { UNLIMITED_INTAKE } from "../contracts/delegate.ts";
import { type Call, Protocol } from "../contracts/protocol.ts";
import { roleId } from "../contracts/roles.ts";
import { hexNumber, type Rpc } from "./rpc.ts";
import {
  ACTORS,
  type ActorName,
  assetId,
  CONTROLLED_RWA,
  DEEP,
  GUARDRAIL_BAND,
  MAX_NAV_MOVE,
  MAX_NAV_MOVE_PER_DAY,
  REGISTERED_RWA,
  RISK_CAP,
  RWAS,
  SECOND_TRIAL_TOKEN,
  SHALLOW,
  STABLECOINS,
  SWEEP_ALLOWANCE,
  SWEPT_STABLECOIN,
  TREASURY,
  TREASURY_TERMS,
  TRIAL,
  USERS,
} from "./terms.ts";

/** A contract of the chain, with its address and interface. */
export interface Deployed {
  readonly name: string;
  readonly address: Address;
  readonly abi: Abi;
}

/** A transaction that both sides play. */
export interface Step {
  readonly from: Address;
  readonly call: Call;
}

/** Ten o'clock in the morning of a day. */
export const START = 20_000n * 86_400n + 36_000n;
const CREATION_GAS = 30_000_000n;

export class World {
  /** Contracts by name: `core`, `treasury`, and for each symbol its `token`, `delegate`, `price` and so on. */
  readonly #deployed = new Map<string, Deployed>();
  /** The time at which the treasury's delegate was initialized. */
  #treasuryDelegateTimestamp = 0n;
  /** The time at which the first NAV of each RWA was posted. */
  readonly #navTimestamps = new Map<string, bigint>();

  get contracts(): readonly Deployed[] {
    return [...this.#deployed.values()];
  }

  address(name: string): Address {
    const deployed = this.#deployed.get(name);
    if (!deployed) throw new Error(`${name} is not deployed`);
    return deployed.address;
  }

  /** A call by the names of contract and function. */
  call(name: string, functionName: string, ...args: readonly unknown[]): Call {
    return { to: this.address(name), functionName, args };
  }

  /** Deploys everything, one contract per block, with blocks one second apart from `START`. */
  static async deploy(rpc: Rpc): Promise<World> {
    const world = new World();
    const deployment = new Deployment(rpc, world.#deployed);
    const { admin, operator, vault, issuer, ratePoster } = ACTORS;
    const erc20 = (symbol: string, decimals: number) =>
      deployment.create(`${symbol} token`, "TestToken", [symbol, symbol, decimals]);
    const core = await deployment.proxy("core", "CoreSwap", [admin, operator, vault]);
    for (const { symbol, decimals, usdWad } of STABLECOINS) {
      const token = await erc20(symbol, decimals);
      await deployment.create(`${symbol} price`, "SettablePriceAdapter", [usdWad]);
      const parties = [admin, issuer, core, assetId(symbol), token];
      await deployment.proxy(`${symbol} delegate`, "BalanceSheetDelegate", parties);
    }
    for (const { symbol, decimals, usdWad, maxAgeDays } of RWAS) {
      await erc20(symbol, decimals);
      const bounds = [MAX_NAV_MOVE, MAX_NAV_MOVE_PER_DAY, maxAgeDays * DAY_SECONDS];
      await deployment.create(`${symbol} price`, "NavPriceAdapter", [admin, ACTORS.navPoster, usdWad, ...bounds]);
      world.#navTimestamps.set(symbol, deployment.now);
    }
    const trialToken = await erc20(TRIAL, 6);
    await erc20(SECOND_TRIAL_TOKEN, 8);
    await deployment.proxy(`${TRIAL} delegate`, "BalanceSheetDelegate", [
      ...[admin, issuer, core, assetId(TRIAL), trialToken],
    ]);
    await deployment.create("no price", "SettablePriceAdapter", [0n]);
    await deployment.create("register", "SettableWhitelistAdapter", []);
    await deployment.create("risk", "CapRiskDelegate", [core, RISK_CAP, RISK_CAP]);
    const treasury = await deployment.proxy("TRSY token", "Treasury", ["Treasury", TREASURY, admin]);
    const { rate, managementFee } = TREASURY_TERMS;
    const parties = [admin, issuer, core, assetId(TREASURY), treasury, rate, managementFee, ratePoster];
    await deployment.proxy("TRSY delegate", "TreasuryDelegate", parties);
    world.#treasuryDelegateTimestamp = deployment.now;
    return world;
  }

  /** Returns the model of the deployment, before any other transaction. */
  model(verifySignature: VerifySignature): Protocol {
    const protocol = new Protocol();
    const { admin, operator, vault, issuer, ratePoster } = ACTORS;
    const core = protocol.addCoreSwap(this.address("core"), { admin, operator, vault }, verifySignature);
    for (const { symbol, decimals, usdWad } of STABLECOINS) {
      protocol.addPrice(this.address(`${symbol} price`), usdWad);
      protocol.addBalanceSheetDelegate({
        ...{ core, admin, issuerAdmin: issuer, stablecoinID: assetId(symbol) },
        address: this.address(`${symbol} delegate`),
        token: protocol.addToken(this.address(`${symbol} token`), decimals),
      });
    }
    for (const { symbol, decimals, usdWad, maxAgeDays } of RWAS) {
      protocol.addToken(this.address(`${symbol} token`), decimals);
      protocol.addNav(this.address(`${symbol} price`), {
        ...{ poster: ACTORS.navPoster, navWad: usdWad, maxAge: maxAgeDays * DAY_SECONDS },
        ...{ maxMoveWad: MAX_NAV_MOVE, maxMovePerDayWad: MAX_NAV_MOVE_PER_DAY },
        timestamp: this.#navTimestamps.get(symbol) ?? 0n,
      });
    }
    protocol.addBalanceSheetDelegate({
      ...{ core, admin, issuerAdmin: issuer, stablecoinID: assetId(TRIAL) },
      address: this.address(`${TRIAL} delegate`),
      token: protocol.addToken(this.address(`${TRIAL} token`), 6),
    });
    protocol.addToken(this.address(`${SECOND_TRIAL_TOKEN} token`), 8);
    protocol.addPrice(this.address("no price"), 0n);
    protocol.addRegister(this.address("register"));
    protocol.addRisk(this.address("risk"), RISK_CAP, RISK_CAP);
    protocol.addTreasuryDelegate({
      ...{ core, admin, issuerAdmin: issuer, ratePoster, stablecoinID: assetId(TREASURY) },
      address: this.address("TRSY delegate"),
      token: protocol.addTreasuryToken(this.address("TRSY token"), admin),
      initialRate: TREASURY_TERMS.rate,
      managementFee: TREASURY_TERMS.managementFee,
      timestamp: this.#treasuryDelegateTimestamp,
    });
    return protocol;
  }

  /** The transactions that connect the contracts and fund the accounts. */
  setup(): Step[] {
    const steps: Step[] = [];
    const by = (actor: ActorName, name: string, functionName: string, ...args: readonly unknown[]) =>
      steps.push({ from: ACTORS[actor], call: this.call(name, functionName, ...args) });
    by("admin", "core", "grantRole", roleId("BLACKLISTER_ROLE"), ACTORS.blacklister);
    by("admin", "core", "grantRole", roleId("EXTERNAL_PAUSER_ROLE"), ACTORS.pauser);
    for (const role of ["WHITELISTER_ROLE", "BLACKLISTER_ROLE", "PAUSER_ROLE"]) {
      by("admin", "TRSY token", "grantRole", roleId(role), ACTORS.admin);
    }
    by("admin", "TRSY token", "grantRole", roleId("MINTER_ROLE"), this.address("TRSY delegate"));
    by("admin", "TRSY token", "grantRole", roleId("PAUSER_ROLE"), ACTORS.pauser);
    by("admin", "TRSY token", "addBridge", ACTORS.bridge);
    by("admin", "TRSY delegate", "grantRole", roleId("OPERATOR_ROLE"), ACTORS.rateCorrector);
    for (const rwa of RWAS) {
      const risk = rwa.symbol === CONTROLLED_RWA ? this.address("risk") : ZERO_ADDRESS;
      const id = assetId(rwa.symbol);
      by("operator", "core", "setRWAAcceptance", id, risk, this.address(`${rwa.symbol} token`), true);
      by("operator", "core", "setRwaPriceAdapter", id, this.address(`${rwa.symbol} price`));
    }
    by("operator", "core", "setRwaWhitelistAdapter", assetId(REGISTERED_RWA), this.address("register"));
    for (const { symbol, usdWad, hasCustodyAccounts } of STABLECOINS) {
      this.#registerStablecoin(steps, symbol, usdWad, false);
      const guardrail = [assetId(symbol), this.address(`${symbol} price`), GUARDRAIL_BAND, true];
      by("operator", "core", "configureStablecoinGuardrail", ...guardrail);
      const custody = this.address(`${symbol} delegate`);
      const accounts = hasCustodyAccounts
        ? { rwa: ACTORS.rwaCustody, stablecoin: ACTORS.stablecoinCustody }
        : { rwa: custody, stablecoin: custody };
      this.#openCustody(steps, symbol, accounts);
    }
    this.#registerStablecoin(steps, TREASURY, 10n ** 18n, true);
    const treasuryCustody = { rwa: ACTORS.treasuryRwaCustody, stablecoin: ACTORS.treasuryStablecoinCustody };
    this.#openCustody(steps, TREASURY, treasuryCustody);
    this.#setTerms(steps);
    this.#prepareAutoLiquidity(steps);
    for (const account of [...USERS.map(({ address }) => address), ACTORS.vault]) this.#admit(steps, account);
    return steps;
  }

  #registerStablecoin(steps: Step[], symbol: string, usdWad: bigint, yieldBearing: boolean): void {
    const id = assetId(symbol);
    const delegate = this.address(`${symbol} delegate`);
    const token = this.address(`${symbol} token`);
    const from = ACTORS.operator;
    const acceptance = [id, delegate, token, true, yieldBearing];
    steps.push({ from, call: this.call("core", "setStablecoinAcceptance", ...acceptance) });
    steps.push({ from, call: this.call("core", "setStablecoinUSDValue", id, usdWad) });
  }

  /** Opens the custody of one LP for everything that it trades, and fills its lists. */
  #openCustody(steps: Step[], symbol: string, custody: { readonly rwa: Address; readonly stablecoin: Address }): void {
    const name = `${symbol} delegate`;
    const delegate = this.address(name);
    const admin = (functionName: string, ...args: readonly unknown[]) =>
      steps.push({ from: ACTORS.admin, call: this.call(name, functionName, ...args) });
    for (const account of new Set([custody.rwa, custody.stablecoin])) {
      if (account === delegate) continue;
      steps.push({ from: account, call: this.call(name, "acceptCustody") });
      admin("setCustodyListing", account, account === custody.rwa, account === custody.stablecoin);
    }
    steps.push({ from: ACTORS.unlistedCustody, call: this.call(name, "acceptCustody") });
    const issuer = (functionName: string, ...args: readonly unknown[]) =>
      steps.push({ from: ACTORS.issuer, call: this.call(name, functionName, ...args) });
    issuer("setRWACustodyAddress", custody.rwa);
    issuer("setStablecoinCustodyAddress", custody.stablecoin);
    for (const rwa of RWAS) {
      issuer("whitelistRWA", this.address(`${rwa.symbol} token`), true);
      admin("setIntakeCap", this.address(`${rwa.symbol} token`), UNLIMITED_INTAKE);
      this.#fund(steps, rwa.symbol, rwa.decimals, custody.rwa, delegate, DEEP);
    }
    for (const stablecoin of STABLECOINS) {
      if (stablecoin.symbol !== symbol) {
        issuer("whitelistStablecoin", this.address(`${stablecoin.symbol} token`), true);
        admin("setIntakeCap", this.address(`${stablecoin.symbol} token`), UNLIMITED_INTAKE);
      }
      const depth = stablecoin.symbol === symbol && symbol === SWEPT_STABLECOIN ? SHALLOW : DEEP;
      this.#fund(steps, stablecoin.symbol, stablecoin.decimals, custody.stablecoin, delegate, depth);
    }
  }

  #fund(steps: Step[], symbol: string, decimals: number, owner: Address, spender: Address, tokens: bigint): void {
    const name = `${symbol} token`;
    const amount = tokens * 10n ** BigInt(decimals);
    steps.push({ from: ACTORS.deployer, call: this.call(name, "mint", owner, amount) });
    if (owner !== spender) steps.push({ from: owner, call: this.call(name, "approve", spender, maxUint256) });
  }

  /** Sets terms. Every rate differs, so that no result agrees by reading the wrong rate. */
  #setTerms(steps: Step[]): void {
    let basisPoints = 0n;
    const next = () => {
      basisPoints += 1n;
      return basisPoints * 10n ** 14n;
    };
    for (const { symbol: lp } of [{ symbol: TREASURY }, ...STABLECOINS]) {
      const issuer = (functionName: string, ...args: readonly unknown[]) =>
        steps.push({ from: ACTORS.issuer, call: this.call(`${lp} delegate`, functionName, ...args) });
      for (const { symbol } of RWAS) {
        issuer("setRWADiscountRate", assetId(symbol), next());
        issuer("setRWARedemptionFee", assetId(symbol), next());
      }
      for (const { symbol } of STABLECOINS) {
        issuer("setStablecoinAcceptanceFee", this.address(`${symbol} token`), next());
        issuer("setStablecoinRedemptionFee", this.address(`${symbol} token`), next());
      }
      const issuerPaid = this.call("core", "setIssuerPaidProtocolFeeRate", assetId(lp), next());
      steps.push({ from: ACTORS.operator, call: issuerPaid });
    }
    const takeRate = this.call("core", "setSpreadProtocolTakeRate", 2n * 10n ** 17n);
    steps.push({ from: ACTORS.operator, call: takeRate });
  }

  /** Grants once what the custody of the swept stablecoin must grant. The scenarios set auto-liquidity itself. */
  #prepareAutoLiquidity(steps: Step[]): void {
    const from = ACTORS.stablecoinCustody;
    const delegate = this.address("TRSY delegate");
    const core = this.address("core");
    for (const symbol of [SWEPT_STABLECOIN, TREASURY]) {
      steps.push({ from, call: this.call(`${symbol} token`, "approve", delegate, maxUint256) });
      const amount = symbol === SWEPT_STABLECOIN ? SWEEP_ALLOWANCE * 10n ** SWEPT_DECIMALS : maxUint256;
      const allowance = [core, assetId(symbol), amount, true];
      steps.push({ from, call: this.call("core", "adjustSwapInputAllowance", ...allowance) });
    }
    for (const holder of [from, ACTORS.vault]) {
      steps.push({ from: ACTORS.admin, call: this.call("TRSY token", "addToWhitelist", holder) });
    }
  }

  /** Gives an account every token, approves every delegate for it, and puts it on every list. */
  #admit(steps: Step[], user: Address): void {
    for (const { symbol, decimals } of [...STABLECOINS, ...RWAS]) {
      const amount = (DEEP / 1000n) * 10n ** BigInt(decimals);
      steps.push({ from: ACTORS.deployer, call: this.call(`${symbol} token`, "mint", user, amount) });
      for (const { symbol: lp } of [...STABLECOINS, { symbol: TREASURY }]) {
        const approval = [this.address(`${lp} delegate`), maxUint256];
        steps.push({ from: user, call: this.call(`${symbol} token`, "approve", ...approval) });
      }
    }
    steps.push({ from: user, call: this.call("TRSY token", "approve", this.address("TRSY delegate"), maxUint256) });
    steps.push({ from: ACTORS.admin, call: this.call("TRSY token", "addToWhitelist", user) });
    steps.push({ from: ACTORS.stranger, call: this.call("register", "set", user, true) });
  }
}

const SWEPT_DECIMALS = BigInt(STABLECOINS.find(({ symbol }) => symbol === SWEPT_STABLECOIN)?.decimals ?? 0);
const ZERO_ADDRESS: Address = "0x0000000000000000000000000000000000000000";

/** Creates contracts, one per block. */
class Deployment {
  now = START;
  readonly #rpc: Rpc;
  readonly #deployed: Map<string, Deployed>;
  readonly #implementations = new Map<string, Address>();

  constructor(rpc: Rpc, deployed: Map<string, Deployed>) {
    this.#rpc = rpc;
    this.#deployed = deployed;
  }

  async create(name: string, contract: string, args: readonly unknown[]): Promise<Address> {
    const artifact = artifactOf(contract);
    const address = await this.#create(artifact, args);
    this.#deployed.set(name, { name, address, abi: artifact.abi });
    return address;
  }

  /** Creates a contract behind a new proxy, and initializes it. */
  async proxy(name: string, contract: string, args: readonly unknown[]): Promise<Address> {
    const { abi } = artifactOf(contract);
    const implementation = this.#implementations.get(contract) ?? (await this.#create(artifactOf(contract), []));
    this.#implementations.set(contract, implementation);
    const initialization = encodeFunctionData({ abi, functionName: "initialize", args });
    const address = await this.#create(artifactOf("ERC1967Proxy"), [implementation, initialization]);
    this.#deployed.set(name, { name, address, abi });
    return address;
  }

  async #create({ abi, bytecode, libraries }: Artifact, args: readonly unknown[]): Promise<Address> {
    let code = bytecode;
    for (const [library, places] of Object.entries(libraries)) {
      code = linked(code, await this.#create(artifactOf(library), []), places);
    }
    const data = encodeDeployData({ abi, bytecode: code, args });
    const transaction = { from: ACTORS.deployer, data, gas: hexNumber(CREATION_GAS) };
    const hash = await this.#rpc.send<Hex>("eth_sendTransaction", transaction);
    this.now += 1n;
    await this.#rpc.send("evm_mine", hexNumber(this.now));
    const receipt = await this.#rpc.send<{ status: Hex; contractAddress: Address }>("eth_getTransactionReceipt", hash);
    if (receipt.status !== "0x1") throw new Error(`a creation reverted: ${hash}`);
    return getAddress(receipt.contractAddress);
  }
}
