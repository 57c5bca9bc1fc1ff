/**
 * What the configuration requires of an LP: the settings of its delegate, and the steps of its custody accounts and
 * issuer admin.
 */
import { stablecoinDelegateAbi as abi, coreSwapAbi } from "@coreswap/abi";
import { type Address, encodeFunctionData, type Hex, isAddressEqual, maxUint256 } from "viem";
import { roleId } from "../chain/contracts.ts";
import { hasOwnIntakeCap, hasReachableRwas } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { intakeCapText, percent, yesOrNo } from "../text.ts";
import type { Authority } from "../write/plan.ts";
import { approval, custodyOf, finiteApproval } from "./approvals.ts";
import { type Expectation, expects } from "./expectation.ts";
import { callOn, holders } from "./protocol.ts";
import type { System, SystemLp } from "./system.ts";

const ADMIN: readonly Authority[] = [{ role: "DEFAULT_ADMIN_ROLE" }];

/** An asset that an LP trades. */
interface CappedAsset {
  readonly subject: string;
  readonly symbol: string;
  readonly id: Hex;
  readonly address: Address;
  readonly decimals: number;
  readonly intakeCap: bigint;
}

/** The settings of the delegate that its administrators make. */
export function ofDelegate(system: System, lp: SystemLp): Expectation[] {
  const { coreSwap, configuration, admin } = system;
  const { symbol, id, address: token, contract, terms } = lp;
  const subject = `lp:${symbol}`;
  const view = { address: contract.address, abi } as const;
  const { guardian } = configuration.roles;
  const grant = encodeFunctionData({ abi, functionName: "grantRole", args: [roleId("PAUSE_ROLE"), guardian] });
  const hasPauser = expects(
    [subject],
    `${guardian} may pause ${contract.name}`,
    { ...view, functionName: "hasRole", args: [roleId("PAUSE_ROLE"), guardian] },
    yesOrNo,
    "yes",
    { events: ["RoleGranted", "RoleRevoked"], words: [roleId("PAUSE_ROLE"), guardian] },
    callOn(contract, ADMIN, grant),
  );
  const revoke = encodeFunctionData({ abi, functionName: "revokeRole", args: [roleId("PAUSE_ROLE"), admin] });
  // The administrator of a new delegate may pause it.
  const adminCannotPause = expects(
    [subject],
    `${admin} may pause ${contract.name}`,
    { ...view, functionName: "hasRole", args: [roleId("PAUSE_ROLE"), admin] },
    yesOrNo,
    "no",
    { events: ["RoleGranted", "RoleRevoked"], words: [roleId("PAUSE_ROLE"), admin] },
    callOn(contract, ADMIN, revoke),
  );
  const accounts = [...new Set([terms.rwaCustody, terms.stablecoinCustody])].filter((account) => account !== null);
  return [
    expects(
      [subject],
      `CoreSwap of ${contract.name}`,
      { ...view, functionName: "coreSwap" },
      String,
      coreSwap.address,
      {},
    ),
    expects([subject], `stablecoin ID of ${contract.name}`, { ...view, functionName: "stablecoinID" }, String, id, {}),
    expects([subject], `token of ${contract.name}`, { ...view, functionName: "stablecoinAddress" }, String, token, {}),
    expects(
      [subject],
      `${terms.issuerAdmin} is issuer admin of ${contract.name}`,
      { ...view, functionName: "issuerAdmins", args: [terms.issuerAdmin] },
      yesOrNo,
      "yes",
      { events: ["IssuerAdminAdded", "IssuerAdminRemoved"], words: [terms.issuerAdmin] },
    ),
    holders(subject, contract, "DEFAULT_ADMIN_ROLE", [admin]),
    holders(subject, contract, "CORE_SWAP_CONTRACT", [coreSwap.address]),
    hasPauser,
    ...(isAddressEqual(admin, guardian) ? [] : [adminCannotPause]),
    // It has no subject, because registering an LP already meets it through the two expectations above.
    { ...holders(subject, contract, "PAUSE_ROLE", [guardian]), subjects: [] },
    expects([subject], `${contract.name} is paused`, { ...view, functionName: "paused" }, yesOrNo, "no", {
      events: ["PauseCauseSet"],
    }),
    ...(["getRWAColdStorageAddresses", "getStablecoinColdStorageAddresses"] as const).map((functionName) =>
      expects(
        [subject],
        `${functionName.includes("RWA") ? "RWA" : "stablecoin"} cold storage of ${contract.name}`,
        { ...view, functionName },
        (listed) => listed.join(", ") || "none",
        "none",
        { events: functionName.includes("RWA") ? RWA_COLD_STORAGE : STABLECOIN_COLD_STORAGE },
      ),
    ),
    ...[contract.address, ...accounts].map((account) =>
      expects(
        [subject],
        `${account} is blacklisted by CoreSwap`,
        { address: coreSwap.address, abi: coreSwapAbi, functionName: "blacklisted", args: [account] },
        yesOrNo,
        "no",
        { events: ["UserBlacklistUpdated"], words: [account] },
        callOn(
          coreSwap,
          [{ role: "BLACKLISTER_ROLE" }],
          encodeFunctionData({ abi: coreSwapAbi, functionName: "setBlacklisted", args: [account, false] }),
        ),
      ),
    ),
    ...accounts.map((account) => custodyListing(lp, account)),
    ...[...foreignAssets(system, lp), ...ownAsset(lp)].map((asset) =>
      expects(
        [...new Set([subject, asset.subject])],
        `intake cap of ${contract.name} for ${asset.symbol}`,
        { ...view, functionName: "intakeCap", args: [asset.address] },
        ([cap]) => intakeCapText(cap, asset),
        intakeCapText(asset.intakeCap, asset),
        { events: ["IntakeCapSet"], words: [asset.address] },
        callOn(
          contract,
          ADMIN,
          encodeFunctionData({ abi, functionName: "setIntakeCap", args: [asset.address, asset.intakeCap] }),
        ),
      ),
    ),
  ];
}

