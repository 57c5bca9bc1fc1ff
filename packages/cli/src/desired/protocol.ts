/** What the configuration requires of CoreSwap, the treasury token, the timelock and the RWAs. */
import {
  coreSwapAbi,
  navPriceAdapterAbi,
  timelockControllerAbi,
  treasuryAbi,
  treasuryDelegateAbi,
} from "@coreswap/abi";
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, zeroAddress } from "viem";
import { type NamedContract, roleId } from "../chain/contracts.ts";
import { intakeCapText, percent, seconds, usd, yesOrNo } from "../text.ts";
import { type Authority, callsOn, type PlannedCall } from "../write/plan.ts";
import type { ConfiguredBridge } from "./configuration.ts";
import { type Expectation, expects } from "./expectation.ts";
import type { System, SystemLp, SystemRwa } from "./system.ts";

const OPERATOR: readonly Authority[] = [{ role: "OPERATOR_ROLE" }];
/** Bounds with which a treasury delegate starts. */
const MAX_DAILY_RATE_WAD = 2n * 10n ** 17n;
const MAX_FALLBACK_RATE_SECONDS = 259_200n;

/** One call of a contract. */
export function callOn(contract: NamedContract, mayCall: readonly Authority[], data: Hex): PlannedCall {
  const [call] = callsOn(contract, mayCall, [data]);
  if (call === undefined) throw new Error("one calldata made no call");
  return call;
}

/** Requires that a role has exactly these holders. */
export function holders(
  subject: string,
  { name, address }: NamedContract,
  role: string,
  accounts: readonly Address[],
): Expectation {
  const show = (held: readonly Address[]) => [...held].sort().join(", ") || "nobody";
  return expects(
    [subject],
    `${name} ${role}`,
    { address, abi: treasuryAbi, functionName: "getRoleMembers", args: [roleId(role)] },
    show,
    show(accounts),
    { events: ["RoleGranted", "RoleRevoked"], words: [roleId(role)] },
  );
}

export function ofCoreSwap(system: System): Expectation[] {
  const { coreSwap, configuration, admin, operator } = system;
  const { roles, maxSwapLegs, spreadProtocolTakeRateWad } = configuration;
  const view = { address: coreSwap.address, abi: coreSwapAbi } as const;
  const subjects = ["coreswap"];
  return [
    holders("coreswap", coreSwap, "DEFAULT_ADMIN_ROLE", [admin]),
    holders("coreswap", coreSwap, "OPERATOR_ROLE", [operator]),
    holders("coreswap", coreSwap, "BLACKLISTER_ROLE", [roles.blacklister]),
    holders("coreswap", coreSwap, "EXTERNAL_PAUSER_ROLE", [roles.externalPauser]),
    expects(subjects, "vault", { ...view, functionName: "coreVault" }, String, roles.vault, {
      events: ["CoreVaultSet"],
    }),
    expects(subjects, "most legs of a swap", { ...view, functionName: "maxSwapLegs" }, String, String(maxSwapLegs), {
      events: ["MaxSwapLegsSet"],
    }),
    expects(
      subjects,
      "protocol's part of the spread",
      { ...view, functionName: "spreadProtocolTakeRate" },
      percent,
      percent(spreadProtocolTakeRateWad),
      { events: ["SpreadProtocolTakeRateSet"] },
    ),
    expects(subjects, "coreswap is paused", { ...view, functionName: "paused" }, yesOrNo, "no", {
      events: ["Paused", "Unpaused"],
    }),
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
    callOn(treasury, [{ role }], encodeFunctionData({ abi: treasuryAbi, functionName: call, args })),
  );
}

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
  return [
    holders("treasury", treasury, "DEFAULT_ADMIN_ROLE", [treasuryAdmin]),
    holders("treasury", treasury, "OPERATOR_ROLE", [treasuryOperator]),
    holders("treasury", treasury, "PAUSER_ROLE", [terms.pauser]),
    holders("treasury", treasury, "WHITELISTER_ROLE", [terms.whitelister]),
    holders("treasury", treasury, "BLACKLISTER_ROLE", [terms.blacklister]),
    holders("treasury", treasury, "MINTER_ROLE", [delegate]),
    holders(
      "treasury",
      treasury,
      "BRIDGE_ROLE",
      bridges.map(({ address }) => address),
    ),
    ...bridges.flatMap((bridge) => ofBridge(system, bridge)),
    expects(subjects, "treasury is paused", { ...view, functionName: "paused" }, yesOrNo, "no", {
      events: ["Paused", "Unpaused"],
    }),
    ...[{ account: delegate, subjects }, ...recipients].map((recipient) => listing(system, recipient, BLACKLIST)),
    ...recipients.map((recipient) => listing(system, recipient, WHITELIST)),
    ...ofYield(system, own),
  ];
}

