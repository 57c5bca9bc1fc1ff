/** Reads and checks the deployment files of the SVM runtime once, when the API starts. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "@hono/zod-openapi";
import { type Address, getAddressEncoder, getProgramDerivedAddress } from "@solana/addresses";
import { SVM_CHAINS, type SvmDeployment, type SvmDeployments, svmDeployment } from "./schema.ts";

/**
 * Reads the deployments of all chains that have a file `<directory>/svm/<chain>.json`.
 * @throws Error naming the file, the path in it and the reason
 */
export async function loadSvmDeployments(directory: string): Promise<SvmDeployments> {
  const deployments: { -readonly [chain in keyof SvmDeployments]: SvmDeployments[chain] } = {};
  for (const chain of SVM_CHAINS) {
    const file = join(directory, "svm", `${chain}.json`);
    if (existsSync(file)) deployments[chain] = await readSvmDeployment(file);
  }
  return deployments;
}

async function readSvmDeployment(file: string): Promise<SvmDeployment> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file}: not readable as JSON (${(cause as Error).message})`, { cause });
  }
  const parsed = svmDeployment.safeParse(content);
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  await verifyDerivedAddresses(file, parsed.data);
  return parsed.data;
}

/**
 * Recomputes every address that the program derives, because a wrong address would show users the accounts of somebody
 * else.
 */
async function verifyDerivedAddresses(file: string, { program_id, lp_info }: SvmDeployment): Promise<void> {
  const verify = async (path: string, found: Address, seed: string, ...keys: readonly Address[]) => {
    const expected = await derive(program_id, seed, keys);
    if (found !== expected) {
      throw new Error(`${file}: ${path} is ${found}, but seed "${seed}" under program_id derives ${expected}`);
    }
  };
  for (const [lpIndex, { administrator, vault_authority, pairs }] of lp_info.entries()) {
    const lp = `lp_info[${lpIndex}]`;
    await verify(`${lp}.vault_authority`, vault_authority, "program_authority");
    for (const [pairIndex, { pair, stable_mint, rwa_mint, stable_vault, rwa_vault }] of pairs.entries()) {
      const path = `${lp}.pairs[${pairIndex}]`;
      await verify(`${path}.pair`, pair, "pair", administrator, stable_mint, rwa_mint);
      await verify(`${path}.stable_vault`, stable_vault, "vault", stable_mint, administrator);
      await verify(`${path}.rwa_vault`, rwa_vault, "vault", rwa_mint, administrator);
    }
  }
}

/** Derives a program-derived address whose seeds are a text and the bytes of keys. */
async function derive(programAddress: Address, seed: string, keys: readonly Address[]): Promise<Address> {
  const encoder = getAddressEncoder();
  const [derived] = await getProgramDerivedAddress({
    programAddress,
    seeds: [seed, ...keys.map((key) => encoder.encode(key))],
  });
  return derived;
}
