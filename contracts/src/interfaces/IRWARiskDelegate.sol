// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IRWARiskDelegate
/// @notice Optional risk controls of one RWA, such as daily caps. CoreSwap asks them before any token of the leg moves.
/// @dev The functions are not views, so that an implementation can keep counters. An implementation must accept calls
/// from CoreSwap only, because a counter that anybody can change controls nothing.
interface IRWARiskDelegate {
    /// @notice Decides whether a user may pay an amount of the RWA in.
    /// @param user Account that pays the RWA.
    /// @param amount Amount in units of the RWA token.
    /// @return valid False refuses the leg.
    function checkRWAIn(address user, uint256 amount) external returns (bool valid);

    /// @notice Decides whether an amount of the RWA may be paid out to a receiver.
    /// @param receiver Account that receives the RWA.
    /// @param amount Amount in units of the RWA token.
    /// @return valid False refuses the leg.
    function checkRWAOut(address receiver, uint256 amount) external returns (bool valid);
}
