// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasuryBurnFromTest is TreasuryTest {
    function testFuzz_RevertWhen_AnyRuleIsBroken_T6_T8(
        bool byBridge,
        bool isSpenderBlacklisted,
        bool isHolderBlacklisted,
        bool isPaused,
        uint256 allowance,
        uint256 amount
    ) public {
        address caller = byBridge ? BRIDGE : SPENDER;
        uint256 balance = treasury.balanceOf(ALICE);
        allowance = bound(allowance, 0, 3 * balance);
        amount = bound(amount, 0, 2 * balance);
        if (amount < balance / 4) amount = 0;
        _approve(ALICE, caller, allowance);
        if (isSpenderBlacklisted) _blacklist(caller);
        if (isHolderBlacklisted) _blacklist(ALICE);
        if (isPaused) _pause();

        bytes memory expectedError;
        if (amount == 0) {
            expectedError = abi.encodeWithSelector(ITreasury.InvalidAmount.selector);
        } else if (isSpenderBlacklisted) {
            expectedError = abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, caller);
        } else if (amount > allowance) {
            expectedError =
                abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, caller, allowance, amount);
        } else if (isPaused) {
            expectedError = abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        } else if (isHolderBlacklisted) {
            expectedError = abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, ALICE);
        } else if (amount > balance) {
            expectedError = _insufficientBalance(ALICE, balance, amount);
        }

        _callAndAssertOutcome(caller, abi.encodeCall(ITreasury.burnFrom, (ALICE, amount)), expectedError);
    }

    function test_RevertWhen_TheHolderIsTheZeroAddress() public {
        vm.expectRevert(ITreasury.ZeroAddress.selector);
        vm.prank(SPENDER);
        treasury.burnFrom(address(0), 1);
    }

    function test_WhenTheCallerIsNoBridge() public {
        _approve(ALICE, SPENDER, 10);
        State memory expected = _state();
        expected.supply -= 7;
        expected.balances[ALICE_INDEX] -= 7;
        expected.allowances[_allowanceIndex(ALICE_INDEX, SPENDER_INDEX)] = 3;

        vm.recordLogs();
        vm.prank(SPENDER);
        treasury.burnFrom(ALICE, 7);

        assertEq(vm.getRecordedLogs().length, 1, "Transfer alone");
        _assertState(expected);
    }

    function test_WhenTheCallerIsABridge_T4() public {
        _approve(ALICE, BRIDGE, type(uint256).max);
        State memory expected = _state();
        expected.supply -= 7;
        expected.balances[ALICE_INDEX] -= 7;

        vm.expectEmit(address(treasury));
        emit ITreasury.BridgeBurn(BRIDGE, ALICE, 7);
        vm.expectEmit(address(treasury));
        emit IERC20.Transfer(ALICE, address(0), 7);
        vm.prank(BRIDGE);
        treasury.burnFrom(ALICE, 7);

        _assertState(expected);
    }

    function test_WhenTheCallerIsABridgeAndAllIsWatched_T9() public {
        _approve(ALICE, BRIDGE, 10);
        _watchTreasury();
        _expectBalance(ALICE, treasury.balanceOf(ALICE) - 7);
        _expectAnswer(address(treasury), abi.encodeCall(IERC20.totalSupply, ()), treasury.totalSupply() - 7);
        _expectAnswer(address(treasury), abi.encodeCall(IERC20.allowance, (ALICE, BRIDGE)), 3);
        _expectEvent(address(treasury));
        emit ITreasury.BridgeBurn(BRIDGE, ALICE, 7);
        _expectEvent(address(treasury));
        emit IERC20.Transfer(ALICE, address(0), 7);
        _assertEffects(BRIDGE, address(treasury), abi.encodeCall(ITreasury.burnFrom, (ALICE, 7)));
    }
}
