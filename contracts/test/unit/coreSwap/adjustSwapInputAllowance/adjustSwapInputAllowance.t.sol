// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapAdjustSwapInputAllowanceTest is CoreSwapTest {
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenTheAllowanceIsRaised(uint256 before, uint256 amount) public {
        before = bound(before, 0, type(uint256).max - 1);
        amount = bound(amount, 1, type(uint256).max);
        _check(before, amount, true, amount > type(uint256).max - before ? type(uint256).max : before + amount);
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenTheAllowanceIsLowered(uint256 before, uint256 amount) public {
        before = bound(before, 1, type(uint256).max);
        amount = bound(amount, 1, type(uint256).max);
        _check(before, amount, false, amount > before ? 0 : before - amount);
    }

    function _check(uint256 before, uint256 amount, bool increase, uint256 expected) private {
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, usdc.id, before, true);
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.swapInputAllowances, (user, broker, usdc.id)), expected);
        _expectEvent(address(core));
        emit ICoreSwap.SwapInputAllowanceSet(user, broker, usdc.id, expected);
        _assertEffects(
            user, address(core), abi.encodeCall(ICoreSwap.adjustSwapInputAllowance, (broker, usdc.id, amount, increase))
        );
    }
}
