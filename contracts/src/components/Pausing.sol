// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPausable} from "../interfaces/IPausable.sol";

/// @title Pausing
/// @notice A pause with one or more causes, each set and cleared separately: the contract is paused while any is set.
/// @dev OpenZeppelin's Pausable has one cause and keeps it in a slot of its own. Here the contract chooses where to
/// store the causes, so that they can share a slot that its calls read anyway.
abstract contract Pausing is IPausable {
    /// @notice The cause that every contract has. In contracts with several causes, it is the emergency.
    uint8 internal constant EMERGENCY_PAUSE = 1 << 0;

    /// @notice Allows a call only while not paused.
    modifier whenNotPaused() {
        _requireNotPaused();
        _;
    }

    /// @inheritdoc IPausable
    function paused() public view returns (bool isPaused) {
        return _pauseCauses() != 0;
    }

    /// @dev Sets a cause of the pause, one bit; `EnforcedPause` when it is already set.
    function _pause(uint8 cause) internal {
        uint8 causes = _pauseCauses();
        if (causes & cause != 0) revert EnforcedPause();
        _setPauseCauses(causes | cause);
        emit Paused(msg.sender);
    }

    /// @dev Clears a cause of the pause, one bit; `ExpectedPause` when it is not set. Emits `Unpaused` when the last
    /// cause is cleared.
    function _unpause(uint8 cause) internal {
        uint8 causes = _pauseCauses();
        if (causes & cause == 0) revert ExpectedPause();
        _setPauseCauses(causes & ~cause);
        if (causes == cause) emit Unpaused(msg.sender);
    }

    /// @dev Stores the causes of the pause, one bit each.
    function _setPauseCauses(uint8 causes) internal virtual;

    /// @dev Returns the causes of the pause, one bit each; zero while not paused.
    function _pauseCauses() internal view virtual returns (uint8 causes);

    /// @dev Refuses a call while paused.
    function _requireNotPaused() internal view {
        if (paused()) revert EnforcedPause();
    }
}
