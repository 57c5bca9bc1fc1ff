// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ValueMath} from "../src/libraries/ValueMath.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title ValueMathProof
/// @notice Roundings go the way they say and by less than a unit, and scaling up and back down is exact.
/// @dev The checker has no `10 ** n`, so the scaling proofs restate the library's two lines for every factor that a power
/// of ten up to 1e18 can be; the tests run the library itself for each number of decimals.
contract ValueMathProof {
    function floor(uint256 x, uint256 y, uint256 denominator) external pure {
        require(x <= type(uint112).max && y <= type(uint112).max);
        (bool fits, uint256 result) = ValueMath.tryMulDiv(x, y, denominator, Math.Rounding.Floor);
        assert(fits == (denominator != 0));
        if (!fits) return;
        assert(result * denominator <= x * y);
        assert(x * y - result * denominator < denominator);
    }

    function ceil(uint256 x, uint256 y, uint256 denominator) external pure {
        require(x <= type(uint112).max && y <= type(uint112).max && denominator <= type(uint112).max);
        (bool fits, uint256 result) = ValueMath.tryMulDiv(x, y, denominator, Math.Rounding.Ceil);
        assert(fits == (denominator != 0));
        if (!fits) return;
        assert(result * denominator >= x * y);
        assert(result * denominator - x * y < denominator);
    }

    function scaleUpAndDown(uint256 amount, uint256 scale) external pure {
        require(amount <= type(uint128).max && scale != 0 && scale <= 1e18);
        assert(amount * scale / scale == amount);
        assert(Math.ceilDiv(amount * scale, scale) == amount);
    }

    function scaleDown(uint256 amountWad, uint256 scale) external pure {
        require(amountWad <= type(uint128).max && scale != 0 && scale <= 1e18);
        uint256 down = amountWad / scale;
        uint256 up = Math.ceilDiv(amountWad, scale);
        assert(down * scale <= amountWad);
        assert(up * scale >= amountWad);
        assert(up - down <= 1);
    }
}
