import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Address,
  address,
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
} from "@solana/addresses";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSvmDeployments } from "../../src/api/info/svm/load.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "svm-"));
  mkdirSync(join(directory, "svm"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const key = (byte: number) => getAddressDecoder().decode(new Uint8Array(32).fill(byte));
const PROGRAM = key(1);
const ADMINISTRATOR = key(2);
const STABLE = key(3);
const RWA = key(4);

async function derived(...seeds: readonly (string | Address)[]): Promise<Address> {
  const [result] = await getProgramDerivedAddress({
    programAddress: PROGRAM,
    seeds: seeds.map((seed, index) => (index === 0 ? seed : getAddressEncoder().encode(address(seed)))),
  });
  return result;
}

async function deployment() {
  return {
    program_id: PROGRAM as string,
    rwa_assets: [
      {
        name: "Treasury Bill Fund",
        mint: RWA as string,
        decimals: 6,
        price_sources: [{ kind: "fixed_address", account: key(5) as string, offset: 8, decimals: 9 }] as object[],
      },
    ],
    stable_assets: [
      {
        name: "USD Coin",
        mint: STABLE,
        decimals: 6,
        price_sources: [
          { kind: "hardcoded", price: "1000000", decimals: 6 },
          {
            kind: "pyth_push",
            account: key(6),
            feed_id: `0x${"ab".repeat(32)}`,
            max_age_seconds: 60,
            max_confidence_bps: 50,
          },
        ],
      },
    ],
    lp_info: [
      {
        administrator: ADMINISTRATOR,
        vault_authority: await derived("program_authority"),
        pairs: [
          {
            pair: await derived("pair", ADMINISTRATOR, STABLE, RWA),
            stable_mint: STABLE,
            rwa_mint: RWA,
            stable_vault: await derived("vault", STABLE, ADMINISTRATOR),
            rwa_vault: await derived("vault", RWA, ADMINISTRATOR),
            discount_rate_bps: 25,
            redemption_fee_bps: 0,
          },
        ],
      },
    ],
  };
}

type Deployment = Awaited<ReturnType<typeof deployment>>;
const write = (chain: string, content: unknown) =>
  writeFileSync(join(directory, "svm", `${chain}.json`), JSON.stringify(content));

describe("loadSvmDeployments", () => {
  it("returns the content of the files, and leaves out a chain without a file", async () => {
    const content = await deployment();
    write("devnet", content);
    expect(await loadSvmDeployments(directory)).toEqual({ devnet: content });
    expect(await loadSvmDeployments(join(directory, "missing"))).toEqual({});
  });

  const wrong: [string, (content: Deployment) => void, RegExp][] = [
    [
      "31 bytes",
      (content) => Object.assign(content, { program_id: "1".repeat(31) }),
      /base58 text of 32 bytes[\s\S]*program_id/,
    ],
    ["0 in base58", (content) => Object.assign(content, { program_id: `0${PROGRAM.slice(1)}` }), /program_id/],
    ["an unknown key", (content) => Object.assign(content, { owner: PROGRAM }), /owner/],
    [
      "no price source",
      (content) => Object.assign(content.rwa_assets[0] ?? {}, { price_sources: [] }),
      /price_sources/,
    ],
    [
      "six price sources",
      ({ rwa_assets: [asset] }) =>
        asset && Object.assign(asset, { price_sources: Array(6).fill(asset.price_sources[0]) }),
      /price_sources/,
    ],
    ["another kind of source", ({ rwa_assets: [asset] }) => asset?.price_sources.push({ kind: "oracle" }), /kind/],
    [
      "the authority",
      ({ lp_info: [lp] }) => lp && Object.assign(lp, { vault_authority: key(9) }),
      /lp_info\[0\]\.vault_authority is/,
    ],
    ...(["pair", "stable_vault", "rwa_vault"] as const).map(
      (field) =>
        [
          field,
          ({ lp_info: [lp] }: Deployment) => Object.assign(lp?.pairs[0] ?? {}, { [field]: key(9) }),
          new RegExp(`lp_info\\[0\\]\\.pairs\\[0\\]\\.${field} is ${key(9)}, but seed`),
        ] as [string, (content: Deployment) => void, RegExp],
    ),
  ];
  it.each(wrong)("refuses %s, naming file and path", async (_what, spoil, message) => {
    const content = await deployment();
    spoil(content);
    write("mainnet", content);
    await expect(loadSvmDeployments(directory)).rejects.toThrow(message);
    await expect(loadSvmDeployments(directory)).rejects.toThrow(join(directory, "svm", "mainnet.json"));
  });

  it("refuses what is not JSON", async () => {
    writeFileSync(join(directory, "svm", "mainnet.json"), "{");
    await expect(loadSvmDeployments(directory)).rejects.toThrow(/mainnet\.json: not readable as JSON/);
  });
});
