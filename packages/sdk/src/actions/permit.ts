/** Permits: a user's signature over one whole call of `swap` by an operator. */
import { coreSwapAbi } from "@coreswap/abi";
import {
  type Account,
  type Address,
  domainSeparator,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  hexToBigInt,
  isAddressEqual,
  parseAbi,
  recoverTypedDataAddress,
  size,
  slice,
} from "viem";
import { call, getChainId, getCode, multicall, signTypedData } from "viem/actions";
import { namingReverts } from "../errors/contractRevertError.ts";
import { revertData } from "../errors/revert.ts";
import type { SwapInputs } from "../leg.ts";
import { accountOf, type Deployment, type SwapClient, together } from "./client.ts";
import { inputsOf, type SwapLegs, type SwapPermit } from "./swap.ts";

/** EIP-712 types of a permit. */
export const PERMIT_TYPES = {
  Swap: [
    { name: "user", type: "address" },
    { name: "operator", type: "address" },
    { name: "receiver", type: "address" },
    { name: "inputs", type: "SwapInputs[]" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  SwapInputs: [
    { name: "routeId", type: "uint256" },
    { name: "assetInID", type: "bytes32" },
    { name: "assetOutID", type: "bytes32" },
    { name: "stablecoinDelegateID", type: "bytes32" },
    { name: "assetInAmt", type: "uint256" },
    { name: "assetOutAmt", type: "uint256" },
  ],
} as const;

/** The data that a user signs, in the form of `eth_signTypedData_v4`. */
export interface SwapPermitTypedData {
  readonly domain: {
    readonly name: "CoreSwap";
    readonly version: "1";
    readonly chainId: number;
    readonly verifyingContract: Address;
  };
  readonly types: typeof PERMIT_TYPES;
  readonly primaryType: "Swap";
  readonly message: {
    readonly user: Address;
    readonly operator: Address;
    readonly receiver: Address;
    readonly inputs: readonly SwapInputs[];
    readonly nonce: bigint;
    readonly deadline: bigint;
  };
}

/** The domain that this package signs for is not that of the contract. */
export class PermitDomainError extends Error {
  override readonly name = "PermitDomainError";

  constructor(coreSwap: Address, chainId: number) {
    super(`${coreSwap} on chain ${chainId} does not accept permits of the domain CoreSwap, version 1`);
  }
}

/** A signature that CoreSwap would refuse. */
export class PermitSignatureError extends Error {
  override readonly name = "PermitSignatureError";

  constructor(user: Address) {
    super(
      `CoreSwap would refuse this signature: expected an ECDSA signature of ${user}, ` +
        "or one that a contract wallet there accepts (ERC-1271)",
    );
  }
}

export type SwapPermitParameters = Deployment &
  SwapLegs & {
    /** Who pays, and signs. */
    readonly user: Address;
    /** Who sends the swap. */
    readonly operator: Address;
    /** Who receives; by default the user. */
    readonly receiver?: Address | undefined;
    /** Last second, since 1970, at which the call may run. */
    readonly deadline: bigint;
  };

/**
 * The typed data of a permit with the user's current nonce. The nonce is used by the user's next permit that is swapped,
 * so of several permits signed at once only one can run.
 * @throws PermitDomainError; viem's errors when the node fails
 */
export async function getSwapPermitTypedData(
  client: SwapClient,
  parameters: SwapPermitParameters,
): Promise<SwapPermitTypedData> {
  const { coreSwap, user, operator, receiver = user, deadline } = parameters;
  const contract = { abi: coreSwapAbi, address: coreSwap } as const;
  const [chainId, [nonce, separator]] = await Promise.all([
    getChainId(client),
    namingReverts(
      multicall(client, {
        ...together({}),
        contracts: [
          { ...contract, functionName: "nonces", args: [user] },
          { ...contract, functionName: "DOMAIN_SEPARATOR" },
        ],
      }),
    ),
  ]);
  const domain = { name: "CoreSwap", version: "1", chainId, verifyingContract: coreSwap } as const;
  if (domainSeparator({ domain }) !== separator) throw new PermitDomainError(coreSwap, chainId);
  return {
    domain,
    types: PERMIT_TYPES,
    primaryType: "Swap",
    message: { user, operator, receiver, inputs: inputsOf(parameters), nonce, deadline },
  };
}

/** A swap that an operator can send by passing it to `swap`. */
export interface SignedSwap {
  readonly user: Address;
  readonly operator: Address;
  readonly receiver: Address;
  readonly legs: readonly SwapInputs[];
  readonly permit: SwapPermit;
}

export type SignSwapPermitParameters = SwapPermitParameters & {
  /** The account whose key signs; by default the client's. */
  readonly account?: Account | Address | undefined;
  /**
   * Signs for contract wallets with their own signing method: returns a signature that the wallet's `isValidSignature`
   * accepts.
   */
  readonly signTypedData?: ((typedData: SwapPermitTypedData) => Promise<Hex>) | undefined;
};

/**
 * Signs a permit, and checks that CoreSwap would accept it.
 * @throws PermitSignatureError when it would not; PermitDomainError; AccountRequiredError; viem's errors when the node
 * fails or the user refuses
 */
export async function signSwapPermit(client: SwapClient, parameters: SignSwapPermitParameters): Promise<SignedSwap> {
  const typedData = await getSwapPermitTypedData(client, parameters);
  const signature =
    parameters.signTypedData === undefined
      ? await signTypedData(client, { account: accountOf(client, parameters), ...typedData })
      : await parameters.signTypedData(typedData);
  const { user, operator, receiver, inputs: legs, deadline } = typedData.message;
  if (!(await isAccepted(client, typedData, signature))) throw new PermitSignatureError(user);
  return { user, operator, receiver, legs, permit: { deadline, signature } };
}

export type VerifySwapPermitParameters = Deployment &
  SwapLegs &
  Omit<SwapPermitParameters, keyof Deployment | keyof SwapLegs | "deadline"> & { readonly permit: SwapPermit };

/**
 * Whether CoreSwap would accept a permit for the user's current nonce and, if the user is a contract wallet, in the newest
 * block. It does not look at the deadline.
 * @throws PermitDomainError; viem's errors when the node fails
 */
export async function verifySwapPermit(client: SwapClient, parameters: VerifySwapPermitParameters): Promise<boolean> {
  const { permit } = parameters;
  const typedData = await getSwapPermitTypedData(client, { ...parameters, deadline: permit.deadline });
  return isAccepted(client, typedData, permit.signature);
}

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const ECDSA_BYTES = 65;
const erc1271Abi = /* @__PURE__ */ parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);
const ERC1271_MAGIC = `0x1626ba7e${"0".repeat(56)}`;

/**
 * Checks as CoreSwap does: ECDSA first, whether or not the user has code, then ERC-1271, where CoreSwap is the caller,
 * and the first 32 bytes of the answer count. CoreSwap treats an empty signature as missing, even if the wallet would
 * accept it.
 */
async function isAccepted(client: SwapClient, typedData: SwapPermitTypedData, signature: Hex): Promise<boolean> {
  const { user } = typedData.message;
  const account = typedData.domain.verifyingContract;
  if (size(signature) === 0) return false;
  if (await isSignedBy(user, typedData, signature)) return true;
  if ((await getCode(client, { address: user })) === undefined) return false;
  const data = encodeFunctionData({ abi: erc1271Abi, args: [hashTypedData(typedData), signature] });
  try {
    const { data: answer } = await call(client, { account, to: user, data, batch: false });
    return answer?.startsWith(ERC1271_MAGIC) ?? false;
  } catch (error) {
    if (revertData(error) !== null) return false;
    throw error;
  }
}

/** The contract accepts 65 bytes with v of 27 or 28 and the lower s. viem would accept others, too. */
async function isSignedBy(user: Address, typedData: SwapPermitTypedData, signature: Hex): Promise<boolean> {
  if (size(signature) !== ECDSA_BYTES) return false;
  const [s, v] = [hexToBigInt(slice(signature, 32, 64)), hexToBigInt(slice(signature, 64))];
  if (s > HALF_ORDER || (v !== 27n && v !== 28n)) return false;
  try {
    return isAddressEqual(await recoverTypedDataAddress({ ...typedData, signature }), user);
  } catch {
    // No point of the curve has this signature.
    return false;
  }
}
