// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IStablecoinDelegateAdmin} from "../../../src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasuryDelegate} from "../../../src/interfaces/ITreasuryDelegate.sol";
import {TreasuryDelegateFixture} from "../../helpers/TreasuryDelegateFixture.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";

/// Posting and correcting rates, and their bounds.
contract TreasuryDelegateRatesTest is TreasuryDelegateFixture {
    /* postDailyRate */

    function test_PostDailyRate_OfTheFirstDay_StoresTheNetRateAndSaysSo() public {
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.FirstRatePosted(DAY_ZERO - 1);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.DailyRatePosted(DAY_ZERO - 1, RATE - FEE, poster);
        _post(DAY_ZERO - 1, RATE);

        assertEq(delegate.firstRateDay(), DAY_ZERO - 1);
        assertEq(delegate.lastRatePostingDay(), DAY_ZERO - 1);
        assertTrue(delegate.ratePosted(DAY_ZERO - 1));
        assertEq(delegate.dailyRates(DAY_ZERO - 1), RATE - FEE);
        (uint256 rate, bool posted) = delegate.getDailyRate(DAY_ZERO - 1);
        assertEq(rate, RATE - FEE);
        assertTrue(posted);
    }

    function test_PostDailyRate_OfTheNextDay_MovesTheFrontierAlone() public {
        _post(DAY_ZERO - 1, RATE);
        _goToDay(DAY_ZERO + 1);
        _post(DAY_ZERO, 0.04e18);
        assertEq(delegate.firstRateDay(), DAY_ZERO - 1);
        assertEq(delegate.lastRatePostingDay(), DAY_ZERO);
        assertEq(delegate.dailyRates(DAY_ZERO), 0.04e18 - FEE);
        assertEq(delegate.dailyRates(DAY_ZERO - 1), RATE - FEE);
    }

    function test_PostDailyRate_BelowTheFee_StoresZero() public {
        _post(DAY_ZERO - 1, FEE - 1);
        assertEq(delegate.dailyRates(DAY_ZERO - 1), 0);
        assertTrue(delegate.ratePosted(DAY_ZERO - 1));
    }

    function test_PostDailyRate_FirstOfALaterDay_IsAllowedOnceItEnded() public {
        _goToDay(DAY_ZERO + 10);
        _post(DAY_ZERO + 9, RATE);
        assertEq(delegate.firstRateDay(), DAY_ZERO + 9);
        assertFalse(delegate.ratePosted(DAY_ZERO + 8));
    }

    function test_D4_PostDailyRate_OfAWrongDay_NamesWhy() public {
        bytes4 sequence = ITreasuryDelegate.MustPostSequentially.selector;
        _assertPostReverts(DAY_ZERO - 2, RATE, abi.encodeWithSelector(sequence, DAY_ZERO - 2, DAY_ZERO - 1));
        _post(DAY_ZERO - 1, RATE);
        _assertPostReverts(DAY_ZERO - 2, RATE, abi.encodeWithSelector(sequence, DAY_ZERO - 2, DAY_ZERO));
        _assertPostReverts(
            DAY_ZERO - 1, RATE, abi.encodeWithSelector(ITreasuryDelegate.RateAlreadyPosted.selector, DAY_ZERO - 1)
        );
        _assertPostReverts(
            DAY_ZERO,
            RATE,
            abi.encodeWithSelector(ITreasuryDelegate.CannotPostRateForUnfinishedDay.selector, DAY_ZERO, DAY_ZERO)
        );
        _assertPostReverts(
            DAY_ZERO + 1,
            RATE,
            abi.encodeWithSelector(ITreasuryDelegate.CannotPostFutureRate.selector, DAY_ZERO + 1, DAY_ZERO)
        );
        _goToDay(DAY_ZERO + 3);
        _assertPostReverts(DAY_ZERO + 1, RATE, abi.encodeWithSelector(sequence, DAY_ZERO + 1, DAY_ZERO));
    }

    function test_PostDailyRate_ReportsTheDayBeforeTheRate() public {
        uint256 tooHigh = 0.2e18 + 1;
        _post(DAY_ZERO - 1, RATE);
        _assertPostReverts(
            DAY_ZERO - 1, tooHigh, abi.encodeWithSelector(ITreasuryDelegate.RateAlreadyPosted.selector, DAY_ZERO - 1)
        );
        _goToDay(DAY_ZERO + 1);
        _assertPostReverts(
            DAY_ZERO, tooHigh, abi.encodeWithSelector(ITreasuryDelegate.RateTooHigh.selector, tooHigh, 0.2e18)
        );
        _post(DAY_ZERO, 0.2e18);
    }

    function test_PostDailyRate_ByAnyoneButThePoster_Reverts() public {
        bytes memory data = abi.encodeCall(delegate.postDailyRate, (DAY_ZERO - 1, RATE));
        _assertUnauthorized(data, delegate.RATE_POSTER_ROLE(), [admin, issuer, corrector]);
    }

    /* correctDailyRate */

    function test_CorrectDailyRate_StoresTheRateLessTheFeeOfNow() public {
        _goToDayAndPost(DAY_ZERO + 3);
        vm.prank(issuer);
        delegate.setManagementFee(0.01e18);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.DailyRateCorrected(DAY_ZERO + 1, RATE - FEE, 0.05e18, corrector);
        _correct(DAY_ZERO + 1, 0.06e18);

        assertEq(delegate.dailyRates(DAY_ZERO), RATE - FEE);
        assertEq(delegate.dailyRates(DAY_ZERO + 1), 0.05e18);
        assertEq(delegate.dailyRates(DAY_ZERO + 2), RATE - FEE);
        assertEq(delegate.lastRatePostingDay(), DAY_ZERO + 2);
    }

    function test_D18_CorrectDailyRate_ActsAsIfPostedSo_ForCreditsBehindTheDay() public {
        _deposit(alice, 1_000e18);
        _deposit(bob, 1_000e18);
        _goToDayAndPost(DAY_ZERO + 2);
        // Bob's credits are main credits through day 1; Alice's are withheld.
        _accrueAll(bob);
        uint256 snapshot = vm.snapshotState();

        _goToDay(DAY_ZERO + 6);
        _postDays(DAY_ZERO + 2, DAY_ZERO + 5, DAY_ZERO + 3, 0.1e18);
        _accrueAll(alice);
        _accrueAll(bob);
        Stored memory expectedAlice = _stored(alice);
        Stored memory expectedBob = _stored(bob);

        vm.revertToState(snapshot);
        _goToDayAndPost(DAY_ZERO + 6);
        _correct(DAY_ZERO + 3, 0.1e18);
        _accrueAll(alice);
        _accrueAll(bob);
        _assertStored(alice, expectedAlice);
        _assertStored(bob, expectedBob);
    }

    function test_D18_CorrectDailyRate_LeavesCreditsThatAccruedTheDay() public {
        _deposit(alice, 1_000e18);
        _goToDayAndPost(DAY_ZERO + 6);
        _accrueAll(alice);
        Stored memory before = _stored(alice);
        _correct(DAY_ZERO + 3, 0.15e18);
        _accrueAll(alice);
        _assertStored(alice, before);

        // And their later days grow as ever.
        _goToDayAndPost(DAY_ZERO + 7);
        _accrueAll(alice);
        assertEq(delegate.yieldMultiplier(alice), before.multiplier * (WAD + GROWTH) / WAD);
    }

    function test_D18_CorrectDailyRate_Twice_IsOnce() public {
        _deposit(alice, 1_000e18);
        _goToDayAndPost(DAY_ZERO + 6);
        _correct(DAY_ZERO + 3, 0.15e18);
        uint256 value = _value(alice);
        _correct(DAY_ZERO + 3, 0.15e18);
        assertEq(_value(alice), value);
        _correct(DAY_ZERO + 3, RATE);
        _correct(DAY_ZERO + 3, 0.15e18);
        assertEq(_value(alice), value);
    }

    function test_CorrectDailyRate_OfTheFrontier_ChangesThePartOfToday() public {
        _deposit(alice, 1_000e18);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(alice);
        uint256 withPart = delegate.getYieldAmount(alice, 1_000e18, true);
        uint256 wholeDays = delegate.getYieldAmount(alice, 1_000e18, false);
        _correct(DAY_ZERO + 2, 0.1e18);
        assertGt(delegate.getYieldAmount(alice, 1_000e18, true), withPart);
        assertEq(delegate.getYieldAmount(alice, 1_000e18, false), wholeDays);
    }

    function test_CorrectDailyRate_OfADayNeverPosted_NamesWhy() public {
        bytes4 before = ITreasuryDelegate.CannotCorrectBeforeFirstRate.selector;
        _assertCorrectReverts(DAY_ZERO - 1, RATE, abi.encodeWithSelector(before, DAY_ZERO - 1, 0));
        _post(DAY_ZERO - 1, RATE);
        _assertCorrectReverts(DAY_ZERO - 2, RATE, abi.encodeWithSelector(before, DAY_ZERO - 2, DAY_ZERO - 1));
        _assertCorrectReverts(
            DAY_ZERO, RATE, abi.encodeWithSelector(ITreasuryDelegate.MustPostSequentially.selector, DAY_ZERO, DAY_ZERO)
        );
        _assertCorrectReverts(
            DAY_ZERO + 5,
            RATE,
            abi.encodeWithSelector(ITreasuryDelegate.MustPostSequentially.selector, DAY_ZERO + 5, DAY_ZERO)
        );
        _assertCorrectReverts(
            DAY_ZERO - 1, 0.2e18 + 1, abi.encodeWithSelector(ITreasuryDelegate.RateTooHigh.selector, 0.2e18 + 1, 0.2e18)
        );
    }

    function test_CorrectDailyRate_ByAnyoneButTheOperator_Reverts() public {
        bytes memory data = abi.encodeCall(delegate.correctDailyRate, (DAY_ZERO - 1, RATE));
        _assertUnauthorized(data, delegate.OPERATOR_ROLE(), [stranger, issuer, poster]);
    }

    /* bounds */

    function test_SetManagementFee_AppliesToLaterPosts() public {
        _post(DAY_ZERO - 1, RATE);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.ManagementFeeUpdated(FEE, 0.05e18);
        vm.prank(issuer);
        delegate.setManagementFee(0.05e18);
        assertEq(delegate.managementFee(), 0.05e18);
        assertEq(delegate.dailyRates(DAY_ZERO - 1), RATE - FEE);
        _goToDay(DAY_ZERO + 1);
        _post(DAY_ZERO, 0.06e18);
        assertEq(delegate.dailyRates(DAY_ZERO), 0.01e18);
    }

    function test_SetManagementFee_AboveFivePercentOrByAnyoneElse_Reverts() public {
        bytes memory data = abi.encodeCall(delegate.setManagementFee, (0.05e18 + 1));
        _assertReverts(
            issuer, data, abi.encodeWithSelector(ITreasuryDelegate.ManagementFeeTooHigh.selector, 0.05e18 + 1)
        );
        _assertReverts(admin, data, abi.encodePacked(IStablecoinDelegateAdmin.NotIssuerAdmin.selector));
    }

    function test_SetMaxDailyRate_IsTheCapOfLaterPosts() public {
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.MaxDailyRateUpdated(0.2e18, 1e18);
        vm.prank(corrector);
        delegate.setMaxDailyRate(1e18);
        assertEq(delegate.maxDailyRate(), 1e18);
        _post(DAY_ZERO - 1, 1e18);
        vm.prank(corrector);
        delegate.setMaxDailyRate(0.01e18);
        _goToDay(DAY_ZERO + 1);
        _assertPostReverts(
            DAY_ZERO, RATE, abi.encodeWithSelector(ITreasuryDelegate.RateTooHigh.selector, RATE, 0.01e18)
        );
    }

    function test_SetMaxDailyRate_AboveOneOrByAnyoneElse_Reverts() public {
        bytes memory data = abi.encodeCall(delegate.setMaxDailyRate, (1e18 + 1));
        _assertReverts(corrector, data, abi.encodePacked(ITreasuryDelegate.InvalidRate.selector));
        _assertUnauthorized(data, delegate.OPERATOR_ROLE(), [stranger, issuer, poster]);
    }

    function test_SetMaxFallbackRateSeconds_AcceptsZeroAndOneToSevenDays() public {
        uint256[3] memory allowed = [uint256(0), 1 days, 7 days];
        uint256 old = 3 days;
        for (uint256 i = 0; i < allowed.length; ++i) {
            vm.expectEmit(address(delegate));
            emit ITreasuryDelegate.MaxFallbackRateSecondsUpdated(old, allowed[i]);
            vm.prank(corrector);
            delegate.setMaxFallbackRateSeconds(allowed[i]);
            assertEq(delegate.maxFallbackRateSeconds(), allowed[i]);
            old = allowed[i];
        }
        uint256[4] memory refused = [uint256(1), 1 days - 1, 7 days + 1, ALL];
        for (uint256 i = 0; i < refused.length; ++i) {
            bytes memory data = abi.encodeCall(delegate.setMaxFallbackRateSeconds, (refused[i]));
            _assertReverts(corrector, data, abi.encodePacked(ITreasuryDelegate.InvalidFallbackRateWindow.selector));
            _assertUnauthorized(data, delegate.OPERATOR_ROLE(), [stranger, issuer, poster]);
        }
    }

    /* the index's room */

    function test_PostDailyRate_AtTheLargestRateForEightYears_FitsTheIndex() public {
        vm.prank(corrector);
        delegate.setMaxDailyRate(1e18);
        _deposit(alice, 1_000e18);
        uint256 end = DAY_ZERO + 8 * 365;
        vm.warp((end + 1) * 1 days);
        for (uint256 day = DAY_ZERO; day <= end; ++day) {
            _post(day, 1e18);
        }
        _accrueAll(alice);
        // 99.5 % net, eight times over.
        assertApproxEqRel(delegate.yieldMultiplier(alice), 250924576698601748750, 1e6);
    }

    function _correct(uint256 day, uint256 rate) private {
        vm.prank(corrector);
        delegate.correctDailyRate(day, rate);
    }

    function _postDays(uint256 from, uint256 to, uint256 oddDay, uint256 oddRate) private {
        for (uint256 day = from; day <= to; ++day) {
            _post(day, day == oddDay ? oddRate : RATE);
        }
    }

    function _assertPostReverts(uint256 day, uint256 rate, bytes memory expected) private {
        _assertReverts(poster, abi.encodeCall(delegate.postDailyRate, (day, rate)), expected);
    }

    function _assertCorrectReverts(uint256 day, uint256 rate, bytes memory expected) private {
        _assertReverts(corrector, abi.encodeCall(delegate.correctDailyRate, (day, rate)), expected);
    }

    function _assertUnauthorized(bytes memory data, bytes32 role, address[3] memory callers) private {
        for (uint256 i = 0; i < callers.length; ++i) {
            _assertReverts(
                callers[i],
                data,
                abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, callers[i], role)
            );
        }
    }
}
