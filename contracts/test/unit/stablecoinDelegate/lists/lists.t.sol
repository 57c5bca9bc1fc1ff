// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract ListsTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheCallerIsNotAnIssuerAdmin(address caller, uint256 which) public forEachDelegate {
        _assertOnlyIssuerAdmin(caller, _call(which, stranger, true));
    }

    function test_RevertWhen_TheEntryIsZero() public forEachDelegate {
        for (uint256 which = 0; which < 3; ++which) {
            _assertReverts(
                issuer,
                _call(which, address(0), true),
                abi.encodePacked(IStablecoinDelegateAdmin.ZeroAddressNotAllowed.selector)
            );
        }
    }

    function test_WhenTheListsAreSet() public forEachDelegate {
        vm.startPrank(issuer);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.BlacklistUpdated(stranger, true);
        delegate.setBlacklist(stranger, true);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.RWAWhitelist(stranger, true);
        delegate.whitelistRWA(stranger, true);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinWhitelist(cold, true);
        delegate.whitelistStablecoin(cold, true);
        vm.stopPrank();
        assertTrue(delegate.blacklist(stranger));
        assertTrue(delegate.rwaWhitelist(stranger));
        assertFalse(delegate.stablecoinWhitelist(stranger));
        assertTrue(delegate.stablecoinWhitelist(cold));
    }

    function test_WhenAnEntryOfAnyListIsSetAndCleared() public forEachDelegate {
        for (uint256 which = 0; which < 3; ++which) {
            for (uint256 k = 0; k < 2; ++k) {
                bool listed = k == 0;
                _watchDelegate();
                _expectDelegateAnswer(_view(which, stranger), abi.encode(listed));
                _expectEvent(address(delegate));
                if (which == 0) emit IStablecoinDelegateAdmin.BlacklistUpdated(stranger, listed);
                else if (which == 1) emit IStablecoinDelegateAdmin.RWAWhitelist(stranger, listed);
                else emit IStablecoinDelegateAdmin.StablecoinWhitelist(stranger, listed);
                _assertDelegateEffects(issuer, _call(which, stranger, listed));
            }
        }
    }

    function _call(uint256 which, address entry, bool listed) private view returns (bytes memory) {
        which %= 3;
        if (which == 0) return abi.encodeCall(delegate.setBlacklist, (entry, listed));
        if (which == 1) return abi.encodeCall(delegate.whitelistRWA, (entry, listed));
        return abi.encodeCall(delegate.whitelistStablecoin, (entry, listed));
    }

    function _view(uint256 which, address entry) private view returns (bytes memory) {
        if (which == 0) return abi.encodeCall(delegate.blacklist, (entry));
        if (which == 1) return abi.encodeCall(delegate.rwaWhitelist, (entry));
        return abi.encodeCall(delegate.stablecoinWhitelist, (entry));
    }
}
