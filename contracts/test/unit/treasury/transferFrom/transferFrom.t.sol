// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasuryTransferFromTest is TreasuryTest {
    function testFuzz_RevertWhen_AnyRuleIsBroken_T6(
        bool isSpenderBlacklisted,
        bool isSenderBlacklisted,
        bool isReceiverBlacklisted,
        bool isPaused,
        bool isInfinite,
        uint256 allowance,
        uint256 amount
    ) public {
        uint256 balance = treasury.balanceOf(ALICE);
        allowance = isInfinite ? type(uint256).max : bound(allowance, 0, 3 * balance);
        amount = bound(amount, 0, 2 * balance);
        _approve(ALICE, SPENDER, allowance);
        if (isSpenderBlacklisted) _blacklist(SPENDER);
        if (isSenderBlacklisted) _blacklist(ALICE);
        if (isReceiverBlacklisted) _blacklist(BOB);
        if (isPaused) _pause();

        bytes memory expectedError;
        if (isSpenderBlacklisted) {
            expectedError = abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, SPENDER);
        } else if (amount > allowance) {
            expectedError =
                abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, SPENDER, allowance, amount);
        } else {
            expectedError = _transferError(isSenderBlacklisted, isReceiverBlacklisted, isPaused, amount);
        }

        _callAndAssertOutcome(SPENDER, abi.encodeCall(IERC20.transferFrom, (ALICE, BOB, amount)), expectedError);
    }

    function test_RevertWhen_TheSenderIsTheZeroAddress() public {
        _callAndAssertOutcome(
            SPENDER,
            abi.encodeCall(IERC20.transferFrom, (address(0), BOB, 0)),
            abi.encodeWithSelector(IERC20Errors.ERC20InvalidApprover.selector, address(0))
        );
    }

    /// @dev No call can give the zero address an allowance, so the allowance is written into storage to reach the check
    /// after it.
    function test_RevertGiven_TheZeroAddressHadAForgedAllowance() public {
        bytes32 erc20Location = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00;
        bytes32 ownerSlot = keccak256(abi.encode(address(0), uint256(erc20Location) + 1));
        vm.store(address(treasury), keccak256(abi.encode(SPENDER, ownerSlot)), bytes32(type(uint256).max));
        assertEq(treasury.allowance(address(0), SPENDER), type(uint256).max);

        _callAndAssertOutcome(
            SPENDER,
            abi.encodeCall(IERC20.transferFrom, (address(0), BOB, 1)),
            abi.encodeWithSelector(IERC20Errors.ERC20InvalidSender.selector, address(0))
        );
    }

    function testFuzz_WhenTheAllowanceIsFinite_T9(uint256 allowance, uint256 amount) public {
        allowance = bound(allowance, 0, type(uint256).max - 1);
        amount = bound(amount, 0, _min(allowance, treasury.balanceOf(ALICE)));
        _approve(ALICE, SPENDER, allowance);
        State memory expected = _state();
        expected.balances[ALICE_INDEX] -= amount;
        expected.balances[BOB_INDEX] += amount;
        expected.allowances[_allowanceIndex(ALICE_INDEX, SPENDER_INDEX)] = allowance - amount;

        vm.prank(SPENDER);
        assertTrue(treasury.transferFrom(ALICE, BOB, amount));

        _assertState(expected);
    }

    function testFuzz_WhenTheAllowanceIsInfinite_T9(uint256 amount) public {
        amount = bound(amount, 0, treasury.balanceOf(ALICE));
        _approve(ALICE, SPENDER, type(uint256).max);
        State memory expected = _state();
        expected.balances[ALICE_INDEX] -= amount;
        expected.balances[BOB_INDEX] += amount;

        vm.prank(SPENDER);
        assertTrue(treasury.transferFrom(ALICE, BOB, amount));

        _assertState(expected);
    }

    function test_WhenTheSpenderMovesAndAllIsWatched() public {
        _approve(ALICE, SPENDER, 10);
        _watchTreasury();
        _expectBalance(ALICE, treasury.balanceOf(ALICE) - 7);
        _expectBalance(BOB, treasury.balanceOf(BOB) + 7);
        _expectAnswer(address(treasury), abi.encodeCall(IERC20.allowance, (ALICE, SPENDER)), 3);
        _expectEvent(address(treasury));
        emit IERC20.Transfer(ALICE, BOB, 7);
        _assertEffects(SPENDER, address(treasury), abi.encodeCall(IERC20.transferFrom, (ALICE, BOB, 7)));
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

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
