// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IPausable
/// @notice Events, errors and view of a pausable contract, with the names that OpenZeppelin's Pausable made common.
interface IPausable {
    /// @notice The contract is paused from here on, by `account`.
    /// @param account Caller that paused.
    event Paused(address account);

    /// @notice The contract is no longer paused; `account` lifted the pause.
    /// @param account Caller that lifted the pause.
    event Unpaused(address account);

    /// @notice The call needs the contract not to be paused.
    error EnforcedPause();

    /// @notice The call needs the contract to be paused.
    error ExpectedPause();

    /// @notice Tells whether the contract is paused.
    /// @return isPaused True while it is.
    function paused() external view returns (bool isPaused);
}
