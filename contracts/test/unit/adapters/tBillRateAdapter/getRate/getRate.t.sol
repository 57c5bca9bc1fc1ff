// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeedReader} from "src/adapters/FeedReader.sol";
import {TBillRateAdapter} from "src/adapters/TBillRateAdapter.sol";
import {TreasuryDelegateFixture} from "test/helpers/TreasuryDelegateFixture.sol";
import {SettableFeed} from "test/mocks/SettableFeed.sol";

contract TBillRateAdapterGetRateTest is TreasuryDelegateFixture {
    uint256 private constant MAX_AGE_SECONDS = 5 days;
    uint256 private constant MIN_RATE_WAD = 0.001e18;
    uint256 private constant MAX_RATE_WAD = 0.2e18;
    /// 4.27 percent with 8 decimals.
    int256 private constant ANSWER = 4.27e8;

    SettableFeed private feed;
    TBillRateAdapter private adapter;

    function setUp() public override {
        super.setUp();
        _deploy(8, true, MIN_RATE_WAD);
    }

    function test_RevertGiven_TheAnswerHasNoTime() public {
        // Less than the greatest age after the epoch, so that only the zero time can be the reason.
        vm.warp(MAX_AGE_SECONDS / 2);
        feed.set(ANSWER, 0);
        vm.expectRevert(abi.encodeWithSelector(FeedReader.InvalidUpdateTime.selector, 0));
        adapter.getRate();
    }

    function testFuzz_RevertGiven_TheAnswerIsOfTheFuture(uint256 updatedAt) public {
        updatedAt = bound(updatedAt, block.timestamp + 1, type(uint256).max);
        feed.set(ANSWER, updatedAt);
        vm.expectRevert(abi.encodeWithSelector(FeedReader.InvalidUpdateTime.selector, updatedAt));
        adapter.getRate();
    }

    function testFuzz_RevertGiven_TheAnswerIsOlderThanTheGreatestAge(uint256 updatedAt) public {
        updatedAt = bound(updatedAt, 1, block.timestamp - MAX_AGE_SECONDS - 1);
        feed.set(ANSWER, updatedAt);
        vm.expectRevert(abi.encodeWithSelector(FeedReader.StaleAnswer.selector, updatedAt, MAX_AGE_SECONDS));
        adapter.getRate();
    }

    function test_GivenTheAnswerIsAsOldAsTheGreatestAge() public {
        feed.set(ANSWER, block.timestamp - MAX_AGE_SECONDS);
        assertEq(adapter.getRate(), 0.0427e18);
    }

    /// From 18 decimals on, its bits read as a number without a sign would fit.
    function testFuzz_RevertGiven_TheRateIsNegative(uint8 decimals, int256 answer) public {
        _deploy(uint8(bound(decimals, 0, 36)), true, 0);
        _expectInvalid(bound(answer, type(int256).min, -1));
    }

    function testFuzz_RevertGiven_TheScaledAnswerDoesNotFit256Bits(uint8 decimals, int256 answer) public {
        decimals = uint8(bound(decimals, 0, 15));
        _deploy(decimals, true, MIN_RATE_WAD);
        _expectInvalid(bound(answer, int256(type(uint256).max / 10 ** (16 - decimals)) + 1, type(int256).max));
    }

    function testFuzz_RevertGiven_TheRateIsBelowTheLowerBound(uint256 answer) public {
        _deploy(18, false, MIN_RATE_WAD);
        _expectOutOfBounds(bound(answer, 0, MIN_RATE_WAD - 1));
        feed.set(int256(MIN_RATE_WAD), block.timestamp);
        assertEq(adapter.getRate(), MIN_RATE_WAD, "at the bound");
    }

    function testFuzz_RevertGiven_TheRateIsAboveTheUpperBound(uint256 answer) public {
        _deploy(18, false, MIN_RATE_WAD);
        _expectOutOfBounds(bound(answer, MAX_RATE_WAD + 1, uint256(type(int256).max)));
        feed.set(int256(MAX_RATE_WAD), block.timestamp);
        assertEq(adapter.getRate(), MAX_RATE_WAD, "at the bound");
    }

    function test_GivenTheRateIsZeroAndTheLowerBoundIsZero() public {
        _deploy(8, true, 0);
        feed.set(0, block.timestamp);
        assertEq(adapter.getRate(), 0);
    }

    function testFuzz_GivenTheFeedAnswersAFraction(uint8 decimals, uint256 answer) public {
        _checkScaling(decimals, answer, false);
    }

    function testFuzz_GivenTheFeedAnswersPercent(uint8 decimals, uint256 answer) public {
        _checkScaling(decimals, answer, true);
    }

    function testFuzz_GivenADelegateWhosePosterReadsTheRate(int256 answer) public {
        _deploy(8, true, 0);
        feed.set(bound(answer, 0, 20e8), block.timestamp);
        uint256 grossRateWad = adapter.getRate();
        vm.warp((DAY_ZERO + 1) * 1 days);
        vm.prank(poster);
        delegate.postDailyRate(DAY_ZERO, grossRateWad);
        assertEq(delegate.dailyRates(DAY_ZERO), grossRateWad > FEE ? grossRateWad - FEE : 0);
    }

    function _checkScaling(uint8 decimals, uint256 answer, bool inPercent) private {
        decimals = uint8(bound(decimals, 0, 36));
        _deploy(decimals, inPercent, 0);
        uint256 one = (inPercent ? 100 : 1) * 10 ** decimals;
        answer = bound(answer, 0, one / 5);
        feed.set(int256(answer), block.timestamp);
        uint256 rateWad = adapter.getRate();
        // The rate is the floor of answer * 1e18 / one.
        assertLe(rateWad * one, answer * 1e18, "above the answer");
        assertGt((rateWad + 1) * one, answer * 1e18, "a unit below the answer");
    }

    function _deploy(uint8 decimals, bool inPercent, uint256 minRateWad) private {
        feed = new SettableFeed(decimals);
        adapter = new TBillRateAdapter(feed, inPercent, MAX_AGE_SECONDS, minRateWad, MAX_RATE_WAD);
    }

    function _expectInvalid(int256 answer) private {
        feed.set(answer, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(FeedReader.InvalidAnswer.selector, answer));
        adapter.getRate();
    }

    function _expectOutOfBounds(uint256 rateWad) private {
        feed.set(int256(rateWad), block.timestamp);
        vm.expectRevert(
            abi.encodeWithSelector(TBillRateAdapter.RateOutOfBounds.selector, rateWad, MIN_RATE_WAD, MAX_RATE_WAD)
        );
        adapter.getRate();
    }
}
