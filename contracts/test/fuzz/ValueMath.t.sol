// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "../helpers/BaseTest.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ValueMath} from "src/libraries/ValueMath.sol";

/// Tests scaling and conversion over the whole range. No input causes a panic.
contract ValueMathTest is BaseTest {
    uint256 private constant MAX = type(uint256).max;
    uint256 private constant MAX_WAD = type(uint128).max;

    function test_MaxWad_IsBelow2To128() public pure {
        assertEq(ValueMath.MAX_WAD, MAX_WAD);
    }

    function testFuzz_S24_IsWithinBounds_IsTheDefinition(uint256 amount, uint256 decimals) public pure {
        decimals = bound(decimals, 0, 18);
        uint256 scale = 10 ** (18 - decimals);
        bool isWithin = amount != 0 && amount <= MAX / scale && amount * scale <= MAX_WAD;
        assertEq(ValueMath.isWithinBounds(amount, decimals), isWithin);
        assertTrue(ValueMath.isWithinBounds(MAX_WAD / scale, decimals));
        assertFalse(ValueMath.isWithinBounds(MAX_WAD / scale + 1, decimals));
        assertFalse(ValueMath.isWithinBounds(0, decimals));
    }

    function testFuzz_Convert_WithinTheBounds_EqualsPlainArithmetic(
        uint128 amountWad,
        uint256 fromDecimals,
        uint256 toDecimals,
        uint128 fromPrice,
        uint128 toPrice
    ) public pure {
        fromDecimals = bound(fromDecimals, 0, 18);
        toDecimals = bound(toDecimals, 0, 18);
        vm.assume(fromPrice != 0 && toPrice != 0);
        uint256 amount = amountWad / 10 ** (18 - fromDecimals);
        uint256 scaled = amount * 10 ** (18 - fromDecimals) * fromPrice;
        uint256 scale = 10 ** (18 - toDecimals);
        assertEq(
            ValueMath.convert(amount, fromDecimals, fromPrice, toDecimals, toPrice, Math.Rounding.Floor),
            scaled / toPrice / scale
        );
        uint256 wad = scaled / toPrice + (scaled % toPrice == 0 ? 0 : 1);
        assertEq(
            ValueMath.convert(amount, fromDecimals, fromPrice, toDecimals, toPrice, Math.Rounding.Ceil),
            wad / scale + (wad % scale == 0 ? 0 : 1)
        );
    }

    /// If an intermediate value overflows 256 bits, the result is above the bound, at any price within its bound.
    function testFuzz_Convert_RoundingUp_WhenAStepExceeds256Bits_IsAboveTheBound(
        uint256 amount,
        uint256 fromPrice,
        uint256 toPrice,
        uint256 toDecimals
    ) public pure {
        fromPrice = bound(fromPrice, 2, MAX_WAD);
        toPrice = bound(toPrice, 1, MAX_WAD);
        amount = bound(amount, MAX / fromPrice + 1, MAX);
        toDecimals = bound(toDecimals, 0, 18);
        uint256 converted = ValueMath.convert(amount, 18, fromPrice, toDecimals, toPrice, Math.Rounding.Ceil);
        assertFalse(ValueMath.isWithinBounds(converted, toDecimals));
        converted = ValueMath.convert(MAX, 0, 1, toDecimals, toPrice, Math.Rounding.Ceil);
        assertFalse(ValueMath.isWithinBounds(converted, toDecimals));
    }

    function testFuzz_S6_Convert_ThereAndBackNeverGains(uint256 amount, uint256 price, uint256 otherPrice) public pure {
        amount = bound(amount, 0, MAX_WAD);
        price = bound(price, 1, MAX_WAD);
        otherPrice = bound(otherPrice, 1, MAX_WAD);
        uint256 there = ValueMath.convert(amount, 18, price, 6, otherPrice, Math.Rounding.Floor);
        assertLe(ValueMath.convert(there, 6, otherPrice, 18, price, Math.Rounding.Ceil), amount);
    }
}
