// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDecimalsFixture} from "../helpers/TreasuryDecimalsFixture.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";

/// Properties of credits, accrual and redemption, for any history of the account and any assets.
contract TreasuryPropertiesTest is TreasuryDecimalsFixture {
    /* D6, D8, D23: accrual in any parts */

    function testFuzz_D6_D8_Accrual_InAnyParts_EndsAsInOneCall(uint256 posts, uint256 seed, uint256 elapsed) public {
        _age(posts, elapsed);
        uint256 snapshot = vm.snapshotState();
        _accrueAll(alice);
        Stored memory once = _stored(alice);
        uint256 value = _value(alice);
        vm.revertToState(snapshot);

        uint256 merges = once.queue.length + 1 + _stored(alice).queue.length;
        bool done;
        for (uint256 calls = 0; !done; ++calls) {
            assertLt(calls, 64, "accrual ends");
            done = _accrueSome(seed % 3 + 1, (seed >> 8) % 2 + 1);
            seed = uint256(keccak256(abi.encode(seed)));
        }
        Stored memory inParts = _stored(alice);
        assertEq(inParts.credits, once.credits);
        assertEq(inParts.lastDay, once.lastDay);
        assertEq(abi.encode(inParts.queue), abi.encode(once.queue));
        assertApproxEqAbs(_value(alice), value, merges);
    }

    /// Accrues once with limits, and checks the result against the meaning of the limits and flags.
    function _accrueSome(uint256 maxDays, uint256 maxRecords) private returns (bool done) {
        Stored memory before = _stored(alice);
        uint256 open = before.credits == 0 ? 0 : delegate.lastRatePostingDay() - before.lastDay;
        vm.prank(stranger);
        (uint256 applied, uint256 merged, bool complete, bool mergedAll) =
            delegate.accrueInterest(alice, maxDays, maxRecords);
        assertEq(applied, Math.min(open, maxDays), "days");
        assertEq(complete, applied == open, "dailyAccrualComplete");
        Stored memory later = _stored(alice);
        assertEq(merged, before.queue.length - later.queue.length, "records");
        assertLe(merged, maxRecords);
        if (!complete) assertEq(merged, 0, "main credits first");
        assertEq(mergedAll, !_isFrontEligible(later), "creditsFullyMerged");
        if (complete && !mergedAll) assertEq(merged, maxRecords, "as many as allowed");
        return complete && mergedAll;
    }

    function _isFrontEligible(Stored memory stored) private view returns (bool) {
        if (stored.queue.length == 0) return false;
        uint256 frontier = stored.credits == 0 ? delegate.lastRatePostingDay() : stored.lastDay;
        uint256 firstEarningDay = (stored.queue[0].earningStartTimestamp + 1 days - 1) / 1 days;
        return vm.getBlockTimestamp() >= stored.queue[0].releaseTimestamp && firstEarningDay <= frontier + 1;
    }

    function testFuzz_D23_Batch_IsTheSequence(uint256 posts, uint256 seed, uint256 elapsed) public {
        _depositAny(bob, seed, 5_000e18);
        _age(posts, elapsed);
        address[] memory batch = new address[](1 + seed % 4);
        for (uint256 i = 0; i < batch.length; ++i) {
            batch[i] = [alice, bob, carol][(seed >> (8 * i + 8)) % 3];
        }
        uint256 snapshot = vm.snapshotState();
        for (uint256 i = 0; i < batch.length; ++i) {
            _accrueAll(batch[i]);
        }
        bytes memory sequence = abi.encode(_stored(alice), _stored(bob), _stored(carol));
        vm.revertToState(snapshot);
        delegate.batchAccrueInterest(batch);
        assertEq(abi.encode(_stored(alice), _stored(bob), _stored(carol)), sequence);
    }

    /* D7, D18: late and corrected rates */

    function testFuzz_D7_LatePosts_EndAsPostsInTime(uint256 rate, uint256 rate2, uint256 deposit, uint256 seed) public {
        (rate, rate2) = (bound(rate, 0, 0.2e18), bound(rate2, 0, 0.2e18));
        _postAll();
        _depositAny(bob, seed, bound(deposit, 1, 1e27));
        uint256 today = _today();
        uint256 snapshot = vm.snapshotState();

        // Rates in time, and accrual whenever there is something to accrue.
        for (uint256 i = 1; i <= 3; ++i) {
            _goToDay(today + i);
            _post(today + i - 1, i == 1 ? rate : rate2);
            _accrueAll(alice);
            _accrueAll(bob);
        }
        (Stored memory aliceInTime, Stored memory bobInTime) = (_stored(alice), _stored(bob));
        (uint256 aliceValue, uint256 bobValue) = (_value(alice), _value(bob));
        vm.revertToState(snapshot);

        // Late rates, and accrual attempts meanwhile that have no effect.
        for (uint256 i = 1; i <= 3; ++i) {
            _goToDay(today + i);
            _accrueAll(seed % (i + 1) == 0 ? alice : bob);
        }
        for (uint256 i = 1; i <= 3; ++i) {
            _post(today + i - 1, i == 1 ? rate : rate2);
        }
        _accrueAll(alice);
        _accrueAll(bob);
        _assertAlike(alice, aliceInTime, aliceValue);
        _assertAlike(bob, bobInTime, bobValue);
    }

    function _assertAlike(address who, Stored memory expected, uint256 value) private view {
        Stored memory actual = _stored(who);
        assertEq(actual.credits, expected.credits, "credits");
        assertEq(actual.lastDay, expected.lastDay, "lastDay");
        assertEq(abi.encode(actual.queue), abi.encode(expected.queue), "queue");
        // One unit per merge, for the records of the history.
        assertApproxEqAbs(_value(who), value, 2 * HISTORY_DAYS, "value");
    }

    function testFuzz_D18_Correction_IsAsIfPostedSo_BehindTheDay_AndIdempotent(
        uint256 day,
        uint256 rate,
        uint256 wrong,
        bool twice
    ) public {
        (rate, wrong) = (bound(rate, 0, 0.2e18), bound(wrong, 0, 0.2e18));
        uint256 last = delegate.lastRatePostingDay();
        day = bound(day, last + 1, last + LATE_DAYS);
        _goToDay(_today() + 1);
        uint256 snapshot = vm.snapshotState();
        for (uint256 d = last + 1; d <= last + LATE_DAYS; ++d) {
            _post(d, d == day ? rate : RATE);
        }
        _accrueAll(alice);
        Stored memory expected = _stored(alice);
        vm.revertToState(snapshot);

        for (uint256 d = last + 1; d <= last + LATE_DAYS; ++d) {
            _post(d, d == day ? wrong : RATE);
        }
        // An account that accrues before the correction keeps the wrong rate exactly.
        _depositAny(bob, 0, 1e18);
        snapshot = vm.snapshotState();
        _accrueAll(alice);
        Stored memory locked = _stored(alice);
        _correct(day, rate);
        _accrueAll(alice);
        _assertStored(alice, locked);
        vm.revertToState(snapshot);

        _correct(day, rate);
        if (twice) _correct(day, rate);
        assertEq(delegate.lastRatePostingDay(), last + LATE_DAYS, "the frontier does not move");
        _accrueAll(alice);
        _assertStored(alice, expected);
    }

    function _correct(uint256 day, uint256 rate) private {
        vm.prank(corrector);
        delegate.correctDailyRate(day, rate);
    }

    /* D9, D10, D15, D16: redemption */

    function testFuzz_D9_D10_Redemption_TakesFromTheBack_UnmergedOneToOne(
        uint256 posts,
        uint256 asset,
        uint256 amount,
        uint256 elapsed
    ) public {
        _age(posts, elapsed);
        _accrueAll(alice);
        Stored memory before = _stored(alice);
        amount = bound(amount, 1e18, _held(alice));
        bool isStable = asset % 2 == 0;
        if (amount <= before.withheld) {
            assertEq(delegate.getYieldAmount(alice, amount, isStable), 0, "one to one");
        } else {
            uint256 main = amount - before.withheld;
            uint256 yield = delegate.getYieldAmount(alice, amount, false);
            assertEq(yield, _yieldWithoutQueue(main), "yield of main credits alone");
        }
        _swapAs(alice, alice, _redemption(asset, amount));

        Stored memory later = _stored(alice);
        assertEq(before.withheld - later.withheld, Math.min(amount, before.withheld), "withheld first");
        assertEq(_held(alice), before.credits + before.withheld - amount, "credits conserved");
        for (uint256 i = 0; i < later.queue.length; ++i) {
            // All remaining records but the last are unchanged.
            if (i + 1 < later.queue.length) assertEq(abi.encode(later.queue[i]), abi.encode(before.queue[i]));
            assertEq(later.queue[i].releaseTimestamp, before.queue[i].releaseTimestamp);
            assertLe(later.queue[i].credits, before.queue[i].credits);
        }
    }

    /// Returns the yield of main credits once there are no withheld credits, which would be redeemed first.
    function _yieldWithoutQueue(uint256 main) private returns (uint256 yield) {
        uint256 snapshot = vm.snapshotState();
        uint256 withheld = delegate.totalWithheldCredits(alice);
        if (withheld != 0) _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, withheld, 0));
        yield = delegate.getYieldAmount(alice, main, false);
        vm.revertToState(snapshot);
    }

    function testFuzz_D15_Redeemable_IsTheLesserOfTokensAndCredits(
        uint256 moved,
        uint256 amount,
        uint256 asset,
        bool buys
    ) public {
        _depositAny(bob, asset, 50_000e18);
        uint256 held = _held(alice);
        moved = bound(moved, 0, buys ? 50_000e18 : held);
        vm.prank(buys ? bob : alice);
        treasury.transfer(buys ? alice : bob, moved);
        assertEq(_held(alice), held, "credits stay");
        assertEq(_held(bob), 50_000e18, "credits stay");
        uint256 redeemable = Math.min(treasury.balanceOf(alice), held);
        amount = bound(amount, 1e18, held + 50_000e18);
        ICoreSwap.SwapInputs memory leg = _redemption(asset, amount);
        if (amount > redeemable) {
            if (amount > held) {
                vm.expectRevert(
                    abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, amount, held)
                );
            } else {
                vm.expectRevert();
            }
        }
        _swapAs(alice, alice, leg);
    }

    function testFuzz_D16_Payout_IsWholeOrNotAtAll(uint256 asset, uint256 amount, uint256 missing) public {
        amount = bound(amount, 1e18, _held(alice));
        ICoreSwap.SwapInputs memory leg = _redemption(asset, amount);
        uint256 payout = core.quoteSwap(alice, leg).tokenOutAmt;
        missing = bound(missing, 0, payout);
        TestToken paid = _tokenOut(asset);
        address custody = asset % 2 == 1 ? rwaCustody : stablecoinCustody;
        deal(address(paid), custody, payout - missing);
        uint256 before = paid.balanceOf(alice);
        Stored memory stored = _stored(alice);
        if (missing == 0) {
            _swapAs(alice, alice, leg);
            assertEq(paid.balanceOf(alice) - before, payout);
            assertEq(paid.balanceOf(custody), 0);
            return;
        }
        vm.expectRevert();
        _swapAs(alice, alice, leg);
        _assertStored(alice, stored);
        assertEq(paid.balanceOf(alice), before);
    }

    /* D12, D13: parts of days */

    function testFuzz_D12_D13_PartOfADay_IsPaidInStablecoinsAlone(
        uint256 posts,
        uint256 amount,
        uint256 elapsed,
        uint256 window
    ) public {
        _age(posts, 0);
        window = window % 4 == 0 ? 0 : bound(window, 1 days, 7 days);
        vm.prank(admin);
        delegate.setMaxFallbackRateSeconds(window);
        _accrueAll(alice);
        Stored memory stored = _stored(alice);
        amount = bound(amount, 1, _held(alice));
        uint256 inRWA = amount + delegate.getYieldAmount(alice, amount, false);

        // Later, with no new rate posted and no record due to merge.
        uint256 due = stored.queue.length == 0 ? ALL : stored.queue[0].releaseTimestamp;
        bool waits = due > vm.getBlockTimestamp();
        if (stored.queue.length == 0 || !waits) elapsed = bound(elapsed, 0, 10 days);
        else elapsed = bound(elapsed, 0, Math.min(due - vm.getBlockTimestamp() - 1, 10 days));
        vm.warp(vm.getBlockTimestamp() + elapsed);
        assertEq(amount + delegate.getYieldAmount(alice, amount, false), inRWA, "the value in an RWA does not change");

        uint256 main = amount > stored.withheld ? inRWA - stored.withheld : 0;
        uint256 seconds_ = Math.min(vm.getBlockTimestamp() - (stored.lastDay + 1) * 1 days, window);
        (uint256 rate,) = delegate.getDailyRate(delegate.lastRatePostingDay());
        uint256 partOfDay = main * _growth(rate) * seconds_ / 86_400 / WAD;
        assertEq(amount + delegate.getYieldAmount(alice, amount, true), inRWA + partOfDay);
    }
}
