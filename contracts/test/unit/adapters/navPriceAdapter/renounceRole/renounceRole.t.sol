// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {NavPriceAdapterFixture} from "test/helpers/NavPriceAdapterFixture.sol";

contract NavPriceAdapterRenounceRoleTest is NavPriceAdapterFixture {
    function test_RevertWhen_TheConfirmationIsNotTheCaller() public {
        bytes32 role = adapter.NAV_POSTER_ROLE();
        vm.expectRevert(IAccessControl.AccessControlBadConfirmation.selector);
        vm.prank(ADMIN);
        adapter.renounceRole(role, POSTER);
    }

    function test_WhenThePosterRenounces() public {
        bytes32 role = adapter.NAV_POSTER_ROLE();
        vm.startPrank(POSTER);
        adapter.renounceRole(role, POSTER);
        vm.expectRevert(abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, POSTER, role));
        adapter.postNav(NAV_WAD);
        vm.stopPrank();
        assertEq(adapter.getPrice(), NAV_WAD, "price");
        assertTrue(adapter.hasRole(adapter.DEFAULT_ADMIN_ROLE(), ADMIN), "administrator");
    }
}
