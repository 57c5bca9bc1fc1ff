// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

/// @dev Flags and callers, no arithmetic: a thousand draws cover all cases.
/// forge-config: default.fuzz.runs = 1000
contract TreasuryTransferTest is TreasuryTest {
    function testFuzz_RevertWhen_AnyRuleIsBroken_T6(
        bool toZero,
        bool isSenderBlacklisted,
        bool isReceiverBlacklisted,
        bool isPaused,
        uint256 amount
    ) public {
        address to = toZero ? address(0) : BOB;
        uint256 balance = treasury.balanceOf(ALICE);
        amount = bound(amount, 0, 2 * balance);
        if (isSenderBlacklisted) _blacklist(ALICE);
        if (isReceiverBlacklisted) _blacklist(BOB);
        if (isPaused) _pause();

        bytes memory expectedError;
        if (toZero) expectedError = abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(0));
        else expectedError = _transferError(isSenderBlacklisted, isReceiverBlacklisted, isPaused, amount);

        _callAndAssertOutcome(ALICE, abi.encodeCall(IERC20.transfer, (to, amount)), expectedError);
    }

    function testFuzz_RevertWhen_ATransferToOneselfIsBeyondTheBalance_T15(uint256 amount) public {
        uint256 balance = treasury.balanceOf(ALICE);
        amount = bound(amount, balance + 1, type(uint256).max);
        _callAndAssertOutcome(
            ALICE, abi.encodeCall(IERC20.transfer, (ALICE, amount)), _insufficientBalance(ALICE, balance, amount)
        );
    }

    function testFuzz_WhenATransferGoesToOneself_T15(uint256 amount) public {
        amount = bound(amount, 0, treasury.balanceOf(ALICE));
        State memory expected = _state();
        vm.expectEmit(address(treasury));
        emit IERC20.Transfer(ALICE, ALICE, amount);
        vm.prank(ALICE);
        assertTrue(treasury.transfer(ALICE, amount));
        _assertState(expected);
    }

    function testFuzz_WhenATransferGoesToAnother(uint256 amount) public {
        amount = bound(amount, 0, treasury.balanceOf(ALICE));
        State memory expected = _state();
        expected.balances[ALICE_INDEX] -= amount;
        expected.balances[BOB_INDEX] += amount;

        vm.expectEmit(address(treasury));
        emit IERC20.Transfer(ALICE, BOB, amount);
        vm.prank(ALICE);
        assertTrue(treasury.transfer(BOB, amount));

        _assertState(expected);
    }

    function test_WhenATransferGoesToAnotherAndAllIsWatched() public {
        _watchTreasury();
        _expectBalance(ALICE, treasury.balanceOf(ALICE) - 7);
        _expectBalance(BOB, treasury.balanceOf(BOB) + 7);
        _expectEvent(address(treasury));
        emit IERC20.Transfer(ALICE, BOB, 7);
        _assertEffects(ALICE, address(treasury), abi.encodeCall(IERC20.transfer, (BOB, 7)));
    }

    /// @dev Returns the expected error of moving `amount` from Alice to Bob, in the order of the checks; empty if it
    /// succeeds.
    function _transferError(bool isSenderBlacklisted, bool isReceiverBlacklisted, bool isPaused, uint256 amount)
        private
        view
        returns (bytes memory)
    {
        uint256 balance = treasury.balanceOf(ALICE);
        if (isPaused) return abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        if (isSenderBlacklisted) return abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, ALICE);
        if (amount > balance) return _insufficientBalance(ALICE, balance, amount);
        if (isReceiverBlacklisted) return abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, BOB);
        return "";
    }
}
