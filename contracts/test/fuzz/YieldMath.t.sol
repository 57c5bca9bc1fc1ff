// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "../helpers/BaseTest.sol";
import {ReferenceYield} from "../helpers/ReferenceYield.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {YieldMath} from "src/libraries/YieldMath.sol";

/// Compares the arithmetic of credits with its definitions.
contract YieldMathTest is BaseTest {
    uint256 private constant W = 1e18;
    uint256 private constant E = 1e36;
    uint256 private constant MAX_RATE = 1e18;
    uint256 private constant MAX_CREDITS = type(uint240).max;
    uint256 private constant MAX_MULTIPLIER = type(uint128).max;

    ReferenceYield private ref = new ReferenceYield();

    /* D5: growth of a day */

    function testFuzz_D5_DailyGrowth_IsTheLargestThatPassesThePowerTest(uint256 rate) public view {
        rate = bound(rate, 0, MAX_RATE);
        uint256 g = YieldMath.dailyGrowth(rate);
        assertLe(ref.p((W + g) * W), (W + rate) * W, "g passes");
        assertGt(ref.p((W + g + 1) * W), (W + rate) * W, "g + 1 does not");
        assertEq(g, ref.growth(rate), "bisection");
    }

    function testFuzz_D5_DailyGrowth_LosesLessThan365UnitsAYear(uint256 rate) public pure {
        rate = bound(rate, 0, MAX_RATE);
        uint256 year = YieldMath.powYear((W + YieldMath.dailyGrowth(rate)) * W);
        assertGe(year, (W + rate) * (W - 365));
    }

    function testFuzz_D5_DailyGrowth_IsMonotone(uint256 rate, uint256 other) public pure {
        rate = bound(rate, 0, MAX_RATE);
        other = bound(other, rate, MAX_RATE);
        assertLe(YieldMath.dailyGrowth(rate), YieldMath.dailyGrowth(other));
    }

    function test_D5_DailyGrowth_OfKnownRates() public pure {
        assertEq(YieldMath.dailyGrowth(0), 0);
        assertEq(YieldMath.dailyGrowth(364), 0, "less than a unit a day");
        assertEq(YieldMath.dailyGrowth(0.045e18), 120_601_478_394_943);
    }

    /// Tests the growth at every whole basis point up to the initial cap.
    function test_D5_DailyGrowth_OfEveryBasisPoint_IsExact() public view {
        for (uint256 bps = 1; bps <= 2_000; ++bps) {
            uint256 g = YieldMath.dailyGrowth(bps * 1e14);
            assertLe(ref.p((W + g) * W), W * W + bps * 1e32);
            assertGt(ref.p((W + g + 1) * W), W * W + bps * 1e32);
        }
    }

    function testFuzz_PowYear_IsTheReference(uint256 x) public view {
        x = bound(x, E, 1.003e36);
        assertEq(YieldMath.powYear(x), ref.p(x));
    }

    /* index and multipliers */

    function testFuzz_NextIndex_NeverFallsAndRoundsDown(uint256 index, uint256 growth) public pure {
        index = bound(index, E, type(uint128).max);
        growth = bound(growth, 0, 0.002e18);
        uint256 next = YieldMath.nextIndex(index, growth);
        assertGe(next, index);
        assertLe(next * W, index * (W + growth));
        assertGt((next + 1) * W, index * (W + growth));
    }

    function testFuzz_D21_Blend_IsTheFlooredAverage(uint256 c, uint256 m, uint256 n, uint256 k) public pure {
        c = bound(c, 0, 1e35);
        n = bound(n, 1, 1e35);
        m = bound(m, E, 100 * E);
        k = bound(k, E, 100 * E);
        assertEq(YieldMath.blend(c, m, n, k), (c * m + n * k) / (c + n));
    }

    function testFuzz_D21_Blend_OfAnyAmounts_LiesBetweenItsParts(uint256 c, uint256 m, uint256 n, uint256 k)
        public
        pure
    {
        c = bound(c, 0, MAX_CREDITS);
        n = bound(n, 1, MAX_CREDITS);
        m = bound(m, E, MAX_MULTIPLIER);
        k = bound(k, E, MAX_MULTIPLIER);
        uint256 blended = YieldMath.blend(c, m, n, k);
        assertGe(blended, Math.min(m, k));
        assertLe(blended, Math.max(m, k));
    }

    function testFuzz_Grow_RoundsDownAndNeverBelowItself(uint256 m, uint256 from, uint256 to) public pure {
        m = bound(m, E, 10 * E);
        from = bound(from, E, type(uint128).max);
        to = bound(to, from, type(uint128).max);
        assertEq(YieldMath.grow(m, from, to), Math.mulDiv(m, to, from));
        assertGe(YieldMath.grow(m, from, to), m);
    }

    /* value and its inverse */

    function testFuzz_ValueOf_IsTheFormula(uint256 credits, uint256 m, uint256 growth, uint256 elapsed) public pure {
        credits = bound(credits, 0, 1e33);
        m = bound(m, E, 100 * E);
        growth = bound(growth, 0, 0.002e18);
        elapsed = bound(elapsed, 0, 7 days);
        uint256 main = credits * m / E;
        assertEq(YieldMath.valueOf(credits, m, growth * elapsed), main + main * growth * elapsed / 86_400 / W);
    }

    function testFuzz_D11_CreditsFor_AreTheFewestThatReachTheValue(
        uint256 value,
        uint256 m,
        uint256 growth,
        uint256 elapsed
    ) public pure {
        value = bound(value, 1, MAX_CREDITS);
        m = bound(m, E, MAX_MULTIPLIER);
        uint256 weight = bound(growth, 0, 0.002e18) * bound(elapsed, 0, 7 days);
        uint256 credits = YieldMath.creditsFor(value, m, weight);
        assertGe(YieldMath.valueOf(credits, m, weight), value, "enough");
        assertLt(YieldMath.valueOf(credits - 1, m, weight), value, "one less is not");
        assertLe(credits, value);
    }

    function testFuzz_D20_ValueOf_IsNeverMoreInParts(uint256 a, uint256 b, uint256 m, uint256 growth, uint256 elapsed)
        public
        pure
    {
        a = bound(a, 0, MAX_CREDITS / 2);
        b = bound(b, 0, MAX_CREDITS / 2);
        m = bound(m, E, 10 * E);
        uint256 weight = bound(growth, 0, 0.002e18) * bound(elapsed, 0, 7 days);
        uint256 parts = YieldMath.valueOf(a, m, weight) + YieldMath.valueOf(b, m, weight);
        assertLe(parts, YieldMath.valueOf(a + b, m, weight));
    }

    /// A case that random inputs do not meet: a growth of one unit, paid for one second, is one unit per 86,400e18.
    function test_ValueOf_WithTheSmallestPartialWeight_PaysIt() public pure {
        uint256 credits = 5 * 86_400e18;
        assertEq(YieldMath.valueOf(credits, E, 1), credits + 5);
        assertEq(YieldMath.valueOf(credits - 1, E, 1), credits - 1 + 4);
    }
}
