/** What the configuration requires custody accounts to approve to the delegate of their LP. */
import { type Address, encodeFunctionData, erc20Abi, maxUint256 } from "viem";
import { isUnlimitedApproval, tokens } from "../text.ts";
import type { Authority } from "../write/plan.ts";
import { type Expectation, expects } from "./expectation.ts";
import { callOn } from "./protocol.ts";
import type { SystemLp } from "./system.ts";

const FINITE_AMOUNT = "a finite amount";

interface ApprovedToken {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
}

interface CappedToken extends ApprovedToken {
  readonly subject: string;
  readonly intakeCap: bigint;
}

/**
 * Requires any finite approval, because swaps use it up and the custody chooses the amount. The call that is proposed
 * gives the intake cap, which is the loss that is acceptable in a day. Without a cap, or if nothing comes in, the
 * custody has to choose.
 */
export function finiteApproval(
  lp: Pick<SystemLp, "symbol" | "contract">,
  owner: Address,
  asset: CappedToken,
): Expectation {
  const { address, symbol, intakeCap } = asset;
  const spender = lp.contract.address;
  return expects(
    [`lp:${lp.symbol}`, asset.subject],
    `${symbol} of ${owner} that ${spender} may take`,
    { address, abi: erc20Abi, functionName: "allowance", args: [owner, spender] },
    (amount) => (amount > 0n && !isUnlimitedApproval(amount) ? FINITE_AMOUNT : tokens(amount, asset)),
    FINITE_AMOUNT,
    {},
    intakeCap === 0n || isUnlimitedApproval(intakeCap)
      ? null
      : callOn(
          { name: `token:${symbol}`, address, abi: erc20Abi },
          [custodyOf(lp, owner)],
          encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, intakeCap] }),
        ),
  );
}

/** The party that a custody account is. */
export function custodyOf({ symbol }: Pick<SystemLp, "symbol">, account: Address): Authority {
  return { account, as: `custody of lp:${symbol}` };
}

/** Requires an unlimited approval of a token of a custody account. */
export function approval(
  lp: Pick<SystemLp, "symbol">,
  owner: Address,
  spender: Address,
  { symbol, address, decimals }: ApprovedToken,
  others: readonly string[] = [],
): Expectation {
  // Some tokens keep fewer bits of an unlimited approval than others.
  const show = (amount: bigint) => tokens(isUnlimitedApproval(amount) ? maxUint256 : amount, { symbol, decimals });
  return expects(
    [`lp:${lp.symbol}`, ...others],
    `${symbol} of ${owner} that ${spender} may take`,
    { address, abi: erc20Abi, functionName: "allowance", args: [owner, spender] },
    show,
    show(maxUint256),
    {},
    callOn(
      { name: `token:${symbol}`, address, abi: erc20Abi },
      [custodyOf(lp, owner)],
      encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, maxUint256] }),
    ),
  );
}
