// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title ValueMath
/// @notice Scales token amounts to WAD and converts amounts between assets at equal value.
/// @dev `MAX_WAD` bounds amounts and prices, so that the product of the two fits in 256 bits: `(2^128 - 1)^2 < 2^256`.
/// Nothing here panics: a result that does not fit becomes 2^256 - 1, and any amount in that is computed from it is
/// again above the bound, since `(2^256 - 1) / MAX_WAD > MAX_WAD`. `contracts/proofs` proves both.
///
/// `decimals` is at most 18 and prices are above zero; CoreSwap ensures both.
library ValueMath {
    /// @notice Largest amount of a leg, scaled to WAD, and largest price.
    uint256 internal constant MAX_WAD = type(uint128).max;

    /// @notice Converts an amount of one asset into the amount of another of the same USD value: `fromWad(toWad(amount)
    /// * fromPriceWad / toPriceWad)`, both divisions rounded in the given direction.
    /// @param amount Amount of the first asset, in its token units.
    /// @param fromDecimals Decimals of the first asset.
    /// @param fromPriceWad USD per whole token of the first asset, WAD.
    /// @param toDecimals Decimals of the second asset.
    /// @param toPriceWad USD per whole token of the second asset, WAD.
    /// @param rounding Floor or Ceil, for every step.
    /// @return converted Amount of the second asset, in its token units.
    function convert(
        uint256 amount,
        uint256 fromDecimals,
        uint256 fromPriceWad,
        uint256 toDecimals,
        uint256 toPriceWad,
        Math.Rounding rounding
    ) internal pure returns (uint256 converted) {
        uint256 amountWad = Math.saturatingMul(amount, _scale(fromDecimals));
        uint256 usdE36 = Math.saturatingMul(amountWad, fromPriceWad);
        return _div(_div(usdE36, toPriceWad, rounding), _scale(toDecimals), rounding);
    }

    /// @notice Returns whether an amount is within the bounds: above zero and, scaled to WAD, at most `MAX_WAD`.
    /// @param amount Amount in token units.
    /// @param decimals Decimals of the token, 0 … 18.
    /// @return isWithin True when it is.
    function isWithinBounds(uint256 amount, uint256 decimals) internal pure returns (bool isWithin) {
        return amount != 0 && amount <= MAX_WAD / _scale(decimals);
    }

    /// @dev Divides by a divisor above zero, rounded in the given direction.
    function _div(uint256 dividend, uint256 divisor, Math.Rounding rounding) private pure returns (uint256 quotient) {
        return rounding == Math.Rounding.Ceil ? Math.ceilDiv(dividend, divisor) : dividend / divisor;
    }

    /// @dev Returns the units of WAD in one unit of a token with 0 … 18 decimals: 10^(18 - decimals).
    function _scale(uint256 decimals) private pure returns (uint256 scale) {
        unchecked {
            return 10 ** (18 - decimals);
        }
    }
}