const RWA_COLD_STORAGE = ["RWAColdStorageAddressAdded", "RWAColdStorageAddressRemoved"];
const STABLECOIN_COLD_STORAGE = ["StablecoinColdStorageAddressAdded", "StablecoinColdStorageAddressRemoved"];

function custodyListing({ symbol, contract, terms }: SystemLp, account: Address): Expectation {
  const kinds = [terms.rwaCustody === account, terms.stablecoinCustody === account] as const;
  return expects(
    [`lp:${symbol}`],
    `${contract.name} lists ${account} as custody of`,
    { address: contract.address, abi, functionName: "custodyListing", args: [account] },
    ([rwa, stablecoin]) => listingText(rwa, stablecoin),
    listingText(...kinds),
    { events: ["CustodyListingSet"], words: [account] },
    callOn(contract, ADMIN, encodeFunctionData({ abi, functionName: "setCustodyListing", args: [account, ...kinds] })),
  );
}

export function listingText(rwa: boolean, stablecoin: boolean): string {
  return [rwa ? "RWAs" : "", stablecoin ? "stablecoins" : ""].filter(Boolean).join(" and ") || "nothing";
}

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
      callOn(contract, [custodyOf(lp, account)], encodeFunctionData({ abi, functionName: "acceptCustody" })),
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
  const allowed = ({ id }: Pick<CappedAsset, "id">) =>
    ({
      address: coreSwap.address,
      abi: coreSwapAbi,
      functionName: "swapInputAllowances",
      args: [account, coreSwap.address, id],
    }) as const;
  const adjusting = ({ id }: Pick<CappedAsset, "id">, amount: bigint, increase: boolean) => {
    const args = [coreSwap.address, id, amount, increase] as const;
    const data = encodeFunctionData({ abi: coreSwapAbi, functionName: "adjustSwapInputAllowance", args });
    return callOn(coreSwap, [custodyOf(lp, account)], data);
  };
  const events = ({ id }: Pick<CappedAsset, "id">) => ({ events: ["SwapInputAllowanceSet"], words: [account, id] });
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
  const by: readonly Authority[] = [{ account: terms.issuerAdmin, as: `issuer admin of ${subject}` }];
  const fix = (data: Hex) => callOn(contract, by, data);
  const view = { address: contract.address, abi } as const;
  const core = { address: coreSwap.address, abi: coreSwapAbi } as const;
  const reserve = terms.autoLiquidity ? deployment.treasuryStablecoin.id : null;
  const bySymbol = new Map(foreignAssets(system, lp).map((asset) => [asset.subject, asset] as const));
  return [
    expects(
      [subject],
      `RWA custody of ${contract.name}`,
      { ...view, functionName: "balanceSheetCustodyAddress" },
      String,
      lp.rwaCustody,
      { events: ["RWACustodyAddressSet"] },
      fix(encodeFunctionData({ abi, functionName: "setRWACustodyAddress", args: [lp.rwaCustody] })),
    ),
    expects(
      [subject],
      `stablecoin custody of ${contract.name}`,
      { ...view, functionName: "stablecoinCustodyAddress" },
      String,
      lp.stablecoinCustody,
      { events: ["StablecoinCustodyAddressSet"] },
      fix(encodeFunctionData({ abi, functionName: "setStablecoinCustodyAddress", args: [lp.stablecoinCustody] })),
    ),
    ...terms.rwas.flatMap(({ symbol: rwa, discountRateWad, redemptionFeeWad }) => {
      const asset = bySymbol.get(`rwa:${rwa}`);
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
          fix(encodeFunctionData({ abi, functionName: "whitelistRWA", args: [asset.address, true] })),
        ),
        expects(
          subjects,
          `discount rate of ${contract.name} for ${rwa}`,
          { ...core, functionName: "discountRates", args: [id, asset.id] },
          percent,
          percent(discountRateWad),
          { events: ["RWADiscountRateSet"], words: [asset.id] },
          fix(encodeFunctionData({ abi, functionName: "setRWADiscountRate", args: [asset.id, discountRateWad] })),
        ),
        expects(
          subjects,
          `redemption fee of ${contract.name} for ${rwa}`,
          { ...core, functionName: "redemptionFees", args: [id, asset.id] },
          percent,
          percent(redemptionFeeWad),
          { events: ["RedemptionFeeSet"], words: [asset.id] },
          fix(encodeFunctionData({ abi, functionName: "setRWARedemptionFee", args: [asset.id, redemptionFeeWad] })),
        ),
      ];
    }),
    ...terms.stablecoins.flatMap(({ symbol: foreign, acceptanceFeeWad, redemptionFeeWad }) => {
      const asset = bySymbol.get(`lp:${foreign}`);
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
          fix(encodeFunctionData({ abi, functionName: "whitelistStablecoin", args: [asset.address, true] })),
        ),
        expects(
          subjects,
          `acceptance fee of ${contract.name} for ${foreign}`,
          { ...core, functionName: "stablecoinAcceptanceFees", args },
          percent,
          percent(acceptanceFeeWad),
          { events: ["StablecoinAcceptanceFeeSet"], words: [asset.address] },
          fix(
            encodeFunctionData({
              abi,
              functionName: "setStablecoinAcceptanceFee",
              args: [asset.address, acceptanceFeeWad],
            }),
          ),
        ),
        expects(
          subjects,
          `redemption fee of ${contract.name} for ${foreign}`,
          { ...core, functionName: "stablecoinRedemptionFees", args },
          percent,
          percent(redemptionFeeWad),
          { events: ["StablecoinRedemptionFeeSet"], words: [asset.address] },
          fix(
            encodeFunctionData({
              abi,
              functionName: "setStablecoinRedemptionFee",
              args: [asset.address, redemptionFeeWad],
            }),
          ),
        ),
      ];
    }),
    expects(
      [subject],
      `auto-liquidity of ${symbol}`,
      { ...core, functionName: "autoLiquidityStablecoinIDs", args: [id] },
      (found) => reserveText(found),
      reserveText(reserve),
      { events: ["AutoLiquidityStablecoinIDSet"] },
      fix(
        encodeFunctionData({
          abi,
          functionName: "setAutoLiquidityStablecoinID",
          args: [reserve ?? NO_ID],
        }),
      ),
    ),
  ];
}

