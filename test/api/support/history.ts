/** Makes a deterministic history in which every filter class, wallet role and null occurs. */
import { maxUint256 } from "viem";
import type { HistoryTransaction } from "../../../src/api/transactions/schema.ts";
import { addressOf, hashOf } from "./world.ts";

type Activity = HistoryTransaction["activities"][number];

const WALLETS = ["alice", "bob", "carol", "dave", "erin"].map(addressOf);
const AMOUNTS = [1n, 10n ** 18n, 2n ** 53n + 1n, maxUint256];

/** Makes `count` transactions, newest first, with up to three per block from block 100. */
export function madeHistory(count: number, salt = ""): HistoryTransaction[] {
  return Array.from({ length: count }, (_, index) => madeTransaction(index, salt)).reverse();
}

function madeTransaction(index: number, salt: string): HistoryTransaction {
  const blockNumber = 100 + Math.floor(index / 3);
  const wallet = (role: number) =>
    WALLETS[(index * 7 + role * 3 + (index >> 3)) % WALLETS.length] ?? addressOf("nobody");
  const amount = (role: number) => (AMOUNTS[(index + role) % AMOUNTS.length] ?? 0n).toString();
  const kind = index % 8;
  const isRevert = kind === 2 || kind === 5;
  const contract = addressOf("CoreSwap");

  const swap = (position: number): Activity => ({
    type: "swap",
    logIndex: (index * 10 + position).toString(),
    contract,
    user: wallet(position),
    operator: wallet(position + 1),
    receiver: wallet(position + 2),
    routeId: (1 + (index % 8)).toString(),
    assetInId: hashOf("TBILL"),
    assetOutId: hashOf("USDC"),
    stablecoinDelegateId: hashOf("USDC"),
    lpAddress: addressOf("lp"),
    amountIn: amount(0),
    amountOut: amount(1),
    issuerFee: amount(2),
    spreadFee: "0",
    lpFee: amount(3),
  });
  const allowlist = (position: number): Activity => ({
    type: "allowlist",
    logIndex: (index * 10 + position).toString(),
    contract: addressOf("Treasury"),
    action: index % 2 ? "added" : "removed",
    wallet: wallet(position),
  });
  const swapCall: HistoryTransaction["directCall"] = {
    contract,
    entrypoint: "swap",
    submittedSwapLegs: [
      {
        routeId: "1",
        assetInId: hashOf("TBILL"),
        assetOutId: hashOf("USDC"),
        stablecoinDelegateId: hashOf("USDC"),
        assetInAmount: amount(0),
        assetOutAmount: "0",
      },
    ],
    user: wallet(0),
    receiver: wallet(2),
  };
  const allowlistCall = (entrypoint: "addToWhitelist" | "removeFromWhitelist"): HistoryTransaction["directCall"] => ({
    contract: addressOf("Treasury"),
    entrypoint,
    submittedSwapLegs: null,
    wallet: wallet(1),
  });

  const shapes: Pick<HistoryTransaction, "directCall" | "activities">[] = [
    { directCall: swapCall, activities: [swap(1)] },
    { directCall: null, activities: [swap(2), swap(3)] },
    { directCall: swapCall, activities: [] },
    { directCall: allowlistCall("addToWhitelist"), activities: [allowlist(1)] },
    { directCall: allowlistCall("removeFromWhitelist"), activities: [allowlist(4)] },
    { directCall: allowlistCall("addToWhitelist"), activities: [] },
    { directCall: null, activities: [allowlist(1), swap(2), allowlist(3)] },
    { directCall: allowlistCall("addToWhitelist"), activities: [] },
  ];
  const shape = shapes[kind];
  if (shape === undefined) throw new Error(`no shape ${kind}`);
  return {
    transactionHash: hashOf(`transaction ${salt}${index}`),
    inclusion: {
      blockNumber: blockNumber.toString(),
      blockHash: hashOf(`block ${salt}${blockNumber}`),
      transactionIndex: ((index % 3) * 5).toString(),
      timestamp: (1_790_000_000 + blockNumber * 12).toString(),
    },
    sender: wallet(0),
    recipient: shape.directCall?.contract ?? (kind === 1 ? null : addressOf("router")),
    nonce: index.toString(),
    value: amount(1),
    selector: kind === 6 ? null : "0x9d8e2177",
    receipt: { outcome: isRevert ? "revert" : "success", gasUsed: "210000", effectiveGasPrice: amount(2) },
    ...shape,
  };
}
