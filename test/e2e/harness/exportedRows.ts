/** The rows that an export must have for a history, from the API's answers. */
import { timeText } from "../../support/time.ts";
import type { HistoryTransaction } from "../oracle/history.ts";

/** Rows of `transactions`, the columns of `swap_legs` that come from the event, and rows of `allowlist_changes`. */
export function rowsOfHistory(history: readonly HistoryTransaction[]) {
  const activitiesOf = <Type extends HistoryTransaction["activities"][number]["type"]>(type: Type) =>
    history.flatMap((item) =>
      item.activities.flatMap((activity) =>
        activity.type === type
          ? [{ place: placeOf(item), activity: activity as Extract<typeof activity, { readonly type: Type }> }]
          : [],
      ),
    );
  return {
    transactions: history.map((item) => ({
      ...placeOf(item),
      sender: item.sender,
      recipient: item.recipient,
      nonce: item.nonce,
      value_wei: item.value,
      selector: item.selector,
      outcome: item.receipt.outcome,
      gas_used: item.receipt.gasUsed,
      effective_gas_price_wei: item.receipt.effectiveGasPrice,
      entrypoint: item.directCall?.entrypoint ?? null,
      direct_call: item.directCall,
    })),
    legs: activitiesOf("swap").map(({ place, activity }) => ({
      ...place,
      log_index: activity.logIndex,
      contract: activity.contract,
      user: activity.user,
      operator: activity.operator,
      receiver: activity.receiver,
      route_id: activity.routeId,
      asset_in_id: activity.assetInId,
      asset_out_id: activity.assetOutId,
      stablecoin_delegate_id: activity.stablecoinDelegateId,
      lp_address: activity.lpAddress,
      amount_in: activity.amountIn,
      amount_out: activity.amountOut,
      issuer_fee: activity.issuerFee,
      spread_fee: activity.spreadFee,
      lp_fee: activity.lpFee,
    })),
    allowlistChanges: activitiesOf("allowlist").map(({ place, activity }) => ({
      ...place,
      log_index: activity.logIndex,
      contract: activity.contract,
      action: activity.action,
      wallet: activity.wallet,
    })),
  };
}

function placeOf({ transactionHash, inclusion }: HistoryTransaction) {
  return {
    chain_id: "1",
    block_number: inclusion.blockNumber,
    block_time: timeText(BigInt(inclusion.timestamp)),
    block_hash: inclusion.blockHash,
    transaction_hash: transactionHash,
    transaction_index: inclusion.transactionIndex,
  };
}
