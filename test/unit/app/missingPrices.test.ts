import { expect, it } from "vitest";
import { isShortfallUnknown, withoutText } from "../../../app/src/treasury/missingPrices.ts";

const [USTB, GOLD] = ["0x01", "0x02"];
const symbolOf = (id: string) => (id === USTB ? "USTB" : "GOLD");

it("names the assets that the figures leave out, and nothing when every asset has a price", () => {
  expect(withoutText({ surplusUsdWad: "1", unpricedAssetIds: [USTB, GOLD] }, symbolOf)).toBe("without USTB, GOLD");
  expect(withoutText({ surplusUsdWad: "1", unpricedAssetIds: [] }, symbolOf)).toBe(null);
});

it("takes a negative surplus as a fact only when every asset has a price", () => {
  expect(isShortfallUnknown({ surplusUsdWad: "-1", unpricedAssetIds: [USTB] })).toBe(true);
  expect(isShortfallUnknown({ surplusUsdWad: "-1", unpricedAssetIds: [] })).toBe(false);
  expect(isShortfallUnknown({ surplusUsdWad: "0", unpricedAssetIds: [USTB] })).toBe(false);
});
