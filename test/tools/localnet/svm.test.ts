import { type Address, address, getAddressEncoder, getProgramDerivedAddress } from "@solana/addresses";
import { describe, expect, it } from "vitest";
import { SVM_CHAINS, svmDeployment } from "../../../localnet/svm.ts";

async function derived(programAddress: Address, text: string, ...addresses: Address[]): Promise<Address> {
  const seeds = [new TextEncoder().encode(text), ...addresses.map((seed) => getAddressEncoder().encode(seed))];
  return (await getProgramDerivedAddress({ programAddress, seeds }))[0];
}

describe.each(SVM_CHAINS)("svmDeployment of %s", (chain) => {
  it("is the same each time, and not that of the other chain", async () => {
    const other = chain === "mainnet" ? "devnet" : "mainnet";
    expect(await svmDeployment(chain)).toEqual(await svmDeployment(chain));
    expect((await svmDeployment(chain)).program_id).not.toBe((await svmDeployment(other)).program_id);
  });

  it("derives vault authorities, pairs and vaults from program, mints and administrators", async () => {
    const { program_id, lp_info } = await svmDeployment(chain);
    expect(lp_info).toHaveLength(2);
    for (const { administrator, vault_authority, pairs } of lp_info) {
      expect(vault_authority).toBe(await derived(program_id, "program_authority"));
      expect(pairs.length).toBeGreaterThanOrEqual(3);
      for (const { pair, stable_mint, rwa_mint, stable_vault, rwa_vault } of pairs) {
        expect(pair).toBe(await derived(program_id, "pair", administrator, stable_mint, rwa_mint));
        expect(stable_vault).toBe(await derived(program_id, "vault", stable_mint, administrator));
        expect(rwa_vault).toBe(await derived(program_id, "vault", rwa_mint, administrator));
      }
    }
  });

  it("names mints by 32-byte addresses, with one to five price sources, and rates in basis points", async () => {
    const { rwa_assets, stable_assets, lp_info } = await svmDeployment(chain);
    for (const { mint, price_sources } of [...rwa_assets, ...stable_assets]) {
      expect(address(mint)).toBe(mint);
      expect(price_sources.length).toBeGreaterThanOrEqual(1);
      expect(price_sources.length).toBeLessThanOrEqual(5);
    }
    expect(lp_info[0]?.pairs[0]).toMatchObject({ discount_rate_bps: 15, redemption_fee_bps: 10 });
  });
});
