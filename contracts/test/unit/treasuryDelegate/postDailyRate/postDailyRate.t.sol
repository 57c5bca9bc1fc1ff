// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract PostDailyRateTest is DelegateTest {
    function testFuzz_RevertWhen_TheCallerIsNotTheRatePoster(address caller) public {
        bytes memory data = abi.encodeCall(delegate.postDailyRate, (DAY_ZERO - 1, RATE));
        _assertOnlyRole(delegate.RATE_POSTER_ROLE(), caller, data);
    }

    function test_RevertWhen_AnAdminCalls() public {
        bytes memory data = abi.encodeCall(delegate.postDailyRate, (DAY_ZERO - 1, RATE));
        _assertUnauthorized(data, delegate.RATE_POSTER_ROLE(), [admin, issuer, corrector]);
    }

    function test_RevertWhen_TheDayIsAWrongOne_D4() public {
        bytes4 sequence = ITreasuryDelegate.MustPostSequentially.selector;
        _assertPostReverts(DAY_ZERO - 2, RATE, abi.encodeWithSelector(sequence, DAY_ZERO - 2, DAY_ZERO - 1));
        _post(DAY_ZERO - 1, RATE);
        _assertPostReverts(DAY_ZERO - 2, RATE, abi.encodeWithSelector(sequence, DAY_ZERO - 2, DAY_ZERO));
        _assertPostReverts(
            DAY_ZERO - 1, RATE, abi.encodeWithSelector(ITreasuryDelegate.RateAlreadyPosted.selector, DAY_ZERO - 1)
        );
        // The last second of the day.
        vm.warp((DAY_ZERO + 1) * 1 days - 1);
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

    function test_RevertWhen_TheDayAndTheRateAreWrong() public {
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

    function test_WhenTheFirstDayIsPosted() public {
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

    function test_WhenTheFirstDayIsPostedAndAllIsWatched() public {
        uint256 day = DAY_ZERO - 1;
        _watchDelegate();
        _watchYield();
        _expectDelegateAnswer(abi.encodeCall(delegate.firstRateDay, ()), abi.encode(day));
        _expectPost(day);
        _expectEvent(address(delegate));
        emit ITreasuryDelegate.FirstRatePosted(day);
        _expectEvent(address(delegate));
        emit ITreasuryDelegate.DailyRatePosted(day, RATE - FEE, poster);
        _assertDelegateEffects(poster, abi.encodeCall(delegate.postDailyRate, (day, RATE)));
    }

    function test_WhenTheNextDayIsPosted() public {
        _post(DAY_ZERO - 1, RATE);
        _goToDay(DAY_ZERO + 1);
        _post(DAY_ZERO, 0.04e18);
        assertEq(delegate.firstRateDay(), DAY_ZERO - 1);
        assertEq(delegate.lastRatePostingDay(), DAY_ZERO);
        assertEq(delegate.dailyRates(DAY_ZERO), 0.04e18 - FEE);
        assertEq(delegate.dailyRates(DAY_ZERO - 1), RATE - FEE);
    }

    function test_WhenTheNextDayIsPostedAndAllIsWatched() public {
        _deposit(alice, 1e18);
        _goToDayAndPost(DAY_ZERO + 2);
        _goToDay(DAY_ZERO + 3);
        _watchDelegate();
        _watchYield();
        _expectPost(DAY_ZERO + 2);
        _expectEvent(address(delegate));
        emit ITreasuryDelegate.DailyRatePosted(DAY_ZERO + 2, RATE - FEE, poster);
        _assertDelegateEffects(poster, abi.encodeCall(delegate.postDailyRate, (DAY_ZERO + 2, RATE)));
    }

    function test_WhenTheRateIsBelowTheFee() public {
        _post(DAY_ZERO - 1, FEE - 1);
        assertEq(delegate.dailyRates(DAY_ZERO - 1), 0);
        assertTrue(delegate.ratePosted(DAY_ZERO - 1));
    }

    function test_WhenTheFirstPostIsOfALaterDay() public {
        _goToDay(DAY_ZERO + 10);
        _post(DAY_ZERO + 9, RATE);
        assertEq(delegate.firstRateDay(), DAY_ZERO + 9);
        assertFalse(delegate.ratePosted(DAY_ZERO + 8));
    }

    function test_WhenTheLargestRateIsPostedForEightYears() public {
        vm.prank(admin);
        delegate.setMaxDailyRate(1e18);
        _deposit(alice, 1_000e18);
        uint256 end = DAY_ZERO + 8 * 365;
        vm.warp((end + 1) * 1 days);
        for (uint256 day = DAY_ZERO; day <= end; ++day) {
            _post(day, 1e18);
        }
        _accrueAll(alice);
        // Growth at 99.5 % net for eight years.
        assertApproxEqRel(delegate.yieldMultiplier(alice), 250924576698601748750, 1e6);
    }

    /// With growth that doubles every year, the index passes 340 within nine years. Postings then revert with a named
    /// error.
    function test_RevertWhen_TheIndexWouldPassItsRoom() public {
        vm.prank(admin);
        delegate.setMaxDailyRate(1e18);
        vm.prank(issuer);
        delegate.setManagementFee(0);
        uint256 end = DAY_ZERO + 9 * 365;
        vm.warp((end + 1) * 1 days);
        bool success = true;
        bytes memory reason;
        uint256 day = DAY_ZERO;
        for (; day <= end && success; ++day) {
            (success, reason) = _try(poster, abi.encodeCall(delegate.postDailyRate, (day, 1e18)));
        }
        assertFalse(success);
        assertGt(day, DAY_ZERO + 8 * 365);
        // Its arguments are the width and the next index.
        assertEq(reason.length, 68);
        assertEq(bytes4(reason), SafeCast.SafeCastOverflowedUintDowncast.selector);
        assertEq(delegate.lastRatePostingDay(), day - 2);
    }

    function _expectPost(uint256 day) private {
        _expectDelegateAnswer(abi.encodeCall(delegate.lastRatePostingDay, ()), abi.encode(day));
        _expectDelegateAnswer(abi.encodeCall(delegate.dailyRates, (day)), abi.encode(RATE - FEE));
        _expectDelegateAnswer(abi.encodeCall(delegate.ratePosted, (day)), abi.encode(true));
    }

    function _assertPostReverts(uint256 day, uint256 rate, bytes memory expected) private {
        _assertReverts(poster, abi.encodeCall(delegate.postDailyRate, (day, rate)), expected);
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
