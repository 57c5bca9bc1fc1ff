// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";
import {NavPriceAdapterFixture} from "test/helpers/NavPriceAdapterFixture.sol";

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

    /// @dev States the rule in a second way, by division: the largest move is the floor of nav * bound / WAD.
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

    /// A stolen key that posts as often as it can moves the NAV by one daily bound at once, and by two within 24 hours.
    function test_RevertWhen_MovesAddUpBeyondTheDailyBound_X6() public {
        uint256 start = vm.getBlockTimestamp();
        assertEq(_postWhilePossible(), DAY_BOUND_WAD, "at once");
        for (uint256 i = 1; i <= 24; ++i) {
            vm.warp(start + i * 1 hours);
            _postWhilePossible();
        }
        uint256 factorWad = adapter.navWad() * WAD / NAV_WAD;
        // Compounded in steps, two bounds of 5 % are at most e^0.1.
        assertGt(factorWad, 1.1e18);
        assertLe(factorWad, 1.105171e18);
    }

    function test_RevertWhen_MovesUpAndDownAddUp() public {
        uint256 highWad = NAV_WAD + LARGEST_MOVE_WAD;
        _post(highWad);
        _post(NAV_WAD);
        uint256 available = DAY_BOUND_WAD - BOUND_WAD - Math.ceilDiv(LARGEST_MOVE_WAD * WAD, highWad);
        assertEq(adapter.availableMoveWad(), available);
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.NavDailyMoveTooLarge.selector, BOUND_WAD, available));
        adapter.postNav(highWad);
    }

    function test_WhenADayHasPassed() public {
        _postWhilePossible();
        vm.warp(vm.getBlockTimestamp() + 12 hours);
        assertEq(adapter.availableMoveWad(), DAY_BOUND_WAD / 2);
        vm.warp(vm.getBlockTimestamp() + 12 hours);
        assertEq(adapter.availableMoveWad(), DAY_BOUND_WAD);
    }

    function test_WhenTheMoveIsOneUnit() public {
        _post(NAV_WAD + 1);
        assertEq(adapter.availableMoveWad(), DAY_BOUND_WAD - 1, "rounded up");
        _post(NAV_WAD);
        assertEq(adapter.availableMoveWad(), DAY_BOUND_WAD - 2, "back");
    }

    function test_WhenTheSameNAVIsPostedOverAndOver() public {
        for (uint256 i = 0; i < 100; ++i) {
            _post(NAV_WAD);
        }
        assertEq(adapter.availableMoveWad(), DAY_BOUND_WAD);
    }

    /// Posts in steps of a tenth of a percent, rounded down, until the adapter refuses. The rest is below one step.
    function _postWhilePossible() private returns (uint256 movedWad) {
        uint256 available = adapter.availableMoveWad();
        uint256 stepWad = 0.001e18;
        while (adapter.availableMoveWad() >= stepWad) {
            _post(adapter.navWad() + adapter.navWad() * stepWad / WAD);
            movedWad += stepWad;
        }
        uint256 navWad = adapter.navWad();
        uint256 beyond = navWad + Math.ceilDiv(navWad * (adapter.availableMoveWad() + 1), WAD);
        uint256 moveWad = Math.ceilDiv((beyond - navWad) * WAD, navWad);
        uint256 left = adapter.availableMoveWad();
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.NavDailyMoveTooLarge.selector, moveWad, left));
        adapter.postNav(beyond);
        assertLe(movedWad, available);
    }
}
