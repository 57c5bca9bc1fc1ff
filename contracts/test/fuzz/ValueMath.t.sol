// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ValueMath} from "../../src/libraries/ValueMath.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";

/// Scaling and conversion over the whole range; nothing panics.
contract ValueMathTest is Test {
    uint256 private constant MAX = type(uint256).max;

    function test_TryMulDiv_AtTheEdgeOf256Bits() public pure {
        _assertMulDiv(MAX, MAX, MAX, Math.Rounding.Floor, true, MAX);
        _assertMulDiv(MAX, MAX, MAX, Math.Rounding.Ceil, true, MAX);
        _assertMulDiv(MAX, 2, 1, Math.Rounding.Floor, false, 0);
        _assertMulDiv(1, 1, 0, Math.Rounding.Floor, false, 0);
        _assertMulDiv(7, 1, 2, Math.Rounding.Floor, true, 3);
        _assertMulDiv(7, 1, 2, Math.Rounding.Ceil, true, 4);
        _assertMulDiv(8, 1, 2, Math.Rounding.Ceil, true, 4);
        // (2^255 - 1)(2^255 + 1) = 2^510 - 1, over 2^254 the quotient is 2^256 - 1 and a remainder: the floor fits, the
        // ceiling does not.
        _assertMulDiv(2 ** 255 - 1, 2 ** 255 + 1, 2 ** 254, Math.Rounding.Floor, true, MAX);
        _assertMulDiv(2 ** 255 - 1, 2 ** 255 + 1, 2 ** 254, Math.Rounding.Ceil, false, 0);
    }

    function testFuzz_TryMulDiv_EqualsPlainArithmetic(uint128 x, uint128 y, uint256 d) public pure {
        d = bound(d, 1, MAX);
        uint256 product = uint256(x) * y;
        _assertMulDiv(x, y, d, Math.Rounding.Floor, true, product / d);
        _assertMulDiv(x, y, d, Math.Rounding.Ceil, true, product / d + (product % d == 0 ? 0 : 1));
    }

    /// For a quotient q of any product: q*d <= x*y < (q+1)*d, compared in 512 bits.
    function testFuzz_TryMulDiv_IsTheFloorAtAnySize(uint256 x, uint256 y, uint256 d) public pure {
        d = bound(d, 1, MAX);
        (bool fits, uint256 q) = ValueMath.tryMulDiv(x, y, d, Math.Rounding.Floor);
        (uint256 high, uint256 low) = Math.mul512(x, y);
        assertEq(fits, high < d);
        if (!fits) return;
        (uint256 qHigh, uint256 qLow) = Math.mul512(q, d);
        assertTrue(qHigh < high || (qHigh == high && qLow <= low), "q*d <= x*y");
        uint256 restHigh = high - qHigh - (low < qLow ? 1 : 0);
        uint256 rest;
        unchecked {
            rest = low - qLow;
        }
        assertEq(restHigh, 0);
        assertLt(rest, d, "x*y < (q+1)*d");
    }

    function testFuzz_ToWad_ThenFromWad_IsTheSameAmount(uint256 amount, uint256 decimals) public pure {
        decimals = bound(decimals, 0, 18);
        (bool fits, uint256 wad) = ValueMath.tryToWad(amount, decimals);
        assertEq(fits, amount <= MAX / 10 ** (18 - decimals));
        if (!fits) {
            assertEq(wad, 0);
            return;
        }
        assertEq(wad, amount * 10 ** (18 - decimals));
        assertEq(ValueMath.fromWad(wad, decimals, Math.Rounding.Floor), amount);
        assertEq(ValueMath.fromWad(wad, decimals, Math.Rounding.Ceil), amount);
    }

    function testFuzz_FromWad_RoundsAsAsked(uint256 wad, uint256 decimals) public pure {
        decimals = bound(decimals, 0, 18);
        uint256 scale = 10 ** (18 - decimals);
        uint256 down = ValueMath.fromWad(wad, decimals, Math.Rounding.Floor);
        assertEq(down, wad / scale);
        assertEq(ValueMath.fromWad(wad, decimals, Math.Rounding.Ceil), down + (wad % scale == 0 ? 0 : 1));
    }

    function testFuzz_TryConvert_EqualsPlainArithmetic(
        uint96 amount,
        uint256 fromDecimals,
        uint256 toDecimals,
        uint80 fromPrice,
        uint80 toPrice
    ) public pure {
        fromDecimals = bound(fromDecimals, 0, 18);
        toDecimals = bound(toDecimals, 0, 18);
        vm.assume(fromPrice != 0 && toPrice != 0);
        uint256 scaled = uint256(amount) * 10 ** (18 - fromDecimals) * fromPrice;
        uint256 scale = 10 ** (18 - toDecimals);

        (bool fits, uint256 down) =
            ValueMath.tryConvert(amount, fromDecimals, fromPrice, toDecimals, toPrice, Math.Rounding.Floor);
        assertTrue(fits);
        assertEq(down, scaled / toPrice / scale);
        uint256 up;
        (fits, up) = ValueMath.tryConvert(amount, fromDecimals, fromPrice, toDecimals, toPrice, Math.Rounding.Ceil);
        assertTrue(fits);
        uint256 wad = (scaled + toPrice - 1) / toPrice;
        assertEq(up, (wad + scale - 1) / scale);
    }

    function testFuzz_TryConvert_WhenAStepExceeds256Bits_DoesNotFit(uint256 amount, uint256 price) public pure {
        price = bound(price, 1, MAX);
        amount = bound(amount, MAX / 1e18 + 1, MAX);
        _assertDoesNotConvert(amount, 0, price, price);
        _assertDoesNotConvert(amount, 18, 1e18, 1);
    }

    function testFuzz_S6_TryConvert_ThereAndBackNeverGains(uint256 amount, uint256 price, uint256 otherPrice)
        public
        pure
    {
        price = bound(price, 1, MAX);
        otherPrice = bound(otherPrice, 1, MAX);
        (bool fits, uint256 there) = ValueMath.tryConvert(amount, 18, price, 6, otherPrice, Math.Rounding.Floor);
        if (!fits) return;
        uint256 back;
        (fits, back) = ValueMath.tryConvert(there, 6, otherPrice, 18, price, Math.Rounding.Ceil);
        assertTrue(fits);
        assertLe(back, amount);
    }

    function _assertDoesNotConvert(uint256 amount, uint256 fromDecimals, uint256 fromPrice, uint256 toPrice)
        private
        pure
    {
        for (uint256 toDecimals; toDecimals <= 18; ++toDecimals) {
            (bool fits, uint256 converted) =
                ValueMath.tryConvert(amount, fromDecimals, fromPrice, toDecimals, toPrice, Math.Rounding.Floor);
            assertFalse(fits);
            assertEq(converted, 0);
        }
    }

    function _assertMulDiv(
        uint256 x,
        uint256 y,
        uint256 d,
        Math.Rounding rounding,
        bool expectedFits,
        uint256 expectedResult
    ) private pure {
        (bool fits, uint256 result) = ValueMath.tryMulDiv(x, y, d, rounding);
        assertEq(fits, expectedFits);
        assertEq(result, expectedResult);
    }
}
