/** A configuration with addresses: those of the deployment file, and those of assets that are not in it yet. */
import {
  balanceSheetDelegateAbi,
  coreSwapAbi,
  navPriceAdapterAbi,
  treasuryAbi,
  treasuryDelegateAbi,
} from "@coreswap/abi";
import { WAD } from "@coreswap/sdk";
import { type Abi, type Address, type Hex, zeroAddress } from "viem";
import type { NamedContract } from "../chain/contracts.ts";
import type { Deployment } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { type Configuration, type ConfiguredRwa, type ConfiguredStablecoin, configuredId } from "./configuration.ts";
import { navAdapterOf, stablecoinProxyOf } from "./creations.ts";

/** A token of the configuration. */
export interface Token {
  readonly symbol: string;
  readonly id: Hex;
  readonly address: Address;
  readonly decimals: number;
}

/** An RWA of the configuration. */
export interface SystemRwa extends Token {
  readonly terms: ConfiguredRwa;
  readonly adapter: NamedContract;
}

/** An LP of the configuration, with the data that LPs of plain stablecoins and of the treasury token share. */
export interface SystemLp extends Token {
  readonly terms: Omit<ConfiguredStablecoin, "name" | "token" | "decimals" | "id">;
  readonly contract: NamedContract;
  readonly isYieldBearing: boolean;
  /** The configured custody account, or the delegate itself. */
  readonly rwaCustody: Address;
  readonly stablecoinCustody: Address;
}

export interface System {
  readonly configuration: Configuration;
  readonly deployment: Deployment;
  readonly coreSwap: NamedContract;
  readonly treasury: NamedContract;
  /** The holder of `DEFAULT_ADMIN_ROLE` and `OPERATOR_ROLE`: the timelock, or the configured account. */
  readonly admin: Address;
  readonly operator: Address;
  readonly treasuryAdmin: Address;
  readonly treasuryOperator: Address;
  readonly rwas: readonly SystemRwa[];
  /** The LPs of plain stablecoins, and then that of the treasury token. */
  readonly lps: readonly SystemLp[];
}

/** The proxies, each with the implementation that the deployment file names. */
export function proxiesOf({ deployment, coreSwap, treasury, lps }: System) {
  const { implementations } = deployment;
  return [
    { ...coreSwap, implementation: implementations.coreSwap },
    { ...treasury, implementation: implementations.treasury },
    ...lps.map(({ contract, isYieldBearing }) => ({
      ...contract,
      implementation: isYieldBearing ? implementations.treasuryDelegate : implementations.balanceSheetDelegate,
    })),
  ];
}

/**
 * Joins a configuration and a deployment.
 * @throws Failure when they belong to different chains, or an account or token is missing
 */
export function systemOf(configuration: Configuration, deployment: Deployment): System {
  if (configuration.chainId !== deployment.chainId) {
    throw new Failure(
      `the configuration is for chain ${configuration.chainId}, and the deployment file for chain ${deployment.chainId}`,
    );
  }
  const { roles, treasury } = configuration;
  const holder = (account: Address | null, key: string): Address => {
    const found = configuration.governance === "timelock" ? deployment.timelock : account;
    if (found) return found;
    throw new Failure(
      configuration.governance === "timelock"
        ? "the configuration has a timelock, and the deployment file has none"
        : `the configuration lacks ${key}`,
    );
  };
  const admin = holder(roles.admin, "roles.admin");
  const base = {
    configuration,
    deployment,
    admin,
    operator: holder(roles.operator, "roles.operator"),
    treasuryAdmin: holder(treasury.admin, "treasury.admin"),
    treasuryOperator: holder(treasury.operator, "treasury.operator"),
    coreSwap: { name: "coreswap", address: deployment.coreSwap, abi: coreSwapAbi as Abi },
    treasury: { name: "treasury", address: deployment.treasury, abi: treasuryAbi as Abi },
  };
  return {
    ...base,
    rwas: configuration.rwas.map((terms) => rwaOf(terms, deployment, admin)),
    lps: [
      ...configuration.stablecoins.map((terms) => plainLp(terms, deployment, admin)),
      treasuryLpOf(configuration, deployment),
    ],
  };
}

function rwaOf(terms: ConfiguredRwa, deployment: Deployment, admin: Address): SystemRwa {
  const { symbol, decimals } = terms;
  const deployed = deployment.rwas.find((rwa) => rwa.symbol === symbol);
  return {
    symbol,
    decimals,
    id: configuredId(terms),
    address: deployedToken(terms, deployed) ?? tokenOf(terms),
    terms,
    adapter: {
      name: `nav:${symbol}`,
      address: deployed?.priceAdapter ?? navAdapterOf(terms, admin).address,
      abi: navPriceAdapterAbi,
    },
  };
}

/** @throws Failure when the configuration has another token than the deployment */
function deployedToken(
  { symbol, token }: Pick<ConfiguredRwa, "symbol" | "token">,
  deployed: { readonly token: Address } | undefined,
): Address | undefined {
  if (deployed !== undefined && token !== null && token !== deployed.token) {
    throw new Failure(`the configuration has ${symbol} at ${token}, and the deployment file at ${deployed.token}`);
  }
  return deployed?.token;
}

function plainLp(terms: ConfiguredStablecoin, deployment: Deployment, admin: Address): SystemLp {
  const { symbol, decimals } = terms;
  const deployed = deployment.stablecoins.find((stablecoin) => stablecoin.symbol === symbol);
  const id = configuredId(terms);
  const address = deployedToken(terms, deployed) ?? tokenOf(terms);
  const delegate = deployed?.delegate ?? stablecoinProxyOf(deployment, terms, admin, { id, address }).address;
  return {
    symbol,
    decimals,
    id,
    address,
    terms,
    contract: { name: `lp:${symbol}`, address: delegate, abi: balanceSheetDelegateAbi },
    isYieldBearing: false,
    rwaCustody: terms.rwaCustody ?? delegate,
    stablecoinCustody: terms.stablecoinCustody ?? delegate,
  };
}

function treasuryLpOf({ treasury }: Configuration, deployment: Deployment): SystemLp {
  const { symbol, delegate } = deployment.treasuryStablecoin;
  return {
    symbol,
    decimals: 18,
    id: configuredId(treasury),
    address: deployment.treasury,
    terms: { ...treasury, usdValueWad: WAD, autoLiquidity: false, sweepAllowance: 0n },
    contract: { name: `lp:${symbol}`, address: delegate, abi: treasuryDelegateAbi },
    isYieldBearing: true,
    rwaCustody: treasury.rwaCustody ?? delegate,
    stablecoinCustody: treasury.stablecoinCustody ?? delegate,
  };
}

function tokenOf({ symbol, token }: { readonly symbol: string; readonly token: Address | null }): Address {
  if (token !== null && token !== zeroAddress) return token;
  throw new Failure(`${symbol} is not in the deployment file yet, so the configuration has to name its token`);
}
