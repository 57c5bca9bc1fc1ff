/** The parameters that all actions share, and how actions that write are sent. */
import {
  type Account,
  type Address,
  type BlockTag,
  type Chain,
  type Client,
  type Hash,
  type Hex,
  type Transport,
  zeroAddress,
} from "viem";
import { parseAccount } from "viem/accounts";
import { call, estimateGas, getCode, sendTransaction } from "viem/actions";
import { namingReverts } from "../errors/contractRevertError.ts";
import { NoContractError } from "../errors/noContractError.ts";

/** Any client of viem: public, wallet, or one with both kinds of actions. */
export type SwapClient = Client<Transport, Chain | undefined, Account | undefined>;

/** The swap contract of a deployment. */
export interface Deployment {
  /** Address of CoreSwap. Everything else is read from its registry. */
  readonly coreSwap: Address;
}

/** The block that a view is read at: a number, or a tag; by default the newest one. */
export interface BlockParameters {
  readonly blockNumber?: bigint | undefined;
  readonly blockTag?: BlockTag | undefined;
}

/** The sender and the chain; by default those of the client. */
export interface SendParameters {
  readonly account?: Account | Address | undefined;
  readonly chain?: Chain | undefined;
}

/** Neither the call nor the client has an account. */
export class AccountRequiredError extends Error {
  override readonly name = "AccountRequiredError";

  constructor() {
    super("no account: pass `account` to the call or to the client");
  }
}

/** Returns the account of a call. @throws AccountRequiredError */
export function accountOf(client: SwapClient, { account }: Pick<SendParameters, "account">): Account {
  const used = account ?? client.account;
  if (used === undefined) throw new AccountRequiredError();
  return parseAccount(used);
}

/** Options for several views that must all succeed, read in one request and without a Multicall contract. */
export function together({ blockNumber, blockTag }: BlockParameters) {
  const options = { allowFailure: false, deployless: true, batchSize: 0 } as const;
  if (blockNumber !== undefined) return { ...options, blockNumber };
  return blockTag === undefined ? options : { ...options, blockTag };
}

/**
 * Simulates a call in the newest block, then sends it.
 * @param extraGas gas that may be used beyond the estimate
 * @returns hash of the transaction, which is not mined yet and can still revert
 * @throws ContractRevertError when the simulation reverts; NoContractError; AccountRequiredError; viem's errors when the
 * node fails, the client is on another chain, or the user refuses
 */
export async function simulateAndSend(
  client: SwapClient,
  {
    to,
    data,
    extraGas,
    ...parameters
  }: SendParameters & { readonly to: Address; readonly data: Hex; readonly extraGas?: bigint },
): Promise<Hash> {
  const account = accountOf(client, parameters);
  await simulate(client, { account, to, data });
  const chain = parameters.chain ?? client.chain;
  const estimate = await namingReverts(estimateGas(client, { account, to, data }));
  return namingReverts(sendTransaction(client, { account, chain, to, data, gas: gasLimitOf(estimate, extraGas) }));
}

const GAS_PERCENT = 130n;

/**
 * Gas limit of a transaction: the estimate plus 30 %, because the state can change before the transaction is mined.
 * Unused gas is not paid.
 * @param extraGas gas that may be used beyond that
 */
export function gasLimitOf(estimate: bigint, extraGas = 0n): bigint {
  return (estimate * GAS_PERCENT) / 100n + extraGas;
}

/** Simulates a call. @throws as `simulateAndSend` */
export async function simulate(
  client: SwapClient,
  request: {
    readonly account: Account | Address;
    readonly to: Address;
    readonly data: Hex;
    readonly block?: BlockParameters;
  },
): Promise<void> {
  const { account, to, data, block = {} } = request;
  const at = block.blockNumber === undefined ? { blockTag: block.blockTag } : { blockNumber: block.blockNumber };
  const [code] = await Promise.all([
    getCode(client, { address: to, ...at }),
    namingReverts(call(client, { account, to, data, ...at, batch: false })),
  ]);
  if (code === undefined || to === zeroAddress) throw new NoContractError(to);
}
