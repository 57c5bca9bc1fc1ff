/** `core custody list|accept|revoke|set`: manages the accounts that keep what an LP takes in. */
import { Argument } from "@commander-js/extra-typings";
import { stablecoinDelegateAbi as abi } from "@coreswap/abi";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { contractNamed, type NamedContract, recordedContract } from "../chain/contracts.ts";
import { bySymbol, liquidityProviders } from "../chain/deployment.ts";
import { listingText } from "../desired/delegate.ts";
import { Failure } from "../failure.ts";
import { readAddress, yesOrNo } from "../text.ts";
import { type WriteOptions, writeCommand } from "../write/options.ts";
import { type Authority, callsOn, observe, type Plan } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

const KINDS = ["rwa", "stablecoin"] as const;

interface Change {
  readonly contract: NamedContract;
  readonly title: string;
  readonly account: Address;
  readonly mayCall: readonly Authority[];
  readonly data: Hex;
  readonly mayCallReplaced?: boolean;
}

const custodyCommand = (name: string, summary: string) =>
  writeCommand(name, summary).argument("<lp>", "symbol of its stablecoin");
const readAccount = (text: string) => readAddress("the account", text);

export const custodyCommands = [
  custodyCommand("list", "allow an account as custody, for some kinds of assets")
    .description("Says for which kinds of assets an account may be named as custody. The administrator decides.")
    .argument("<account>", "address", readAccount)
    .addArgument(new Argument("<kinds>", "of assets").choices(["rwa", "stablecoin", "both", "none"] as const))
    .action((symbol, account, kinds, options) => {
      const listed = KINDS.map((kind) => kinds === kind || kinds === "both") as [boolean, boolean];
      return run(symbol, options, () => ({
        title: `list ${account} for ${listingText(...listed)}`,
        account,
        mayCall: [{ role: "DEFAULT_ADMIN_ROLE" }],
        data: encodeFunctionData({ abi, functionName: "setCustodyListing", args: [account, ...listed] }),
      }));
    }),
  custodyCommand("accept", "agree to be custody")
    .description("The sender agrees to be custody of an LP.")
    .action((symbol, options) => run(symbol, options, (sender) => consent(sender, true))),
  custodyCommand("revoke", "withdraw consent to be custody")
    .description(
      "The sender withdraws its consent to be custody of an LP. It stays custody until the issuer admin names another. " +
        "The delegate is that of the deployment file, even if CoreSwap uses another one.",
    )
    .action((symbol, options) =>
      run(symbol, options, (sender) => ({ ...consent(sender, false), mayCallReplaced: true })),
    ),
  custodyCommand("set", "name the custody of an LP")
    .description(
      "Names the custody of an LP for a kind of assets: listed by the administrator, and accepted by the account.",
    )
    .addArgument(new Argument("<kind>", "of assets").choices(KINDS))
    .argument("<account>", "address", readAccount)
    .action((symbol, kind, account, options) => {
      const functionName = kind === "rwa" ? "setRWACustodyAddress" : "setStablecoinCustodyAddress";
      return run(symbol, options, () => ({
        title: `${account} keeps ${kind === "rwa" ? "RWAs" : "stablecoins"}`,
        account,
        mayCall: ["issuer admin"],
        data: encodeFunctionData({ abi, functionName, args: [account] }),
      }));
    }),
];

/** Runs a change of the LP of a stablecoin. */
async function run(
  symbol: string,
  options: WriteOptions,
  changeBy: (sender: Address | undefined) => Omit<Change, "contract">,
): Promise<void> {
  await runPlan(options, async ({ deployment, contracts }, sender) => {
    const lp = bySymbol("LP", liquidityProviders(deployment), symbol);
    const change = changeBy(sender);
    const find = change.mayCallReplaced ? recordedContract : contractNamed;
    return planOf({ contract: find(contracts, `lp:${lp.symbol}`), ...change });
  });
}

function planOf({ contract, title, account, mayCall, data, mayCallReplaced = false }: Change): Plan {
  const view = { address: contract.address, abi } as const;
  return {
    title: `Custody of ${contract.name}: ${title}`,
    whenRunAgain: "repeats all",
    calls: callsOn(contract, mayCall, [data]),
    mayCallReplaced,
    notes: contract.replacement ? [contract.replacement] : [],
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
