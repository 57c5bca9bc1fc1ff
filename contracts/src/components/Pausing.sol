// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPausable} from "../interfaces/IPausable.sol";

/// @title Pausing
/// @notice A pause with one or more causes, each set and cleared apart: the contract is paused while any is set.
/// @dev OpenZeppelin's Pausable knows one cause, and keeps it in a slot of its own. Here the contract names the place, so
/// that the pause stands in a slot that its calls read anyway.
abstract contract Pausing is IPausable {
    /// @notice The cause that every contract has. Where there are others, this one is the emergency.
    uint8 internal constant EMERGENCY_PAUSE = 1 << 0;

    /// @notice Lets a call through only while not paused.
    modifier whenNotPaused() {
        _requireNotPaused();
        _;
    }

    /// @inheritdoc IPausable
    function paused() public view returns (bool isPaused) {
        return _pauseCauses() != 0;
    }

    /// @notice Sets a cause of the pause; `EnforcedPause` when it is set.
    /// @param cause One bit.
    function _pause(uint8 cause) internal {
        uint8 causes = _pauseCauses();
        if (causes & cause != 0) revert EnforcedPause();
        _setPauseCauses(causes | cause);
        emit Paused(msg.sender);
    }

    /// @notice Clears a cause of the pause; `ExpectedPause` when it is not set. `Unpaused` tells of the last one.
    /// @param cause One bit.
    function _unpause(uint8 cause) internal {
        uint8 causes = _pauseCauses();
        if (causes & cause == 0) revert ExpectedPause();
        _setPauseCauses(causes & ~cause);
        if (causes == cause) emit Unpaused(msg.sender);
    }

    /// @notice Stores the causes of the pause.
    /// @param causes One bit each.
    function _setPauseCauses(uint8 causes) internal virtual;

    /// @notice Reads the causes of the pause.
    /// @return causes One bit each, none while not paused.
    function _pauseCauses() internal view virtual returns (uint8 causes);

    /// @notice Refuses a call while paused.
    function _requireNotPaused() internal view {
        if (paused()) revert EnforcedPause();
    }
}
