import type { Schemas } from "@coreswap/client";
import fc from "fast-check";
import { maxUint256 } from "viem";
import { describe, expect, it } from "vitest";
import { assetIdText, exactSideOf, routeText, shortened } from "../../../app/src/format/names.ts";
import { legsOf, slackOf } from "../../../app/src/transactions/legs.ts";
import { activeWallets } from "../../../app/src/wallet/activeWallets.ts";

type Realized = Schemas["SwapActivity"];
type Submitted = Schemas["SubmittedSwapLeg"];

const CORE_SWAP = `0x${"c0".repeat(20)}`;
const USER = `0x${"aa".repeat(20)}`;

function realized(overrides: Partial<Realized> = {}): Realized {
  return {
    type: "swap",
    logIndex: "0",
    contract: CORE_SWAP,
    user: USER,
    operator: USER,
    receiver: USER,
    routeId: "1",
    assetInId: "0x01",
    assetOutId: "0x02",
    stablecoinDelegateId: "0x02",
    lpAddress: "0xlp",
    amountIn: "100",
    amountOut: "99",
    issuerFee: "0",
    spreadFee: "0",
    lpFee: "1",
    ...overrides,
  };
}

function submitted(overrides: Partial<Submitted> = {}): Submitted {
  return {
    routeId: "1",
    assetInId: "0x01",
    assetOutId: "0x02",
    stablecoinDelegateId: "0x02",
    assetInAmount: "100",
    assetOutAmount: "90",
    ...overrides,
  };
}

function callOf(...legs: Submitted[]): Schemas["SwapCall"] {
  return { contract: CORE_SWAP, entrypoint: "swap", submittedSwapLegs: legs, user: USER, receiver: USER };
}

describe("legsOf", () => {
  it("pairs submitted legs with the realized ones that CoreSwap did not operate, in order", () => {
    const prefund = realized({ operator: CORE_SWAP, routeId: "8" });
    const first = realized({ logIndex: "1" });
    const second = realized({ logIndex: "2", routeId: "3" });
    const asked = [submitted(), submitted({ routeId: "3" })];
    expect(legsOf({ activities: [prefund, first, second], directCall: callOf(...asked) }, CORE_SWAP)).toEqual([
      { submitted: null, realized: prefund, isDerived: true },
      { submitted: asked[0], realized: first, isDerived: false },
      { submitted: asked[1], realized: second, isDerived: false },
    ]);
  });

  it("pairs nothing if the submitted legs differ from the realized ones", () => {
    const leg = realized();
    for (const asked of [[submitted({ assetInId: "0x09" })], [submitted(), submitted()]]) {
      expect(legsOf({ activities: [leg], directCall: callOf(...asked) }, CORE_SWAP)).toEqual([
        { submitted: null, realized: leg, isDerived: false },
      ]);
    }
  });

  it("shows what a reverted call requested", () => {
    expect(legsOf({ activities: [], directCall: callOf(submitted()) }, CORE_SWAP)).toEqual([
      { submitted: submitted(), realized: null, isDerived: false },
    ]);
  });

  it("has no submitted legs for a swap inside another contract's call", () => {
    expect(legsOf({ activities: [realized()], directCall: null }, CORE_SWAP)).toEqual([
      { submitted: null, realized: realized(), isDerived: false },
    ]);
  });
});

describe("slackOf", () => {
  const amount = fc.bigInt({ min: 1n, max: maxUint256 - 1n });

  it("is what came out above the minimum, or went in below the maximum", () => {
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 8 }), (one, other, route) => {
        const [small, large] = one < other ? [one, other] : [other, one];
        const routeId = String(route);
        const leg =
          exactSideOf(routeId) === "in"
            ? {
                submitted: submitted({ routeId, assetOutAmount: `${small}` }),
                realized: realized({ routeId, amountOut: `${large}` }),
              }
            : {
                submitted: submitted({ routeId, assetInAmount: `${large}` }),
                realized: realized({ routeId, amountIn: `${small}` }),
              };
        const side = route % 2 === 1 ? "out" : "in";
        expect(slackOf({ ...leg, isDerived: false })).toEqual({ amount: large - small, side });
      }),
    );
  });

  it("does not exist without a bound", () => {
    const unbounded = submitted({ assetOutAmount: "0" });
    expect(slackOf({ submitted: unbounded, realized: realized(), isDerived: false })).toBeNull();
    const out = submitted({ routeId: "2", assetInAmount: `${maxUint256}` });
    expect(slackOf({ submitted: out, realized: realized({ routeId: "2" }), isDerived: false })).toBeNull();
  });
});

describe("names", () => {
  it("spells asset IDs that encode text, and shortens the others", () => {
    expect(assetIdText(`0x5442494c4c${"0".repeat(54)}`)).toBe("TBILL");
    expect(assetIdText(`0x${"0".repeat(64)}`)).toBe("0x0000…0000");
    expect(assetIdText(`0x54${"0".repeat(58)}4242`)).toBe("0x5400…4242");
  });

  it("shortens to both ends", () => {
    expect(shortened("0xf1de9b05aaaaaaaa1234")).toBe("0xf1de…1234");
    expect(shortened("short")).toBe("short");
  });

  it.each([
    ["1", "RWA to stablecoin, exact in"],
    ["4", "stablecoin to RWA, exact out"],
    ["5", "RWA to RWA, exact in"],
    ["8", "stablecoin to stablecoin, exact out"],
    ["9", "route 9"],
  ])("route %s is %s", (routeId, text) => {
    expect(routeText(routeId)).toBe(text);
  });
});

it("activeWallets counts requested deposits, redemptions and other swaps, with those of the treasury first", () => {
  const other = `0x${"bb".repeat(20)}`;
  const at = (timestamp: string, ...activities: Realized[]) =>
    ({ activities, inclusion: { timestamp } }) as unknown as Schemas["Transaction"];
  const wallets = activeWallets(
    [
      at("30", realized({ user: other }), realized({ user: other })),
      at("20", realized({ assetOutId: "0xtreasury" }), realized({ assetInId: "0xtreasury" })),
      at("10", realized()),
      at("5", realized({ user: CORE_SWAP, operator: CORE_SWAP, assetOutId: "0xtreasury" })),
    ],
    new Set(["0xtreasury"]),
    CORE_SWAP,
  );
  expect(wallets).toEqual([
    { address: USER, deposits: 1, redemptions: 1, swaps: 1, lastSeen: "20" },
    { address: other, deposits: 0, redemptions: 0, swaps: 2, lastSeen: "30" },
  ]);
});
