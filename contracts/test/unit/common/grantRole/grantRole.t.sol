// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DelegateTest} from "test/helpers/DelegateTest.sol";

/// The settlement role mirrors the CoreSwap contract. Nobody can grant or revoke it.
contract GrantRoleTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheRoleIsThatOfCoreSwap(address caller, address account) public forEachDelegate {
        vm.assume(caller != address(core));
        bytes32 role = delegate.CORE_SWAP_CONTRACT();
        bytes memory reason = _unauthorized(caller, role);
        _assertReverts(caller, abi.encodeCall(delegate.grantRole, (role, account)), reason);
        _assertReverts(caller, abi.encodeCall(delegate.revokeRole, (role, account)), reason);
    }

    function test_RevertWhen_TheAdminGrantsOrRevokesTheRoleOfCoreSwap() public forEachDelegate {
        bytes32 role = delegate.CORE_SWAP_CONTRACT();
        vm.startPrank(admin);
        vm.expectRevert(_unauthorized(admin, role));
        delegate.grantRole(role, stranger);
        vm.expectRevert(_unauthorized(admin, role));
        delegate.revokeRole(role, address(core));
        vm.stopPrank();
        assertEq(delegate.getRoleAdmin(role), role);
    }
}
