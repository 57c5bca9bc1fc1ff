// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ReferenceYield} from "../helpers/ReferenceYield.sol";
import {TreasuryDelegateFixture} from "../helpers/TreasuryDelegateFixture.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";

/// Plays random histories of deposits, time, late and corrected rates, limited accrual and redemptions on the delegate
/// through CoreSwap and on the reference. Every view, return value and payout is equal to the last unit.
contract TreasuryDelegateModelTest is TreasuryDelegateFixture {
    uint256 private constant STEPS = 24;

    ReferenceYield private ref;
    address[3] private actors;
    uint256 private entropy;

    function setUp() public override {
        super.setUp();
        ref = new ReferenceYield();
        actors = [alice, bob, carol];
    }

    /// forge-config: default.fuzz.runs = 100
    /// forge-config: ci.fuzz.runs = 1000
    function testFuzz_D6_D9_D11_History_EqualsTheReference(uint256 seed) public {
        entropy = seed;
        for (uint256 i = 0; i < STEPS; ++i) {
            _step();
            for (uint256 k = 0; k < actors.length; ++k) {
                _assertEqual(actors[k]);
            }
        }
    }

    function _step() private {
        uint256 action = _draw(10);
        address who = actors[_draw(actors.length)];
        if (action == 0) _depositBoth(who, address(cash.token), false);
        else if (action == 1) _depositBoth(who, address(note.token), true);
        else if (action <= 4) _pass();
        else if (action <= 6) _postSome();
        else if (action == 7) _correctOne();
        else if (action == 8) _accrueSome(who);
        else _redeemSome(who);
    }

    function _depositBoth(address who, address token, bool isRWA) private {
        uint256 n = 1 + _draw(_draw(2) == 0 ? 1_000 : 1e27);
        if (isRWA) _depositRWA(who, n);
        else _deposit(who, n);
        ref.deposit(who, token, n, isRWA, vm.getBlockTimestamp());
    }

    function _pass() private {
        // Sometimes advances exactly to midnight, where days begin.
        if (_draw(4) == 0) vm.warp((_today() + 1) * 1 days);
        else vm.warp(vm.getBlockTimestamp() + 1 + _draw(3 days));
    }

    function _postSome() private {
        uint256 last = delegate.lastRatePostingDay();
        uint256 next = last == 0 ? _today() - 1 : last + 1;
        for (uint256 n = 1 + _draw(4); n != 0 && next < _today(); --n) {
            uint256 gross = _draw(0.2e18);
            _post(next, gross);
            ref.post(next, _net(gross));
            ++next;
        }
    }

    function _correctOne() private {
        uint256 first = delegate.firstRateDay();
        if (first == 0) return;
        uint256 day = first + _draw(delegate.lastRatePostingDay() - first + 1);
        uint256 gross = _draw(0.2e18);
        vm.prank(corrector);
        delegate.correctDailyRate(day, gross);
        ref.correct(day, _net(gross));
    }

    function _accrueSome(address who) private {
        uint256 maxDays = 1 + _draw(4);
        uint256 maxRecords = 1 + _draw(2);
        bytes memory data = abi.encodeCall(delegate.accrueInterest, (who, maxDays, maxRecords));
        (bool success, bytes memory actual) = _try(stranger, data);
        assertTrue(success);
        (uint256 d, uint256 r, bool complete, bool merged) =
            ref.accrue(who, maxDays, maxRecords, vm.getBlockTimestamp());
        assertEq(actual, abi.encode(d, r, complete, merged), "return values");
    }

    function _redeemSome(address who) private {
        uint256 held = delegate.credits(who) + delegate.totalWithheldCredits(who);
        if (held == 0) return;
        uint256 n = _draw(3) == 0 ? held : 1 + _draw(held);
        bool stable = _draw(2) == 0;
        uint256 paid = stable ? _redeem(who, n) : _redeemForRWA(who, n);
        assertEq(paid, ref.redeem(who, n, stable, vm.getBlockTimestamp()), "paid");
    }

    function _assertEqual(address who) private {
        (uint256 credits, uint256 multiplier, uint256 lastDay, ReferenceYield.Entry[] memory entries) = ref.read(who);
        Stored memory stored = _stored(who);
        assertEq(stored.credits, credits, "credits");
        assertEq(stored.multiplier, multiplier, "multiplier");
        assertEq(stored.lastDay, lastDay, "lastAccrualDay");
        assertEq(stored.queue.length, entries.length, "queue");
        uint256 withheld;
        for (uint256 i = 0; i < entries.length; ++i) {
            ITreasuryDelegate.WithheldCredits memory record = stored.queue[i];
            assertEq(record.tokenAddress, entries[i].token, "token");
            assertEq(record.credits, entries[i].credits, "record");
            assertEq(record.releaseTimestamp, entries[i].release, "release");
            assertEq(record.earningStartTimestamp, entries[i].earningStart, "earningStart");
            assertEq(record.isRWA, entries[i].isRWA, "isRWA");
            withheld += entries[i].credits;
        }
        assertEq(stored.withheld, withheld, "totalWithheldCredits");
        if (credits + withheld != 0) _assertViews(who, credits + withheld);
    }

    function _assertViews(address who, uint256 held) private {
        uint256 n = 1 + _draw(held);
        bool stable = _draw(2) == 0;
        uint256 value = n + delegate.getYieldAmount(who, n, stable);
        uint256 snapshot = vm.snapshotState();
        assertEq(value, ref.accrueAndValue(who, n, stable, vm.getBlockTimestamp()), "getYieldAmount");
        vm.revertToState(snapshot);

        uint256 fewest = delegate.getAmountForTargetValue(who, value, stable);
        assertLe(fewest, n, "no more than what has the value");
        assertGe(fewest + delegate.getYieldAmount(who, fewest, stable), value, "reaches the value");
        assertLt(fewest - 1 + delegate.getYieldAmount(who, fewest - 1, stable), value, "one less does not");

        uint256 all = held + delegate.getYieldAmount(who, held, stable);
        vm.expectPartialRevert(IYieldBearingDelegate.InsufficientCredits.selector);
        delegate.getAmountForTargetValue(who, all + 1, stable);
        vm.expectRevert(abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, held + 1, held));
        delegate.getYieldAmount(who, held + 1, stable);
    }

    function _net(uint256 gross) private pure returns (uint256) {
        return gross > FEE ? gross - FEE : 0;
    }

    function _draw(uint256 below) private returns (uint256) {
        entropy = uint256(keccak256(abi.encode(entropy)));
        return entropy % below;
    }
}
