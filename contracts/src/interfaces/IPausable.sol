// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IPausable
/// @notice Events, errors and view of a pausable contract, under the names that OpenZeppelin's Pausable made common.
interface IPausable {
    /// @notice The contract was paused by `account`.
    /// @param account Caller that paused.
    event Paused(address account);

    /// @notice The pause was lifted by `account`.
    /// @param account Caller that lifted the pause.
    event Unpaused(address account);

    /// @notice The contract must not be paused for this call.
    error EnforcedPause();

    /// @notice The contract must be paused for this call.
    error ExpectedPause();

    /// @notice Returns whether the contract is paused.
    /// @return isPaused True while any cause of a pause is set.
    function paused() external view returns (bool isPaused);
}
