// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapSetSpreadProtocolTakeRateTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, abi.encodeCall(ICoreSwap.setSpreadProtocolTakeRate, (0)));
    }

    function testFuzz_RevertWhen_TheRateIsAboveOne(uint256 rate) public {
        bytes memory data =
            abi.encodeCall(ICoreSwap.setSpreadProtocolTakeRate, (bound(rate, WAD + 1, type(uint256).max)));
        _assertRevert(operator, address(core), data, ICoreSwap.InvalidRate.selector);
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenTheRateIsAtMostOne(uint256 rate) public {
        rate = bound(rate, 0, WAD);
        vm.assume(rate != 0.2e18);
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.spreadProtocolTakeRate, ()), rate);
        _expectEvent(address(core));
        emit ICoreSwap.SpreadProtocolTakeRateSet(0.2e18, rate);
        _assertEffects(operator, address(core), abi.encodeCall(ICoreSwap.setSpreadProtocolTakeRate, (rate)));
    }

    function test_WhenTheRateIsOne() public {
        vm.startPrank(operator);
        vm.expectEmit(address(core));
        emit ICoreSwap.SpreadProtocolTakeRateSet(0.2e18, WAD);
        core.setSpreadProtocolTakeRate(WAD);
        assertEq(core.spreadProtocolTakeRate(), WAD);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setSpreadProtocolTakeRate(WAD + 1);
        vm.stopPrank();
    }
}
