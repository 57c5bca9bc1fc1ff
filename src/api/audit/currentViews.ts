/** Compares the rows in force with the contracts' views at a block. */
import { type Abi, type ContractFunctionParameters, encodeFunctionData, type Hex, zeroAddress } from "viem";
import { coreSwapAbi, stablecoinDelegateAbi, treasuryDelegateAbi } from "../../../abis/index.ts";
import { firstLineOf } from "../../../config/errorText.ts";
import { NodeFailure } from "../../../config/rpc/failures.ts";
import { isContractRefusal } from "../shared/contractErrors.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import type { AuditNode } from "./chain.ts";
import type { CurrentRow } from "./currentRows.ts";
import { type Columns, type CurrentTableName, rowName } from "./currentTables.ts";

/** Calls per request. They are sent as creation code, which nodes limit to 48 KiB. */
const CALLS_PER_REQUEST = 100;

/** A view, and the column that each of its outputs must equal. Null for an output that no column contains. */
interface View {
  readonly row: string;
  readonly outputs: readonly (string | null)[];
  readonly columns: Columns;
  readonly contract: ContractFunctionParameters;
}

/** The views of CoreSwap, whose arguments are the key of the row. */
const CORE_SWAP_VIEWS: Partial<Record<CurrentTableName, Readonly<Record<string, readonly (string | null)[]>>>> = {
  stablecoin: {
    stablecoinInfo: ["accepted", "yield_bearing", "decimals", "delegate_address", "token_address"],
    stablecoinUSDValue: ["usd_value_wad"],
    issuerPaidProtocolFeeRates: ["issuer_paid_protocol_fee_rate_wad"],
    protocolFeeExempt: ["protocol_fee_exempt"],
    stablecoinPriceAdapters: ["guardrail_price_adapter"],
    stablecoinGuardrailBands: ["guardrail_band_wad"],
    stablecoinGuardrailEnabled: ["guardrail_enabled"],
  },
  rwa: {
    rwaInfo: ["accepted", null, "decimals", "delegate_address", "token_address"],
    rwaPriceAdapters: ["price_adapter"],
    rwaWhitelistAdapters: ["whitelist_adapter"],
  },
  lp_rwa_rate: { discountRates: ["discount_rate_wad"], redemptionFees: ["redemption_fee_wad"] },
  lp_stablecoin_rate: {
    stablecoinAcceptanceFees: ["acceptance_fee_wad"],
    stablecoinRedemptionFees: ["redemption_fee_wad"],
  },
  protocol_settings: { spreadProtocolTakeRate: ["spread_protocol_take_rate_wad"], paused: ["paused"] },
};

/** Settings of a network without a settings row. */
const NO_SETTINGS: CurrentRow = { table: "protocol_settings", key: [], columns: {}, isChanged: false };

/** Result of a comparison. */
export interface Comparison {
  readonly differences: readonly string[];
  /** One sentence for each part that could not be compared, because a delegate's view reverts. */
  readonly notCompared: readonly string[];
  /** One sentence for each row that is not compared until the block that changed it is final. */
  readonly pending: readonly string[];
}

/**
 * Compares rows with the views at a block. Rows that a later block changed are not compared.
 * @throws NodeFailure when the node does not answer all of CoreSwap's views
 */
export async function compareWithViews(
  node: AuditNode,
  { coreSwap }: Pick<ApiNetwork, "coreSwap">,
  rows: readonly CurrentRow[],
  blockHash: Hex,
): Promise<Comparison> {
  const { views, missing } = viewsOf(rows, coreSwap);
  const answers = await readViews(node, views, blockHash);
  const differences = [...missing];
  const notCompared: string[] = [];
  const pending = rows.flatMap(({ isChanged, table, key }) =>
    isChanged ? [`${rowName(table, key)} changed in a block that is not final`] : [],
  );
  for (const [index, { row, outputs, columns, contract }] of views.entries()) {
    const answer = answers[index];
    if (answer === undefined || answer === null) {
      if (!isCallable(contract)) {
        differences.push(`${row} should not exist: ${contract.functionName}() takes no such key`);
        continue;
      }
      const what = `${contract.functionName}() of ${contract.address} cannot be read`;
      if (contract.address === coreSwap) throw new NodeFailure("damaged", what);
      notCompared.push(`${row}: ${what}`);
      continue;
    }
    for (const [place, column] of outputs.entries()) {
      const value = answer[place];
      if (column === null || value === undefined) continue;
      const stored = columns[column] ?? null;
      if (stored !== value && !(stored === null && UNSET.has(value))) {
        differences.push(`${row}: ${column} is ${stored}, should be ${value}`);
      }
    }
  }
  return { differences, notCompared, pending };
}

/** What views return for a value that was never set. Rows have null for such a value. */
const UNSET: ReadonlySet<string> = new Set(["0", "false", zeroAddress]);

