// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";
import {NavPriceAdapterFixture} from "test/helpers/NavPriceAdapterFixture.sol";

contract NavPriceAdapterConstructorTest is NavPriceAdapterFixture {
    function test_RevertWhen_TheAdministratorIsZero() public {
        vm.expectRevert(NavPriceAdapter.ZeroAddress.selector);
        new NavPriceAdapter(address(0), POSTER, NAV_WAD, BOUND_WAD, DAY_BOUND_WAD, 0);
    }

    function test_RevertWhen_ThePosterIsZero() public {
        vm.expectRevert(NavPriceAdapter.ZeroAddress.selector);
        new NavPriceAdapter(ADMIN, address(0), NAV_WAD, BOUND_WAD, DAY_BOUND_WAD, 0);
    }

    function testFuzz_RevertWhen_TheLargestMoveIsOutsideItsRange(uint256 boundWad) public {
        boundWad = _outside(boundWad, 0, bound(boundWad, WAD, type(uint256).max - 1));
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.InvalidMaxMove.selector, boundWad));
        // The bound of a day is another, so that the error names the bound of a post.
        new NavPriceAdapter(ADMIN, POSTER, NAV_WAD, boundWad, type(uint256).max, 0);
    }

    function testFuzz_RevertWhen_TheLargestMoveOfADayIsOutsideItsRange(uint256 boundWad) public {
        boundWad = _outside(boundWad, bound(boundWad, 0, BOUND_WAD - 1), bound(boundWad, WAD, type(uint256).max));
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.InvalidMaxMove.selector, boundWad));
        new NavPriceAdapter(ADMIN, POSTER, NAV_WAD, BOUND_WAD, boundWad, 0);
    }

    function testFuzz_RevertWhen_TheNAVIsOutsideItsRange(uint256 navWad) public {
        navWad = navWad % 2 == 0 ? 0 : bound(navWad, 2 ** 192, type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.InvalidNav.selector, navWad));
        _deploy(navWad, BOUND_WAD, 0);
    }

    function testFuzz_WhenTheArgumentsAreValid(uint256 navWad, uint256 boundWad, uint256 maxAgeSeconds) public {
        navWad = navWad % 2 == 0 ? type(uint192).max : bound(navWad, 1, type(uint192).max);
        boundWad = bound(boundWad, 1, WAD - 1);
        vm.expectEmit();
        emit NavPriceAdapter.NavPosted(navWad, address(this));
        adapter = _deploy(navWad, boundWad, maxAgeSeconds);
        assertEq(adapter.getPrice(), navWad, "price");
        assertEq(adapter.navWad(), navWad, "NAV");
        assertEq(adapter.postedAt(), block.timestamp, "time");
        assertEq(adapter.maxMovePerPostWad(), boundWad, "largest move");
        uint256 dayBoundWad = boundWad > DAY_BOUND_WAD ? boundWad : DAY_BOUND_WAD;
        assertEq(adapter.maxMovePerDayWad(), dayBoundWad, "largest move of a day");
        assertEq(adapter.availableMoveWad(), dayBoundWad, "the first NAV does not count as a move");
        assertEq(adapter.maxAgeSeconds(), maxAgeSeconds, "greatest age");
        assertTrue(adapter.hasRole(adapter.DEFAULT_ADMIN_ROLE(), ADMIN), "administrator");
        assertTrue(adapter.hasRole(adapter.NAV_POSTER_ROLE(), POSTER), "poster");
        assertFalse(adapter.hasRole(adapter.DEFAULT_ADMIN_ROLE(), POSTER), "poster as administrator");
        assertFalse(adapter.hasRole(adapter.DEFAULT_ADMIN_ROLE(), address(this)), "deployer");
        assertFalse(adapter.hasRole(adapter.NAV_POSTER_ROLE(), ADMIN), "administrator as poster");
    }

    /// Returns a value below the range of bounds, the first above it, which the fuzzer rarely draws, or any above it.
    function _outside(uint256 seed, uint256 belowWad, uint256 aboveWad) private pure returns (uint256 boundWad) {
        if (seed % 3 == 0) return belowWad;
        return seed % 3 == 1 ? WAD : aboveWad;
    }
}
