// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract ColdStorageTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheCallerIsNotTheDefaultAdmin(address caller) public forEachDelegate {
        _assertOnlyRole(0x00, caller, abi.encodeCall(delegate.addRWAColdStorageAddress, (cold)));
        _assertOnlyRole(0x00, caller, abi.encodeCall(delegate.removeRWAColdStorageAddress, (cold)));
        _assertOnlyRole(0x00, caller, abi.encodeCall(delegate.addStablecoinColdStorageAddress, (cold)));
        _assertOnlyRole(0x00, caller, abi.encodeCall(delegate.removeStablecoinColdStorageAddress, (cold)));
    }

    function test_RevertWhen_TheIssuerAdminCalls() public forEachDelegate {
        bytes[] memory calls = new bytes[](5);
        calls[0] = abi.encodeCall(delegate.addRWAColdStorageAddress, (cold));
        calls[1] = abi.encodeCall(delegate.removeRWAColdStorageAddress, (cold));
        calls[2] = abi.encodeCall(delegate.addStablecoinColdStorageAddress, (cold));
        calls[3] = abi.encodeCall(delegate.removeStablecoinColdStorageAddress, (cold));
        calls[4] = abi.encodeCall(delegate.upgradeToAndCall, (address(new BalanceSheetDelegate()), ""));
        for (uint256 k = 0; k < calls.length; ++k) {
            vm.prank(issuer);
            (bool success, bytes memory reason) = address(delegate).call(calls[k]);
            assertFalse(success);
            assertEq(reason, _unauthorized(issuer, 0x00));
        }
    }

    function test_RevertWhen_TheAddressIsZero() public forEachDelegate {
        bytes memory zero = abi.encodePacked(IStablecoinDelegateAdmin.ZeroAddressNotAllowed.selector);
        _assertReverts(admin, abi.encodeCall(delegate.addRWAColdStorageAddress, (address(0))), zero);
        _assertReverts(admin, abi.encodeCall(delegate.addStablecoinColdStorageAddress, (address(0))), zero);
    }

    function test_WhenAddressesAreListedOnceAndTakenOff() public forEachDelegate {
        vm.startPrank(admin);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.RWAColdStorageAddressAdded(cold);
        delegate.addRWAColdStorageAddress(cold);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinColdStorageAddressAdded(stranger);
        delegate.addStablecoinColdStorageAddress(stranger);
        assertEq(delegate.getRWAColdStorageAddresses(), _single(cold));
        assertEq(delegate.getStablecoinColdStorageAddresses(), _single(stranger));

        vm.recordLogs();
        delegate.addRWAColdStorageAddress(cold);
        delegate.addStablecoinColdStorageAddress(stranger);
        delegate.removeRWAColdStorageAddress(stranger);
        delegate.removeStablecoinColdStorageAddress(cold);
        assertEq(vm.getRecordedLogs().length, 0, "a call that changes nothing emits no event");

        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.RWAColdStorageAddressRemoved(cold);
        delegate.removeRWAColdStorageAddress(cold);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinColdStorageAddressRemoved(stranger);
        delegate.removeStablecoinColdStorageAddress(stranger);
        vm.stopPrank();
        assertEq(delegate.getRWAColdStorageAddresses().length, 0);
        assertEq(delegate.getStablecoinColdStorageAddresses().length, 0);
    }

    function test_WhenAnRWAAddressIsListedAndTakenOff() public forEachDelegate {
        bytes memory list = abi.encodeCall(delegate.getRWAColdStorageAddresses, ());
        _watchDelegate();
        _expectDelegateAnswer(list, abi.encode(_single(cold)));
        // The place in the set.
        _expectHiddenSlots(1);
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.RWAColdStorageAddressAdded(cold);
        _assertDelegateEffects(admin, abi.encodeCall(delegate.addRWAColdStorageAddress, (cold)));

        _watchDelegate();
        _expectDelegateAnswer(list, abi.encode(new address[](0)));
        // The place in the set, and the element that the list no longer contains.
        _expectHiddenSlots(2);
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.RWAColdStorageAddressRemoved(cold);
        _assertDelegateEffects(admin, abi.encodeCall(delegate.removeRWAColdStorageAddress, (cold)));
    }

    function test_WhenAStablecoinAddressIsListedAndTakenOff() public forEachDelegate {
        bytes memory list = abi.encodeCall(delegate.getStablecoinColdStorageAddresses, ());
        _watchDelegate();
        _expectDelegateAnswer(list, abi.encode(_single(cold)));
        _expectHiddenSlots(1);
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinColdStorageAddressAdded(cold);
        _assertDelegateEffects(admin, abi.encodeCall(delegate.addStablecoinColdStorageAddress, (cold)));

        _watchDelegate();
        _expectDelegateAnswer(list, abi.encode(new address[](0)));
        _expectHiddenSlots(2);
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinColdStorageAddressRemoved(cold);
        _assertDelegateEffects(admin, abi.encodeCall(delegate.removeStablecoinColdStorageAddress, (cold)));
    }

    function _single(address account) private pure returns (address[] memory accounts) {
        accounts = new address[](1);
        accounts[0] = account;
    }
}
