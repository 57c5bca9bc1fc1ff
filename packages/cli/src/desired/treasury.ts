/** What the configuration requires of the treasury token, its bridges and its rates. */
import { treasuryAbi, treasuryDelegateAbi } from "@coreswap/abi";
import { type Address, maxUint256 } from "viem";
import { dailyLimitText, percent, seconds, yesOrNo } from "../text.ts";
import type { ConfiguredBridge } from "./configuration.ts";
import { type Expectation, expects, fixesBy } from "./expectation.ts";
import { holders, membership } from "./roles.ts";
import type { System, SystemLp } from "./system.ts";

export function ofTreasury(system: System): Expectation[] {
  const { treasury, configuration, treasuryAdmin, treasuryOperator, lps } = system;
  const { treasury: terms, roles } = configuration;
  const view = { address: treasury.address, abi: treasuryAbi } as const;
  const subjects = ["treasury"];
  const delegate = system.deployment.treasuryStablecoin.delegate;
  const own = lps.filter(({ isYieldBearing }) => isYieldBearing);
  const bridges = terms.bridges ?? [];
  const recipients = [
    { account: roles.vault, subjects },
    ...own.flatMap((lp) => [lp.rwaCustody, lp.stablecoinCustody]).map((account) => ({ account, subjects })),
    ...lps
      .filter(({ terms: { autoLiquidity } }) => autoLiquidity)
      .map(({ symbol, stablecoinCustody: account }) => ({ account, subjects: [...subjects, `lp:${symbol}`] })),
  ];
  const held: readonly (readonly [role: string, accounts: readonly Address[]])[] = [
    ["DEFAULT_ADMIN_ROLE", [treasuryAdmin]],
    ["OPERATOR_ROLE", [treasuryOperator]],
    ["PAUSER_ROLE", [terms.pauser]],
    ["WHITELISTER_ROLE", [terms.whitelister]],
    ["BLACKLISTER_ROLE", [terms.blacklister]],
    ["MINTER_ROLE", [delegate]],
    ["BRIDGE_ROLE", bridges.map(({ address }) => address)],
  ];
  return [
    ...held.map(([role, accounts]) => holders("treasury", treasury, role, accounts)),
    ...bridges.flatMap((bridge) => ofBridge(system, bridge)),
    expects(subjects, "treasury is paused", { ...view, functionName: "paused" }, yesOrNo, "no", {
      events: ["Paused", "Unpaused"],
    }),
    ...[{ account: delegate, subjects }, ...recipients].map((recipient) => listing(system, recipient, BLACKLIST)),
    ...recipients.map((recipient) => listing(system, recipient, WHITELIST)),
    ...own.flatMap((lp) => ofYield(system, lp)),
  ];
}

/** What Treasury's lists have to say of an account, and the call that makes it so. */
const WHITELIST = { view: "whitelisted", expected: "yes", role: "WHITELISTER_ROLE", call: "addToWhitelist" } as const;
const BLACKLIST = {
  view: "blacklisted",
  expected: "no",
  role: "BLACKLISTER_ROLE",
  call: "removeFromBlacklist",
} as const;

function listing(
  { treasury, configuration }: System,
  { account, subjects }: { readonly account: Address; readonly subjects: readonly string[] },
  { view, expected, role, call }: typeof WHITELIST | typeof BLACKLIST,
): Expectation {
  const args = [account] as const;
  const list = view === "whitelisted" ? "Whitelist" : "Blacklist";
  return expects(
    subjects,
    `${account} is ${view} by ${configuration.treasury.symbol}`,
    { address: treasury.address, abi: treasuryAbi, functionName: view, args },
    yesOrNo,
    expected,
    { events: [`AddedTo${list}`, `RemovedFrom${list}`], words: [account] },
    fixesBy(treasury, treasuryAbi, [{ role }])(call, args),
  );
}

/** Requires the limit of a bridge, and then its role, without which it cannot mint. */
function ofBridge({ treasury, deployment }: System, { address, limitPerDay }: ConfiguredBridge): Expectation[] {
  const asset = deployment.treasuryStablecoin;
  const fix = fixesBy(treasury, treasuryAbi, [{ role: "OPERATOR_ROLE" }]);
  return [
    expects(
      ["treasury"],
      `mints of the bridge ${address} in a day`,
      { address: treasury.address, abi: treasuryAbi, functionName: "bridgeLimit", args: [address] },
      ([perDay]) => dailyLimitText(perDay, asset),
      dailyLimitText(limitPerDay, asset),
      { events: ["BridgeLimitSet"], words: [address] },
      fix("setBridgeLimit", [address, limitPerDay]),
    ),
    membership(
      "treasury",
      `${address} is a bridge`,
      treasury,
      { role: "BRIDGE_ROLE", account: address, isHolder: true },
      fix("addBridge", [address]),
    ),
  ];
}

/** Requires the settings of rates at the treasury delegate. */
function ofYield({ configuration }: System, { symbol, contract }: SystemLp): Expectation[] {
  const { managementFeeWad: fee, initialRateWad, delegateOperator, ratePoster } = configuration.treasury;
  const { maxDailyRateWad, maxFallbackRateSeconds } = configuration.treasury;
  const view = { address: contract.address, abi: treasuryDelegateAbi } as const;
  const subject = `lp:${symbol}`;
  const fix = fixesBy(contract, treasuryDelegateAbi, [{ role: "DEFAULT_ADMIN_ROLE" }]);
  return [
    holders(subject, contract, "OPERATOR_ROLE", [delegateOperator]),
    holders(subject, contract, "RATE_POSTER_ROLE", [ratePoster]),
    expects([subject], "management fee", { ...view, functionName: "managementFee" }, percent, percent(fee), {
      events: ["ManagementFeeUpdated"],
    }),
    expects(
      [subject],
      "rate shown for a day without one",
      { ...view, functionName: "getDailyRate", args: [maxUint256] },
      ([rateWad]) => percent(rateWad),
      percent(initialRateWad > fee ? initialRateWad - fee : 0n),
      { events: ["ManagementFeeUpdated"] },
    ),
    expects(
      [subject],
      "most gross rate",
      { ...view, functionName: "maxDailyRate" },
      percent,
      percent(maxDailyRateWad),
      { events: ["MaxDailyRateUpdated"] },
      fix("setMaxDailyRate", [maxDailyRateWad]),
    ),
    expects(
      [subject],
      "fallback window",
      { ...view, functionName: "maxFallbackRateSeconds" },
      seconds,
      seconds(maxFallbackRateSeconds),
      { events: ["MaxFallbackRateSecondsUpdated"] },
      fix("setMaxFallbackRateSeconds", [maxFallbackRateSeconds]),
    ),
  ];
}
