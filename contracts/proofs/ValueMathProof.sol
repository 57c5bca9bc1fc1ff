// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ValueMath} from "../src/libraries/ValueMath.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title ValueMathProof
/// @notice No product of an amount and a price within their bounds needs more than 256 bits, and a value that does not
/// fit ends above the bound. Each rounding has the stated direction and is less than a unit. Scaling up and back down
/// is exact.
/// @dev The checker does not support `10 ** n`, so these proofs restate the library's lines with a factor in the range
/// of the powers of ten up to 1e18. The tests run the library itself for each number of decimals.
contract ValueMathProof {
    /// The first product of a conversion: the amount in or out, at its price.
    function productOfAmountAndPrice(uint256 amountWad, uint256 priceWad) external pure {
        require(amountWad <= ValueMath.MAX_WAD && priceWad != 0 && priceWad <= ValueMath.MAX_WAD);
        assert(amountWad <= type(uint256).max / priceWad);
    }

    /// The second product of an exact-in leg: the value in the settling stablecoin, scaled to its token and reduced by fees,
    /// at that stablecoin's price. It is at most the first one.
    function productOfValueAndPrice(uint256 usdE36, uint256 settlementPriceWad, uint256 scale, uint256 net)
        external
        pure
    {
        require(settlementPriceWad != 0 && scale != 0 && scale <= 1e18);
        uint256 gross = usdE36 / settlementPriceWad / scale;
        require(net <= gross);
        assert(net <= type(uint256).max / scale);
        assert(net == 0 || settlementPriceWad <= type(uint256).max / net / scale);
    }

    /// A saturated product is above the bound after division by any price.
    function saturatedProductIsAboveTheBound(uint256 priceWad) external pure {
        require(priceWad != 0 && priceWad <= ValueMath.MAX_WAD);
        assert(type(uint256).max / priceWad > ValueMath.MAX_WAD);
    }

    function floor(uint256 dividend, uint256 divisor) external pure {
        require(divisor != 0);
        uint256 down = dividend / divisor;
        assert(down * divisor <= dividend);
        assert(dividend - down * divisor < divisor);
    }

    function ceil(uint256 dividend, uint256 divisor) external pure {
        require(dividend <= type(uint128).max && divisor != 0 && divisor <= type(uint112).max);
        uint256 up = Math.ceilDiv(dividend, divisor);
        assert(up * divisor >= dividend);
        assert(up * divisor - dividend < divisor);
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
