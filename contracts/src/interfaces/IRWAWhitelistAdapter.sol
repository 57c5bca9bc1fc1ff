// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IRWAWhitelistAdapter
/// @notice Tells who may hold an RWA, according to the register that the RWA's issuer keeps.
interface IRWAWhitelistAdapter {
    /// @notice Returns whether an account may pay in or receive the RWA.
    /// @param account The user of a leg that takes the RWA in, or the receiver of a leg that pays it out.
    /// @return allowed True when the account may.
    function isWhitelisted(address account) external view returns (bool allowed);
}
