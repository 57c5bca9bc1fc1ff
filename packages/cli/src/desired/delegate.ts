/** What the configuration requires of the delegate of an LP: the settings that its administrators make. */
import { stablecoinDelegateAbi as abi, coreSwapAbi } from "@coreswap/abi";
import { type Address, isAddressEqual } from "viem";
import { roleId } from "../chain/contracts.ts";
import { dailyLimitText, yesOrNo } from "../text.ts";
import type { PlannedCall } from "../write/plan.ts";
import { foreignAssets, ownAsset } from "./cappedAssets.ts";
import { type Expectation, expects, fixesBy } from "./expectation.ts";
import { holders, membership } from "./roles.ts";
import type { System, SystemLp } from "./system.ts";

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
    issuerAdmin(lp, terms.issuerAdmin),
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
    ...coldStorage(lp, "RWA", terms.rwaColdStorage),
    ...coldStorage(lp, "Stablecoin", terms.stablecoinColdStorage),
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

/** Requires that an account is issuer admin. */
export function issuerAdmin({ symbol, contract }: SystemLp, account: Address, fix: PlannedCall | null = null) {
  return expects(
    [`lp:${symbol}`],
    `${account} is issuer admin of ${contract.name}`,
    { address: contract.address, abi, functionName: "issuerAdmins", args: [account] },
    yesOrNo,
    "yes",
    { events: ["IssuerAdminAdded", "IssuerAdminRemoved"], words: [account] },
    fix,
  );
}

/** Requires that exactly these accounts are cold storage for a kind of asset. */
function coldStorage(
  { symbol, contract }: SystemLp,
  kind: "RWA" | "Stablecoin",
  accounts: readonly Address[],
): Expectation[] {
  const subjects = [`lp:${symbol}`];
  const view = { address: contract.address, abi, functionName: `get${kind}ColdStorageAddresses` } as const;
  const label = `${kind === "RWA" ? kind : "stablecoin"} cold storage of ${contract.name}`;
  const events = [`${kind}ColdStorageAddressAdded`, `${kind}ColdStorageAddressRemoved`];
  const fix = fixesBy(contract, abi, [{ role: "DEFAULT_ADMIN_ROLE" }]);
  const others = (listed: readonly Address[]) => listed.filter((account) => !accounts.includes(account));
  return [
    ...accounts.map((account) =>
      expects(
        subjects,
        `${account} is ${label}`,
        view,
        (listed) => yesOrNo(listed.includes(account)),
        "yes",
        { events, words: [account] },
        fix(`add${kind}ColdStorageAddress`, [account]),
      ),
    ),
    expects(subjects, `other ${label}`, view, (listed) => others(listed).join(", ") || "none", "none", { events }),
  ];
}

export function listingText(rwa: boolean, stablecoin: boolean): string {
  return [rwa ? "RWAs" : "", stablecoin ? "stablecoins" : ""].filter(Boolean).join(" and ") || "nothing";
}
