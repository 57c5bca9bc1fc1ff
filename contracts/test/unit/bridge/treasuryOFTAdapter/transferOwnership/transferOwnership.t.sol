// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {TreasuryOFTAdapterFixture} from "test/helpers/TreasuryOFTAdapterFixture.sol";

interface IDelegates {
    function delegates(address oapp) external view returns (address delegate);
}

contract TreasuryOFTAdapterTransferOwnershipTest is TreasuryOFTAdapterFixture {
    function test_RevertWhen_TheCallerIsNotTheOwner() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, holder));
        vm.prank(holder);
        home.adapter.transferOwnership(holder);
    }

    function test_RevertWhen_TheCallerTakesAnOwnershipThatWasNotOfferedToIt() public {
        home.adapter.transferOwnership(receiver);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, holder));
        vm.prank(holder);
        home.adapter.acceptOwnership();
    }

    function test_WhenTheCallerIsTheOwner() public {
        home.adapter.transferOwnership(receiver);
        assertEq(home.adapter.owner(), address(this), "owner before");
        assertEq(home.adapter.pendingOwner(), receiver, "offer");
        assertEq(_delegate(), address(this), "delegate before");
        home.adapter.setPeer(away.eid, bytes32(uint256(1)));

        vm.prank(receiver);
        home.adapter.acceptOwnership();
        assertEq(home.adapter.owner(), receiver, "owner after");
        assertEq(home.adapter.pendingOwner(), address(0), "offer left");
        assertEq(_delegate(), receiver, "delegate after");
        vm.prank(receiver);
        home.adapter.setPeer(away.eid, bytes32(uint256(2)));
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        home.adapter.setPeer(away.eid, bytes32(uint256(3)));
        assertEq(home.adapter.peers(away.eid), bytes32(uint256(2)), "peer");
    }

    function _delegate() private view returns (address) {
        return IDelegates(endpoints[home.eid]).delegates(address(home.adapter));
    }
}