/** Requires the limit of a bridge, and then its role, without which it cannot mint. */
function ofBridge({ treasury, deployment }: System, { address, limitPerDay }: ConfiguredBridge): Expectation[] {
  const asset = deployment.treasuryStablecoin;
  const limit = { address: treasury.address, abi: treasuryAbi, functionName: "bridgeLimit", args: [address] } as const;
  const role = { ...limit, functionName: "hasRole", args: [roleId("BRIDGE_ROLE"), address] } as const;
  const setLimit = encodeFunctionData({
    abi: treasuryAbi,
    functionName: "setBridgeLimit",
    args: [address, limitPerDay],
  });
  const grant = encodeFunctionData({ abi: treasuryAbi, functionName: "addBridge", args: [address] });
  return [
    expects(
      ["treasury"],
      `mints of the bridge ${address} in a day`,
      limit,
      ([perDay]) => intakeCapText(perDay, asset),
      intakeCapText(limitPerDay, asset),
      { events: ["BridgeLimitSet"], words: [address] },
      callOn(treasury, OPERATOR, setLimit),
    ),
    expects(
      ["treasury"],
      `${address} is a bridge`,
      role,
      yesOrNo,
      "yes",
      { events: ["RoleGranted", "RoleRevoked"], words: [roleId("BRIDGE_ROLE"), address] },
      callOn(treasury, OPERATOR, grant),
    ),
  ];
}

/** Requires the settings of rates at the treasury delegate. */
function ofYield({ configuration, deployment }: System, own: readonly SystemLp[]): Expectation[] {
  const { treasury } = configuration;
  const view = { address: deployment.treasuryStablecoin.delegate, abi: treasuryDelegateAbi } as const;
  return own.flatMap(({ symbol, contract }) => {
    const subject = `lp:${symbol}`;
    const fee = treasury.managementFeeWad;
    const initial = treasury.initialRateWad > fee ? treasury.initialRateWad - fee : 0n;
    return [
      holders(subject, contract, "OPERATOR_ROLE", [treasury.delegateOperator]),
      holders(subject, contract, "RATE_POSTER_ROLE", [treasury.ratePoster]),
      expects([subject], "management fee", { ...view, functionName: "managementFee" }, percent, percent(fee), {
        events: ["ManagementFeeUpdated"],
      }),
      expects(
        [subject],
        "rate shown for a day without one",
        { ...view, functionName: "getDailyRate", args: [maxUint256] },
        ([rateWad]) => percent(rateWad),
        percent(initial),
        { events: ["ManagementFeeUpdated"] },
      ),
      expects(
        [subject],
        "most gross rate",
        { ...view, functionName: "maxDailyRate" },
        percent,
        percent(MAX_DAILY_RATE_WAD),
        { events: ["MaxDailyRateUpdated"] },
      ),
      expects(
        [subject],
        "fallback window",
        { ...view, functionName: "maxFallbackRateSeconds" },
        seconds,
        seconds(MAX_FALLBACK_RATE_SECONDS),
        { events: ["MaxFallbackRateSecondsUpdated"] },
      ),
    ];
  });
}

/** The roles of the timelock with their holders, which the timelock itself does not list. */
export function timelockRoles({ configuration, deployment }: System): { role: string; holders: Address[] }[] {
  const { timelock: terms, roles } = configuration;
  if (deployment.timelock === undefined || !terms) return [];
  const proposers = terms.recovery === null ? [terms.proposer] : [terms.proposer, terms.recovery];
  return [
    { role: "DEFAULT_ADMIN_ROLE", holders: [deployment.timelock] },
    { role: "PROPOSER_ROLE", holders: proposers },
    { role: "EXECUTOR_ROLE", holders: proposers },
    { role: "CANCELLER_ROLE", holders: [roles.guardian] },
  ];
}

