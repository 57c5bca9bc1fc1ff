/** What a reorganization replaces and what it cannot, by the code that follows the head. */
import { numberToHex } from "viem";
import { type Header, HeaderChain } from "../../../config/rpc/live/headerChain.ts";

/** Ponder's for mainnet. */
const FINALITY_BLOCK_COUNT = 65;
const SECONDS_PER_BLOCK = 12;
const FIRST = 1_000;
const NEWEST = FIRST + 2 * FINALITY_BLOCK_COUNT;
const REPLACED = 3;

/** The numbers of the page, as text. */
export function finalityExample() {
  const chain = new HeaderChain(header(FIRST, 0), FINALITY_BLOCK_COUNT);
  for (let number = FIRST + 1; number < NEWEST; number++) chain.put(header(number, 0));
  const before = chain.finalized.number;
  chain.put(header(NEWEST, 0));
  const finalized = chain.finalized.number;
  const firstReplaced = NEWEST - REPLACED + 1;
  chain.cutFrom(firstReplaced);
  chain.put({ ...header(firstReplaced, 1), parentHash: header(firstReplaced - 1, 0).hash });
  for (let number = firstReplaced + 1; number <= NEWEST; number++) chain.put(header(number, 1));
  if (chain.finalized.number !== finalized) throw new Error("a reorganization moved the newest final block");
  return {
    blocks: FINALITY_BLOCK_COUNT,
    minutes: (FINALITY_BLOCK_COUNT * SECONDS_PER_BLOCK) / 60,
    mostMinutes: (2 * FINALITY_BLOCK_COUNT * SECONDS_PER_BLOCK) / 60,
    before,
    almost: NEWEST - 1,
    newest: NEWEST,
    finalized,
    firstReplaced,
    firstNotFinal: finalized + 1,
  };
}

function header(number: number, branch: number): Header {
  const hash = (height: number) => numberToHex(height * 2 + branch, { size: 32 });
  return { number, hash: hash(number), parentHash: hash(number - 1) };
}
