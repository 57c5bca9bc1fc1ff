// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasury} from "../../../src/interfaces/ITreasury.sol";
import {TreasuryTest} from "./TreasuryTest.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IAccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/IAccessControlEnumerable.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @notice Bridges, role administration and pause.
contract TreasuryRolesTest is TreasuryTest {
    function test_T12_Roles_AdminsAreAsSpecified() public view {
        bytes32 defaultAdmin = bytes32(0);
        assertEq(treasury.getRoleAdmin(treasury.DEFAULT_ADMIN_ROLE()), defaultAdmin);
        assertEq(treasury.getRoleAdmin(treasury.OPERATOR_ROLE()), defaultAdmin);
        assertEq(treasury.getRoleAdmin(treasury.PAUSER_ROLE()), defaultAdmin);
        assertEq(treasury.getRoleAdmin(treasury.WHITELISTER_ROLE()), defaultAdmin);
        assertEq(treasury.getRoleAdmin(treasury.BLACKLISTER_ROLE()), defaultAdmin);
        assertEq(treasury.getRoleAdmin(treasury.MINTER_ROLE()), treasury.OPERATOR_ROLE());
        assertEq(treasury.getRoleAdmin(treasury.BRIDGE_ROLE()), treasury.OPERATOR_ROLE());
        assertEq(treasury.OPERATOR_ROLE(), keccak256("OPERATOR_ROLE"));
        assertEq(treasury.MINTER_ROLE(), keccak256("MINTER_ROLE"));
        assertEq(treasury.BRIDGE_ROLE(), keccak256("BRIDGE_ROLE"));
        assertEq(treasury.PAUSER_ROLE(), keccak256("PAUSER_ROLE"));
        assertEq(treasury.WHITELISTER_ROLE(), keccak256("WHITELISTER_ROLE"));
        assertEq(treasury.BLACKLISTER_ROLE(), keccak256("BLACKLISTER_ROLE"));
    }

    function test_T12_Initialize_GivesAdminDefaultAdminAndOperatorOnly() public {
        treasury = _deploy(ADMIN);
        for (uint256 i; i < roles.length; ++i) {
            assertEq(treasury.hasRole(roles[i], ADMIN), i < 2, "admin's roles");
            assertEq(treasury.getRoleMemberCount(roles[i]), i < 2 ? 1 : 0, "nobody else");
        }
    }

    /// @dev Any account may hold any roles; whether a grant succeeds depends on the role admin alone, and the list of
    /// members is exactly who holds the role.
    function testFuzz_T12_GrantAndRevoke_FollowRoleAdminAndKeepMembers(uint256 roleSeed, uint256 callerSeed) public {
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

    function test_T12_DefaultAdmin_ReachesMinterThroughOperator() public {
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

    function test_RenounceRole_BadConfirmation_Reverts() public {
        _callAndAssertOutcome(
            OPERATOR,
            abi.encodeCall(IAccessControl.renounceRole, (treasury.OPERATOR_ROLE(), ADMIN)),
            abi.encodeWithSelector(IAccessControl.AccessControlBadConfirmation.selector)
        );
    }

    function test_AddBridge_GrantsRoleOnly() public {
        bytes32 bridgeRole = treasury.BRIDGE_ROLE();
        State memory expected = _state();
        expected.roleMembers[BRIDGE_ROLE_INDEX] = new address[](2);
        expected.roleMembers[BRIDGE_ROLE_INDEX][0] = BRIDGE;
        expected.roleMembers[BRIDGE_ROLE_INDEX][1] = SPENDER;

        vm.expectEmit(address(treasury));
        emit IAccessControl.RoleGranted(bridgeRole, SPENDER, OPERATOR);
        vm.expectEmit(address(treasury));
        emit ITreasury.BridgeAdded(SPENDER);
        vm.prank(OPERATOR);
        treasury.addBridge(SPENDER);

        _assertState(expected);
    }

    function test_RemoveBridge_RevokesRoleOnly() public {
        bytes32 bridgeRole = treasury.BRIDGE_ROLE();
        State memory expected = _state();
        expected.roleMembers[BRIDGE_ROLE_INDEX] = new address[](0);

        vm.expectEmit(address(treasury));
        emit IAccessControl.RoleRevoked(bridgeRole, BRIDGE, OPERATOR);
        vm.expectEmit(address(treasury));
        emit ITreasury.BridgeRemoved(BRIDGE);
        vm.prank(OPERATOR);
        treasury.removeBridge(BRIDGE);

        _assertState(expected);
    }

    function test_BridgeEvents_FollowTheRole_HoweverItChanges() public {
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

    function test_Bridges_AddedTwiceOrNotThere_DoNothingWithoutEvent() public {
        State memory expected = _state();
        vm.recordLogs();
        vm.startPrank(OPERATOR);
        treasury.addBridge(BRIDGE);
        treasury.removeBridge(SPENDER);
        vm.stopPrank();
        assertEq(vm.getRecordedLogs().length, 0);
        _assertState(expected);
    }

    function test_Bridges_WithoutRoleOrZeroAddress_Revert() public {
        bytes32 operatorRole = treasury.OPERATOR_ROLE();
        bytes memory zeroAddress = abi.encodeWithSelector(ITreasury.ZeroAddress.selector);
        _callAndAssertOutcome(ADMIN, abi.encodeCall(ITreasury.addBridge, (SPENDER)), _unauthorized(ADMIN, operatorRole));
        _callAndAssertOutcome(
            BRIDGE, abi.encodeCall(ITreasury.removeBridge, (BRIDGE)), _unauthorized(BRIDGE, operatorRole)
        );
        _callAndAssertOutcome(OPERATOR, abi.encodeCall(ITreasury.addBridge, (address(0))), zeroAddress);
        _callAndAssertOutcome(OPERATOR, abi.encodeCall(ITreasury.removeBridge, (address(0))), zeroAddress);
    }

    function test_PauseAndUnpause_ToggleTheFlagOnly() public {
        State memory expected = _state();
        expected.paused = true;
        vm.expectEmit(address(treasury));
        emit Pausable.Paused(PAUSER);
        _pause();
        _assertState(expected);

        expected.paused = false;
        vm.expectEmit(address(treasury));
        emit Pausable.Unpaused(PAUSER);
        vm.prank(PAUSER);
        treasury.unpause();
        _assertState(expected);
    }

    function testFuzz_PauseAndUnpause_RevertExactlyWithoutRoleOrInThatState(bool hasRole, bool isPaused) public {
        address caller = hasRole ? PAUSER : ADMIN;
        if (isPaused) _pause();
        bytes memory unauthorized = hasRole ? bytes("") : _unauthorized(caller, treasury.PAUSER_ROLE());
        bytes memory enforced = abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        bytes memory expected = abi.encodeWithSelector(Pausable.ExpectedPause.selector);

        uint256 snapshot = vm.snapshotState();
        _callAndAssertOutcome(
            caller,
            abi.encodeCall(ITreasury.pause, ()),
            unauthorized.length != 0 ? unauthorized : isPaused ? enforced : bytes("")
        );
        vm.revertToState(snapshot);
        _callAndAssertOutcome(
            caller,
            abi.encodeCall(ITreasury.unpause, ()),
            unauthorized.length != 0 ? unauthorized : isPaused ? bytes("") : expected
        );
    }

    function test_SupportsInterface() public view {
        assertTrue(treasury.supportsInterface(type(IERC165).interfaceId));
        assertTrue(treasury.supportsInterface(type(IAccessControl).interfaceId));
        assertTrue(treasury.supportsInterface(type(IAccessControlEnumerable).interfaceId));
        assertFalse(treasury.supportsInterface(0xffffffff));
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
