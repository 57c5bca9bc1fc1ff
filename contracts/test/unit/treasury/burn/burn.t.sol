// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasuryBurnTest is TreasuryTest {
    function testFuzz_RevertWhen_AnyRuleIsBroken_T8(bool isBlacklisted, bool isPaused, uint256 amount) public {
        if (isBlacklisted) _blacklist(ALICE);
        if (isPaused) _pause();
        uint256 balance = treasury.balanceOf(ALICE);
        amount = bound(amount, 0, 2 * balance);
        if (amount < balance / 4) amount = 0;

        bytes memory expectedError;
        if (amount == 0) expectedError = abi.encodeWithSelector(ITreasury.InvalidAmount.selector);
        else if (isPaused) expectedError = abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        else if (isBlacklisted) expectedError = abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, ALICE);
        else if (amount > balance) expectedError = _insufficientBalance(ALICE, balance, amount);

        _callAndAssertOutcome(ALICE, abi.encodeCall(ITreasury.burn, (amount)), expectedError);
    }

    function test_WhenTheHolderIsABridge() public {
        _bridgeMint(BRIDGE, 7);
        vm.recordLogs();
        vm.prank(BRIDGE);
        treasury.burn(7);
        assertEq(vm.getRecordedLogs().length, 1, "Transfer alone");
    }

    function test_WhenTheHolderBurns() public {
        _watchTreasury();
        _expectBalance(ALICE, treasury.balanceOf(ALICE) - 7);
        _expectAnswer(address(treasury), abi.encodeCall(IERC20.totalSupply, ()), treasury.totalSupply() - 7);
        _expectEvent(address(treasury));
        emit IERC20.Transfer(ALICE, address(0), 7);
        _assertEffects(ALICE, address(treasury), abi.encodeCall(ITreasury.burn, (7)));
    }
}
