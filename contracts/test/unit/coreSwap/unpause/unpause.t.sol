// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapUnpauseTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        vm.prank(operator);
        core.pause();
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, abi.encodeCall(ICoreSwap.unpause, ()));
    }

    function test_RevertGiven_CoreSwapIsNotPaused() public {
        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(operator);
        core.unpause();
    }

    function test_GivenCoreSwapIsPaused() public {
        vm.prank(pauser);
        core.pause();
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(IPausable.paused, ()), false);
        _expectEvent(address(core));
        emit IPausable.Unpaused(operator);
        _assertEffects(operator, address(core), abi.encodeCall(ICoreSwap.unpause, ()));
    }
}
