// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

/// @dev Flags and callers, no arithmetic: a few hundred draws cover all cases.
/// forge-config: default.fuzz.runs = 256
contract TreasuryPauseTest is TreasuryTest {
    function testFuzz_RevertWhen_TheCallerIsNotAPauser(address caller, bool pauses) public {
        bytes memory data = pauses ? abi.encodeCall(ITreasury.pause, ()) : abi.encodeCall(ITreasury.unpause, ());
        _assertOnlyRole(treasury.PAUSER_ROLE(), caller, data);
    }

    function testFuzz_RevertWhen_TheRoleIsMissingOrTheStateIsThatOneAlready(bool hasRole, bool isPaused) public {
        address caller = hasRole ? PAUSER : ADMIN;
        if (isPaused) _pause();
        bytes memory unauthorized = hasRole ? bytes("") : _unauthorized(caller, treasury.PAUSER_ROLE());
        bytes memory enforced = abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        bytes memory expected = abi.encodeWithSelector(Pausable.ExpectedPause.selector);

        uint256 snapshot = vm.snapshotState();
        _callAndAssertOutcome(
            caller,
            abi.encodeCall(ITreasury.pause, ()),
            unauthorized.length != 0 ? unauthorized : isPaused ? enforced : bytes("")
        );
        vm.revertToState(snapshot);
        _callAndAssertOutcome(
            caller,
            abi.encodeCall(ITreasury.unpause, ()),
            unauthorized.length != 0 ? unauthorized : isPaused ? bytes("") : expected
        );
    }

    function test_WhenThePauserToggles() public {
        _watchTreasury();
        _expectAnswer(address(treasury), abi.encodeCall(Pausable.paused, ()), true);
        _expectEvent(address(treasury));
        emit Pausable.Paused(PAUSER);
        _assertEffects(PAUSER, address(treasury), abi.encodeCall(ITreasury.pause, ()));

        _watchTreasury();
        _expectAnswer(address(treasury), abi.encodeCall(Pausable.paused, ()), false);
        _expectEvent(address(treasury));
        emit Pausable.Unpaused(PAUSER);
        _assertEffects(PAUSER, address(treasury), abi.encodeCall(ITreasury.unpause, ()));
    }
}
