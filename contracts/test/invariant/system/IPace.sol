// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IPace
/// @notice What handlers know of {Pace}, which calls them itself.
interface IPace {
    /// @notice Comes before each call that forge draws; `seed` is random.
    function next(uint256 seed) external;

    /// @notice Calls that forge drew.
    function calls() external view returns (uint256);
}
