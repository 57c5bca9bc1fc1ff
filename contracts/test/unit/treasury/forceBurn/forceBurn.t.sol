// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasuryForceBurnTest is TreasuryTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        _assertOnlyRole(treasury.OPERATOR_ROLE(), caller, abi.encodeCall(ITreasury.forceBurn, (ALICE, 7)));
    }

    function testFuzz_RevertWhen_AnyRuleIsBroken_T8(bool hasRole, bool fromZero, uint256 amount) public {
        address caller = hasRole ? OPERATOR : ADMIN;
        address from = fromZero ? address(0) : ALICE;
        uint256 balance = treasury.balanceOf(ALICE);
        amount = bound(amount, 0, 2 * balance);
        if (amount < balance / 4) amount = 0;

        _callAndAssertOutcome(
            caller, abi.encodeCall(ITreasury.forceBurn, (from, amount)), _forceError(caller, fromZero, false, amount)
        );
    }

    function testFuzz_WhenTheHolderIsPausedAndBlacklistedOrNot_T5_T11(uint256 amount, bool isPaused, bool isBlacklisted)
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

    function test_WhenTheHolderLosesAndAllIsWatched_T11() public {
        _watchTreasury();
        _expectBalance(ALICE, treasury.balanceOf(ALICE) - 7);
        _expectAnswer(address(treasury), abi.encodeCall(IERC20.totalSupply, ()), treasury.totalSupply() - 7);
        _expectEvent(address(treasury));
        emit ITreasury.ForcedBurn(OPERATOR, ALICE, 7);
        _expectEvent(address(treasury));
        emit IERC20.Transfer(ALICE, address(0), 7);
        _assertEffects(OPERATOR, address(treasury), abi.encodeCall(ITreasury.forceBurn, (ALICE, 7)));
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