function viewsOf(rows: readonly CurrentRow[], coreSwap: Hex): { views: View[]; missing: string[] } {
  const present = rows.some(({ table }) => table === "protocol_settings") ? rows : [...rows, NO_SETTINGS];
  const known = present.filter(({ isChanged }) => !isChanged);
  const views = known.flatMap(({ table, key, columns }): View[] => [
    ...Object.entries(CORE_SWAP_VIEWS[table] ?? {}).map(([functionName, outputs]) => ({
      row: rowName(table, key),
      outputs,
      columns,
      contract: { abi: coreSwapAbi as Abi, address: coreSwap, functionName, args: key },
    })),
    ...(table === "issuer_admin"
      ? [
          {
            row: rowName(table, key),
            outputs: ["active"],
            columns,
            contract: {
              abi: stablecoinDelegateAbi as Abi,
              address: key[0] as Hex,
              functionName: "issuerAdmins",
              args: [key[1]],
            },
          },
        ]
      : []),
  ]);
  const delegates = known.flatMap(({ table, columns }) =>
    table === "stablecoin" && columns.yield_bearing === "true" && columns.token_address && columns.delegate_address
      ? [columns.delegate_address as Hex]
      : [],
  );
  const missing: string[] = [];
  for (const delegate of delegates) {
    const rates = ratesOf(present, delegate);
    missing.push(...rates.missing);
    views.push(...rates.views);
  }
  return { views, missing };
}

/**
 * Checks the posted days of a yield-bearing delegate: the first and last day, that there is no gap, and each day's rate
 * in force, which is that of its newest correction, if any. A correction names the rate before it.
 */
function ratesOf(rows: readonly CurrentRow[], delegate: Hex): { views: View[]; missing: string[] } {
  const own = rows.filter(({ key }) => key[0] === delegate);
  const posts = own.filter(({ table }) => table === "daily_rate").sort(byPlace(1));
  const views: View[] = [];
  const missing: string[] = [];
  const addView = (row: string, functionName: string, args: readonly string[], column: string, value: string) => {
    const contract = { abi: treasuryDelegateAbi as Abi, address: delegate, functionName, args };
    views.push({ row, outputs: [column], columns: { [column]: value }, contract });
  };
  const start = own.find(({ table }) => table === "rate_start");
  if (!start?.isChanged) {
    addView(`rate_start ${delegate}`, "firstRateDay", [], "first_rate_day", start?.columns.first_rate_day ?? "0");
  }
  let expected = start?.columns.first_rate_day;
  for (const { key } of posts) {
    const day = key[1] ?? "";
    if (expected && expected !== day) missing.push(`daily_rate ${delegate}/${expected} is missing`);
    expected = (BigInt(day) + 1n).toString();
  }
  // If a later block posted a day, that day is not the last one at the final block.
  if (!posts.some(({ isChanged }) => isChanged)) {
    addView(`the last daily_rate ${delegate}`, "lastRatePostingDay", [], "day_number", posts.at(-1)?.key[1] ?? "0");
  }
  const correctionsByDay = Map.groupBy(
    own.filter(({ table }) => table === "daily_rate_correction"),
    ({ key }) => key[1] ?? "",
  );
  for (const post of posts) {
    const day = post.key[1] ?? "";
    const corrections = (correctionsByDay.get(day) ?? []).sort((a, b) => byPlace(2)(a, b) || byPlace(3)(a, b));
    if (post.isChanged || corrections.some(({ isChanged }) => isChanged)) continue;
    let rate = post.columns.rate_wad ?? "";
    for (const { table, key, columns } of corrections) {
      if (columns.old_rate_wad !== rate) {
        missing.push(`${rowName(table, key)}: old_rate_wad is ${columns.old_rate_wad}, should be ${rate}`);
      }
      rate = columns.new_rate_wad ?? "";
    }
    addView(`${rowName(post.table, post.key)} with its corrections`, "dailyRates", [day], "rate_wad", rate);
  }
  return { views, missing };
}

/** Sorts by a part of the key that is a number. */
function byPlace(part: number): (a: CurrentRow, b: CurrentRow) => number {
  return (a, b) => Number(BigInt(a.key[part] ?? 0) - BigInt(b.key[part] ?? 0));
}

/** Whether the arguments of a view can be encoded: those of a row with a malformed key cannot. */
function isCallable({ abi, functionName, args }: View["contract"]): boolean {
  try {
    encodeFunctionData({ abi, functionName, args });
    return true;
  } catch {
    return false;
  }
}

/** Reads the outputs of each view as text, or null for a view that reverts. */
async function readViews(
  { client, pace }: AuditNode,
  views: readonly View[],
  blockHash: Hex,
): Promise<(readonly string[] | null)[]> {
  const answers: (readonly string[] | null)[] = [];
  for (let from = 0; from < views.length; from += CALLS_PER_REQUEST) {
    await pace();
    const results = await client.multicall({
      contracts: views.slice(from, from + CALLS_PER_REQUEST).map(({ contract }) => contract),
      blockHash,
      requireCanonical: true,
      // Uses no contract on the chain, because not every chain has Multicall3.
      deployless: true,
      batchSize: 0,
    });
    for (const { error, result } of results) {
      if (error === undefined) answers.push((Array.isArray(result) ? result : [result]).map(text));
      else if (isContractRefusal(error)) answers.push(null);
      else throw new NodeFailure("unreachable", `views could not be read: ${firstLineOf(error)}`, error);
    }
  }
  return answers;
}

function text(value: unknown): string {
  return String(value).toLowerCase();
}
