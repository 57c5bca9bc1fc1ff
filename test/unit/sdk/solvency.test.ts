import { type ReserveAsset, type SolvencyInputs, solvencyOf, WAD } from "@coreswap/sdk";
import fc from "fast-check";
import { pad, toHex } from "viem";
import { describe, expect, it } from "vitest";

const id = (number: number) => toHex(number, { size: 32 });
const address = (number: number) => pad(toHex(number), { size: 20 });

const [CUSTODY, SHARED, STRANGER] = [1, 2, 3].map(address) as [`0x${string}`, `0x${string}`, `0x${string}`];

/** One asset of six decimals, with the given units in custody and in the shared account. */
function asset(number: number, usdPerTokenWad: bigint | null, own: bigint, shared = 0n): ReserveAsset {
  return {
    id: id(number),
    kind: "stablecoin",
    tokenAddress: address(100 + number),
    decimals: 6,
    usdPerTokenWad,
    balances: [
      { account: CUSTODY, amount: own },
      { account: SHARED, amount: shared },
    ],
  };
}

function inputs(values: readonly bigint[], assets: readonly ReserveAsset[]): SolvencyInputs {
  return {
    token: { decimals: 18, usdPerTokenWad: WAD },
    creditedAccounts: values.map((value, index) => ({ account: address(10 + index), credits: value / 2n, value })),
    reserveAccounts: [
      { account: CUSTODY, isShared: false },
      { account: SHARED, isShared: true },
    ],
    assets,
  };
}

describe("solvency", () => {
  it("counts each account once and marks what is shared", () => {
    const { assets, ...solvency } = solvencyOf(inputs([2n * WAD], [asset(1, WAD, 1_000_000n, 2_000_000n)]));
    expect(solvency).toEqual({
      credits: WAD,
      liabilities: 2n * WAD,
      liabilitiesUsdWad: 2n * WAD,
      assetsUsdWad: 3n * WAD,
      sharedAssetsUsdWad: 2n * WAD,
      surplusUsdWad: WAD,
      ratioWad: (3n * WAD) / 2n,
      unpricedAssetIds: [],
      isSolvent: true,
    });
    expect(assets).toMatchObject([{ amount: 3_000_000n, sharedAmount: 2_000_000n, valueUsdWad: 3n * WAD }]);
  });

  it("holds exactly down to the last unit", () => {
    const reserve = [asset(1, WAD, 1_000_000n)];
    expect(solvencyOf(inputs([WAD], reserve))).toMatchObject({ isSolvent: true, surplusUsdWad: 0n });
    expect(solvencyOf(inputs([WAD, 1n], reserve))).toMatchObject({ isSolvent: false, surplusUsdWad: -1n });
    expect(solvencyOf(inputs([], []))).toMatchObject({ isSolvent: true, ratioWad: null, liabilities: 0n });
  });

  it("is unknown while it depends on an asset without a price, and known while it does not", () => {
    const unpriced = asset(2, null, 1n);
    expect(solvencyOf(inputs([WAD], [asset(1, WAD, 999_999n), unpriced]))).toMatchObject({
      isSolvent: null,
      unpricedAssetIds: [id(2)],
    });
    expect(solvencyOf(inputs([WAD], [asset(1, WAD, 1_000_000n), unpriced]))).toMatchObject({
      isSolvent: true,
      unpricedAssetIds: [id(2)],
    });
    expect(solvencyOf(inputs([WAD], [asset(2, null, 0n)]))).toMatchObject({ isSolvent: false, unpricedAssetIds: [] });
  });

  it("does not value what is owed in a token without a USD value", () => {
    const token = { decimals: 18, usdPerTokenWad: 0n };
    expect(() => solvencyOf({ ...inputs([WAD], []), token })).toThrow("the USD value of the token that is owed is 0");
    expect(solvencyOf({ ...inputs([], []), token })).toMatchObject({ isSolvent: true, liabilitiesUsdWad: 0n });
  });

  it("never calls a reserve solvent if an exact computation does not", () => {
    const holding = fc.record({
      price: fc.bigInt(1n, 10n ** 20n),
      own: fc.bigInt(0n, 10n ** 12n),
      shared: fc.bigInt(0n, 10n ** 12n),
    });
    const credited = fc.array(fc.bigInt(0n, 10n ** 24n), { maxLength: 4 });
    const tokens = fc.record({ decimals: fc.integer({ min: 0, max: 18 }), usdPerTokenWad: fc.bigInt(1n, 10n ** 19n) });
    fc.assert(
      fc.property(credited, fc.array(holding, { maxLength: 4 }), tokens, (values, holdings, token) => {
        const assets = holdings.map(({ price, own, shared }, index) => asset(index, price, own, shared));
        const solvency = solvencyOf({ ...inputs(values, assets), token });
        // At scale 1e36, which needs no rounding.
        const owed = values.reduce((total, value) => total + value, 0n) * 10n ** BigInt(18 - token.decimals);
        const owedE36 = owed * token.usdPerTokenWad;
        const heldE36 = holdings.reduce(
          (total, { price, own, shared }) => total + (own + shared) * 10n ** 12n * price,
          0n,
        );
        if (solvency.isSolvent) expect(heldE36 >= owedE36).toBe(true);
        // The error is less than one unit per asset, plus one for the liabilities.
        const exact = (heldE36 - owedE36) / WAD;
        const distance = exact - solvency.surplusUsdWad;
        expect(distance >= -1n && distance <= BigInt(holdings.length) + 1n).toBe(true);
        expect(solvency.sharedAssetsUsdWad <= solvency.assetsUsdWad).toBe(true);
      }),
    );
  });

  it("refuses an account or token that occurs twice, in any letter case, and a holder that is not in the reserve", () => {
    const [first] = inputs([1n], []).creditedAccounts;
    if (first === undefined) throw new Error("no account");
    const twice = { ...first, account: `0x${first.account.slice(2).toUpperCase()}` as const };
    expect(() => solvencyOf({ ...inputs([], []), creditedAccounts: [first, twice] })).toThrow("occurs twice");
    expect(() => solvencyOf(inputs([], [asset(1, WAD, 1n), asset(1, WAD, 1n)]))).toThrow("occurs twice");
    const place = { account: CUSTODY, isShared: false };
    expect(() => solvencyOf({ ...inputs([], []), reserveAccounts: [place, place] })).toThrow("occurs twice");
    const balances = [{ account: STRANGER, amount: 1n }];
    expect(() => solvencyOf(inputs([], [{ ...asset(1, WAD, 1n), balances }]))).toThrow("not an account of the reserve");
    const doubled = [...asset(1, WAD, 1n).balances, { account: CUSTODY, amount: 1n }];
    expect(() => solvencyOf(inputs([], [{ ...asset(1, WAD, 1n), balances: doubled }]))).toThrow("occurs twice");
  });
});
