/** `core asset add` and `core lp add`: add what the configuration has and the deployment does not have yet. */
import { readFileSync } from "node:fs";
import type { Address } from "viem";
import { bySymbol, deploymentPath } from "../chain/deployment.ts";
import { configOption } from "../commandLine.ts";
import { fixesOf, openFindings } from "../desired/all.ts";
import { readConfiguration } from "../desired/configuration.ts";
import { type Creation, navAdapterOf, stablecoinProxyOf } from "../desired/creations.ts";
import { requireNamedPlainAccounts } from "../desired/plainAccounts.ts";
import { symbolNotes } from "../desired/symbols.ts";
import type { System, Token } from "../desired/system.ts";
import { Failure } from "../failure.ts";
import { writeCommand } from "../write/options.ts";
import type { Authority, Plan } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";
import { replaceTextFile } from "../write/textFile.ts";

type Kind = "asset" | "lp";

const DESCRIPTIONS: Readonly<Record<Kind, string>> = {
  asset: `Registers an RWA of the configuration that was added after the deployment. Run it again for each step:
1. anybody creates its NAV adapter;
2. CoreSwap's operator registers it, and administrators set the intake caps of LPs that deal in it;
3. --record enters it into the deployment file. Then \`core steps\` lists what issuer admins and custody accounts do.`,
  lp: `Registers a stablecoin of the configuration, with its LP, that was added after the deployment. Run it again for each step:
1. anybody creates its delegate;
2. CoreSwap's operator registers it, and the administrator lists its custody, sets intake caps and the guardian;
3. --record enters it into the deployment file. Then \`core steps\` lists what the parties of the LP do.`,
};

export const registerCommand = (kind: Kind) =>
  writeCommand("add", `register ${kind === "asset" ? "an RWA" : "a stablecoin"} of the configuration`)
    .description(DESCRIPTIONS[kind])
    .argument("<symbol>", "as in the configuration")
    .addOption(configOption)
    .option("--record", "enter what the chain has into the deployment file")
    .action(async (symbol, options) => {
      const configuration = readConfiguration(options.config);
      await runPlan(options, async (context) => {
        const { system, open } = await openFindings(context, configuration);
        const { creation, entry, token, subject, list, accounts } = describe(kind, system, symbol);
        await requireNamedPlainAccounts(context.client, configuration, accounts);
        const notes = await symbolNotes(context.client, token);
        const unregistered = new Failure(`${entry.symbol} is not registered yet: nothing was recorded`);
        const isRecorded = context.deployment[list].some((each) => each.symbol === entry.symbol);
        if (!isRecorded && (await context.client.getCode({ address: creation.address })) === undefined) {
          if (options.record) throw unregistered;
          return {
            title: `Create ${creation.address} for ${entry.symbol}`,
            whenRunAgain: "skips what is done",
            calls: [creation.call],
            observations: [],
            notes: [...notes, creation.sourcesNote(context.deployment.chainId)],
          };
        }
        const own = open.filter(({ subjects }) => subjects.includes(subject));
        const wrong = own.find(({ fix }) => fix === null);
        if (wrong !== undefined) {
          throw new Failure(
            `${wrong.view.label} is ${wrong.actual}, and has to be ${wrong.expected}: nothing was registered`,
          );
        }
        const administrative = own.filter(({ fix }) => fix?.mayCall.every(isAdministrative));
        const plan: Plan = {
          title: `Register ${entry.symbol}`,
          whenRunAgain: "skips what is done",
          calls: fixesOf(administrative),
          observations: administrative.map(({ view }) => view),
          notes,
        };
        if (plan.calls.length > 0 && options.record) throw unregistered;
        if (plan.calls.length === 0 && options.record && !isRecorded) record(options.network, list, entry);
        return plan;
      });
    });

/** Whether the timelock holds the role. Other parties take their own steps. */
function isAdministrative(authority: Authority): boolean {
  if (authority === "issuer admin" || "account" in authority) return false;
  return authority.role === "OPERATOR_ROLE" || authority.role === "DEFAULT_ADMIN_ROLE";
}

interface Registration {
  readonly token: Token;
  readonly creation: Creation;
  readonly list: "rwas" | "stablecoins";
  readonly subject: string;
  /** The entry, in the format of the deployment script. */
  readonly entry: Readonly<Record<string, unknown>> & { readonly symbol: string };
  /** The configured parties, by key. The delegate itself is custody where none is configured. */
  readonly accounts: Readonly<Record<string, Address | null>>;
}

function describe(kind: Kind, system: System, wanted: string): Registration {
  const { deployment, admin } = system;
  if (kind === "asset") {
    const token = bySymbol("RWA", system.rwas, wanted, "configuration");
    const { symbol, id, address, decimals, terms, adapter } = token;
    const creation = navAdapterOf(terms, admin);
    const { navPoster } = terms;
    const entry = { symbol, id, token: address, decimals, priceAdapter: adapter.address, navPoster };
    return { creation, token, list: "rwas", subject: `rwa:${symbol}`, entry, accounts: { navPoster } };
  }
  const plain = system.lps.filter(({ isYieldBearing }) => !isYieldBearing);
  const token = bySymbol("stablecoin", plain, wanted, "configuration");
  const { symbol, id, address, decimals, terms, contract } = token;
  const { issuerAdmin, rwaCustody, stablecoinCustody } = terms;
  const creation = stablecoinProxyOf(deployment, terms, admin, { id, address });
  const entry = { symbol, id, token: address, decimals, delegate: contract.address, issuerAdmin };
  const accounts = { issuerAdmin, rwaCustody, stablecoinCustody };
  return { creation, token, list: "stablecoins", subject: `lp:${symbol}`, entry, accounts };
}

/** Adds an entry to the deployment file, and leaves everything else in the file unchanged. */
function record(network: string, list: "rwas" | "stablecoins", entry: Registration["entry"]): void {
  const path = deploymentPath(network);
  const file = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  replaceTextFile(path, `${JSON.stringify({ ...file, [list]: [...(file[list] as unknown[]), entry] }, null, 2)}\n`);
  console.log(`Entered ${entry.symbol} into ${path}`);
}
