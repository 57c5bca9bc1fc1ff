/**
 * Deployment files of the SVM runtime. No SVM chain runs: programs, mints and administrators are addresses made from
 * fixed texts, and other addresses are derived from them as the program would derive them.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, getAddressDecoder, getAddressEncoder, getProgramDerivedAddress } from "@solana/addresses";
import { ASSET_SYMBOLS, assetTerms, RWA_SYMBOLS, STABLECOIN_SYMBOLS, STABLECOINS } from "./assets.ts";

export const SVM_CHAINS = ["mainnet", "devnet"] as const;

/** Writes `<deploymentsDirectory>/svm/<chain>.json` for both chains. */
export async function writeSvmDeployments(deploymentsDirectory: string): Promise<void> {
  const directory = join(deploymentsDirectory, "svm");
  mkdirSync(directory, { recursive: true });
  for (const chain of SVM_CHAINS) {
    writeFileSync(join(directory, `${chain}.json`), `${JSON.stringify(await svmDeployment(chain), null, 2)}\n`);
  }
}

/** The deployment of one chain, in the form in which the API shows it. */
export async function svmDeployment(chain: (typeof SVM_CHAINS)[number]) {
  const programId = madeAddress(`${chain} program`);
  const mints = Object.fromEntries(
    ASSET_SYMBOLS.map((symbol) => [symbol, madeAddress(`${chain} mint ${symbol}`)]),
  ) as Record<(typeof ASSET_SYMBOLS)[number], Address>;

  const lpInfo = [];
  for (const stablecoin of STABLECOIN_SYMBOLS) {
    const administrator = madeAddress(`${chain} administrator ${stablecoin}`);
    const vault = (mint: Address) => derive(programId, "vault", mint, administrator);
    const pairs = [];
    for (const rwa of RWA_SYMBOLS) {
      const terms = STABLECOINS[stablecoin].rwas[rwa];
      if (terms === undefined) continue;
      pairs.push({
        pair: await derive(programId, "pair", administrator, mints[stablecoin], mints[rwa]),
        stable_mint: mints[stablecoin],
        rwa_mint: mints[rwa],
        stable_vault: await vault(mints[stablecoin]),
        rwa_vault: await vault(mints[rwa]),
        discount_rate_bps: basisPoints(terms.discountRate),
        redemption_fee_bps: basisPoints(terms.redemptionFee),
      });
    }
    lpInfo.push({ administrator, vault_authority: await derive(programId, "program_authority"), pairs });
  }

  return {
    program_id: programId,
    rwa_assets: RWA_SYMBOLS.map((symbol) => ({
      name: assetTerms(symbol).name,
      mint: mints[symbol],
      decimals: assetTerms(symbol).decimals,
      price_sources: [
        { kind: "fixed_address", account: madeAddress(`${chain} NAV ${symbol}`), offset: 8, decimals: 9 },
        ...(symbol === "GOLD" ? [pythSource(chain, symbol)] : []),
      ],
    })),
    stable_assets: STABLECOIN_SYMBOLS.map((symbol) => ({
      name: assetTerms(symbol).name,
      mint: mints[symbol],
      decimals: assetTerms(symbol).decimals,
      price_sources: [pythSource(chain, symbol), { kind: "hardcoded", price: "1000000", decimals: 6 }],
    })),
    lp_info: lpInfo,
  };
}

function pythSource(chain: string, symbol: string) {
  return {
    kind: "pyth_push",
    account: madeAddress(`${chain} price ${symbol}`),
    feed_id: `0x${digest(`feed ${symbol}`).toString("hex")}`,
    max_age_seconds: 60,
    max_confidence_bps: 50,
  };
}

/** A program-derived address: the seeds are a text and the bytes of addresses. */
async function derive(programAddress: Address, text: string, ...addresses: readonly Address[]): Promise<Address> {
  const seeds = [text, ...addresses.map((address) => getAddressEncoder().encode(address))];
  const [derived] = await getProgramDerivedAddress({ programAddress, seeds });
  return derived;
}

function madeAddress(text: string): Address {
  return getAddressDecoder().decode(digest(text));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(`CoreSwap demo ${text}`).digest();
}

/** A decimal fraction in basis points, rounded down. */
function basisPoints(fraction: string): number {
  const [, decimals = ""] = fraction.split(".");
  return Number(decimals.padEnd(4, "0").slice(0, 4));
}
