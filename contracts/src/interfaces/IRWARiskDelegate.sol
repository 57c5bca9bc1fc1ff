// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IRWARiskDelegate
/// @notice Optional risk controls of one RWA, such as daily caps. CoreSwap asks them before any token of the leg moves.
/// @dev The functions are not views, so that an implementation may count. It must accept calls from CoreSwap only: a
/// counter that anybody can change controls nothing.
interface IRWARiskDelegate {
    /// @notice Decides on an amount of the RWA that a user hands in.
    /// @param user Account that pays the RWA.
    /// @param amount Amount in units of the RWA token.
    /// @return valid False refuses the leg.
    function checkRWAIn(address user, uint256 amount) external returns (bool valid);

    /// @notice Decides on an amount of the RWA that is paid out.
    /// @param receiver Account that gets the RWA.
    /// @param amount Amount in units of the RWA token.
    /// @return valid False refuses the leg.
    function checkRWAOut(address receiver, uint256 amount) external returns (bool valid);
}
