// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract IssuerAdminsTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheCallerIsNeitherIssuerAdminNorAdministrator(address caller) public forEachDelegate {
        vm.assume(!delegate.hasRole(delegate.DEFAULT_ADMIN_ROLE(), caller));
        _assertOnlyIssuerAdmin(caller, abi.encodeCall(delegate.addIssuerAdmin, (stranger)));
        _assertOnlyIssuerAdmin(caller, abi.encodeCall(delegate.removeIssuerAdmin, (issuer)));
    }

    function test_RevertWhen_ZeroIsAddedOrAStrangerRemovedOrOneselfRemoved() public forEachDelegate {
        vm.startPrank(issuer);
        vm.expectRevert(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector);
        delegate.addIssuerAdmin(address(0));
        vm.expectRevert(IStablecoinDelegateAdmin.CannotRemoveSelf.selector);
        delegate.removeIssuerAdmin(issuer);
        vm.expectRevert(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector);
        delegate.removeIssuerAdmin(stranger);
        vm.stopPrank();
    }

    function test_RevertWhen_ZeroIsAddedOrAStrangerOrOneselfRemovedOnTheTreasuryDelegate() public {
        bytes memory invalid = abi.encodePacked(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector);
        _assertReverts(issuer, abi.encodeCall(delegate.addIssuerAdmin, (address(0))), invalid);
        _assertReverts(issuer, abi.encodeCall(delegate.removeIssuerAdmin, (stranger)), invalid);
        _assertReverts(
            issuer,
            abi.encodeCall(delegate.removeIssuerAdmin, (issuer)),
            abi.encodePacked(IStablecoinDelegateAdmin.CannotRemoveSelf.selector)
        );
    }

    function test_WhenAnAdminIsAddedTwiceAndRemovesTheFirst() public forEachDelegate {
        vm.prank(issuer);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.IssuerAdminAdded(second);
        delegate.addIssuerAdmin(second);
        vm.recordLogs();
        vm.prank(issuer);
        delegate.addIssuerAdmin(second);
        assertEq(vm.getRecordedLogs().length, 0, "adding twice does nothing");

        vm.prank(second);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.IssuerAdminRemoved(issuer);
        delegate.removeIssuerAdmin(issuer);
        assertFalse(delegate.issuerAdmins(issuer));
        assertTrue(delegate.issuerAdmins(second));
    }

    function test_WhenAnAdminIsAdded() public forEachDelegate {
        _watchDelegate();
        _expectDelegateAnswer(abi.encodeCall(delegate.issuerAdmins, (second)), abi.encode(true));
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.IssuerAdminAdded(second);
        _assertDelegateEffects(issuer, abi.encodeCall(delegate.addIssuerAdmin, (second)));
    }

    function test_WhenAnAdminIsRemoved() public forEachDelegate {
        vm.prank(issuer);
        delegate.addIssuerAdmin(second);
        _watchDelegate();
        _expectDelegateAnswer(abi.encodeCall(delegate.issuerAdmins, (second)), abi.encode(false));
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.IssuerAdminRemoved(second);
        _assertDelegateEffects(issuer, abi.encodeCall(delegate.removeIssuerAdmin, (second)));
    }

    /// A rogue issuer admin that removed the others and paused is removed itself, and a new one clears its pause.
    function test_WhenTheAdministratorEvictsARogue() public forEachDelegate {
        vm.startPrank(issuer);
        delegate.pauseCore();
        delegate.addIssuerAdmin(stranger);
        vm.stopPrank();

        vm.startPrank(admin);
        delegate.addIssuerAdmin(second);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.IssuerAdminRemoved(issuer);
        delegate.removeIssuerAdmin(issuer);
        delegate.removeIssuerAdmin(stranger);
        vm.expectRevert(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector);
        delegate.removeIssuerAdmin(stranger);
        vm.stopPrank();

        vm.prank(second);
        delegate.unpauseCore();
        assertFalse(delegate.paused());
        assertFalse(delegate.issuerAdmins(issuer));
        assertFalse(delegate.issuerAdmins(stranger));
    }
}
