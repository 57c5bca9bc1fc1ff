// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapPauseTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerHoldsNeitherTheOperatorNorTheExternalPauserRole(address caller) public {
        vm.assume(!core.hasRole(core.OPERATOR_ROLE(), caller));
        _assertOnlyRole(core.EXTERNAL_PAUSER_ROLE(), caller, abi.encodeCall(ICoreSwap.pause, ()));
        vm.expectRevert(_unauthorized(admin, core.EXTERNAL_PAUSER_ROLE()));
        vm.prank(admin);
        core.pause();
    }

    function test_RevertGiven_CoreSwapIsPaused() public {
        vm.startPrank(operator);
        core.pause();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        core.pause();
        vm.stopPrank();
    }

    function test_WhenTheOperatorOrTheExternalPauserCalls() public {
        address[2] memory callers = [operator, pauser];
        for (uint256 k = 0; k < 2; ++k) {
            vm.expectEmit(address(core));
            emit IPausable.Paused(callers[k]);
            vm.prank(callers[k]);
            core.pause();
            assertTrue(core.paused());
            vm.expectEmit(address(core));
            emit IPausable.Unpaused(operator);
            vm.prank(operator);
            core.unpause();
            assertFalse(core.paused());
        }
    }

    function test_WhenTheOperatorOrTheExternalPauserCallsOnce() public {
        address[2] memory callers = [operator, pauser];
        uint256 snapshot = vm.snapshotState();
        for (uint256 k = 0; k < 2; ++k) {
            _watchCore();
            _expectAnswer(address(core), abi.encodeCall(IPausable.paused, ()), true);
            _expectEvent(address(core));
            emit IPausable.Paused(callers[k]);
            _assertEffects(callers[k], address(core), abi.encodeCall(ICoreSwap.pause, ()));
            vm.revertToState(snapshot);
        }
    }
}
