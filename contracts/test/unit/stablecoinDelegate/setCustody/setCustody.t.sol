// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract SetCustodyTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheCallerIsNotAnIssuerAdmin(address caller) public forEachDelegate {
        _assertOnlyIssuerAdmin(caller, abi.encodeCall(delegate.setRWACustodyAddress, (rwaCustody)));
        _assertOnlyIssuerAdmin(caller, abi.encodeCall(delegate.setStablecoinCustodyAddress, (rwaCustody)));
    }

    function test_RevertWhen_TheAccountIsZero() public forEachDelegate {
        bytes memory zero = abi.encodePacked(IStablecoinDelegateAdmin.ZeroAddressNotAllowed.selector);
        _assertReverts(issuer, abi.encodeCall(delegate.setRWACustodyAddress, (address(0))), zero);
        _assertReverts(issuer, abi.encodeCall(delegate.setStablecoinCustodyAddress, (address(0))), zero);
    }

    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheAccountHasNotAccepted(address account) public forEachDelegate {
        vm.assume(account != address(0) && account != address(delegate) && !delegate.custodyAccepted(account));
        _listCustody(address(delegate), account);
        bytes memory refused = abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        _assertReverts(issuer, abi.encodeCall(delegate.setRWACustodyAddress, (account)), refused);
        _assertReverts(issuer, abi.encodeCall(delegate.setStablecoinCustodyAddress, (account)), refused);
    }

    /// Consent alone does not make an account custody, because the issuer admin could consent itself.
    function test_RevertWhen_TheAccountIsNotListed_D28() public forEachDelegate {
        vm.prank(issuer);
        delegate.acceptCustody();
        bytes memory refused = abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        _assertReverts(issuer, abi.encodeCall(delegate.setRWACustodyAddress, (issuer)), refused);
        _assertReverts(issuer, abi.encodeCall(delegate.setStablecoinCustodyAddress, (issuer)), refused);
    }

    function test_RevertWhen_TheAccountTookItsConsentBack_D26() public forEachDelegate {
        _listCustody(address(delegate), stranger);
        vm.startPrank(stranger);
        delegate.acceptCustody();
        delegate.revokeCustody();
        vm.stopPrank();
        bytes memory refused = abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        _assertReverts(issuer, abi.encodeCall(delegate.setRWACustodyAddress, (stranger)), refused);
        _assertReverts(issuer, abi.encodeCall(delegate.setStablecoinCustodyAddress, (stranger)), refused);
    }

    function test_RevertWhen_TheAccountAcceptedAnotherDelegate_D26() public {
        assertTrue(usdc.delegate.custodyAccepted(usdc.custody));
        _listCustody(address(usdx.delegate), usdc.custody);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        vm.prank(usdx.issuerAdmin);
        usdx.delegate.setRWACustodyAddress(usdc.custody);
    }

    function test_WhenTheAccountHasAccepted() public forEachDelegate {
        _listCustody(address(delegate), stranger);
        vm.startPrank(issuer);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        delegate.setRWACustodyAddress(stranger);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        delegate.setStablecoinCustodyAddress(stranger);
        vm.stopPrank();

        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.CustodyAccepted(stranger);
        vm.prank(stranger);
        delegate.acceptCustody();
        assertTrue(delegate.custodyAccepted(stranger));

        vm.startPrank(issuer);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.RWACustodyAddressSet(stranger);
        delegate.setRWACustodyAddress(stranger);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinCustodyAddressSet(stranger);
        delegate.setStablecoinCustodyAddress(stranger);
        vm.stopPrank();
        assertEq(delegate.balanceSheetCustodyAddress(), stranger);
        assertEq(delegate.stablecoinCustodyAddress(), stranger);
    }

    function test_WhenTheAccountIsTheDelegate() public forEachDelegate {
        vm.startPrank(issuer);
        delegate.setRWACustodyAddress(address(delegate));
        delegate.setStablecoinCustodyAddress(address(delegate));
        vm.stopPrank();
        assertEq(delegate.balanceSheetCustodyAddress(), address(delegate));
    }

    /// One account served for both kinds. The LP pays its stablecoin out of the current stablecoin custody.
    function test_WhenOneOfTwoCustodiesThatWereOneChanges() public {
        address former = usdc.custody;
        usdc.token.mint(address(usdc.delegate), 1_000_000e6);
        bill.token.mint(address(usdc.delegate), 1_000_000e18);
        // The setter that was called last found that both are the same account.
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWACustodyAddress(former);
        uint256 snapshot = vm.snapshotState();
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setStablecoinCustodyAddress(address(usdc.delegate));
        uint256 before = usdc.token.balanceOf(former);
        _swap(_leg(1, 1e18, false));
        assertEq(usdc.token.balanceOf(former), before, "the former stablecoin custody pays nothing");
        vm.revertToState(snapshot);

        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWACustodyAddress(address(usdc.delegate));
        before = usdc.token.balanceOf(address(usdc.delegate));
        _swap(_leg(1, 1e18, false));
        assertEq(usdc.token.balanceOf(address(usdc.delegate)), before, "the RWA custody pays no stablecoin");
    }

    function test_WhenTheRWACustodyChanges() public forEachDelegate {
        _watchDelegate();
        bytes memory self = abi.encode(address(delegate));
        _expectDelegateAnswer(abi.encodeCall(delegate.balanceSheetCustodyAddress, ()), self);
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.RWACustodyAddressSet(address(delegate));
        // The flags by which settlements recognize the former and the current custody.
        _expectHiddenSlots(2);
        _assertDelegateEffects(issuer, abi.encodeCall(delegate.setRWACustodyAddress, (address(delegate))));
    }

    function test_WhenTheStablecoinCustodyChanges() public forEachDelegate {
        _watchDelegate();
        bytes memory self = abi.encode(address(delegate));
        _expectDelegateAnswer(abi.encodeCall(delegate.stablecoinCustodyAddress, ()), self);
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinCustodyAddressSet(address(delegate));
        // The flags by which settlements recognize the former and the current custody, and the record that one account
        // served for both.
        bool wasOne = delegate.balanceSheetCustodyAddress() == delegate.stablecoinCustodyAddress();
        _expectHiddenSlots(wasOne ? 3 : 2);
        _assertDelegateEffects(issuer, abi.encodeCall(delegate.setStablecoinCustodyAddress, (address(delegate))));
    }
}
