// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title DailyLimit
/// @notice Limits an amount per day. Amounts are added to a sum, from which one limit leaks evenly over each 86,400 s.
/// @dev At most the limit is allowed at once, when the sum is zero, and at most twice the limit within any 24 hours. The
/// sum leaks whole units: each change of it loses less than one unit of the leak, which matters only for limits of a few
/// units, such as those of tokens without decimals. A limit is below 2^128, so nothing overflows.
library DailyLimit {
    /// @notice Returns the sum after leaking until now.
    /// @param used The sum, as it was at `since`.
    /// @param since Time of `used`, in seconds since the epoch.
    /// @param perDay The limit; the leak of a part of a day is rounded down.
    /// @return left The sum now.
    /// @return time The time to store with the sum: now, or `since` while less than one unit has leaked. Otherwise
    /// frequent small changes would round the leak to zero each time, and a sum of a few units would never leak.
    function leak(uint256 used, uint256 since, uint256 perDay) internal view returns (uint256 left, uint256 time) {
        // `since` is in the past, and the product fits (see above).
        unchecked {
            uint256 leaked = perDay * (block.timestamp - since) / 1 days;
            if (leaked == 0) return (used, since);
            return (used > leaked ? used - leaked : 0, block.timestamp);
        }
    }
}
