// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract CorrectDailyRateTest is DelegateTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        bytes memory data = abi.encodeCall(delegate.correctDailyRate, (DAY_ZERO - 1, RATE));
        _assertOnlyRole(delegate.OPERATOR_ROLE(), caller, data);
    }

    function test_RevertWhen_AnIssuerAdminOrTheRatePosterCalls() public {
        bytes memory data = abi.encodeCall(delegate.correctDailyRate, (DAY_ZERO - 1, RATE));
        _assertUnauthorized(data, delegate.OPERATOR_ROLE(), [stranger, issuer, poster]);
    }

    function test_RevertWhen_TheDayWasNeverPosted() public {
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

    function test_WhenAPostedDayIsCorrected() public {
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

    function test_WhenAPostedDayIsCorrectedAndAllIsWatched() public {
        _deposit(alice, 1e18);
        _goToDayAndPost(DAY_ZERO + 4);
        _watchDelegate();
        _watchYield();
        _expectDelegateAnswer(abi.encodeCall(delegate.dailyRates, (DAY_ZERO + 1)), abi.encode(0.1e18 - FEE));
        // The indices of days 2 and 3, which only accrual shows.
        _expectHiddenSlots(2);
        _expectEvent(address(delegate));
        emit ITreasuryDelegate.DailyRateCorrected(DAY_ZERO + 1, RATE - FEE, 0.1e18 - FEE, corrector);
        _assertDelegateEffects(corrector, abi.encodeCall(delegate.correctDailyRate, (DAY_ZERO + 1, 0.1e18)));
    }

    function test_WhenCreditsStandBehindTheDay_D18() public {
        _deposit(alice, 1_000e18);
        _deposit(bob, 1_000e18);
        _goToDayAndPost(DAY_ZERO + 2);
        // Bob has main credits through day 1; Alice's credits are withheld.
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

    function test_WhenCreditsAccruedTheDayAlready_D18() public {
        _deposit(alice, 1_000e18);
        _goToDayAndPost(DAY_ZERO + 6);
        _accrueAll(alice);
        Stored memory before = _stored(alice);
        _correct(DAY_ZERO + 3, 0.15e18);
        _accrueAll(alice);
        _assertStored(alice, before);

        // Later days still grow at their own rates.
        _goToDayAndPost(DAY_ZERO + 7);
        _accrueAll(alice);
        assertEq(delegate.yieldMultiplier(alice), before.multiplier * (WAD + GROWTH) / WAD);
    }

    function test_WhenADayIsCorrectedTwice_D18() public {
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

    function test_WhenTheFrontierIsCorrected() public {
        _deposit(alice, 1_000e18);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(alice);
        uint256 withPart = delegate.getYieldAmount(alice, 1_000e18, true);
        uint256 wholeDays = delegate.getYieldAmount(alice, 1_000e18, false);
        _correct(DAY_ZERO + 2, 0.1e18);
        assertGt(delegate.getYieldAmount(alice, 1_000e18, true), withPart);
        assertEq(delegate.getYieldAmount(alice, 1_000e18, false), wholeDays);
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
