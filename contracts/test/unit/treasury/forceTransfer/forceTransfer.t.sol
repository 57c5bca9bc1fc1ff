// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasuryForceTransferTest is TreasuryTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        bytes memory data = abi.encodeCall(ITreasury.forceTransfer, (ALICE, BOB, 7));
        _assertOnlyRole(treasury.OPERATOR_ROLE(), caller, data);
    }

    function testFuzz_RevertWhen_AnyRuleIsBroken_T8(bool hasRole, bool fromZero, bool toZero, uint256 amount) public {
        address caller = hasRole ? OPERATOR : ADMIN;
        uint256 balance = treasury.balanceOf(ALICE);
        amount = bound(amount, 0, 2 * balance);
        if (amount < balance / 4) amount = 0;

        bytes memory data =
            abi.encodeCall(ITreasury.forceTransfer, (fromZero ? address(0) : ALICE, toZero ? address(0) : BOB, amount));
        _callAndAssertOutcome(caller, data, _forceError(caller, fromZero, toZero, amount));
    }

    function testFuzz_WhenThePartiesArePausedAndBlacklistedOrNot_T5_T11(
        uint256 amount,
        bool isPaused,
        bool isBlacklisted
    ) public {
        amount = bound(amount, 1, treasury.balanceOf(ALICE));
        _approve(ALICE, SPENDER, amount);
        if (isBlacklisted) {
            _blacklist(ALICE);
            _blacklist(BOB);
        }
        if (isPaused) _pause();
        State memory expected = _state();
        expected.balances[ALICE_INDEX] -= amount;
        expected.balances[BOB_INDEX] += amount;

        vm.expectEmit(address(treasury));
        emit ITreasury.ForcedTransfer(OPERATOR, ALICE, BOB, amount);
        vm.expectEmit(address(treasury));
        emit IERC20.Transfer(ALICE, BOB, amount);
        vm.prank(OPERATOR);
        treasury.forceTransfer(ALICE, BOB, amount);

        _assertState(expected);
    }

    function testFuzz_WhenThePartiesAreTheSame_T15(uint256 amount) public {
        amount = bound(amount, 1, treasury.balanceOf(ALICE));
        State memory expected = _state();
        vm.prank(OPERATOR);
        treasury.forceTransfer(ALICE, ALICE, amount);
        _assertState(expected);
    }

    function test_WhenTheBalanceMovesAndAllIsWatched_T11() public {
        _watchTreasury();
        _expectBalance(ALICE, treasury.balanceOf(ALICE) - 7);
        _expectBalance(BOB, treasury.balanceOf(BOB) + 7);
        _expectEvent(address(treasury));
        emit ITreasury.ForcedTransfer(OPERATOR, ALICE, BOB, 7);
        _expectEvent(address(treasury));
        emit IERC20.Transfer(ALICE, BOB, 7);
        _assertEffects(OPERATOR, address(treasury), abi.encodeCall(ITreasury.forceTransfer, (ALICE, BOB, 7)));
    }

    /// @dev Returns the expected error of a forced call on Alice's balance, in the order of the checks; empty if it
    /// succeeds.
    function _forceError(address caller, bool fromZero, bool toZero, uint256 amount)
        private
        view
        returns (bytes memory)
    {
        uint256 balance = treasury.balanceOf(ALICE);
        if (caller != OPERATOR) return _unauthorized(caller, treasury.OPERATOR_ROLE());
        if (fromZero || toZero) return abi.encodeWithSelector(ITreasury.ZeroAddress.selector);
        if (amount == 0) return abi.encodeWithSelector(ITreasury.InvalidAmount.selector);
        if (amount > balance) return _insufficientBalance(ALICE, balance, amount);
        return "";
    }
}
