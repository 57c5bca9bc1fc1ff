// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ChainlinkPriceAdapter} from "src/adapters/ChainlinkPriceAdapter.sol";
import {FeedReader} from "src/adapters/FeedReader.sol";
import {IAggregatorV3} from "src/interfaces/IAggregatorV3.sol";
import {BaseTest} from "test/helpers/BaseTest.sol";
import {SettableFeed} from "test/mocks/SettableFeed.sol";

contract ChainlinkPriceAdapterConstructorTest is BaseTest {
    function test_RevertWhen_TheFeedIsAnAccountWithoutCode() public {
        vm.expectRevert(bytes(""));
        new ChainlinkPriceAdapter(IAggregatorV3(makeAddr("no feed")), 1 days);
    }

    function testFuzz_RevertWhen_TheFeedHasMoreThan36Decimals(uint8 decimals) public {
        decimals = uint8(bound(decimals, 37, type(uint8).max));
        SettableFeed feed = new SettableFeed(decimals);
        vm.expectRevert(abi.encodeWithSelector(FeedReader.UnsupportedFeedDecimals.selector, decimals));
        new ChainlinkPriceAdapter(feed, 1 days);
    }

    function test_RevertWhen_TheGreatestAgeIsZero() public {
        SettableFeed feed = new SettableFeed(8);
        vm.expectRevert(FeedReader.ZeroMaxAge.selector);
        new ChainlinkPriceAdapter(feed, 0);
    }

    function testFuzz_WhenFeedAndAgeAreValid(uint8 decimals, uint256 maxAgeSeconds) public {
        SettableFeed feed = new SettableFeed(uint8(bound(decimals, 0, 36)));
        maxAgeSeconds = bound(maxAgeSeconds, 1, type(uint256).max);
        ChainlinkPriceAdapter adapter = new ChainlinkPriceAdapter(feed, maxAgeSeconds);
        assertEq(address(adapter.feed()), address(feed), "feed");
        assertEq(adapter.maxAgeSeconds(), maxAgeSeconds, "age");
    }
}
