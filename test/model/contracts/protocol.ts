/** All contracts together, with transactions and views by address and function name. */
import type { Address, Hex } from "viem";
import { type ModelEvent, Revert, State } from "../state.ts";
import { CoreSwapModel, type VerifySignature } from "./coreSwap.ts";
import { BalanceSheetDelegateModel, Delegate, type DelegateSetup } from "./delegate.ts";
import { HolderRegister, NavModel, type NavTerms, PriceModel, RiskModel } from "./external.ts";
import type { Surroundings } from "./registry.ts";
import { Roles } from "./roles.ts";
import { Token, TreasuryToken } from "./token.ts";
import { TreasuryDelegateModel, type TreasuryDelegateSetup } from "./treasuryDelegate.ts";

/** A function of a contract with its arguments, as in the ABI. */
export interface Call {
  readonly to: Address;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** The result of a transaction: its events, or the custom error with which it ends. */
export type Outcome =
  | { readonly events: readonly ModelEvent[]; readonly revert: null; readonly result: unknown }
  | { readonly revert: Revert };

type Contract = CoreSwapModel | Delegate | Token | PriceModel | HolderRegister | RiskModel;

const ROLE_FUNCTIONS: Readonly<Record<string, (roles: Roles, role: Hex, account: Address) => void>> = {
  grantRole: (roles, role, account) => roles.grant(role, account),
  revokeRole: (roles, role, account) => roles.revoke(role, account),
  renounceRole: (roles, role, account) => roles.renounce(role, account),
};

export class Protocol implements Surroundings {
  readonly state = new State();
  readonly #contracts = new Map<Address, Contract>();

  addToken(address: Address, decimals: number): Token {
    return this.#add(address, new Token(this.state, address, decimals));
  }

  addTreasuryToken(address: Address, admin: Address): TreasuryToken {
    return this.#add(address, new TreasuryToken(this.state, address, admin));
  }

  addCoreSwap(
    address: Address,
    parties: { readonly admin: Address; readonly operator: Address; readonly vault: Address },
    verifySignature: VerifySignature,
  ): CoreSwapModel {
    const setup = { ...parties, state: this.state, address, surroundings: this, verifySignature };
    return this.#add(address, new CoreSwapModel(setup));
  }

  addBalanceSheetDelegate(setup: Omit<DelegateSetup, "state">): BalanceSheetDelegateModel {
    return this.#add(setup.address, new BalanceSheetDelegateModel({ ...setup, state: this.state }));
  }

  addTreasuryDelegate(setup: Omit<TreasuryDelegateSetup, "state">): TreasuryDelegateModel {
    return this.#add(setup.address, new TreasuryDelegateModel({ ...setup, state: this.state }));
  }

  addPrice(address: Address, priceWad: bigint): PriceModel {
    return this.#add(address, new PriceModel(this.state, priceWad));
  }

  addNav(address: Address, terms: NavTerms): NavModel {
    return this.#add(address, new NavModel(this.state, address, terms));
  }

  addRegister(address: Address): HolderRegister {
    return this.#add(address, new HolderRegister(this.state));
  }

  addRisk(address: Address, capIn: bigint, capOut: bigint): RiskModel {
    return this.#add(address, new RiskModel(this.state, capIn, capOut));
  }

  token(address: Address): Token {
    return this.#get(address, Token);
  }

  treasuryToken(address: Address): TreasuryToken {
    return this.#get(address, TreasuryToken);
  }

  delegate(address: Address): Delegate {
    const delegate = this.findDelegate(address);
    if (!delegate) throw new Error(`${address} is not a delegate`);
    return delegate;
  }

  findDelegate(address: Address): Delegate | null {
    const contract = this.#contracts.get(address);
    return contract instanceof Delegate ? contract : null;
  }

  findToken(address: Address): Token | null {
    const contract = this.#contracts.get(address);
    return contract instanceof Token ? contract : null;
  }

  isContract(address: Address): boolean {
    return this.#contracts.has(address);
  }

  price(address: Address): PriceModel {
    return this.#get(address, PriceModel);
  }

  register(address: Address): HolderRegister {
    return this.#get(address, HolderRegister);
  }

  risk(address: Address): RiskModel {
    return this.#get(address, RiskModel);
  }

  /** Runs a transaction at a time. Either all its effects remain, or none and the error is returned. */
  transact(now: bigint, caller: Address, call: Call): Outcome {
    this.state.now = now;
    this.state.caller = caller;
    this.state.takeEvents();
    try {
      const result = this.state.atomically(() => this.#run(call));
      return { events: this.state.takeEvents(), revert: null, result };
    } catch (error) {
      if (error instanceof Revert) return { revert: error };
      throw error;
    }
  }

  /** Returns what a transaction would return, or the error with which it would end. Changes nothing. */
  simulate(now: bigint, caller: Address, call: Call): unknown {
    this.state.now = now;
    this.state.caller = caller;
    let result: unknown;
    try {
      this.state.atomically(() => {
        result = this.#run(call);
        throw new Revert("", []);
      });
    } catch (error) {
      if (!(error instanceof Revert)) throw error;
      return error.errorName === "" ? result : error;
    }
    return result;
  }

  /** Returns the result of a view at a time, or the error with which it ends. */
  view(now: bigint, call: Call): unknown {
    this.state.now = now;
    try {
      return this.#run(call);
    } catch (error) {
      if (error instanceof Revert) return error;
      throw error;
    }
  }

  #run({ to, functionName, args }: Call): unknown {
    const contract = this.#contracts.get(to);
    if (contract === undefined) throw new Error(`there is no contract at ${to}`);
    const administer = ROLE_FUNCTIONS[functionName];
    if (administer && "roles" in contract && contract.roles instanceof Roles) {
      return administer(contract.roles, ...(args as [Hex, Address]));
    }
    const method = Reflect.get(contract, functionName) as unknown;
    if (typeof method !== "function") throw new Error(`the model has no ${functionName}`);
    return Reflect.apply(method, contract, args) as unknown;
  }

  #add<C extends Contract>(address: Address, contract: C): C {
    this.#contracts.set(address, contract);
    return contract;
  }

  #get<C extends Contract>(address: Address, kind: new (...args: never[]) => C): C {
    const contract = this.#contracts.get(address);
    if (!(contract instanceof kind)) throw new Error(`${address} is not a ${kind.name}`);
    return contract;
  }
}
