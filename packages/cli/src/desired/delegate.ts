/** What the configuration requires of the delegate of an LP: the settings that its administrators make. */
import { stablecoinDelegateAbi as abi, coreSwapAbi } from "@coreswap/abi";
import { type Address, isAddressEqual } from "viem";
import { roleId } from "../chain/contracts.ts";
import { dailyLimitText, yesOrNo } from "../text.ts";
import { foreignAssets, ownAsset } from "./cappedAssets.ts";
import { type Expectation, expects, fixesBy } from "./expectation.ts";
import { holders, membership } from "./roles.ts";
import type { System, SystemLp } from "./system.ts";

const RWA_COLD_STORAGE = ["RWAColdStorageAddressAdded", "RWAColdStorageAddressRemoved"];
const STABLECOIN_COLD_STORAGE = ["StablecoinColdStorageAddressAdded", "StablecoinColdStorageAddressRemoved"];

export function ofDelegate(system: System, lp: SystemLp): Expectation[] {
  const { coreSwap, configuration, admin } = system;
  const { symbol, id, address: token, contract, terms } = lp;
  const subject = `lp:${symbol}`;
  const view = { address: contract.address, abi } as const;
  const { guardian } = configuration.roles;
  const fix = fixesBy(contract, abi, [{ role: "DEFAULT_ADMIN_ROLE" }]);
  const mayPause = (account: Address, isHolder: boolean) =>
    membership(
      subject,
      `${account} may pause ${contract.name}`,
      contract,
      { role: "PAUSE_ROLE", account, isHolder },
      fix(isHolder ? "grantRole" : "revokeRole", [roleId("PAUSE_ROLE"), account]),
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
    mayPause(guardian, true),
    // The administrator of a new delegate may pause it.
    ...(isAddressEqual(admin, guardian) ? [] : [mayPause(admin, false)]),
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
        fixesBy(coreSwap, coreSwapAbi, [{ role: "BLACKLISTER_ROLE" }])("setBlacklisted", [account, false]),
      ),
    ),
    ...accounts.map((account) => {
      const kinds = [terms.rwaCustody === account, terms.stablecoinCustody === account] as const;
      return expects(
        [subject],
        `${contract.name} lists ${account} as custody of`,
        { ...view, functionName: "custodyListing", args: [account] },
        ([rwa, stablecoin]) => listingText(rwa, stablecoin),
        listingText(...kinds),
        { events: ["CustodyListingSet"], words: [account] },
        fix("setCustodyListing", [account, ...kinds]),
      );
    }),
    ...[...foreignAssets(system, lp), ...ownAsset(lp)].map((asset) =>
      expects(
        [...new Set([subject, asset.subject])],
        `intake cap of ${contract.name} for ${asset.symbol}`,
        { ...view, functionName: "intakeCap", args: [asset.address] },
        ([cap]) => dailyLimitText(cap, asset),
        dailyLimitText(asset.intakeCap, asset),
        { events: ["IntakeCapSet"], words: [asset.address] },
        fix("setIntakeCap", [asset.address, asset.intakeCap]),
      ),
    ),
  ];
}

export function listingText(rwa: boolean, stablecoin: boolean): string {
  return [rwa ? "RWAs" : "", stablecoin ? "stablecoins" : ""].filter(Boolean).join(" and ") || "nothing";
}