/** Requires the delay, and each role's holders. `findUnlisted` finds those that are not configured. */
export function ofTimelock(system: System): Expectation[] {
  const { configuration, deployment } = system;
  if (deployment.timelock === undefined || !configuration.timelock) return [];
  const view = { address: deployment.timelock, abi: timelockControllerAbi } as const;
  const contract = { name: "timelock", ...view };
  const { delaySeconds } = configuration.timelock;
  const itself: readonly Authority[] = [{ account: deployment.timelock, as: "the timelock itself" }];
  return [
    expects(["timelock"], "delay", { ...view, functionName: "getMinDelay" }, seconds, seconds(delaySeconds), {
      events: ["MinDelayChange"],
    }),
    ...timelockRoles(system).flatMap(({ role, holders }) =>
      holders.map((account) => {
        const args = [roleId(role), account] as const;
        return expects(
          ["timelock"],
          `${account} has ${role} of the timelock`,
          { ...view, functionName: "hasRole", args },
          yesOrNo,
          "yes",
          { events: ["RoleGranted", "RoleRevoked"], words: [...args] },
          callOn(contract, itself, encodeFunctionData({ ...view, functionName: "grantRole", args })),
        );
      }),
    ),
  ];
}

/** Requires an RWA in CoreSwap, and its NAV adapter. */
export function ofRwa({ coreSwap, admin }: System, rwa: SystemRwa): Expectation[] {
  const { symbol, id, address, adapter, terms } = rwa;
  const subjects = [`rwa:${symbol}`];
  const view = { address: coreSwap.address, abi: coreSwapAbi, args: [id] } as const;
  const nav = { address: adapter.address, abi: navPriceAdapterAbi } as const;
  const setting = (functionName: "setRwaPriceAdapter" | "setRwaWhitelistAdapter", target: Address) =>
    callOn(coreSwap, OPERATOR, encodeFunctionData({ abi: coreSwapAbi, functionName, args: [id, target] }));
  return [
    decimalsOf(subjects, rwa),
    expects(
      subjects,
      `${symbol} in CoreSwap`,
      { ...view, functionName: "rwaInfo" },
      ([accepted, , , riskDelegate, token]) => registration(accepted, token, riskDelegate),
      registration(true, address, zeroAddress),
      { events: ["RWAAcceptanceSet"], words: [id] },
      callOn(
        coreSwap,
        OPERATOR,
        encodeFunctionData({
          abi: coreSwapAbi,
          functionName: "setRWAAcceptance",
          args: [id, zeroAddress, address, true],
        }),
      ),
    ),
    expects(
      subjects,
      `price adapter of ${symbol}`,
      { ...view, functionName: "rwaPriceAdapters" },
      String,
      adapter.address,
      { events: ["RwaPriceAdapterSet"], words: [id] },
      setting("setRwaPriceAdapter", adapter.address),
    ),
    expects(
      subjects,
      `holder register of ${symbol}`,
      { ...view, functionName: "rwaWhitelistAdapters" },
      String,
      zeroAddress,
      { events: ["RwaWhitelistAdapterSet"], words: [id] },
      setting("setRwaWhitelistAdapter", zeroAddress),
    ),
    ...(["maxMovePerPostWad", "maxMovePerDayWad"] as const).map((functionName) =>
      expects(
        subjects,
        `${adapter.name} ${functionName}`,
        { ...nav, functionName },
        percent,
        percent(terms[functionName]),
        {},
      ),
    ),
    expects(
      subjects,
      `${adapter.name} maxAgeSeconds`,
      { ...nav, functionName: "maxAgeSeconds" },
      seconds,
      seconds(terms.maxAgeSeconds),
      {},
    ),
    holders(`rwa:${symbol}`, adapter, "NAV_POSTER_ROLE", [terms.navPoster]),
    holders(`rwa:${symbol}`, adapter, "DEFAULT_ADMIN_ROLE", [admin]),
  ];
}

