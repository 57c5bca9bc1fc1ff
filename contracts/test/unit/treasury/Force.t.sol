// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasury} from "../../../src/interfaces/ITreasury.sol";
import {TreasuryTest} from "./TreasuryTest.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice forceBurn, forceTransfer: no allowance, no pause, no list, but balances.
contract TreasuryForceTest is TreasuryTest {
    function testFuzz_T5_T11_ForceBurn_LowersBalanceAndSupplyOnly(uint256 amount, bool isPaused, bool isBlacklisted)
        public
    {
        amount = bound(amount, 1, treasury.balanceOf(ALICE));
        _approve(ALICE, SPENDER, amount);
        if (isBlacklisted) _blacklist(ALICE);
        if (isPaused) _pause();
        State memory expected = _state();
        expected.supply -= amount;
        expected.balances[ALICE_INDEX] -= amount;

        vm.expectEmit(address(treasury));
        emit ITreasury.ForcedBurn(OPERATOR, ALICE, amount);
        vm.expectEmit(address(treasury));
        emit IERC20.Transfer(ALICE, address(0), amount);
        vm.prank(OPERATOR);
        treasury.forceBurn(ALICE, amount);

        _assertState(expected);
    }

    function testFuzz_T8_ForceBurn_RevertsExactlyWhenRuleIsBroken(bool hasRole, bool fromZero, uint256 amount) public {
        address caller = hasRole ? OPERATOR : ADMIN;
        address from = fromZero ? address(0) : ALICE;
        uint256 balance = treasury.balanceOf(ALICE);
        amount = bound(amount, 0, 2 * balance);
        if (amount < balance / 4) amount = 0;

        _callAndAssertOutcome(
            caller, abi.encodeCall(ITreasury.forceBurn, (from, amount)), _forceError(caller, fromZero, false, amount)
        );
    }

    function testFuzz_T5_T11_ForceTransfer_MovesBalanceOnly(uint256 amount, bool isPaused, bool isBlacklisted) public {
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

    function testFuzz_T8_ForceTransfer_RevertsExactlyWhenRuleIsBroken(
        bool hasRole,
        bool fromZero,
        bool toZero,
        uint256 amount
    ) public {
        address caller = hasRole ? OPERATOR : ADMIN;
        uint256 balance = treasury.balanceOf(ALICE);
        amount = bound(amount, 0, 2 * balance);
        if (amount < balance / 4) amount = 0;

        bytes memory data =
            abi.encodeCall(ITreasury.forceTransfer, (fromZero ? address(0) : ALICE, toZero ? address(0) : BOB, amount));
        _callAndAssertOutcome(caller, data, _forceError(caller, fromZero, toZero, amount));
    }

    function testFuzz_T15_ForceTransfer_ToOneself_ChangesNothing(uint256 amount) public {
        amount = bound(amount, 1, treasury.balanceOf(ALICE));
        State memory expected = _state();
        vm.prank(OPERATOR);
        treasury.forceTransfer(ALICE, ALICE, amount);
        _assertState(expected);
    }

    /// @dev The error of a forced call on Alice's balance, in the order of the checks; empty when it succeeds.
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
