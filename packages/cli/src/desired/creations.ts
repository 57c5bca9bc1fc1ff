/**
 * Contracts that are created after the deployment. Their addresses follow from their content, because the CREATE2
 * deployer creates them, which has the same address on every public chain and on anvil
 * (https://github.com/Arachnid/deterministic-deployment-proxy). The sender of the transaction gains nothing by it, so a
 * Safe or a timelock can send it, too.
 */
import {
  balanceSheetDelegateAbi,
  chainlinkPriceAdapterAbi,
  erc4626PriceAdapterAbi,
  navPriceAdapterAbi,
  tBillRateAdapterAbi,
} from "@coreswap/abi";
import {
  type Abi,
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  zeroHash,
} from "viem";
import type { Deployment } from "../chain/deployment.ts";
import type { PlannedCall } from "../write/plan.ts";
import { type CreatedContract, compiled } from "./artifacts.ts";
import { type ConfiguredRwa, type ConfiguredStablecoin, configuredId } from "./configuration.ts";
import { verificationCommand } from "./verification.ts";

export const CREATE2_DEPLOYER = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const proxyAbi = parseAbi(["constructor(address implementation, bytes data)"]);

export interface Creation {
  readonly address: Address;
  /** The code with the arguments of the constructor. */
  readonly initCode: Hex;
  /** The transaction that creates the contract. It reverts without data when the contract exists already. */
  readonly call: PlannedCall;
  /** Says how explorers get the sources of the contract. */
  readonly sourcesNote: (chainId: number) => string;
}

/**
 * Creates the NAV adapter of an RWA. Nothing in its content says of which, so the ID of the RWA is the salt: two RWAs
 * with the same terms would otherwise share an adapter, and a NAV posted for one of them would price both.
 */
export function navAdapterOf(terms: ConfiguredRwa, admin: Address): Creation {
  const { navPoster, navWad, maxMovePerPostWad, maxMovePerDayWad, maxAgeSeconds } = terms;
  const args = [admin, navPoster, navWad, maxMovePerPostWad, maxMovePerDayWad, maxAgeSeconds];
  return created("NavPriceAdapter", navPriceAdapterAbi, args, configuredId(terms));
}

/** Creates an adapter that reads a price from a Chainlink feed. */
export function chainlinkAdapterOf(feed: Address, maxAgeSeconds: bigint): Creation {
  return created("ChainlinkPriceAdapter", chainlinkPriceAdapterAbi, [feed, maxAgeSeconds]);
}

/** Creates an adapter for the shares of an ERC-4626 vault. */
export function vaultAdapterOf(
  vault: Address,
  assetPriceAdapter: Address,
  maxMovePerDayWad: bigint,
  referenceRateWad: bigint,
): Creation {
  return created("ERC4626PriceAdapter", erc4626PriceAdapterAbi, [
    ...[vault, assetPriceAdapter],
    ...[maxMovePerDayWad, referenceRateWad],
  ]);
}

/** Creates an adapter that reads a yearly rate from a Chainlink feed. */
export function rateAdapterOf(
  feed: Address,
  isInPercent: boolean,
  maxAgeSeconds: bigint,
  minRateWad: bigint,
  maxRateWad: bigint,
): Creation {
  return created("TBillRateAdapter", tBillRateAdapterAbi, [feed, isInPercent, maxAgeSeconds, minRateWad, maxRateWad]);
}

/**
 * Creates the delegate of a plain stablecoin: a proxy of the deployed implementation, initialized in the same
 * transaction.
 */
export function stablecoinProxyOf(
  deployment: Deployment,
  { issuerAdmin }: Pick<ConfiguredStablecoin, "issuerAdmin">,
  admin: Address,
  { id, address }: { readonly id: Hex; readonly address: Address },
): Creation {
  const initialization = encodeFunctionData({
    abi: balanceSheetDelegateAbi,
    functionName: "initialize",
    args: [admin, issuerAdmin, deployment.coreSwap, id, address],
  });
  return created("ERC1967Proxy", proxyAbi, [deployment.implementations.balanceSheetDelegate, initialization]);
}

function created(name: CreatedContract, abi: Abi, args: readonly unknown[], salt: Hex = zeroHash): Creation {
  const { bytecode, source, compilerVersion } = compiled(name);
  const initCode = encodeDeployData({ abi, bytecode, args: [...args] });
  const address = getContractAddress({ opcode: "CREATE2", from: CREATE2_DEPLOYER, salt, bytecode: initCode });
  const contract = { name: "create2", address: CREATE2_DEPLOYER, abi: [] } as const;
  const text = `creates ${name}(${args.map(String).join(", ")}) at ${address}`;
  return {
    address,
    initCode,
    call: { to: CREATE2_DEPLOYER, data: concat([salt, initCode]), contract, mayCall: [], text },
    sourcesNote: (chainId) => {
      const constructorArgs = `0x${initCode.slice(bytecode.length)}` as const;
      const explained = { address, source, compilerVersion, constructorArgs, libraries: [] };
      const command = verificationCommand(explained, { chain: String(chainId), verifier: "sourcify" });
      return `once it exists, explorers get its sources by: ${command}`;
    },
  };
}
