// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title DailyLimit
/// @notice Bounds what passes in a day: what passed adds up, and the sum leaks the limit evenly over each 86,400 s.
/// @dev From an empty sum one limit passes at once, and at most twice the limit within any 24 hours. A limit is
/// below 2^128, so nothing overflows.
library DailyLimit {
    /// @notice Returns the sum after it leaked until now.
    /// @param used The sum, as it was at `since`.
    /// @param since When it was, in seconds since the epoch.
    /// @param perDay The limit; the leak of a part of a day is rounded down.
    /// @return left The sum now.
    /// @return time The time to keep with it: now, or `since` as long as less than one unit leaked, because an amount of
    /// few units would never leak if frequent small changes cut its leak off.
    function leak(uint256 used, uint256 since, uint256 perDay) internal view returns (uint256 left, uint256 time) {
        // `since` is past, and the product fits as said above.
        unchecked {
            uint256 leaked = perDay * (block.timestamp - since) / 1 days;
            if (leaked == 0) return (used, since);
            return (used > leaked ? used - leaked : 0, block.timestamp);
        }
    }
}
