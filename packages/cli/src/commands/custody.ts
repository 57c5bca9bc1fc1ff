/** `core custody list|accept|revoke|set`: manages the accounts that keep what an LP takes in. */
import { stablecoinDelegateAbi as abi } from "@coreswap/abi";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { contractNamed, type NamedContract } from "../chain/contracts.ts";
import { bySymbol, liquidityProviders } from "../chain/deployment.ts";
import { listingText } from "../desired/lp.ts";
import { Failure } from "../failure.ts";
import { readAddress, yesOrNo } from "../text.ts";
import { WRITE_OPTIONS } from "../write/options.ts";
import { type Authority, callsOn, observe, type Plan } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

const KINDS = ["rwa", "stablecoin"] as const;
type Kind = (typeof KINDS)[number];

interface Action {
  readonly usage: string;
  readonly summary: string;
  /**
   * Converts the words after the LP to a part of the plan.
   * @throws Failure when they are not the expected words
   */
  read(words: readonly string[], sender: Address | undefined): Omit<Change, "contract">;
}

interface Change {
  readonly contract: NamedContract;
  readonly title: string;
  readonly account: Address;
  readonly mayCall: readonly Authority[];
  readonly data: Hex;
}

const ACTIONS = {
  list: {
    usage: "<lp> <account> <rwa, stablecoin, both or none>",
    summary: "Says for which kinds of assets an account may be named as custody. The administrator decides.",
    read([account, kinds]) {
      if (account === undefined || !["rwa", "stablecoin", "both", "none"].includes(kinds ?? "")) {
        throw new Failure("custody list takes an LP, an account, and rwa, stablecoin, both or none");
      }
      const listed = KINDS.map((kind) => kinds === kind || kinds === "both") as [boolean, boolean];
      const custody = readAddress("the account", account);
      return {
        title: `list ${custody} for ${listingText(...listed)}`,
        account: custody,
        mayCall: [{ role: "DEFAULT_ADMIN_ROLE" }],
        data: encodeFunctionData({ abi, functionName: "setCustodyListing", args: [custody, ...listed] }),
      };
    },
  },
  accept: {
    usage: "<lp>",
    summary: "The sender agrees to be custody of an LP.",
    read: (_, sender) => consent(sender, true),
  },
  revoke: {
    usage: "<lp>",
    summary:
      "The sender no longer agrees to be custody of an LP. It stays custody until the issuer admin names another.",
    read: (_, sender) => consent(sender, false),
  },
  set: {
    usage: "<lp> <rwa or stablecoin> <account>",
    summary:
      "Names the custody of an LP for a kind of assets: listed by the administrator, and accepted by the account.",
    read([kind, account]) {
      if (account === undefined || !KINDS.includes(kind as Kind)) {
        throw new Failure("custody set takes an LP, rwa or stablecoin, and an account");
      }
      const custody = readAddress("the account", account);
      const functionName = kind === "rwa" ? "setRWACustodyAddress" : "setStablecoinCustodyAddress";
      return {
        title: `${custody} keeps ${kind === "rwa" ? "RWAs" : "stablecoins"}`,
        account: custody,
        mayCall: ["issuer admin"],
        data: encodeFunctionData({ abi, functionName, args: [custody] }),
      };
    },
  },
} as const satisfies Readonly<Record<string, Action>>;

export async function custodyCommand(name: keyof typeof ACTIONS, args: readonly string[]): Promise<void> {
  const action: Action = ACTIONS[name];
  const { values, positionals } = commandLine(
    {
      usage: `pnpm core custody ${name} ${action.usage}`,
      summary: action.summary,
      allowPositionals: true,
      options: WRITE_OPTIONS,
    },
    args,
  );
  const [symbol, ...words] = positionals;
  if (symbol === undefined) throw new Failure(`custody ${name} takes ${action.usage}`);
  if (words.length !== action.usage.split("> <").length - 1) throw new Failure(`custody ${name} takes ${action.usage}`);
  await runPlan(values, async ({ deployment, contracts }, sender) => {
    const lp = bySymbol("LP", liquidityProviders(deployment), symbol);
    return planOf({ contract: contractNamed(contracts, `lp:${lp.symbol}`), ...action.read(words, sender) });
  });
}

function planOf({ contract, title, account, mayCall, data }: Change): Plan {
  const view = { address: contract.address, abi } as const;
  return {
    title: `Custody of ${contract.name}: ${title}`,
    calls: callsOn(contract, mayCall, [data]),
    observations: [
      observe(`${account} is listed for`, { ...view, functionName: "custodyListing", args: [account] }, (kinds) =>
        listingText(...kinds),
      ),
      observe(`${account} agrees`, { ...view, functionName: "custodyAccepted", args: [account] }, yesOrNo),
      observe("RWA custody", { ...view, functionName: "balanceSheetCustodyAddress" }, String),
      observe("stablecoin custody", { ...view, functionName: "stablecoinCustodyAddress" }, String),
    ],
  };
}

function consent(sender: Address | undefined, agrees: boolean): Omit<Change, "contract"> {
  if (sender === undefined) throw new Failure("name the custody account that sends it: --from");
  return {
    title: `${sender} ${agrees ? "agrees" : "no longer agrees"}`,
    account: sender,
    mayCall: [],
    data: encodeFunctionData({ abi, functionName: agrees ? "acceptCustody" : "revokeCustody" }),
  };
}
