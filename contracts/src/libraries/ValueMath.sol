// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title ValueMath
/// @notice Scales token amounts to WAD and converts an amount of one asset into the amount of another of equal value.
/// @dev Nothing here panics: functions named `try…` report a result beyond 256 bits in their first return value.
/// Products are computed in 512 bits. `decimals` is at most 18 and prices are above zero; CoreSwap sees to both.
library ValueMath {
    /// @notice Computes `x * y / denominator` in 512 bits, rounded as asked.
    /// @param x First factor.
    /// @param y Second factor.
    /// @param denominator Divisor; zero counts as a result that does not fit.
    /// @param rounding Floor or Ceil.
    /// @return fits False when the result needs more than 256 bits.
    /// @return result The quotient, zero when it does not fit.
    function tryMulDiv(uint256 x, uint256 y, uint256 denominator, Math.Rounding rounding)
        internal
        pure
        returns (bool fits, uint256 result)
    {
        (uint256 high, uint256 low) = Math.mul512(x, y);
        // The quotient fits exactly when the upper word of the product is below the divisor.
        if (high >= denominator) return (false, 0);
        // The products of almost all legs take one word, and are divided at a fraction of the gas.
        if (high == 0) return (true, _div(low, denominator, rounding));
        result = Math.mulDiv(x, y, denominator);
        if (Math.unsignedRoundsUp(rounding) && mulmod(x, y, denominator) != 0) return Math.tryAdd(result, 1);
        return (true, result);
    }

    /// @notice Scales a token amount to WAD; exact.
    /// @param amount Amount in token units.
    /// @param decimals Decimals of the token, 0 … 18.
    /// @return fits False when the result needs more than 256 bits.
    /// @return amountWad Amount in WAD, zero when it does not fit.
    function tryToWad(uint256 amount, uint256 decimals) internal pure returns (bool fits, uint256 amountWad) {
        uint256 scale = _scale(decimals);
        if (amount > type(uint256).max / scale) return (false, 0);
        unchecked {
            return (true, amount * scale);
        }
    }

    /// @notice Scales a WAD amount to token units, rounded as asked.
    /// @param amountWad Amount in WAD.
    /// @param decimals Decimals of the token, 0 … 18.
    /// @param rounding Floor or Ceil.
    /// @return amount Amount in token units.
    function fromWad(uint256 amountWad, uint256 decimals, Math.Rounding rounding)
        internal
        pure
        returns (uint256 amount)
    {
        return _div(amountWad, _scale(decimals), rounding);
    }

    /// @notice Converts an amount of one asset into the amount of another of the same USD value:
    /// `fromWad(toWad(amount) * fromPriceWad / toPriceWad)`, both divisions rounded as asked.
    /// @param amount Amount of the first asset, in its token units.
    /// @param fromDecimals Decimals of the first asset.
    /// @param fromPriceWad USD per whole token of the first asset, WAD.
    /// @param toDecimals Decimals of the second asset.
    /// @param toPriceWad USD per whole token of the second asset, WAD.
    /// @param rounding Floor or Ceil, for every step.
    /// @return fits False when a step needs more than 256 bits.
    /// @return converted Amount of the second asset, in its token units, zero when it does not fit.
    function tryConvert(
        uint256 amount,
        uint256 fromDecimals,
        uint256 fromPriceWad,
        uint256 toDecimals,
        uint256 toPriceWad,
        Math.Rounding rounding
    ) internal pure returns (bool fits, uint256 converted) {
        uint256 wad;
        (fits, wad) = tryToWad(amount, fromDecimals);
        if (!fits) return (false, 0);
        return tryConvertWad(wad, fromPriceWad, toDecimals, toPriceWad, rounding);
    }

    /// @notice Converts an amount as {tryConvert} does, from its first step on.
    /// @param amountWad Amount of the first asset, in WAD.
    /// @param fromPriceWad USD per whole token of the first asset, WAD.
    /// @param toDecimals Decimals of the second asset.
    /// @param toPriceWad USD per whole token of the second asset, WAD.
    /// @param rounding Floor or Ceil, for every step.
    /// @return fits False when the conversion needs more than 256 bits.
    /// @return converted Amount of the second asset, in its token units, zero when it does not fit.
    function tryConvertWad(
        uint256 amountWad,
        uint256 fromPriceWad,
        uint256 toDecimals,
        uint256 toPriceWad,
        Math.Rounding rounding
    ) internal pure returns (bool fits, uint256 converted) {
        (fits, converted) = tryMulDiv(amountWad, fromPriceWad, toPriceWad, rounding);
        return (fits, fromWad(converted, toDecimals, rounding));
    }

    /// @notice Divides, rounded as asked.
    /// @param dividend Dividend.
    /// @param divisor Divisor, not zero.
    /// @param rounding Floor or Ceil.
    /// @return quotient The quotient.
    function _div(uint256 dividend, uint256 divisor, Math.Rounding rounding) private pure returns (uint256 quotient) {
        unchecked {
            quotient = dividend / divisor;
            // A quotient of less than the dividend has room for one more, and one that is the dividend is exact.
            if (rounding == Math.Rounding.Ceil && quotient * divisor != dividend) ++quotient;
        }
    }

    /// @notice Units of WAD in one unit of a token.
    /// @param decimals Decimals of the token, 0 … 18.
    /// @return scale 10^(18 - decimals).
    function _scale(uint256 decimals) private pure returns (uint256 scale) {
        unchecked {
            return 10 ** (18 - decimals);
        }
    }
}