/** Requires the record of a stablecoin in CoreSwap, and its settings there. */
export function ofStablecoin({ coreSwap }: System, lp: SystemLp): Expectation[] {
  const { symbol, id, address, contract, isYieldBearing, terms } = lp;
  const subjects = [`lp:${symbol}`];
  const { guardrail } = terms;
  const view = { address: coreSwap.address, abi: coreSwapAbi, args: [id] } as const;
  const fix = (data: Hex) => callOn(coreSwap, OPERATOR, data);
  const guardrailText = (adapter: string) => (adapter === zeroAddress ? "none" : adapter);
  const guard = fix(
    encodeFunctionData({
      abi: coreSwapAbi,
      functionName: "configureStablecoinGuardrail",
      args: [id, guardrail.priceAdapter, guardrail.bandWad, guardrail.enabled],
    }),
  );
  return [
    decimalsOf(subjects, lp),
    expects(
      subjects,
      `${symbol} in CoreSwap`,
      { ...view, functionName: "stablecoinInfo" },
      ([accepted, yieldBearing, , delegate, token]) =>
        `${registration(accepted, token, delegate)}${yieldBearing ? ", bears yield" : ""}`,
      `${registration(true, address, contract.address)}${isYieldBearing ? ", bears yield" : ""}`,
      { events: ["StablecoinAcceptanceSet"], words: [id] },
      fix(
        encodeFunctionData({
          abi: coreSwapAbi,
          functionName: "setStablecoinAcceptance",
          args: [id, contract.address, address, true, isYieldBearing],
        }),
      ),
    ),
    expects(
      subjects,
      `USD value of ${symbol}`,
      { ...view, functionName: "stablecoinUSDValue" },
      usd,
      usd(terms.usdValueWad),
      { events: ["StablecoinUSDValueSet"], words: [id] },
      fix(
        encodeFunctionData({
          abi: coreSwapAbi,
          functionName: "setStablecoinUSDValue",
          args: [id, terms.usdValueWad],
        }),
      ),
    ),
    expects(
      subjects,
      `issuer-paid fee of ${symbol}`,
      { ...view, functionName: "issuerPaidProtocolFeeRates" },
      percent,
      percent(terms.issuerPaidProtocolFeeRateWad),
      { events: ["IssuerPaidProtocolFeeRateSet"], words: [id] },
      fix(
        encodeFunctionData({
          abi: coreSwapAbi,
          functionName: "setIssuerPaidProtocolFeeRate",
          args: [id, terms.issuerPaidProtocolFeeRateWad],
        }),
      ),
    ),
    expects(
      subjects,
      `${symbol} is exempt from the protocol fee`,
      { ...view, functionName: "protocolFeeExempt" },
      yesOrNo,
      yesOrNo(terms.protocolFeeExempt),
      { events: ["ProtocolFeeExemptSet"], words: [id] },
      fix(
        encodeFunctionData({
          abi: coreSwapAbi,
          functionName: "setProtocolFeeExempt",
          args: [id, terms.protocolFeeExempt],
        }),
      ),
    ),
    expects(
      subjects,
      `guardrail's adapter of ${symbol}`,
      { ...view, functionName: "stablecoinPriceAdapters" },
      guardrailText,
      guardrailText(guardrail.priceAdapter),
      { events: ["StablecoinPriceGuardrailSet"], words: [id] },
      guard,
    ),
    expects(
      subjects,
      `guardrail's band of ${symbol}`,
      { ...view, functionName: "stablecoinGuardrailBands" },
      percent,
      percent(guardrail.bandWad),
      { events: ["StablecoinPriceGuardrailSet"], words: [id] },
      guard,
    ),
    expects(
      subjects,
      `guardrail of ${symbol} is asked`,
      { ...view, functionName: "stablecoinGuardrailEnabled" },
      yesOrNo,
      yesOrNo(guardrail.enabled),
      { events: ["StablecoinGuardrailEnabledSet"], words: [id] },
      guard,
    ),
  ];
}

function decimalsOf(
  subjects: readonly string[],
  { symbol, address, decimals }: Pick<SystemRwa | SystemLp, "symbol" | "address" | "decimals">,
): Expectation {
  const view = { address, abi: erc20Abi, functionName: "decimals" } as const;
  return expects(subjects, `decimals of the token of ${symbol}`, view, String, String(decimals), {});
}

function registration(accepted: boolean, token: Address, delegate: Address): string {
  if (token === zeroAddress) return "not registered";
  const served = delegate === zeroAddress ? "" : `, delegate ${delegate}`;
  return `${accepted ? "accepted" : "not accepted"}, token ${token}${served}`;
}
