// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Math
/// @notice The functions of OpenZeppelin's `Math` that the libraries use, by their definition. It uses plain checked
/// arithmetic in place of 512-bit assembly, which the model checker cannot read.
/// @dev Products beyond 256 bits revert here and therefore lie outside of every proof.
library Math {
    enum Rounding {
        Floor,
        Ceil
    }

    function mulDiv(uint256 x, uint256 y, uint256 denominator) internal pure returns (uint256 result) {
        return x * y / denominator;
    }

    function mulDiv(uint256 x, uint256 y, uint256 denominator, Rounding rounding)
        internal
        pure
        returns (uint256 result)
    {
        return rounding == Rounding.Ceil ? ceilDiv(x * y, denominator) : x * y / denominator;
    }

    function ceilDiv(uint256 a, uint256 b) internal pure returns (uint256 result) {
        return a == 0 ? 0 : (a - 1) / b + 1;
    }

    function saturatingAdd(uint256 a, uint256 b) internal pure returns (uint256 result) {
        return a <= type(uint256).max - b ? a + b : type(uint256).max;
    }

    function saturatingMul(uint256 a, uint256 b) internal pure returns (uint256 result) {
        return b == 0 || a <= type(uint256).max / b ? a * b : type(uint256).max;
    }

    function max(uint256 a, uint256 b) internal pure returns (uint256 larger) {
        return a > b ? a : b;
    }
}
