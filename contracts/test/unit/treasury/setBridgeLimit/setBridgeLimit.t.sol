// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasurySetBridgeLimitTest is TreasuryTest {
    uint96 private constant LIMIT = 1_000e18;
    uint96 private constant UNLIMITED = type(uint96).max;

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_RevertWhen_TheCallerIsNeitherOperatorNorPauser(address caller) public {
        vm.assume(caller != PAUSER);
        _assertOnlyRole(treasury.OPERATOR_ROLE(), caller, abi.encodeCall(ITreasury.setBridgeLimit, (BRIDGE, 0)));
    }

    function test_RevertWhen_ThePauserRaisesIt_X7() public {
        _set(OPERATOR, LIMIT);
        bytes memory expected = _unauthorized(PAUSER, treasury.OPERATOR_ROLE());
        _callAndAssertOutcome(PAUSER, abi.encodeCall(ITreasury.setBridgeLimit, (BRIDGE, LIMIT + 1)), expected);
        _callAndAssertOutcome(PAUSER, abi.encodeCall(ITreasury.setBridgeLimit, (BRIDGE, UNLIMITED)), expected);
    }

    function test_RevertWhen_TheBridgeIsZero() public {
        bytes memory expected = abi.encodeWithSelector(ITreasury.ZeroAddress.selector);
        _callAndAssertOutcome(OPERATOR, abi.encodeCall(ITreasury.setBridgeLimit, (address(0), LIMIT)), expected);
    }

    function test_WhenItIsSet() public {
        _assertLimit(UNLIMITED, UNLIMITED);
        _watchTreasury();
        _expectAnswer(address(treasury), abi.encodeCall(ITreasury.bridgeLimit, (BRIDGE)), abi.encode(LIMIT, LIMIT));
        _expectEvent(address(treasury));
        emit ITreasury.BridgeLimitSet(BRIDGE, LIMIT);
        _assertEffects(OPERATOR, address(treasury), abi.encodeCall(ITreasury.setBridgeLimit, (BRIDGE, LIMIT)));
        _set(PAUSER, LIMIT);
        _set(PAUSER, LIMIT - 1);
        _assertLimit(LIMIT - 1, LIMIT - 1);
        _set(OPERATOR, UNLIMITED);
        _assertLimit(UNLIMITED, UNLIMITED);
        _mint(2 * uint256(LIMIT));
    }

    /// A thief with the key of the bridge's owner can mint one limit at once, and at most two within any 24 hours.
    function test_RevertWhen_TheBridgeMintsMore_X7() public {
        _set(OPERATOR, LIMIT);
        uint256 start = vm.getBlockTimestamp();
        _assertExceeds(uint256(LIMIT) + 1, LIMIT);
        _mint(LIMIT);
        _assertExceeds(1, 0);
        uint256 minted = LIMIT;
        for (uint256 i = 1; i <= 24; ++i) {
            vm.warp(start + i * 1 hours);
            (, uint256 available) = treasury.bridgeLimit(BRIDGE);
            _mint(available);
            minted += available;
            _assertExceeds(1, 0);
        }
        assertLe(minted, 2 * uint256(LIMIT));
        assertApproxEqAbs(minted, 2 * uint256(LIMIT), 24);
    }

    function test_WhenItIsLoweredToNothing_X7() public {
        _set(OPERATOR, LIMIT);
        _mint(LIMIT / 2);
        _set(PAUSER, 0);
        _assertExceeds(1, 0);
        vm.warp(vm.getBlockTimestamp() + 2 days);
        _assertExceeds(1, 0);
        _set(OPERATOR, LIMIT);
        _assertLimit(LIMIT, LIMIT / 2);
    }

    function _set(address caller, uint96 perDay) private {
        vm.prank(caller);
        treasury.setBridgeLimit(BRIDGE, perDay);
    }

    function _mint(uint256 amount) private {
        vm.prank(BRIDGE);
        treasury.bridgeMint(BOB, amount);
    }

    function _assertExceeds(uint256 amount, uint256 available) private {
        _callAndAssertOutcome(
            BRIDGE,
            abi.encodeCall(ITreasury.bridgeMint, (BOB, amount)),
            abi.encodeWithSelector(ITreasury.BridgeLimitExceeded.selector, BRIDGE, amount, available)
        );
    }

    function _assertLimit(uint256 perDay, uint256 available) private view {
        (uint256 actualPerDay, uint256 actualAvailable) = treasury.bridgeLimit(BRIDGE);
        assertEq(actualPerDay, perDay);
        assertEq(actualAvailable, available);
    }
}