const NO_ID: Hex = `0x${"0".repeat(64)}`;

function reserveText(id: Hex | null): string {
  return id === null || BigInt(id) === 0n ? "none" : id;
}

/** The LP's own stablecoin, if the configuration gives it an intake cap that applies. */
export function ownAsset(lp: SystemLp): CappedAsset[] {
  const { intakeCap } = lp.terms;
  const isCapped = typeof intakeCap === "bigint" && hasOwnIntakeCap({ ...lp, yieldBearing: lp.isYieldBearing });
  return isCapped ? [{ ...lp, subject: `lp:${lp.symbol}`, intakeCap }] : [];
}

/** The assets that an LP trades and has not issued, as the configuration lists them. */
function foreignAssets({ rwas, lps }: System, { terms }: SystemLp): CappedAsset[] {
  const find = <Asset extends { readonly symbol: string }>(assets: readonly Asset[], symbol: string): Asset => {
    const asset = assets.find((candidate) => candidate.symbol === symbol);
    if (asset === undefined) throw new Failure(`the configuration has no ${symbol}, in which lp:${terms.symbol} deals`);
    return asset;
  };
  return [
    ...terms.rwas.map(({ symbol, intakeCap }) => ({ ...find(rwas, symbol), subject: `rwa:${symbol}`, intakeCap })),
    ...terms.stablecoins.map(({ symbol, intakeCap }) => ({ ...find(lps, symbol), subject: `lp:${symbol}`, intakeCap })),
  ];
}
