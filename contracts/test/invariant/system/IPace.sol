// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IPace
/// @notice The functions of {Pace} that handlers call. {Pace} also calls the handlers.
interface IPace {
    /// @notice Called before each call that forge draws, with a random `seed`.
    function next(uint256 seed) external;

    /// @notice Number of calls that forge drew.
    function calls() external view returns (uint256);
}
