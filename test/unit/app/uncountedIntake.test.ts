import { expect, it } from "vitest";
import { uncountedIntakeOf } from "../../../app/src/lps/uncountedIntake.ts";

const [LP, ONE, OTHER] = ["0x01", "0x02", "0x03"] as const;

/** An LP with the given custodies of its own stablecoin and of an RWA. */
const lpWith = (stablecoin: string | null, rwa: string | null | undefined, yieldBearing = false) =>
  uncountedIntakeOf(
    {
      stablecoinId: "0xaa",
      yieldBearing,
      holdings: [
        { kind: "stablecoin", custody: stablecoin },
        ...(rwa === undefined ? [] : [{ kind: "rwa" as const, custody: rwa }]),
      ],
    },
    LP,
  );

it("is the own stablecoin only of a plain LP with one account other than itself as both custodies", () => {
  expect(lpWith(ONE, ONE)).toBe("0xaa");
  expect(lpWith(ONE, ONE, true)).toBe(null);
  expect(lpWith(ONE, OTHER)).toBe(null);
  expect(lpWith(LP, LP)).toBe(null);
});

it("is none while a custody is not known", () => {
  expect(lpWith(null, null)).toBe(null);
  expect(lpWith(ONE, null)).toBe(null);
  expect(lpWith(ONE, undefined)).toBe(null);
});
