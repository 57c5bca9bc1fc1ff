// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract AcceptCustodyTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenAnyAccountCalls(address caller) public forEachDelegate {
        vm.assume(!delegate.custodyAccepted(caller));
        _watchDelegate();
        _expectDelegateAnswer(abi.encodeCall(delegate.custodyAccepted, (caller)), abi.encode(true));
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.CustodyAccepted(caller);
        _assertDelegateEffects(caller, abi.encodeCall(delegate.acceptCustody, ()));
    }
}
