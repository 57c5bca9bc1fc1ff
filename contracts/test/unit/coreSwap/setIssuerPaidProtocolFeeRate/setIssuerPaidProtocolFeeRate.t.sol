// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapSetIssuerPaidProtocolFeeRateTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, _call(0));
    }

    function testFuzz_RevertWhen_TheRateIsAboveTheMaximum(uint256 rate) public {
        rate = bound(rate, MAX_RATE + 1, type(uint256).max);
        _assertRevert(operator, address(core), _call(rate), ICoreSwap.InvalidRate.selector);
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenTheRateIsAtMostTheMaximum(uint256 rate) public {
        rate = bound(rate, 0, MAX_RATE);
        vm.assume(rate != 0.0007e18);
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.issuerPaidProtocolFeeRates, (usdc.id)), rate);
        _expectEvent(address(core));
        emit ICoreSwap.IssuerPaidProtocolFeeRateSet(usdc.id, 0.0007e18, rate);
        _assertEffects(operator, address(core), _call(rate));
    }

    function test_WhenTheRateIsTheMaximum() public {
        vm.startPrank(operator);
        vm.expectEmit(address(core));
        emit ICoreSwap.IssuerPaidProtocolFeeRateSet(usdc.id, 0.0007e18, MAX_RATE);
        core.setIssuerPaidProtocolFeeRate(usdc.id, MAX_RATE);
        assertEq(core.issuerPaidProtocolFeeRates(usdc.id), MAX_RATE);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setIssuerPaidProtocolFeeRate(usdc.id, MAX_RATE + 1);
        vm.stopPrank();
    }

    function _call(uint256 rate) private view returns (bytes memory) {
        return abi.encodeCall(ICoreSwap.setIssuerPaidProtocolFeeRate, (usdc.id, rate));
    }
}
