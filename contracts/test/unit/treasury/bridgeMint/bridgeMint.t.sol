// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasuryBridgeMintTest is TreasuryTest {
    function testFuzz_RevertWhen_TheCallerIsNotABridge(address caller) public {
        _assertOnlyRole(treasury.BRIDGE_ROLE(), caller, abi.encodeCall(ITreasury.bridgeMint, (SPENDER, 7)));
    }

    function testFuzz_RevertWhen_AnyRuleIsBroken_T8(
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

    function test_WhenTheReceiverIsAnyone_T4() public {
        _watchTreasury();
        _expectBalance(SPENDER, treasury.balanceOf(SPENDER) + 7);
        _expectAnswer(address(treasury), abi.encodeCall(IERC20.totalSupply, ()), treasury.totalSupply() + 7);
        _expectEvent(address(treasury));
        emit ITreasury.BridgeMint(BRIDGE, SPENDER, 7);
        _expectEvent(address(treasury));
        emit IERC20.Transfer(address(0), SPENDER, 7);
        _assertEffects(BRIDGE, address(treasury), abi.encodeCall(ITreasury.bridgeMint, (SPENDER, 7)));
    }
}
