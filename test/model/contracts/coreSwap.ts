/** CoreSwap: authorization and the steps of `swap`, including prefund and sweep. */
import { type Address, type Hex, zeroAddress } from "viem";
import { MAX_UINT256, min } from "../arithmetic.ts";
import { demand, Revert, type Table } from "../state.ts";
import { inputError, outputError, Quoting, type ResolvedLeg, type SwapInputs } from "./quoting.ts";
import type { RegistrySetup, StablecoinRecord } from "./registry.ts";

export interface ApprovalPermit {
  readonly deadline: bigint;
  readonly signature: Hex;
}

/** What a permit signs. */
export interface SwapPermit {
  readonly user: Address;
  readonly operator: Address;
  readonly receiver: Address;
  readonly inputs: readonly SwapInputs[];
  readonly nonce: bigint;
  readonly deadline: bigint;
}

/** Returns whether a signature is the user's signature of a permit. */
export type VerifySignature = (permit: SwapPermit, signature: Hex) => boolean;

export interface CoreSwapSetup extends RegistrySetup {
  readonly verifySignature: VerifySignature;
}

/** The user and the receiver of a leg, and the account that requested it. */
interface Parties {
  readonly user: Address;
  readonly receiver: Address;
  readonly operator: Address;
  /** Whether a standing allowance pays for the leg. */
  readonly spendsAllowance: boolean;
  /** Whether this is a prefund or sweep leg, which pays no protocol fee and causes no legs. */
  readonly isDerived: boolean;
}

export class CoreSwapModel extends Quoting {
  readonly #verify: VerifySignature;
  readonly #nonces: Table<bigint>;
  readonly #allowances: Table<bigint>;

  constructor(setup: CoreSwapSetup) {
    super(setup);
    this.#verify = setup.verifySignature;
    this.#nonces = setup.state.table(0n);
    this.#allowances = setup.state.table(0n);
  }

  nonces(user: Address): bigint {
    return this.#nonces.get(user);
  }

  swapInputAllowances(user: Address, operator: Address, assetInID: Hex): bigint {
    return this.#allowances.get(user, operator, assetInID);
  }

  /** The allowance saturates at zero and at the maximum. */
  adjustSwapInputAllowance(operator: Address, assetInID: Hex, amount: bigint, increase: boolean): void {
    const user = this.state.caller;
    const before = this.swapInputAllowances(user, operator, assetInID);
    const wanted = increase ? before + amount : before - amount;
    const after = wanted < 0n ? 0n : min(wanted, MAX_UINT256);
    this.#allowances.set([user, operator, assetInID], after);
    this.state.emit(this.address, "SwapInputAllowanceSet", user, operator, assetInID, after);
  }

  swap(user: Address, receiver: Address, inputs: readonly SwapInputs[], permit: ApprovalPermit): void {
    demand(!this.paused(), "EnforcedPause");
    demand(inputs.length > 0 && BigInt(inputs.length) <= this.legMaximum.value, "InvalidLegCount");
    demand(user !== zeroAddress, "InvalidSwapAddress", user);
    demand(receiver !== zeroAddress && receiver !== this.address, "InvalidSwapAddress", receiver);
    const operator = this.state.caller;
    for (const party of [user, receiver, operator]) demand(!this.blacklisted(party), "UserBlacklisted", party);
    const spendsAllowance = !this.#authorize(user, operator, receiver, inputs, permit);
    for (const leg of inputs) this.#leg({ user, receiver, operator, spendsAllowance, isDerived: false }, leg);
  }

