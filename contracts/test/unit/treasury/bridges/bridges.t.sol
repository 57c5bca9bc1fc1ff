// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasuryBridgesTest is TreasuryTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller, bool adds) public {
        bytes memory data =
            adds ? abi.encodeCall(ITreasury.addBridge, (SPENDER)) : abi.encodeCall(ITreasury.removeBridge, (BRIDGE));
        _assertOnlyRole(treasury.OPERATOR_ROLE(), caller, data);
    }

    function test_RevertWhen_TheRoleOrTheAddressIsMissing() public {
        bytes32 operatorRole = treasury.OPERATOR_ROLE();
        bytes memory zeroAddress = abi.encodeWithSelector(ITreasury.ZeroAddress.selector);
        _callAndAssertOutcome(ADMIN, abi.encodeCall(ITreasury.addBridge, (SPENDER)), _unauthorized(ADMIN, operatorRole));
        _callAndAssertOutcome(
            BRIDGE, abi.encodeCall(ITreasury.removeBridge, (BRIDGE)), _unauthorized(BRIDGE, operatorRole)
        );
        _callAndAssertOutcome(OPERATOR, abi.encodeCall(ITreasury.addBridge, (address(0))), zeroAddress);
        _callAndAssertOutcome(OPERATOR, abi.encodeCall(ITreasury.removeBridge, (address(0))), zeroAddress);
    }

    function test_WhenAnAccountBecomesABridge() public {
        bytes32 role = treasury.BRIDGE_ROLE();
        address[] memory bridges = new address[](2);
        (bridges[0], bridges[1]) = (BRIDGE, SPENDER);
        _watchTreasury();
        _expectRole(SPENDER, true, bridges);
        _expectEvent(address(treasury));
        emit IAccessControl.RoleGranted(role, SPENDER, OPERATOR);
        _expectEvent(address(treasury));
        emit ITreasury.BridgeAdded(SPENDER);
        _assertEffects(OPERATOR, address(treasury), abi.encodeCall(ITreasury.addBridge, (SPENDER)));
    }

    function test_WhenABridgeIsRemoved() public {
        bytes32 role = treasury.BRIDGE_ROLE();
        _watchTreasury();
        _expectRole(BRIDGE, false, new address[](0));
        _expectEvent(address(treasury));
        emit IAccessControl.RoleRevoked(role, BRIDGE, OPERATOR);
        _expectEvent(address(treasury));
        emit ITreasury.BridgeRemoved(BRIDGE);
        // The member's place in the set, and the element past its end, which the list of members no longer shows.
        _expectHiddenSlots(2);
        _assertEffects(OPERATOR, address(treasury), abi.encodeCall(ITreasury.removeBridge, (BRIDGE)));
    }

    function test_WhenABridgeIsAddedTwiceOrAStrangerRemoved() public {
        State memory expected = _state();
        vm.recordLogs();
        vm.startPrank(OPERATOR);
        treasury.addBridge(BRIDGE);
        treasury.removeBridge(SPENDER);
        vm.stopPrank();
        assertEq(vm.getRecordedLogs().length, 0);
        _assertState(expected);
    }

    function _expectRole(address account, bool held, address[] memory members) private {
        bytes32 role = treasury.BRIDGE_ROLE();
        _expectAnswer(address(treasury), abi.encodeCall(IAccessControl.hasRole, (role, account)), held);
        _expectAnswer(address(treasury), abi.encodeCall(treasury.getRoleMembers, (role)), abi.encode(members));
        // The member's place in the set.
        _expectHiddenSlots(1);
    }
}
