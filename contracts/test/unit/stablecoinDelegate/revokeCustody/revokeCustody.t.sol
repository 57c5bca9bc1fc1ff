// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract RevokeCustodyTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenAnyAccountCalls(address caller) public forEachDelegate {
        vm.assume(caller != rwaCustody && caller != stablecoinCustody);
        vm.prank(caller);
        delegate.acceptCustody();
        _watchDelegate();
        _expectDelegateAnswer(abi.encodeCall(delegate.custodyAccepted, (caller)), abi.encode(false));
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.CustodyRevoked(caller);
        _assertDelegateEffects(caller, abi.encodeCall(delegate.revokeCustody, ()));
    }

    function test_WhenTheCustodyCalls() public forEachDelegate {
        vm.prank(stablecoinCustody);
        delegate.revokeCustody();
        assertEq(delegate.stablecoinCustodyAddress(), stablecoinCustody);

        vm.startPrank(issuer);
        delegate.setStablecoinCustodyAddress(address(delegate));
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        delegate.setStablecoinCustodyAddress(stablecoinCustody);
        vm.stopPrank();
    }
}
