// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";
import {NavPriceAdapterFixture} from "test/helpers/NavPriceAdapterFixture.sol";

contract NavPriceAdapterGetPriceTest is NavPriceAdapterFixture {
    function testFuzz_RevertGiven_TheNAVIsOlderThanTheGreatestAge(uint256 ageSeconds) public {
        uint256 postedAt = block.timestamp;
        vm.warp(postedAt + bound(ageSeconds, MAX_AGE_SECONDS + 1, 100 * 365 days));
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.StaleNav.selector, postedAt, MAX_AGE_SECONDS));
        adapter.getPrice();
    }

    function testFuzz_GivenTheNAVIsAtMostAsOldAsTheGreatestAge(uint256 ageSeconds) public {
        vm.warp(block.timestamp + bound(ageSeconds, 0, MAX_AGE_SECONDS));
        assertEq(adapter.getPrice(), NAV_WAD);
    }

    function testFuzz_GivenThereIsNoGreatestAge(uint256 ageSeconds) public {
        adapter = _deploy(NAV_WAD, BOUND_WAD, 0);
        vm.warp(block.timestamp + bound(ageSeconds, 0, 100 * 365 days));
        assertEq(adapter.getPrice(), NAV_WAD);
    }
}
