import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbiParameters } from "viem";
import { expect, it } from "vitest";
import { coreSwapAbi } from "../../abis/index.ts";
import type { AuditBlock } from "../../src/api/audit/chain.ts";
import { delegatesSetIn } from "../../src/api/audit/expected.ts";

const CORE_SWAP = `0x${"c0".repeat(20)}` as const;
const OTHER_CONTRACT = `0x${"0c".repeat(20)}` as const;
const USDC = `0x${"aa".repeat(32)}` as const;
const DAI = `0x${"bb".repeat(32)}` as const;
const delegate = (digit: string) => `0x${digit.repeat(40)}` as Hex;

function acceptance(address: Hex, stablecoinID: Hex, delegateAddress: Hex) {
  const args = { stablecoinID, delegate: delegateAddress, assetAddress: delegate("9") };
  const topics = encodeEventTopics({ abi: coreSwapAbi, eventName: "StablecoinAcceptanceSet", args }) as Hex[];
  const data = encodeAbiParameters(parseAbiParameters("uint8, bool, bool"), [6, true, false]);
  return { address, topics, data, logIndex: 0n };
}

it("names every delegate that a block sets for a stablecoin, and no other", () => {
  const logs = [
    acceptance(CORE_SWAP, USDC, delegate("1")),
    acceptance(CORE_SWAP, DAI, delegate("2")),
    acceptance(OTHER_CONTRACT, USDC, delegate("3")),
    acceptance(CORE_SWAP, USDC, delegate("4")),
  ];
  const hash = `0x${"00".repeat(32)}` as const;
  const own = { hash, transactionIndex: 0n, from: CORE_SWAP, to: null, nonce: 0n, value: 0n, input: "0x" } as const;
  const receipt = { isSuccess: true, gasUsed: 0n, effectiveGasPrice: 0n, logs };
  const block: AuditBlock = {
    number: 1n,
    hash,
    timestamp: 0n,
    transactions: [{ ...own, receipt, signed: {} as never }],
  };
  expect(delegatesSetIn(block, { coreSwap: CORE_SWAP }, USDC)).toEqual([delegate("1"), delegate("4")]);
});
