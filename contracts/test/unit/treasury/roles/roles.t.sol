// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Vm} from "forge-std/Vm.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

/// Tests OpenZeppelin's role functions, which the token extends by bridge events and two role admins.
contract TreasuryRolesTest is TreasuryTest {
    /// @dev Any account can have any roles. A grant succeeds only for the role's admin, and the list of members has
    /// exactly the holders of the role.
    function testFuzz_WhenAnyAccountGrantsAndRevokesAnyRole_T12(uint256 roleSeed, uint256 callerSeed) public {
        bytes32 role = roles[roleSeed % roles.length];
        address[4] memory callers = [ADMIN, OPERATOR, MINTER, BOB];
        address caller = callers[callerSeed % callers.length];
        bool isAllowed = treasury.hasRole(treasury.getRoleAdmin(role), caller);
        bytes memory expectedError = isAllowed ? bytes("") : _unauthorized(caller, treasury.getRoleAdmin(role));

        _callAndAssertOutcome(caller, abi.encodeCall(IAccessControl.grantRole, (role, SPENDER)), expectedError);
        assertEq(treasury.hasRole(role, SPENDER), isAllowed);
        _assertMembersHoldRole(role, isAllowed ? 2 : 1);

        _callAndAssertOutcome(caller, abi.encodeCall(IAccessControl.revokeRole, (role, SPENDER)), expectedError);
        assertFalse(treasury.hasRole(role, SPENDER));
        _assertMembersHoldRole(role, 1);
    }

    function test_WhenTheDefaultAdminMakesItselfAnOperator_T12() public {
        bytes32 minterRole = treasury.MINTER_ROLE();
        bytes32 operatorRole = treasury.OPERATOR_ROLE();
        vm.startPrank(ADMIN);
        treasury.grantRole(operatorRole, ADMIN);
        treasury.grantRole(minterRole, SPENDER);
        treasury.revokeRole(minterRole, MINTER);
        vm.stopPrank();
        assertTrue(treasury.hasRole(minterRole, SPENDER));
        assertFalse(treasury.hasRole(minterRole, MINTER));
    }

    function test_WhenABridgeRoleIsGrantedAndRenounced() public {
        bytes32 bridgeRole = treasury.BRIDGE_ROLE();
        vm.expectEmit(address(treasury));
        emit ITreasury.BridgeAdded(SPENDER);
        vm.prank(OPERATOR);
        treasury.grantRole(bridgeRole, SPENDER);

        vm.expectEmit(address(treasury));
        emit ITreasury.BridgeRemoved(SPENDER);
        vm.prank(SPENDER);
        treasury.renounceRole(bridgeRole, SPENDER);
    }

    function test_WhenNoAccountGainsOrLosesTheBridgeRole() public {
        bytes32 bridgeRole = treasury.BRIDGE_ROLE();
        bytes32 minterRole = treasury.MINTER_ROLE();
        vm.recordLogs();
        vm.startPrank(OPERATOR);
        treasury.grantRole(bridgeRole, BRIDGE);
        treasury.revokeRole(bridgeRole, SPENDER);
        treasury.grantRole(minterRole, SPENDER);
        treasury.revokeRole(minterRole, SPENDER);
        vm.stopPrank();

        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 2);
        assertEq(logs[0].topics[0], IAccessControl.RoleGranted.selector);
        assertEq(logs[1].topics[0], IAccessControl.RoleRevoked.selector);
    }

    function test_RevertWhen_ARoleIsRenouncedForAnotherAccount() public {
        _callAndAssertOutcome(
            OPERATOR,
            abi.encodeCall(IAccessControl.renounceRole, (treasury.OPERATOR_ROLE(), ADMIN)),
            abi.encodeWithSelector(IAccessControl.AccessControlBadConfirmation.selector)
        );
    }

    function _assertMembersHoldRole(bytes32 role, uint256 count) private view {
        assertEq(treasury.getRoleMemberCount(role), count, "member count");
        address[] memory members = treasury.getRoleMembers(role);
        assertEq(members.length, count, "members");
        for (uint256 i; i < count; ++i) {
            assertEq(treasury.getRoleMember(role, i), members[i], "member");
            assertTrue(treasury.hasRole(role, members[i]), "member holds role");
        }
    }
}
