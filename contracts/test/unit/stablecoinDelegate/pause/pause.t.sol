// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract PauseTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheCallerHasNeitherThePauseRoleNorIsAnIssuerAdmin(address caller)
        public
        forEachDelegate
    {
        vm.assume(!delegate.issuerAdmins(caller));
        _assertOnlyRole(delegate.PAUSE_ROLE(), caller, abi.encodeCall(delegate.pause, ()));
        _assertOnlyRole(delegate.PAUSE_ROLE(), caller, abi.encodeCall(delegate.unpause, ()));
    }

    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheFunctionsOfTheIssuerAdminAreCalledByAnyoneElse(address caller)
        public
        forEachDelegate
    {
        _assertOnlyIssuerAdmin(caller, abi.encodeCall(delegate.pauseCore, ()));
        _assertOnlyIssuerAdmin(caller, abi.encodeCall(delegate.unpauseCore, ()));
    }

    function test_RevertWhen_AStrangerCalls() public forEachDelegate {
        bytes memory reason = _unauthorized(stranger, delegate.PAUSE_ROLE());
        vm.startPrank(stranger);
        vm.expectRevert(reason);
        delegate.pause();
        vm.expectRevert(reason);
        delegate.unpause();
        vm.stopPrank();
    }

    function test_RevertWhen_TheRatePosterOrTheOperatorCalls() public {
        address[3] memory callers = [stranger, poster, corrector];
        for (uint256 i = 0; i < callers.length; ++i) {
            bytes memory expected = _unauthorized(callers[i], delegate.PAUSE_ROLE());
            _assertReverts(callers[i], abi.encodeCall(delegate.pause, ()), expected);
            _assertReverts(callers[i], abi.encodeCall(delegate.unpause, ()), expected);
        }
    }

    function test_WhenBothCausesAreSet() public forEachDelegate {
        vm.expectEmit(address(delegate));
        emit IPausable.Paused(admin);
        vm.prank(admin);
        delegate.pause();
        assertTrue(delegate.emergencyPaused());
        assertFalse(delegate.issuerPaused());

        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(issuer);
        delegate.unpause();
        vm.prank(issuer);
        delegate.pauseCore();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        vm.prank(issuer);
        delegate.pause();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        vm.prank(admin);
        delegate.pause();

        vm.recordLogs();
        vm.prank(admin);
        delegate.unpause();
        _assertOnlyCauseTold("still paused by the other cause");
        assertTrue(delegate.paused());
        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(admin);
        delegate.unpause();

        vm.expectEmit(address(delegate));
        emit IPausable.Unpaused(issuer);
        vm.prank(issuer);
        delegate.unpauseCore();
        assertFalse(delegate.paused());
    }

    function test_WhenNobodyClearsTheCauseOfAnother() public forEachDelegate {
        vm.prank(admin);
        delegate.pause();
        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(issuer);
        delegate.unpause();
        vm.prank(issuer);
        delegate.pauseCore();
        vm.prank(admin);
        delegate.unpause();
        assertTrue(delegate.paused());
        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(admin);
        delegate.unpause();
        vm.prank(issuer);
        delegate.unpauseCore();
        assertFalse(delegate.paused());
    }

    function test_WhenTheIssuerAdminUsesEitherName() public forEachDelegate {
        vm.startPrank(issuer);
        delegate.pause();
        assertTrue(delegate.issuerPaused());
        delegate.unpauseCore();
        delegate.pauseCore();
        delegate.unpause();
        vm.stopPrank();
        assertFalse(delegate.paused());
    }

    function test_WhenBothCausesAreLiftedInTheOtherOrder() public forEachDelegate {
        vm.prank(issuer);
        delegate.pause();
        vm.prank(admin);
        delegate.pause();
        vm.recordLogs();
        vm.prank(issuer);
        delegate.unpause();
        _assertOnlyCauseTold("still paused by the emergency cause");
        vm.expectEmit(address(delegate));
        emit IPausable.Unpaused(admin);
        vm.prank(admin);
        delegate.unpause();
    }

    function test_WhenTheEmergencyCauseIsSetAndCleared() public forEachDelegate {
        bytes memory cause = abi.encodeCall(delegate.emergencyPaused, ());
        _toggle(admin, cause, true, abi.encodeCall(delegate.pause, ()));
        _toggle(admin, cause, false, abi.encodeCall(delegate.unpause, ()));
    }

    function test_WhenTheCauseOfTheIssuerIsSetAndCleared() public forEachDelegate {
        bytes memory cause = abi.encodeCall(delegate.issuerPaused, ());
        _toggle(issuer, cause, true, abi.encodeCall(delegate.pause, ()));
        _toggle(issuer, cause, false, abi.encodeCall(delegate.unpause, ()));
        _toggle(issuer, cause, true, abi.encodeCall(delegate.pauseCore, ()));
        _toggle(issuer, cause, false, abi.encodeCall(delegate.unpauseCore, ()));
    }

    function _assertOnlyCauseTold(string memory why) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 1, why);
        assertEq(logs[0].topics[0], IStablecoinDelegateAdmin.PauseCauseSet.selector, why);
    }

    function _toggle(address caller, bytes memory cause, bool set, bytes memory data) private {
        _watchDelegate();
        _expectDelegateAnswer(cause, abi.encode(set));
        _expectDelegateAnswer(abi.encodeCall(delegate.paused, ()), abi.encode(set));
        _expectEvent(address(delegate));
        bool isEmergency = caller == admin;
        emit IStablecoinDelegateAdmin.PauseCauseSet(caller, set && isEmergency, set && !isEmergency);
        _expectEvent(address(delegate));
        if (set) emit IPausable.Paused(caller);
        else emit IPausable.Unpaused(caller);
        _assertDelegateEffects(caller, data);
    }
}
