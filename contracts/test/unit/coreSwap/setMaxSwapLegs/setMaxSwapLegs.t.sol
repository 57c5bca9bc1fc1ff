// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapSetMaxSwapLegsTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, abi.encodeCall(ICoreSwap.setMaxSwapLegs, (1)));
    }

    function testFuzz_RevertWhen_TheLimitIsZeroOrAboveThirtyTwo(uint256 limit) public {
        limit = limit % 4 == 0 ? 0 : bound(limit, 33, type(uint256).max);
        bytes memory data = abi.encodeCall(ICoreSwap.setMaxSwapLegs, (limit));
        _assertRevert(operator, address(core), data, ICoreSwap.InvalidLegCount.selector);
    }

    function test_WhenTheLimitIsABound() public {
        vm.startPrank(operator);
        core.setMaxSwapLegs(1);
        assertEq(core.maxSwapLegs(), 1);
        core.setMaxSwapLegs(32);
        assertEq(core.maxSwapLegs(), 32);
        vm.expectRevert(ICoreSwap.InvalidLegCount.selector);
        core.setMaxSwapLegs(0);
        vm.expectRevert(ICoreSwap.InvalidLegCount.selector);
        core.setMaxSwapLegs(33);
        vm.stopPrank();
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenTheLimitIsBetweenTheBounds(uint256 limit) public {
        limit = bound(limit, 1, 32);
        vm.assume(limit != core.maxSwapLegs());
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.maxSwapLegs, ()), limit);
        _expectEvent(address(core));
        emit ICoreSwap.MaxSwapLegsSet(10, limit);
        _assertEffects(operator, address(core), abi.encodeCall(ICoreSwap.setMaxSwapLegs, (limit)));
    }
}
