// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {NavPriceAdapter} from "../../../../../src/adapters/NavPriceAdapter.sol";
import {NavPriceAdapterFixture} from "../../../../helpers/NavPriceAdapterFixture.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";

contract NavPriceAdapterPostNavTest is NavPriceAdapterFixture {
    uint256 private constant LARGEST_MOVE_WAD = NAV_WAD * BOUND_WAD / WAD;

    function testFuzz_RevertWhen_TheCallerIsNotThePoster(address caller) public {
        if (caller == POSTER) caller = ADMIN;
        bytes32 role = adapter.NAV_POSTER_ROLE();
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, caller, role));
        adapter.postNav(NAV_WAD);
    }

    function test_RevertWhen_TheNAVIsZero() public {
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.InvalidNav.selector, 0));
        adapter.postNav(0);
    }

    function testFuzz_RevertWhen_TheNAVTakesMoreThan192Bits(uint256 navWad) public {
        navWad = bound(navWad, 2 ** 192, type(uint256).max);
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.InvalidNav.selector, navWad));
        adapter.postNav(navWad);
    }

    function test_RevertWhen_TheMoveIsOneUnitAboveTheLargest() public {
        uint256[2] memory navs = [NAV_WAD + LARGEST_MOVE_WAD + 1, NAV_WAD - LARGEST_MOVE_WAD - 1];
        for (uint256 k = 0; k < 2; ++k) {
            vm.prank(POSTER);
            vm.expectRevert(
                abi.encodeWithSelector(NavPriceAdapter.NavMoveTooLarge.selector, NAV_WAD, navs[k], BOUND_WAD)
            );
            adapter.postNav(navs[k]);
        }
    }

    function test_WhenTheMoveIsTheLargest() public {
        _post(NAV_WAD + LARGEST_MOVE_WAD);
        assertEq(adapter.getPrice(), NAV_WAD + LARGEST_MOVE_WAD, "up");
        adapter = _deploy(NAV_WAD, BOUND_WAD, 0);
        _post(NAV_WAD - LARGEST_MOVE_WAD);
        assertEq(adapter.getPrice(), NAV_WAD - LARGEST_MOVE_WAD, "down");
    }

    /// @dev The rule stated a second way, by division with the remainder kept: the largest move is the floor of
    /// nav * bound / WAD.
    function testFuzz_WhenTheNAVAndTheBoundAreArbitrary(uint256 lastNavWad, uint256 boundWad, uint256 navWad) public {
        lastNavWad = bound(lastNavWad, 1, type(uint192).max);
        boundWad = bound(boundWad, 1, WAD - 1);
        uint256 largestMoveWad = lastNavWad * boundWad / WAD;
        uint256 leastWad = lastNavWad > 2 * largestMoveWad ? lastNavWad - 2 * largestMoveWad : 1;
        uint256 greatestWad = lastNavWad + 2 * largestMoveWad + 2;
        navWad = bound(navWad, leastWad, greatestWad > type(uint192).max ? type(uint192).max : greatestWad);
        adapter = _deploy(lastNavWad, boundWad, 0);

        uint256 moveWad = navWad > lastNavWad ? navWad - lastNavWad : lastNavWad - navWad;
        vm.prank(POSTER);
        if (moveWad > largestMoveWad) {
            vm.expectRevert(
                abi.encodeWithSelector(NavPriceAdapter.NavMoveTooLarge.selector, lastNavWad, navWad, boundWad)
            );
        }
        adapter.postNav(navWad);
        assertEq(adapter.getPrice(), moveWad > largestMoveWad ? lastNavWad : navWad);
    }

    function test_WhenTheNAVIsTheOneThatStands() public {
        vm.warp(block.timestamp + MAX_AGE_SECONDS + 1);
        _post(NAV_WAD);
        assertEq(adapter.getPrice(), NAV_WAD, "price");
        assertEq(adapter.postedAt(), block.timestamp, "time");
    }

    function test_WhenTheNAVIsValid() public {
        vm.warp(block.timestamp + 1 days);
        vm.expectEmit(address(adapter));
        emit NavPriceAdapter.NavPosted(NAV_WAD + 1, POSTER);
        _post(NAV_WAD + 1);
        assertEq(adapter.getPrice(), NAV_WAD + 1, "price");
        assertEq(adapter.postedAt(), block.timestamp, "time");
    }
}
