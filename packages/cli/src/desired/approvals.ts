/** What the configuration requires custody accounts to approve to the delegate of their LP. */
import { type Address, erc20Abi, maxUint256 } from "viem";
import { isUnlimitedApproval, NO_DAILY_LIMIT, tokens } from "../text.ts";
import type { Authority } from "../write/plan.ts";
import type { CappedAsset } from "./cappedAssets.ts";
import { type Expectation, expects, fixesBy } from "./expectation.ts";
import type { SystemLp, Token } from "./system.ts";

const ANY_AMOUNT = "any amount";
const FINITE_AMOUNT = "a finite amount";

/**
 * Requires any finite approval, because swaps use it up and the custody chooses the amount. The call that is proposed
 * gives the intake cap, which is the loss that is acceptable in a day. Without a cap, or if nothing comes in, the
 * custody has to choose.
 */
export function finiteApproval(
  lp: Pick<SystemLp, "symbol" | "contract">,
  owner: Address,
  asset: Omit<CappedAsset, "id">,
): Expectation {
  const { intakeCap, subject } = asset;
  return allowance(
    lp,
    { owner, spender: lp.contract.address, token: asset, others: [subject] },
    (amount) => (amount > 0n && !isUnlimitedApproval(amount) ? FINITE_AMOUNT : tokens(amount, asset)),
    FINITE_AMOUNT,
    intakeCap === 0n || intakeCap === NO_DAILY_LIMIT ? null : intakeCap,
  );
}

/**
 * Requires an approval of a token of a custody account, of any amount: a finite one bounds what stolen keys take. The
 * call that is proposed gives an unlimited one, which swaps do not use up.
 */
export function approval(
  lp: Pick<SystemLp, "symbol">,
  owner: Address,
  spender: Address,
  token: Omit<Token, "id">,
  others: readonly string[] = [],
): Expectation {
  const show = (amount: bigint) => (amount > 0n ? ANY_AMOUNT : tokens(amount, token));
  return allowance(lp, { owner, spender, token, others }, show, ANY_AMOUNT, maxUint256);
}

/** The party that a custody account is. */
export function custodyOf({ symbol }: Pick<SystemLp, "symbol">, account: Address): Authority {
  return { account, as: `custody of lp:${symbol}` };
}

interface Approval {
  readonly owner: Address;
  readonly spender: Address;
  readonly token: Omit<Token, "id">;
  /** Subjects besides the LP. */
  readonly others: readonly string[];
}

/** @param amount that the proposed call approves; null if the custody has to choose it */
function allowance(
  lp: Pick<SystemLp, "symbol">,
  { owner, spender, token: { symbol, address }, others }: Approval,
  show: (amount: bigint) => string,
  expected: string,
  amount: bigint | null,
): Expectation {
  const fix = fixesBy({ name: `token:${symbol}`, address, abi: erc20Abi }, erc20Abi, [custodyOf(lp, owner)]);
  return expects(
    [`lp:${lp.symbol}`, ...others],
    `${symbol} of ${owner} that ${spender} may take`,
    { address, abi: erc20Abi, functionName: "allowance", args: [owner, spender] },
    show,
    expected,
    {},
    amount === null ? null : fix("approve", [spender, amount]),
  );
}
