/** Upgrades: what proxies run, and the proposal that `pnpm contracts:upgrade` writes for the timelock's proposer. */
import { readFileSync } from "node:fs";
import { timelockControllerAbi, treasuryAbi } from "@coreswap/abi";
import {
  type Address,
  bytesToHex,
  decodeFunctionData,
  getAddress,
  type Hex,
  hexToBytes,
  isAddressEqual,
  keccak256,
  slice,
  zeroHash,
} from "viem";
import { z } from "zod";
import { Failure } from "../failure.ts";
import { address, bytes } from "../jsonFile.ts";
import type { NodeClient } from "./connect.ts";

/** The first of the 32 instructions that push a constant: this one pushes a byte. */
const PUSH1 = 0x60;

/** EIP-1967: keccak256("eip1967.proxy.implementation") - 1. */
const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

const proposalSchema = z.object({
  timelock: z.string().transform((text) => getAddress(text)),
  execute: bytes,
  codeHashes: z.record(z.string(), bytes),
  replaced: z.record(z.string(), address),
});

interface Upgrade {
  readonly proxy: Address;
  /** What the proxy ran when the upgrade was simulated. */
  readonly replaced: Address;
  readonly implementation: Address;
  /** The call of the proxy, `upgradeToAndCall`. */
  readonly data: Hex;
}

interface Proposal {
  readonly timelock: Address;
  /** In the order in which the timelock makes them, as one operation. */
  readonly upgrades: readonly Upgrade[];
  /** Hash of the code of each new contract, as it was simulated. */
  readonly codeHashes: ReadonlyMap<Address, Hex>;
}

/**
 * Reads a proposal.
 * @throws Failure when the file is missing, or is not a proposal
 */
export function readProposal(path: string): Proposal {
  try {
    const { timelock, execute, codeHashes, replaced } = proposalSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    const { functionName, args } = decodeFunctionData({ abi: timelockControllerAbi, data: execute });
    if (functionName !== "executeBatch") throw new Error(`it calls ${functionName}`);
    const [targets, , payloads] = args;
    const replacedBy = new Map(Object.entries(replaced).map(([proxy, current]) => [getAddress(proxy), current]));
    const upgrades = payloads.map((data, index) => {
      const call = decodeFunctionData({ abi: treasuryAbi, data });
      if (call.functionName !== "upgradeToAndCall") throw new Error(`it has the timelock call ${call.functionName}`);
      const proxy = getAddress(targets[index] ?? "0x");
      const current = replacedBy.get(proxy);
      if (current === undefined) throw new Error(`it does not say what ${proxy} ran`);
      return { proxy, replaced: current, implementation: getAddress(call.args[0]), data };
    });
    const hashes = Object.entries(codeHashes).map(([address, hash]) => [getAddress(address), hash] as const);
    const proposal = { timelock, upgrades, codeHashes: new Map(hashes) };
    const unknown = upgrades.find(({ implementation }) => !proposal.codeHashes.has(implementation));
    if (unknown !== undefined) throw new Error(`it has no hash of the code of ${unknown.implementation}`);
    return proposal;
  } catch (error) {
    throw new Failure(
      `${path} is not a proposal of pnpm contracts:upgrade: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Requires that a proxy was not upgraded otherwise since the upgrade was simulated, which would now replace newer code.
 * @throws Failure when it was
 */
export function requireNotOverdue(
  { replaced, implementation }: Pick<Upgrade, "replaced" | "implementation">,
  current: Address,
  name: string,
): void {
  if (isAddressEqual(current, replaced) || isAddressEqual(current, implementation)) return;
  throw new Failure(
    `${name} runs ${current}, and when the upgrade to ${implementation} was simulated it ran ${replaced}: it was upgraded ` +
      "otherwise since. Discard the proposal, have the guardian cancel it if it was scheduled (core queue, core cancel), " +
      "and propose anew with pnpm contracts:upgrade",
  );
}

/** Returns the contract that a proxy runs. */
export async function readImplementation(client: NodeClient, proxy: Address, blockNumber?: bigint): Promise<Address> {
  const word = await client.getStorageAt({ address: proxy, slot: IMPLEMENTATION_SLOT, blockNumber });
  return getAddress(slice(word ?? zeroHash, 12));
}

/** A contract of a proposal does not have the code that was simulated. */
export class CodeDiffers extends Failure {}

/**
 * Compares the code of every new contract of a proposal with the one that was simulated.
 * @throws CodeDiffers naming a contract whose code differs, or a linked contract that was not simulated
 * @throws Failure naming a contract that the node does not have, which may be behind
 */
export async function requireSimulatedCode(client: NodeClient, { codeHashes }: Proposal): Promise<void> {
  for (const [address, expected] of codeHashes) {
    const code = await client.getCode({ address });
    if (code === undefined) {
      throw new Failure(`the node has no code at ${address}. Check that every transaction was mined`);
    }
    if (keccak256(code) !== expected) throw new CodeDiffers(`${address} does not have the code that was simulated`);
    for (const linked of addressesIn(code)) {
      if (codeHashes.has(linked) || linked === address) continue;
      if ((await client.getCode({ address: linked })) === undefined) continue;
      throw new CodeDiffers(`${address} is linked to ${linked}, of whose code the proposal has no hash`);
    }
  }
}

/** Words of 20 bytes that code pushes: the libraries to which the compiler has linked it, and a few constants. */
function addressesIn(code: Hex): Set<Address> {
  const bytes = hexToBytes(code);
  const found = new Set<Address>();
  for (let at = 0; at < bytes.length; at += 1) {
    const pushed = (bytes[at] ?? 0) - (PUSH1 - 1);
    if (pushed < 1 || pushed > 32) continue;
    const word = bytes.subarray(at + 1, at + 1 + pushed);
    if (word.length === 20) found.add(getAddress(bytesToHex(word)));
    at += pushed;
  }
  return found;
}
