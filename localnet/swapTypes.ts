/** Typed data and event topics of swaps. */
import { encodeEventTopics, type TypedDataParameter } from "viem";
import { coreSwapAbi, treasuryAbi } from "../abis/index.ts";

/** EIP-712 types that the permit of a swap is signed over. */
export const swapPermitTypes = {
  Swap: [
    { name: "user", type: "address" },
    { name: "operator", type: "address" },
    { name: "receiver", type: "address" },
    { name: "inputs", type: "SwapInputs[]" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  SwapInputs: [
    { name: "routeId", type: "uint256" },
    { name: "assetInID", type: "bytes32" },
    { name: "assetOutID", type: "bytes32" },
    { name: "stablecoinDelegateID", type: "bytes32" },
    { name: "assetInAmt", type: "uint256" },
    { name: "assetOutAmt", type: "uint256" },
  ],
} as const satisfies Record<string, readonly TypedDataParameter[]>;

const [swapTopic] = encodeEventTopics({ abi: coreSwapAbi, eventName: "Swap" });
const [addedTopic] = encodeEventTopics({ abi: treasuryAbi, eventName: "AddedToWhitelist" });
const [removedTopic] = encodeEventTopics({ abi: treasuryAbi, eventName: "RemovedFromWhitelist" });

export const swapEventTopic = swapTopic;
export const allowlistEventTopics = [addedTopic, removedTopic] as const;
