// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "./BaseTest.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";

/// @title NavPriceAdapterFixture
/// @notice An adapter with a first NAV.
abstract contract NavPriceAdapterFixture is BaseTest {
    uint256 internal constant WAD = 1e18;
    uint256 internal constant NAV_WAD = 105.23e18;
    uint256 internal constant BOUND_WAD = 0.02e18;
    uint256 internal constant DAY_BOUND_WAD = 0.05e18;
    uint256 internal constant MAX_AGE_SECONDS = 3 days;

    address internal immutable ADMIN = makeAddr("admin");
    address internal immutable POSTER = makeAddr("poster");
    NavPriceAdapter internal adapter;

    function setUp() public {
        vm.warp(1_750_000_000);
        adapter = _deploy(NAV_WAD, BOUND_WAD, MAX_AGE_SECONDS);
    }

    function _deploy(uint256 navWad, uint256 boundWad, uint256 maxAgeSeconds) internal returns (NavPriceAdapter) {
        uint256 dayBoundWad = boundWad > DAY_BOUND_WAD ? boundWad : DAY_BOUND_WAD;
        return new NavPriceAdapter(ADMIN, POSTER, navWad, boundWad, dayBoundWad, maxAgeSeconds);
    }

    function _post(uint256 navWad) internal {
        vm.prank(POSTER);
        adapter.postNav(navWad);
    }
}
