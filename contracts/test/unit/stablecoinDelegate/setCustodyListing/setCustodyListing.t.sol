// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract SetCustodyListingTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_RevertWhen_TheCallerIsNotTheAdministrator(address caller) public forEachDelegate {
        _assertOnlyRole(
            delegate.DEFAULT_ADMIN_ROLE(), caller, abi.encodeCall(delegate.setCustodyListing, (caller, true, true))
        );
    }

    function test_RevertWhen_TheCallerIsAnIssuerAdmin_D28() public forEachDelegate {
        _assertReverts(
            issuer, abi.encodeCall(delegate.setCustodyListing, (issuer, true, true)), _unauthorized(issuer, bytes32(0))
        );
    }

    function test_RevertWhen_TheAccountIsZero() public forEachDelegate {
        _assertReverts(
            admin,
            abi.encodeCall(delegate.setCustodyListing, (address(0), true, true)),
            abi.encodePacked(IStablecoinDelegateAdmin.ZeroAddressNotAllowed.selector)
        );
    }

    function test_WhenAnAccountIsListedForOneKind_D28() public forEachDelegate {
        vm.prank(stranger);
        delegate.acceptCustody();
        _assertListed(true, false);
        _assertListed(false, true);
    }

    function test_WhenTheCustodyInOfficeIsTakenOff_D28() public forEachDelegate {
        vm.prank(admin);
        delegate.setCustodyListing(stablecoinCustody, false, false);
        assertEq(delegate.stablecoinCustodyAddress(), stablecoinCustody, "the current custody stays");

        vm.startPrank(issuer);
        delegate.setStablecoinCustodyAddress(address(delegate));
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        delegate.setStablecoinCustodyAddress(stablecoinCustody);
        vm.stopPrank();
    }

    /// Lists the account for one kind, and asserts that it can be named only as that kind.
    function _assertListed(bool rwa, bool stablecoin) private {
        _watchDelegate();
        _expectDelegateAnswer(abi.encodeCall(delegate.custodyListing, (stranger)), abi.encode(rwa, stablecoin));
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.CustodyListingSet(stranger, rwa, stablecoin);
        _assertDelegateEffects(admin, abi.encodeCall(delegate.setCustodyListing, (stranger, rwa, stablecoin)));

        bytes[2] memory setters = [
            abi.encodeCall(delegate.setRWACustodyAddress, (stranger)),
            abi.encodeCall(delegate.setStablecoinCustodyAddress, (stranger))
        ];
        _assertReverts(
            issuer, setters[rwa ? 1 : 0], abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector)
        );
        (bool success,) = _try(issuer, setters[rwa ? 0 : 1]);
        assertTrue(success);
    }
}
