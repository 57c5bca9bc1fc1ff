// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeedReader} from "src/adapters/FeedReader.sol";
import {TBillRateAdapter} from "src/adapters/TBillRateAdapter.sol";
import {BaseTest} from "test/helpers/BaseTest.sol";
import {SettableFeed} from "test/mocks/SettableFeed.sol";

contract TBillRateAdapterConstructorTest is BaseTest {
    function testFuzz_RevertWhen_TheFeedHasMoreThan36Decimals(uint8 decimals, bool inPercent) public {
        decimals = uint8(bound(decimals, 37, type(uint8).max));
        SettableFeed feed = new SettableFeed(decimals);
        vm.expectRevert(abi.encodeWithSelector(FeedReader.UnsupportedFeedDecimals.selector, decimals));
        new TBillRateAdapter(feed, inPercent, 5 days, 0, 0.2e18);
    }

    function test_RevertWhen_TheGreatestAgeIsZero() public {
        SettableFeed feed = new SettableFeed(8);
        vm.expectRevert(FeedReader.ZeroMaxAge.selector);
        new TBillRateAdapter(feed, true, 0, 0, 0.2e18);
    }

    function testFuzz_RevertWhen_TheLowerBoundIsAboveTheUpper(uint256 minRateWad, uint256 maxRateWad) public {
        maxRateWad = bound(maxRateWad, 0, 1e18);
        _expectInvalidBounds(bound(minRateWad, maxRateWad + 1, type(uint256).max), maxRateWad);
    }

    function testFuzz_RevertWhen_TheUpperBoundIsAbove100Percent(uint256 minRateWad, uint256 maxRateWad) public {
        SettableFeed feed = new SettableFeed(8);
        TBillRateAdapter adapter = new TBillRateAdapter(feed, true, 5 days, 1e18, 1e18);
        assertEq(adapter.maxRateWad(), 1e18, "at the bound");
        maxRateWad = bound(maxRateWad, 1e18 + 1, type(uint256).max);
        _expectInvalidBounds(bound(minRateWad, 0, maxRateWad), maxRateWad);
    }

    function testFuzz_WhenTheArgumentsAreValid(uint256 maxAgeSeconds, uint256 minRateWad, uint256 maxRateWad) public {
        SettableFeed feed = new SettableFeed(8);
        maxAgeSeconds = bound(maxAgeSeconds, 1, type(uint256).max);
        maxRateWad = bound(maxRateWad, 0, 1e18);
        minRateWad = bound(minRateWad, 0, maxRateWad);
        TBillRateAdapter adapter = new TBillRateAdapter(feed, true, maxAgeSeconds, minRateWad, maxRateWad);
        assertEq(address(adapter.feed()), address(feed), "feed");
        assertEq(adapter.maxAgeSeconds(), maxAgeSeconds, "age");
        assertEq(adapter.minRateWad(), minRateWad, "lower bound");
        assertEq(adapter.maxRateWad(), maxRateWad, "upper bound");
    }

    function _expectInvalidBounds(uint256 minRateWad, uint256 maxRateWad) private {
        SettableFeed feed = new SettableFeed(8);
        vm.expectRevert(abi.encodeWithSelector(TBillRateAdapter.InvalidRateBounds.selector, minRateWad, maxRateWad));
        new TBillRateAdapter(feed, true, 5 days, minRateWad, maxRateWad);
    }
}