  /** Returns whether the call is authorized as a whole. If not, every leg spends an allowance. */
  #authorize(
    user: Address,
    operator: Address,
    receiver: Address,
    inputs: readonly SwapInputs[],
    { deadline, signature }: ApprovalPermit,
  ): boolean {
    const isSigned = signature !== "0x";
    demand((deadline === 0n && !isSigned) || this.state.now <= deadline, "PermitExpired");
    if (!isSigned) return user === operator;
    const nonce = this.nonces(user);
    this.#nonces.set(user, nonce + 1n);
    const permit = { user, operator, receiver, inputs, nonce, deadline };
    demand(this.#verify(permit, signature), "InvalidSignature");
    return true;
  }

  #leg(parties: Parties, leg: SwapInputs): void {
    const { user, receiver, operator, spendsAllowance, isDerived } = parties;
    const resolved = this.resolve(user, leg, isDerived);
    const { settling, quote } = resolved;
    this.#check(parties, leg, resolved);
    if (spendsAllowance) this.#spendAllowance(user, operator, leg.assetInID, quote.tokenInAmt);
    const protocolFee = quote.issuerFeeAmt + quote.spreadFeeAmt;
    const liquid = isDerived ? null : this.#autoLiquidity(settling);
    if (liquid && resolved.in.id !== settling.id) {
      const payout = resolved.out.id === settling.id ? quote.tokenOutAmt : 0n;
      this.#prefund(settling, liquid, payout + protocolFee);
    }
    settling.delegate.settle({
      user,
      receiver,
      vault: this.coreVault(),
      protocolFee,
      tokenIn: resolved.in.token,
      isRWAIn: resolved.in.rwa !== null,
      amountIn: quote.tokenInAmt,
      tokenOut: resolved.out.token,
      isRWAOut: resolved.out.rwa !== null,
      amountOut: quote.tokenOutAmt,
    });
    this.state.emit(
      this.address,
      "Swap",
      ...[user, leg.assetInID, leg.assetOutID, operator, receiver, leg.routeId, leg.stablecoinDelegateID],
      ...[quote.tokenInAmt, quote.tokenOutAmt, quote.issuerFeeAmt, quote.spreadFeeAmt, quote.lpFeeAmt],
    );
    if (liquid && resolved.in.id === settling.id) this.#sweep(settling, liquid, quote.tokenInAmt - protocolFee);
  }

  /** Checks bounds, holder registers and risk controls. */
  #check(
    { user, receiver }: Parties,
    leg: SwapInputs,
    { isExactIn, in: sideIn, out: sideOut, quote }: ResolvedLeg,
  ): void {
    if (isExactIn) demand(quote.tokenOutAmt >= leg.assetOutAmt, outputError(sideOut));
    else demand(quote.tokenInAmt <= leg.assetInAmt, inputError(sideIn));
    if (sideIn.rwa) this.demandHolder(sideIn.id, user);
    if (sideOut.rwa) this.demandHolder(sideOut.id, receiver);
    if (sideIn.rwa && sideIn.rwa.riskDelegate !== zeroAddress) {
      this.surroundings.risk(sideIn.rwa.riskDelegate).checkRWAIn(user, quote.tokenInAmt);
    }
    if (sideOut.rwa && sideOut.rwa.riskDelegate !== zeroAddress) {
      this.surroundings.risk(sideOut.rwa.riskDelegate).checkRWAOut(receiver, quote.tokenOutAmt);
    }
  }

  #spendAllowance(user: Address, operator: Address, assetInID: Hex, amount: bigint): void {
    const before = this.swapInputAllowances(user, operator, assetInID);
    demand(amount <= before, "InsufficientSwapAllowance");
    const after = before === MAX_UINT256 ? before : before - amount;
    this.#allowances.set([user, operator, assetInID], after);
    this.state.emit(this.address, "SwapInputAllowanceSpent", user, operator, assetInID, amount, after);
  }

  /** Returns the yield-bearing stablecoin that backs a plain stablecoin's buffer, if their custodies differ. */
  #autoLiquidity({ id, delegate, yieldBearing }: StablecoinRecord): StablecoinRecord | null {
    const liquid = yieldBearing ? null : this.stablecoin(this.autoLiquidityStablecoinIDs(id));
    if (liquid === null) return null;
    const { delegate: other } = liquid;
    const custodies = [other.address, other.balanceSheetCustodyAddress(), other.stablecoinCustodyAddress()];
    return custodies.includes(delegate.stablecoinCustodyAddress()) ? null : liquid;
  }

  /** Fills the buffer up to the amount that is about to leave it. */
  #prefund(settling: StablecoinRecord, liquid: StablecoinRecord, needed: bigint): void {
    const custody = settling.delegate.stablecoinCustodyAddress();
    const balance = settling.token.balanceOf(custody);
    if (balance >= needed) return;
    this.#derivedLeg(custody, {
      routeId: 8n,
      assetInID: liquid.id,
      assetOutID: settling.id,
      stablecoinDelegateID: liquid.id,
      assetInAmt: MAX_UINT256,
      assetOutAmt: needed - balance,
    });
  }

  /** Deposits the amount that came in. A failure does not change the requested leg. */
  #sweep(settling: StablecoinRecord, liquid: StablecoinRecord, amount: bigint): void {
    const custody = settling.delegate.stablecoinCustodyAddress();
    try {
      this.state.atomically(() =>
        this.#derivedLeg(custody, {
          routeId: 7n,
          assetInID: settling.id,
          assetOutID: liquid.id,
          stablecoinDelegateID: liquid.id,
          assetInAmt: amount,
          assetOutAmt: 0n,
        }),
      );
    } catch (error) {
      if (!(error instanceof Revert)) throw error;
    }
  }

  #derivedLeg(custody: Address, leg: SwapInputs): void {
    demand(!this.blacklisted(custody), "UserBlacklisted", custody);
    const operator = this.address;
    this.#leg({ user: custody, receiver: custody, operator, spendsAllowance: true, isDerived: true }, leg);
  }
}
