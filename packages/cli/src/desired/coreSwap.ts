/** What the configuration requires of CoreSwap: its settings, and the assets that it has registered. */
import { coreSwapAbi, navPriceAdapterAbi } from "@coreswap/abi";
import { type Address, erc20Abi, zeroAddress } from "viem";
import { percent, seconds, usd, yesOrNo } from "../text.ts";
import type { Authority } from "../write/plan.ts";
import { type Expectation, expects, fixesBy } from "./expectation.ts";
import { holders } from "./roles.ts";
import type { System, SystemLp, SystemRwa, Token } from "./system.ts";

const OPERATOR: readonly Authority[] = [{ role: "OPERATOR_ROLE" }];

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

/** Requires an RWA in CoreSwap, and its NAV adapter. */
export function ofRwa({ coreSwap, admin }: System, rwa: SystemRwa): Expectation[] {
  const { symbol, id, address, adapter, terms } = rwa;
  const subjects = [`rwa:${symbol}`];
  const view = { address: coreSwap.address, abi: coreSwapAbi, args: [id] } as const;
  const nav = { address: adapter.address, abi: navPriceAdapterAbi } as const;
  const fix = fixesBy(coreSwap, coreSwapAbi, OPERATOR);
  return [
    decimalsOf(subjects, rwa),
    expects(
      subjects,
      `${symbol} in CoreSwap`,
      { ...view, functionName: "rwaInfo" },
      ([accepted, , , riskDelegate, token]) => registration(accepted, token, riskDelegate),
      registration(true, address, zeroAddress),
      { events: ["RWAAcceptanceSet"], words: [id] },
      fix("setRWAAcceptance", [id, zeroAddress, address, true]),
    ),
    expects(
      subjects,
      `price adapter of ${symbol}`,
      { ...view, functionName: "rwaPriceAdapters" },
      String,
      adapter.address,
      { events: ["RwaPriceAdapterSet"], words: [id] },
      fix("setRwaPriceAdapter", [id, adapter.address]),
    ),
    expects(
      subjects,
      `holder register of ${symbol}`,
      { ...view, functionName: "rwaWhitelistAdapters" },
      String,
      zeroAddress,
      { events: ["RwaWhitelistAdapterSet"], words: [id] },
      fix("setRwaWhitelistAdapter", [id, zeroAddress]),
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
  const { priceAdapter, bandWad, enabled } = terms.guardrail;
  const view = { address: coreSwap.address, abi: coreSwapAbi, args: [id] } as const;
  const fix = fixesBy(coreSwap, coreSwapAbi, OPERATOR);
  const guardrailText = (adapter: string) => (adapter === zeroAddress ? "none" : adapter);
  const guard = fix("configureStablecoinGuardrail", [id, priceAdapter, bandWad, enabled]);
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
      fix("setStablecoinAcceptance", [id, contract.address, address, true, isYieldBearing]),
    ),
    expects(
      subjects,
      `USD value of ${symbol}`,
      { ...view, functionName: "stablecoinUSDValue" },
      usd,
      usd(terms.usdValueWad),
      { events: ["StablecoinUSDValueSet"], words: [id] },
      fix("setStablecoinUSDValue", [id, terms.usdValueWad]),
    ),
    expects(
      subjects,
      `issuer-paid fee of ${symbol}`,
      { ...view, functionName: "issuerPaidProtocolFeeRates" },
      percent,
      percent(terms.issuerPaidProtocolFeeRateWad),
      { events: ["IssuerPaidProtocolFeeRateSet"], words: [id] },
      fix("setIssuerPaidProtocolFeeRate", [id, terms.issuerPaidProtocolFeeRateWad]),
    ),
    expects(
      subjects,
      `${symbol} is exempt from the protocol fee`,
      { ...view, functionName: "protocolFeeExempt" },
      yesOrNo,
      yesOrNo(terms.protocolFeeExempt),
      { events: ["ProtocolFeeExemptSet"], words: [id] },
      fix("setProtocolFeeExempt", [id, terms.protocolFeeExempt]),
    ),
    expects(
      subjects,
      `guardrail's adapter of ${symbol}`,
      { ...view, functionName: "stablecoinPriceAdapters" },
      guardrailText,
      guardrailText(priceAdapter),
      { events: ["StablecoinPriceGuardrailSet"], words: [id] },
      guard,
    ),
    expects(
      subjects,
      `guardrail's band of ${symbol}`,
      { ...view, functionName: "stablecoinGuardrailBands" },
      percent,
      percent(bandWad),
      { events: ["StablecoinPriceGuardrailSet"], words: [id] },
      guard,
    ),
    expects(
      subjects,
      `guardrail of ${symbol} is asked`,
      { ...view, functionName: "stablecoinGuardrailEnabled" },
      yesOrNo,
      yesOrNo(enabled),
      { events: ["StablecoinGuardrailEnabledSet"], words: [id] },
      guard,
    ),
  ];
}

function decimalsOf(subjects: readonly string[], { symbol, address, decimals }: Token): Expectation {
  const view = { address, abi: erc20Abi, functionName: "decimals" } as const;
  return expects(subjects, `decimals of the token of ${symbol}`, view, String, String(decimals), {});
}

function registration(accepted: boolean, token: Address, delegate: Address): string {
  if (token === zeroAddress) return "not registered";
  const served = delegate === zeroAddress ? "" : `, delegate ${delegate}`;
  return `${accepted ? "accepted" : "not accepted"}, token ${token}${served}`;
}
