/** What the configuration requires of the parties of an LP: its custody accounts and its issuer admin. */
import { stablecoinDelegateAbi as abi, coreSwapAbi } from "@coreswap/abi";
import { type Hex, maxUint256, zeroHash } from "viem";
import { hasReachableRwas } from "../chain/deployment.ts";
import { percent, yesOrNo } from "../text.ts";
import { approval, custodyOf, finiteApproval } from "./approvals.ts";
import { foreignAssets } from "./cappedAssets.ts";
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
  const { coreSwap, deployment } = system;
  const { symbol, id, contract, terms } = lp;
  const subject = `lp:${symbol}`;
  const fix = fixesBy(contract, abi, [{ account: terms.issuerAdmin, as: `issuer admin of ${subject}` }]);
  const view = { address: contract.address, abi } as const;
  const core = { address: coreSwap.address, abi: coreSwapAbi } as const;
  const reserve = terms.autoLiquidity ? deployment.treasuryStablecoin.id : null;
  const bySubject = new Map(foreignAssets(system, lp).map((asset) => [asset.subject, asset] as const));
  return [
    expects(
      [subject],
      `RWA custody of ${contract.name}`,
      { ...view, functionName: "balanceSheetCustodyAddress" },
      String,
      lp.rwaCustody,
      { events: ["RWACustodyAddressSet"] },
      fix("setRWACustodyAddress", [lp.rwaCustody]),
    ),
    expects(
      [subject],
      `stablecoin custody of ${contract.name}`,
      { ...view, functionName: "stablecoinCustodyAddress" },
      String,
      lp.stablecoinCustody,
      { events: ["StablecoinCustodyAddressSet"] },
      fix("setStablecoinCustodyAddress", [lp.stablecoinCustody]),
    ),
    ...terms.rwas.flatMap(({ symbol: rwa, discountRateWad, redemptionFeeWad }) => {
      const asset = bySubject.get(`rwa:${rwa}`);
      if (asset === undefined) return [];
      const subjects = [subject, asset.subject];
      return [
        expects(
          subjects,
          `${contract.name} deals in ${rwa}`,
          { ...view, functionName: "rwaWhitelist", args: [asset.address] },
          yesOrNo,
          "yes",
          { events: ["RWAWhitelist"], words: [asset.address] },
          fix("whitelistRWA", [asset.address, true]),
        ),
        expects(
          subjects,
          `discount rate of ${contract.name} for ${rwa}`,
          { ...core, functionName: "discountRates", args: [id, asset.id] },
          percent,
          percent(discountRateWad),
          { events: ["RWADiscountRateSet"], words: [asset.id] },
          fix("setRWADiscountRate", [asset.id, discountRateWad]),
        ),
        expects(
          subjects,
          `redemption fee of ${contract.name} for ${rwa}`,
          { ...core, functionName: "redemptionFees", args: [id, asset.id] },
          percent,
          percent(redemptionFeeWad),
          { events: ["RedemptionFeeSet"], words: [asset.id] },
          fix("setRWARedemptionFee", [asset.id, redemptionFeeWad]),
        ),
      ];
    }),
    ...terms.stablecoins.flatMap(({ symbol: foreign, acceptanceFeeWad, redemptionFeeWad }) => {
      const asset = bySubject.get(`lp:${foreign}`);
      if (asset === undefined) return [];
      const subjects = [subject, asset.subject];
      const args = [id, asset.address] as const;
      return [
        expects(
          subjects,
          `${contract.name} deals in ${foreign}`,
          { ...view, functionName: "stablecoinWhitelist", args: [asset.address] },
          yesOrNo,
          "yes",
          { events: ["StablecoinWhitelist"], words: [asset.address] },
          fix("whitelistStablecoin", [asset.address, true]),
        ),
        expects(
          subjects,
          `acceptance fee of ${contract.name} for ${foreign}`,
          { ...core, functionName: "stablecoinAcceptanceFees", args },
          percent,
          percent(acceptanceFeeWad),
          { events: ["StablecoinAcceptanceFeeSet"], words: [asset.address] },
          fix("setStablecoinAcceptanceFee", [asset.address, acceptanceFeeWad]),
        ),
        expects(
          subjects,
          `redemption fee of ${contract.name} for ${foreign}`,
          { ...core, functionName: "stablecoinRedemptionFees", args },
          percent,
          percent(redemptionFeeWad),
          { events: ["StablecoinRedemptionFeeSet"], words: [asset.address] },
          fix("setStablecoinRedemptionFee", [asset.address, redemptionFeeWad]),
        ),
      ];
    }),
    expects(
      [subject],
      `auto-liquidity of ${symbol}`,
      { ...core, functionName: "autoLiquidityStablecoinIDs", args: [id] },
      reserveText,
      reserveText(reserve),
      { events: ["AutoLiquidityStablecoinIDSet"] },
      fix("setAutoLiquidityStablecoinID", [reserve ?? zeroHash]),
    ),
  ];
}

function reserveText(id: Hex | null): string {
  return id === null || id === zeroHash ? "none" : id;
}
