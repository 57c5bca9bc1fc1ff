// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ChainlinkPriceAdapter} from "src/adapters/ChainlinkPriceAdapter.sol";
import {FeedReader} from "src/adapters/FeedReader.sol";
import {IAggregatorV3} from "src/interfaces/IAggregatorV3.sol";
import {BaseTest} from "test/helpers/BaseTest.sol";
import {SettableFeed} from "test/mocks/SettableFeed.sol";

contract ChainlinkPriceAdapterGetPriceTest is BaseTest {
    uint256 private constant MAX_AGE_SECONDS = 25 hours;
    int256 private constant ANSWER = 104.37e8;

    SettableFeed private feed;
    ChainlinkPriceAdapter private adapter;

    function setUp() public {
        vm.warp(1_750_000_000);
        _deploy(8);
    }

    function test_RevertGiven_TheFeedReverts() public {
        vm.mockCallRevert(address(feed), abi.encodeCall(IAggregatorV3.latestRoundData, ()), "No data present");
        vm.expectRevert("No data present");
        adapter.getPrice();
    }

    function test_RevertGiven_TheAnswerHasNoTime() public {
        // Less than the greatest age after the epoch, so that only the zero time can be the reason.
        vm.warp(MAX_AGE_SECONDS / 2);
        feed.set(ANSWER, 0);
        vm.expectRevert(abi.encodeWithSelector(FeedReader.InvalidUpdateTime.selector, 0));
        adapter.getPrice();
    }

    function testFuzz_RevertGiven_TheAnswerIsOfTheFuture(uint256 updatedAt) public {
        updatedAt = bound(updatedAt, block.timestamp + 1, type(uint256).max);
        feed.set(ANSWER, updatedAt);
        vm.expectRevert(abi.encodeWithSelector(FeedReader.InvalidUpdateTime.selector, updatedAt));
        adapter.getPrice();
    }

    function testFuzz_RevertGiven_TheAnswerIsOlderThanTheGreatestAge(uint256 updatedAt) public {
        updatedAt = bound(updatedAt, 1, block.timestamp - MAX_AGE_SECONDS - 1);
        feed.set(ANSWER, updatedAt);
        vm.expectRevert(abi.encodeWithSelector(FeedReader.StaleAnswer.selector, updatedAt, MAX_AGE_SECONDS));
        adapter.getPrice();
    }

    function test_GivenTheAnswerIsAsOldAsTheGreatestAge() public {
        feed.set(ANSWER, block.timestamp - MAX_AGE_SECONDS);
        assertEq(adapter.getPrice(), 104.37e18);
    }

    /// From 18 decimals on, its bits read as a number without a sign would fit.
    function testFuzz_RevertGiven_TheAnswerIsNegative(uint8 decimals, int256 answer) public {
        _deploy(uint8(bound(decimals, 0, 36)));
        _expectInvalid(bound(answer, type(int256).min, -1));
    }

    function test_RevertGiven_TheAnswerIsZero() public {
        _expectInvalid(0);
    }

    function testFuzz_RevertGiven_TheAnswerRoundsToZero(uint8 decimals, int256 answer) public {
        decimals = uint8(bound(decimals, 19, 36));
        _deploy(decimals);
        _expectInvalid(bound(answer, 1, int256(10 ** (decimals - 18)) - 1));
    }

    function testFuzz_RevertGiven_TheScaledAnswerDoesNotFit256Bits(uint8 decimals, int256 answer) public {
        decimals = uint8(bound(decimals, 0, 17));
        _deploy(decimals);
        int256 largest = int256(type(uint256).max / 10 ** (18 - decimals));
        _expectInvalid(bound(answer, largest + 1, type(int256).max));
        feed.set(largest, block.timestamp);
        assertEq(adapter.getPrice(), uint256(largest) * 10 ** (18 - decimals));
    }

    function testFuzz_GivenTheAnswerIsValid(uint8 decimals, uint256 answer, uint256 ageSeconds) public {
        decimals = uint8(bound(decimals, 0, 36));
        _deploy(decimals);
        // From 1e-18 USD, the least price possible, to a million trillion.
        answer = bound(answer, decimals > 18 ? 10 ** (decimals - 18) : 1, 10 ** (uint256(decimals) + 18));
        feed.set(int256(answer), block.timestamp - bound(ageSeconds, 0, MAX_AGE_SECONDS));
        uint256 priceWad = adapter.getPrice();
        // The price is the floor of answer * 1e18 / 10^decimals.
        assertLe(priceWad * 10 ** decimals, answer * 1e18, "above the answer");
        assertGt((priceWad + 1) * 10 ** decimals, answer * 1e18, "a unit below the answer");
    }

    function _deploy(uint8 decimals) private {
        feed = new SettableFeed(decimals);
        adapter = new ChainlinkPriceAdapter(feed, MAX_AGE_SECONDS);
    }

    function _expectInvalid(int256 answer) private {
        feed.set(answer, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(FeedReader.InvalidAnswer.selector, answer));
        adapter.getPrice();
    }
}
