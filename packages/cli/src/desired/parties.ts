/** What the configuration requires of the parties of an LP: its custody accounts and its issuer admin. */
import { stablecoinDelegateAbi as abi, coreSwapAbi } from "@coreswap/abi";
import { type Hex, maxUint256, zeroHash } from "viem";
import { hasReachableRwas } from "../chain/deployment.ts";
import { percent, yesOrNo } from "../text.ts";
import { approval, custodyOf, finiteApproval } from "./approvals.ts";
import { type CappedAsset, foreignAssets } from "./cappedAssets.ts";
import { issuerAdmin } from "./delegate.ts";
import { type Expectation, expects, fixesBy } from "./expectation.ts";
import type { System, SystemLp, Token } from "./system.ts";

/**
 * The steps of the LP's own parties, in the required order: first those of the custody accounts, and then those of the
 * issuer admin.
 */
export function ofParties(system: System, lp: SystemLp): Expectation[] {
  return [...ofCustodies(system, lp), ...ofReserve(system, lp), ...ofIssuerAdmin(system, lp)];
}

function ofCustodies(system: System, lp: SystemLp): Expectation[] {
  const { contract, terms, symbol } = lp;
  const foreign = foreignAssets(system, lp);
  const rwas = foreign.filter(({ subject }) => subject.startsWith("rwa:"));
  const stablecoins = [
    { ...lp, subject: `lp:${symbol}` },
    ...foreign.filter(({ subject }) => subject.startsWith("lp:")),
  ];
  const isReachable = hasReachableRwas({ ...lp, yieldBearing: lp.isYieldBearing, delegate: contract.address });
  const kept = [
    { account: terms.rwaCustody, assets: isReachable ? [] : rwas },
    { account: terms.stablecoinCustody, assets: stablecoins },
  ].flatMap(({ account, assets }) => (account === null ? [] : [{ account, assets }]));
  const accounts = [...new Set(kept.map(({ account }) => account))];
  return accounts.flatMap((account) => [
    expects(
      [`lp:${symbol}`],
      `${account} agrees to be custody of ${contract.name}`,
      { address: contract.address, abi, functionName: "custodyAccepted", args: [account] },
      yesOrNo,
      "yes",
      { events: ["CustodyAccepted", "CustodyRevoked"], words: [account] },
      fixesBy(contract, abi, [custodyOf(lp, account)])("acceptCustody", []),
    ),
    ...kept
      .filter((each) => each.account === account)
      .flatMap(({ assets }) => assets.map((asset) => approval(lp, account, contract.address, asset, [asset.subject]))),
    ...(isReachable && account === terms.rwaCustody ? rwas.map((asset) => finiteApproval(lp, account, asset)) : []),
  ]);
}

/** With auto-liquidity, the custody lets CoreSwap swap its stablecoin for the treasury token and back. */
function ofReserve({ coreSwap, deployment }: System, lp: SystemLp): Expectation[] {
  const { terms, symbol, stablecoinCustody: account } = lp;
  if (!terms.autoLiquidity) return [];
  const treasury = { ...deployment.treasuryStablecoin, address: deployment.treasury };
  const allowed = ({ id }: Pick<Token, "id">) =>
    ({
      address: coreSwap.address,
      abi: coreSwapAbi,
      functionName: "swapInputAllowances",
      args: [account, coreSwap.address, id],
    }) as const;
  const fix = fixesBy(coreSwap, coreSwapAbi, [custodyOf(lp, account)]);
  const adjusting = ({ id }: Pick<Token, "id">, amount: bigint, increase: boolean) =>
    fix("adjustSwapInputAllowance", [coreSwap.address, id, amount, increase]);
  const events = ({ id }: Pick<Token, "id">) => ({ events: ["SwapInputAllowanceSet"], words: [account, id] });
  const sweepAllowance = terms.sweepAllowance ?? 0n;
  const subjects = [`lp:${symbol}`];
  return [
    ...[lp, treasury].map((asset) => approval(lp, account, treasury.delegate, asset)),
    ...[
      { asset: lp, amount: sweepAllowance },
      { asset: treasury, amount: maxUint256 },
    ].map(({ asset, amount }) =>
      expects(
        subjects,
        `CoreSwap may swap ${asset.symbol} of ${account}`,
        allowed(asset),
        // Swaps use up the allowance, so any amount that is left of it meets the expectation.
        (left) => yesOrNo(left > 0n),
        "yes",
        events(asset),
        adjusting(asset, amount, true),
      ),
    ),
    expects(
      subjects,
      `CoreSwap may swap more ${symbol} of ${account} than sweepAllowance`,
      allowed(lp),
      (left) => yesOrNo(left > sweepAllowance),
      "no",
      events(lp),
      // Takes back all of it. The expectation above then asks for the configured amount.
      adjusting(lp, maxUint256, false),
    ),
  ];
}

