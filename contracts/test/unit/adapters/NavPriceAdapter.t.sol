// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {NavPriceAdapter} from "../../../src/adapters/NavPriceAdapter.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Test} from "forge-std/Test.sol";

contract NavPriceAdapterTest is Test {
    uint256 private constant WAD = 1e18;
    uint256 private constant NAV_WAD = 105.23e18;
    uint256 private constant MAX_MOVE_WAD = 0.02e18;
    uint256 private constant MAX_AGE_SECONDS = 3 days;

    address private immutable ADMIN = makeAddr("admin");
    address private immutable POSTER = makeAddr("poster");
    NavPriceAdapter private adapter;

    function setUp() public {
        vm.warp(1_750_000_000);
        adapter = _deploy(NAV_WAD, MAX_MOVE_WAD, MAX_AGE_SECONDS);
    }

    function test_Constructor_SetsBoundsRolesAndFirstNav() public {
        vm.expectEmit();
        emit NavPriceAdapter.NavPosted(NAV_WAD, address(this));
        adapter = _deploy(NAV_WAD, MAX_MOVE_WAD, MAX_AGE_SECONDS);
        assertEq(adapter.getPrice(), NAV_WAD);
        assertEq(adapter.navWad(), NAV_WAD);
        assertEq(adapter.postedAt(), block.timestamp);
        assertEq(adapter.maxMovePerPostWad(), MAX_MOVE_WAD);
        assertEq(adapter.maxAgeSeconds(), MAX_AGE_SECONDS);
        assertTrue(adapter.hasRole(adapter.DEFAULT_ADMIN_ROLE(), ADMIN));
        assertTrue(adapter.hasRole(adapter.NAV_POSTER_ROLE(), POSTER));
        assertFalse(adapter.hasRole(adapter.DEFAULT_ADMIN_ROLE(), address(this)));
        assertFalse(adapter.hasRole(adapter.NAV_POSTER_ROLE(), ADMIN));
    }

    function test_Constructor_ZeroAdminOrPoster_Reverts() public {
        vm.expectRevert(NavPriceAdapter.ZeroAddress.selector);
        new NavPriceAdapter(address(0), POSTER, NAV_WAD, MAX_MOVE_WAD, 0);
        vm.expectRevert(NavPriceAdapter.ZeroAddress.selector);
        new NavPriceAdapter(ADMIN, address(0), NAV_WAD, MAX_MOVE_WAD, 0);
    }

    function testFuzz_Constructor_RevertsExactlyOutsideBounds(uint256 navWad, uint256 maxMoveWad) public {
        navWad = bound(navWad, 0, 1) == 0 ? navWad % 4 : navWad;
        maxMoveWad = bound(maxMoveWad, 0, 2 * WAD);
        if (maxMoveWad == 0 || maxMoveWad >= WAD) {
            vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.InvalidMaxMove.selector, maxMoveWad));
        } else if (navWad == 0 || navWad > type(uint192).max) {
            vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.InvalidNav.selector, navWad));
        }
        _deploy(navWad, maxMoveWad, 0);
    }

    function test_PostNav_StoresNavAndTime() public {
        vm.warp(block.timestamp + 1 days);
        vm.expectEmit(address(adapter));
        emit NavPriceAdapter.NavPosted(NAV_WAD + 1, POSTER);
        _post(NAV_WAD + 1);
        assertEq(adapter.getPrice(), NAV_WAD + 1);
        assertEq(adapter.postedAt(), block.timestamp);
    }

    function test_PostNav_WithoutRole_Reverts() public {
        bytes32 role = adapter.NAV_POSTER_ROLE();
        vm.prank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, ADMIN, role));
        adapter.postNav(NAV_WAD);
    }

    function test_PostNav_ByExactlyTheBound_Succeeds() public {
        uint256 bound_ = NAV_WAD * MAX_MOVE_WAD / WAD;
        _post(NAV_WAD + bound_);
        adapter = _deploy(NAV_WAD, MAX_MOVE_WAD, 0);
        _post(NAV_WAD - bound_);
    }

    function test_PostNav_OneBeyondTheBound_Reverts() public {
        uint256 bound_ = NAV_WAD * MAX_MOVE_WAD / WAD;
        _expectTooLarge(NAV_WAD + bound_ + 1);
        _expectTooLarge(NAV_WAD - bound_ - 1);
    }

    function test_PostNav_Zero_Reverts() public {
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.InvalidNav.selector, 0));
        adapter.postNav(0);
    }

    /// @dev The rule stated a second way, by division with the remainder kept: the largest move is the floor of
    /// nav * maxMove / WAD.
    function testFuzz_PostNav_RevertsExactlyBeyondTheBound(uint256 lastNavWad, uint256 maxMoveWad, uint256 navWad)
        public
    {
        lastNavWad = bound(lastNavWad, 1, type(uint192).max);
        maxMoveWad = bound(maxMoveWad, 1, WAD - 1);
        uint256 largestMoveWad = lastNavWad * maxMoveWad / WAD;
        navWad = bound(
            navWad,
            lastNavWad > 2 * largestMoveWad ? lastNavWad - 2 * largestMoveWad : 0,
            lastNavWad + 2 * largestMoveWad + 2
        );
        adapter = _deploy(lastNavWad, maxMoveWad, 0);

        uint256 moveWad = navWad > lastNavWad ? navWad - lastNavWad : lastNavWad - navWad;
        bool isNav = navWad != 0 && navWad <= type(uint192).max;
        bool isWithinBound = moveWad <= largestMoveWad;
        vm.prank(POSTER);
        if (!isNav) {
            vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.InvalidNav.selector, navWad));
        } else if (!isWithinBound) {
            vm.expectRevert(
                abi.encodeWithSelector(NavPriceAdapter.NavMoveTooLarge.selector, lastNavWad, navWad, maxMoveWad)
            );
        }
        adapter.postNav(navWad);
        assertEq(adapter.getPrice(), isNav && isWithinBound ? navWad : lastNavWad);
    }

    function testFuzz_GetPrice_RevertsExactlyWhenTooOld(uint256 ageSeconds) public {
        ageSeconds = bound(ageSeconds, 0, 2 * MAX_AGE_SECONDS);
        uint256 postedAt = block.timestamp;
        vm.warp(postedAt + ageSeconds);
        if (ageSeconds > MAX_AGE_SECONDS) {
            vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.StaleNav.selector, postedAt, MAX_AGE_SECONDS));
            adapter.getPrice();
            _post(NAV_WAD);
        }
        assertEq(adapter.getPrice(), NAV_WAD);
    }

    function testFuzz_GetPrice_WithoutAgeBound_NeverStale(uint256 ageSeconds) public {
        adapter = _deploy(NAV_WAD, MAX_MOVE_WAD, 0);
        vm.warp(block.timestamp + bound(ageSeconds, 0, 100 * 365 days));
        assertEq(adapter.getPrice(), NAV_WAD);
    }

    function _deploy(uint256 navWad, uint256 maxMoveWad, uint256 maxAgeSeconds) private returns (NavPriceAdapter) {
        return new NavPriceAdapter(ADMIN, POSTER, navWad, maxMoveWad, maxAgeSeconds);
    }

    function _post(uint256 navWad) private {
        vm.prank(POSTER);
        adapter.postNav(navWad);
    }

    function _expectTooLarge(uint256 navWad) private {
        vm.prank(POSTER);
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.NavMoveTooLarge.selector, NAV_WAD, navWad, MAX_MOVE_WAD));
        adapter.postNav(navWad);
    }
}
