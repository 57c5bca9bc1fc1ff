// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasury} from "../../../src/interfaces/ITreasury.sol";
import {TreasuryTest} from "./TreasuryTest.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @notice mint, bridgeMint, burn, burnFrom.
contract TreasuryIssuanceTest is TreasuryTest {
    function test_Mint_ToWhitelisted_RaisesBalanceAndSupplyOnly() public {
        State memory expected = _state();
        expected.supply += 7;
        expected.balances[ALICE_INDEX] += 7;

        vm.expectEmit(address(treasury));
        emit IERC20.Transfer(address(0), ALICE, 7);
        _mint(ALICE, 7);

        _assertState(expected);
    }

    /// @dev The whitelist holds for `mint` and, as the sibling tests of the other functions show, for nothing else.
    function testFuzz_T7_T8_Mint_RevertsExactlyWhenRuleIsBroken(
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

    function test_Mint_UpToMaximumSupply_SucceedsAndKeepsFlags() public {
        uint256 amount = MAX_SUPPLY - treasury.totalSupply();
        _mint(ALICE, amount);
        assertEq(treasury.totalSupply(), MAX_SUPPLY);
        assertEq(treasury.balanceOf(ALICE), 1000e18 + amount);
        assertTrue(treasury.whitelisted(ALICE));
        assertFalse(treasury.blacklisted(ALICE));

        vm.expectRevert(ITreasury.InvalidAmount.selector);
        _mint(ALICE, 1);
    }

    function test_BridgeMint_RaisesBalanceAndSupplyOnly() public {
        State memory expected = _state();
        expected.supply += 7;
        expected.balances[SPENDER_INDEX] += 7;

        vm.expectEmit(address(treasury));
        emit ITreasury.BridgeMint(BRIDGE, SPENDER, 7);
        vm.expectEmit(address(treasury));
        emit IERC20.Transfer(address(0), SPENDER, 7);
        _bridgeMint(SPENDER, 7);

        _assertState(expected);
    }

    function testFuzz_T8_BridgeMint_RevertsExactlyWhenRuleIsBroken(
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
        address caller = hasRole ? BRIDGE : MINTER;
        amount = bound(amount, 0, 3) == 0 ? 0 : amount;

        bytes memory expectedError;
        if (!hasRole) {
            expectedError = _unauthorized(caller, treasury.BRIDGE_ROLE());
        } else if (toZero) {
            expectedError = abi.encodeWithSelector(ITreasury.ZeroAddress.selector);
        } else if (amount == 0) {
            expectedError = abi.encodeWithSelector(ITreasury.InvalidAmount.selector);
        } else if (isPaused) {
            expectedError = abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        } else if (amount > MAX_SUPPLY - treasury.totalSupply()) {
            expectedError = abi.encodeWithSelector(ITreasury.InvalidAmount.selector);
        } else if (isBlacklisted) {
            expectedError = abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, BOB);
        }

        _callAndAssertOutcome(caller, abi.encodeCall(ITreasury.bridgeMint, (to, amount)), expectedError);
    }

    function test_Burn_LowersBalanceAndSupplyOnly() public {
        State memory expected = _state();
        expected.supply -= 7;
        expected.balances[ALICE_INDEX] -= 7;

        vm.expectEmit(address(treasury));
        emit IERC20.Transfer(ALICE, address(0), 7);
        vm.prank(ALICE);
        treasury.burn(7);

        _assertState(expected);
    }

    function testFuzz_T8_Burn_RevertsExactlyWhenRuleIsBroken(bool isBlacklisted, bool isPaused, uint256 amount) public {
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

    function test_Burn_ByBridge_EmitsNoBridgeBurn() public {
        _bridgeMint(BRIDGE, 7);
        vm.recordLogs();
        vm.prank(BRIDGE);
        treasury.burn(7);
        assertEq(vm.getRecordedLogs().length, 1, "Transfer alone");
    }

    function test_BurnFrom_LowersBalanceSupplyAndAllowanceOnly() public {
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

    function test_T4_BurnFrom_ByBridge_EmitsBridgeBurnDirectlyBeforeTransfer() public {
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

    function testFuzz_T6_T8_BurnFrom_RevertsExactlyWhenRuleIsBroken(
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

    function test_BurnFrom_ZeroAddress_Reverts() public {
        vm.expectRevert(ITreasury.ZeroAddress.selector);
        vm.prank(SPENDER);
        treasury.burnFrom(address(0), 1);
    }
}