function ofIssuerAdmin(system: System, lp: SystemLp): Expectation[] {
  const { rwas, stablecoins, furtherIssuerAdmins } = lp.terms;
  const bySubject = new Map(foreignAssets(system, lp).map((asset) => [asset.subject, asset] as const));
  return [
    ...ofCustodyAddresses(lp),
    ...rwas.flatMap(({ symbol, discountRateWad, redemptionFeeWad }) => {
      const asset = bySubject.get(`rwa:${symbol}`);
      if (asset === undefined) return [];
      return [
        isDealtIn(lp, asset, "rwaWhitelist"),
        rateIs(system, lp, asset, "discountRates", discountRateWad),
        rateIs(system, lp, asset, "redemptionFees", redemptionFeeWad),
      ];
    }),
    ...stablecoins.flatMap(({ symbol, acceptanceFeeWad, redemptionFeeWad }) => {
      const asset = bySubject.get(`lp:${symbol}`);
      if (asset === undefined) return [];
      return [
        isDealtIn(lp, asset, "stablecoinWhitelist"),
        rateIs(system, lp, asset, "stablecoinAcceptanceFees", acceptanceFeeWad),
        rateIs(system, lp, asset, "stablecoinRedemptionFees", redemptionFeeWad),
      ];
    }),
    ofAutoLiquidity(system, lp),
    ...furtherIssuerAdmins.map((account) =>
      issuerAdmin(lp, account, fixesByIssuerAdmin(lp)("addIssuerAdmin", [account])),
    ),
  ];
}

function ofCustodyAddresses(lp: SystemLp): Expectation[] {
  const { symbol, contract } = lp;
  const view = { address: contract.address, abi } as const;
  const fix = fixesByIssuerAdmin(lp);
  return [
    expects(
      [`lp:${symbol}`],
      `RWA custody of ${contract.name}`,
      { ...view, functionName: "balanceSheetCustodyAddress" },
      String,
      lp.rwaCustody,
      { events: ["RWACustodyAddressSet"] },
      fix("setRWACustodyAddress", [lp.rwaCustody]),
    ),
    expects(
      [`lp:${symbol}`],
      `stablecoin custody of ${contract.name}`,
      { ...view, functionName: "stablecoinCustodyAddress" },
      String,
      lp.stablecoinCustody,
      { events: ["StablecoinCustodyAddressSet"] },
      fix("setStablecoinCustodyAddress", [lp.stablecoinCustody]),
    ),
  ];
}

/** Requires that an LP deals in an asset. */
function isDealtIn(
  lp: SystemLp,
  { symbol, subject, address }: CappedAsset,
  functionName: "rwaWhitelist" | "stablecoinWhitelist",
): Expectation {
  const { contract } = lp;
  const [event, setter] =
    functionName === "rwaWhitelist"
      ? (["RWAWhitelist", "whitelistRWA"] as const)
      : (["StablecoinWhitelist", "whitelistStablecoin"] as const);
  return expects(
    [`lp:${lp.symbol}`, subject],
    `${contract.name} deals in ${symbol}`,
    { address: contract.address, abi, functionName, args: [address] },
    yesOrNo,
    "yes",
    { events: [event], words: [address] },
    fixesByIssuerAdmin(lp)(setter, [address, true]),
  );
}

/** The rates that CoreSwap has for an LP and an asset, by their views: what identifies the asset, changes and sets them. */
const RATES = {
  discountRates: { name: "discount rate", key: "id", event: "RWADiscountRateSet", setter: "setRWADiscountRate" },
  redemptionFees: { name: "redemption fee", key: "id", event: "RedemptionFeeSet", setter: "setRWARedemptionFee" },
  stablecoinAcceptanceFees: {
    name: "acceptance fee",
    key: "address",
    event: "StablecoinAcceptanceFeeSet",
    setter: "setStablecoinAcceptanceFee",
  },
  stablecoinRedemptionFees: {
    name: "redemption fee",
    key: "address",
    event: "StablecoinRedemptionFeeSet",
    setter: "setStablecoinRedemptionFee",
  },
} as const;

/** Requires a rate of an LP for an asset. */
function rateIs(
  { coreSwap }: System,
  lp: SystemLp,
  asset: CappedAsset,
  functionName: keyof typeof RATES,
  rateWad: bigint,
): Expectation {
  const { name, key, event, setter } = RATES[functionName];
  return expects(
    [`lp:${lp.symbol}`, asset.subject],
    `${name} of ${lp.contract.name} for ${asset.symbol}`,
    { address: coreSwap.address, abi: coreSwapAbi, functionName, args: [lp.id, asset[key]] },
    percent,
    percent(rateWad),
    { events: [event], words: [asset[key]] },
    fixesByIssuerAdmin(lp)(setter, [asset[key], rateWad]),
  );
}

function ofAutoLiquidity({ coreSwap, deployment }: System, lp: SystemLp): Expectation {
  const { symbol, id, terms } = lp;
  const reserve = terms.autoLiquidity ? deployment.treasuryStablecoin.id : null;
  return expects(
    [`lp:${symbol}`],
    `auto-liquidity of ${symbol}`,
    { address: coreSwap.address, abi: coreSwapAbi, functionName: "autoLiquidityStablecoinIDs", args: [id] },
    reserveText,
    reserveText(reserve),
    { events: ["AutoLiquidityStablecoinIDSet"] },
    fixesByIssuerAdmin(lp)("setAutoLiquidityStablecoinID", [reserve ?? zeroHash]),
  );
}

function fixesByIssuerAdmin({ symbol, contract, terms }: SystemLp) {
  return fixesBy(contract, abi, [{ account: terms.issuerAdmin, as: `issuer admin of lp:${symbol}` }]);
}

function reserveText(id: Hex | null): string {
  return id === null || id === zeroHash ? "none" : id;
}
