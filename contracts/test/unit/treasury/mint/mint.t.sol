// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasuryMintTest is TreasuryTest {
    function testFuzz_RevertWhen_TheCallerIsNotAMinter(address caller) public {
        _assertOnlyRole(treasury.MINTER_ROLE(), caller, abi.encodeCall(ITreasury.mint, (ALICE, 7)));
    }

    /// @dev The whitelist applies to `mint` only, as the tests of the other functions show.
    function testFuzz_RevertWhen_AnyRuleIsBroken_T7_T8(
        bool hasRole,
        bool toZero,
        bool isWhitelisted,
        bool isBlacklisted,
        bool isPaused,
        uint256 amount
    ) public {
        address to = toZero ? address(0) : BOB;
        if (isWhitelisted) _whitelist(BOB);
        if (isBlacklisted) _blacklist(BOB);
        if (isPaused) _pause();
        address caller = hasRole ? MINTER : OPERATOR;
        amount = bound(amount, 0, 3) == 0 ? 0 : amount;

        bytes memory expectedError;
        if (!hasRole) {
            expectedError = _unauthorized(caller, treasury.MINTER_ROLE());
        } else if (toZero) {
            expectedError = abi.encodeWithSelector(ITreasury.ZeroAddress.selector);
        } else if (amount == 0) {
            expectedError = abi.encodeWithSelector(ITreasury.InvalidAmount.selector);
        } else if (!isWhitelisted) {
            expectedError = abi.encodeWithSelector(ITreasury.AccountNotWhitelisted.selector, BOB);
        } else if (isPaused) {
            expectedError = abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        } else if (amount > MAX_SUPPLY - treasury.totalSupply()) {
            expectedError = abi.encodeWithSelector(ITreasury.InvalidAmount.selector);
        } else if (isBlacklisted) {
            expectedError = abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, BOB);
        }

        _callAndAssertOutcome(caller, abi.encodeCall(ITreasury.mint, (to, amount)), expectedError);
    }

    function test_WhenTheSupplyReachesItsMaximum() public {
        uint256 amount = MAX_SUPPLY - treasury.totalSupply();
        _mint(ALICE, amount);
        assertEq(treasury.totalSupply(), MAX_SUPPLY);
        assertEq(treasury.balanceOf(ALICE), 1000e18 + amount);
        assertTrue(treasury.whitelisted(ALICE));
        assertFalse(treasury.blacklisted(ALICE));

        vm.expectRevert(ITreasury.InvalidAmount.selector);
        _mint(ALICE, 1);
    }

    function test_WhenTheReceiverIsWhitelisted() public {
        _watchTreasury();
        _expectBalance(ALICE, treasury.balanceOf(ALICE) + 7);
        _expectAnswer(address(treasury), abi.encodeCall(IERC20.totalSupply, ()), treasury.totalSupply() + 7);
        _expectEvent(address(treasury));
        emit IERC20.Transfer(address(0), ALICE, 7);
        _assertEffects(MINTER, address(treasury), abi.encodeCall(ITreasury.mint, (ALICE, 7)));
    }
}
