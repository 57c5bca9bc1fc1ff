// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasuryDelegate} from "../interfaces/ITreasuryDelegate.sol";
import {TreasuryDelegateStorage} from "../storage/TreasuryDelegateStorage.sol";
import {CreditQueue} from "./CreditQueue.sol";
import {YieldMath} from "./YieldMath.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title TreasuryDelegateLibrary
/// @notice Rare operations of the treasury delegate: posting and correcting daily rates, setting their bounds, and the
/// administrator's changes of credits.
/// @dev A linked library, because the code of the treasury delegate would otherwise exceed the 24,576 bytes of EIP-170.
/// It works on the delegate's storage, and its events are the delegate's. The delegate checks the caller.
library TreasuryDelegateLibrary {
    using SafeCast for uint256;

    /// @notice Largest management fee: 5 % APY.
    uint256 private constant MAX_MANAGEMENT_FEE = 0.05e18;

    /// @notice Largest cap of gross rates: 100 % APY.
    uint256 private constant MAX_RATE_CAP = 1e18;

    /// @notice Cap of gross rates after initialization: 20 % APY.
    uint256 private constant INITIAL_RATE_CAP = 0.2e18;

    /// @notice Bounds of a fallback window that is not zero.
    uint256 private constant MIN_FALLBACK_WINDOW = 1 days;
    uint256 private constant MAX_FALLBACK_WINDOW = 7 days;

    /// @notice Fallback window after initialization.
    uint256 private constant INITIAL_FALLBACK_WINDOW = 3 days;

    /// @notice Smallest multiplier that can be set: no credit is worth less than its token.
    uint256 private constant MIN_MULTIPLIER = 1e18;

    /// @notice Largest multiplier that can be set.
    uint256 private constant MAX_MULTIPLIER = 10e18;

    /// @notice Sets the bounds, the fee and the initial rate within the limits of their setters, and the earliest day
    /// that can be posted.
    /// @param state The delegate's namespace.
    /// @param initialRate Gross APY returned for days that are not posted, WAD; `RateTooHigh` above the initial cap.
    /// @param initialManagementFee APY, WAD; `ManagementFeeTooHigh` above 5 %.
    function initializeRates(
        TreasuryDelegateStorage.TreasuryDelegateState storage state,
        uint256 initialRate,
        uint256 initialManagementFee
    ) external {
        setMaxDailyRate(state, INITIAL_RATE_CAP);
        setMaxFallbackRateSeconds(state, INITIAL_FALLBACK_WINDOW);
        setManagementFee(state, initialManagementFee);
        _checkRateCap(state, initialRate);
        state.initialRateWad = initialRate.toUint64();
        // Day 0 means that no day was posted, so it can never be posted itself.
        state.earliestRateDay = (Math.max(CreditQueue.dayOf(block.timestamp), 2) - 1).toUint40();
    }

    /// @notice Sets the management fee.
    /// @param state The delegate's namespace.
    /// @param fee APY, WAD.
    function setManagementFee(TreasuryDelegateStorage.TreasuryDelegateState storage state, uint256 fee) public {
        if (fee > MAX_MANAGEMENT_FEE) revert ITreasuryDelegate.ManagementFeeTooHigh(fee);
        emit ITreasuryDelegate.ManagementFeeUpdated(state.managementFeeWad, fee);
        state.managementFeeWad = fee.toUint64();
    }

    /// @notice Sets the cap of gross rates.
    /// @param state The delegate's namespace.
    /// @param maxRate APY, WAD.
    function setMaxDailyRate(TreasuryDelegateStorage.TreasuryDelegateState storage state, uint256 maxRate) public {
        if (maxRate > MAX_RATE_CAP) revert ITreasuryDelegate.InvalidRate();
        emit ITreasuryDelegate.MaxDailyRateUpdated(state.maxDailyRateWad, maxRate);
        state.maxDailyRateWad = maxRate.toUint64();
    }

    /// @notice Sets the fallback window.
    /// @param state The delegate's namespace.
    /// @param window Seconds.
    function setMaxFallbackRateSeconds(TreasuryDelegateStorage.TreasuryDelegateState storage state, uint256 window)
        public
    {
        if (window != 0 && (window < MIN_FALLBACK_WINDOW || window > MAX_FALLBACK_WINDOW)) {
            revert ITreasuryDelegate.InvalidFallbackRateWindow();
        }
        emit ITreasuryDelegate.MaxFallbackRateSecondsUpdated(state.maxFallbackRateSeconds, window);
        state.maxFallbackRateSeconds = window.toUint40();
    }

    /// @notice See {ITreasuryDelegate.postDailyRate}.
    /// @param state The delegate's namespace.
    /// @param dayNumber The day.
    /// @param grossRate Gross APY, WAD.
    function post(TreasuryDelegateStorage.TreasuryDelegateState storage state, uint256 dayNumber, uint256 grossRate)
        external
    {
        uint256 today = block.timestamp / 1 days;
        if (dayNumber > today) revert ITreasuryDelegate.CannotPostFutureRate(dayNumber, today);
        if (dayNumber == today) revert ITreasuryDelegate.CannotPostRateForUnfinishedDay(dayNumber, today);
        if (state.dailyRates[dayNumber].indexE36 != 0) revert ITreasuryDelegate.RateAlreadyPosted(dayNumber);

        uint256 last = state.lastRateDay;
        bool isFirst = last == 0;
        uint256 expected = isFirst ? state.earliestRateDay : last + 1;
        if (isFirst ? dayNumber < expected : dayNumber != expected) {
            revert ITreasuryDelegate.MustPostSequentially(dayNumber, expected);
        }
        (uint256 netRate,) =
            _setRate(state, dayNumber, isFirst ? YieldMath.E36 : state.dailyRates[last].indexE36, grossRate);
        state.lastRateDay = dayNumber.toUint40();
        if (isFirst) {
            state.firstRateDay = dayNumber.toUint40();
            emit ITreasuryDelegate.FirstRatePosted(dayNumber);
        }
        emit ITreasuryDelegate.DailyRatePosted(dayNumber, netRate, msg.sender);
    }

    /// @notice See {ITreasuryDelegate.correctDailyRate}.
    /// @param state The delegate's namespace.
    /// @param dayNumber The day.
    /// @param grossRate Gross APY, WAD.
    function correct(TreasuryDelegateStorage.TreasuryDelegateState storage state, uint256 dayNumber, uint256 grossRate)
        external
    {
        uint256 first = state.firstRateDay;
        uint256 last = state.lastRateDay;
        if (first == 0 || dayNumber < first) {
            revert ITreasuryDelegate.CannotCorrectBeforeFirstRate(dayNumber, first);
        }
        if (dayNumber > last) revert ITreasuryDelegate.MustPostSequentially(dayNumber, last + 1);

        uint256 oldRate = state.dailyRates[dayNumber].netRateWad;
        (uint256 netRate, uint256 index) = _setRate(
            state, dayNumber, dayNumber == first ? YieldMath.E36 : state.dailyRates[dayNumber - 1].indexE36, grossRate
        );
        for (uint256 day = dayNumber + 1; day <= last; ++day) {
            TreasuryDelegateStorage.DailyRate storage later = state.dailyRates[day];
            index = YieldMath.nextIndex(index, later.growthWad);
            later.indexE36 = index.toUint128();
        }
        emit ITreasuryDelegate.DailyRateCorrected(dayNumber, oldRate, netRate, msg.sender);
    }

    /// @notice See {ITreasuryDelegate.setUserYieldMultiplier}. The account is accrued and merged in full.
    /// @param account The account's credits.
    /// @param user The account.
    /// @param newMultiplier WAD.
    function setMultiplier(TreasuryDelegateStorage.Account storage account, address user, uint256 newMultiplier)
        external
    {
        uint256 oldE36 = account.multiplierE36;
        // Zero means that the account has no main credits.
        if (oldE36 == 0 || newMultiplier < MIN_MULTIPLIER || newMultiplier > MAX_MULTIPLIER) {
            revert ITreasuryDelegate.InvalidYieldMultiplier(newMultiplier);
        }
        account.multiplierE36 = (newMultiplier * YieldMath.WAD).toUint168();
        emit ITreasuryDelegate.YieldMultiplierUpdated(user, oldE36 / YieldMath.WAD, newMultiplier, msg.sender);
    }

    /// @notice See {ITreasuryDelegate.moveCredits}. Both accounts are accrued and merged in full.
    /// @param state The delegate's namespace.
    /// @param from Account that loses credits.
    /// @param to Another account, which gets them; zero cancels them.
    /// @param amount Credits; 2^256-1 for all.
    function moveCredits(
        TreasuryDelegateStorage.TreasuryDelegateState storage state,
        address from,
        address to,
        uint256 amount
    ) external {
        TreasuryDelegateStorage.Account storage source = state.accounts[from];
        CreditQueue.Position memory sourcePosition = CreditQueue.load(source);
        if (amount == type(uint256).max) amount = sourcePosition.mainCredits + sourcePosition.withheldCredits;
        CreditQueue.requireCredits(sourcePosition, amount);
        (uint256 fromWithheld, uint256 fromMain) = CreditQueue.splitRedemption(sourcePosition, amount);

        if (to != address(0)) {
            TreasuryDelegateStorage.Account storage target = state.accounts[to];
            CreditQueue.Position memory targetPosition = CreditQueue.load(target);
            _copyNewest(source, sourcePosition, target, targetPosition, fromWithheld);
            if (fromMain != 0) {
                targetPosition.multiplierE36 = YieldMath.blend(
                    targetPosition.mainCredits, targetPosition.multiplierE36, fromMain, sourcePosition.multiplierE36
                );
                targetPosition.mainCredits += fromMain;
                // Both have accrued through the posting frontier.
                targetPosition.lastAccrualDay = sourcePosition.lastAccrualDay;
            }
            CreditQueue.save(target, targetPosition);
        }
        CreditQueue.takeCredits(source, from, sourcePosition, fromWithheld, fromMain);
        emit ITreasuryDelegate.CreditsMoved(from, to, fromWithheld, fromMain);
    }

    /// @dev Copies the newest `amount` withheld credits of one account to the end of another's queue, in the order in
    /// which they are. The first account stays unchanged.
    function _copyNewest(
        TreasuryDelegateStorage.Account storage source,
        CreditQueue.Position memory sourcePosition,
        TreasuryDelegateStorage.Account storage target,
        CreditQueue.Position memory targetPosition,
        uint256 amount
    ) private {
        uint256 end = sourcePosition.front + sourcePosition.length;
        uint256 at = end;
        uint256 found = 0;
        while (found < amount) {
            found += source.records[--at].credits;
        }
        // The oldest of these records may keep a part of its credits.
        uint256 kept = found - amount;
        for (; at < end; ++at) {
            TreasuryDelegateStorage.CreditRecord memory moved = source.records[at];
            moved.credits -= kept;
            kept = 0;
            moved.isOthers = false;
            CreditQueue.addRecord(target, targetPosition, moved, false);
        }
    }

    /// @dev Stores a day with its gross rate less the current fee. `previousIndexE36` is the index through the day
    /// before. Returns the net APY, WAD, and the index through the day.
    function _setRate(
        TreasuryDelegateStorage.TreasuryDelegateState storage state,
        uint256 dayNumber,
        uint256 previousIndexE36,
        uint256 grossRate
    ) private returns (uint256 netRateWad, uint256 indexE36) {
        _checkRateCap(state, grossRate);
        netRateWad = Math.saturatingSub(grossRate, state.managementFeeWad);
        uint256 growthWad = YieldMath.dailyGrowth(netRateWad);
        indexE36 = YieldMath.nextIndex(previousIndexE36, growthWad);
        state.dailyRates[dayNumber] = TreasuryDelegateStorage.DailyRate({
            indexE36: indexE36.toUint128(), netRateWad: netRateWad.toUint64(), growthWad: growthWad.toUint64()
        });
    }

    /// @dev Refuses a gross rate above the cap.
    function _checkRateCap(TreasuryDelegateStorage.TreasuryDelegateState storage state, uint256 grossRate)
        private
        view
    {
        uint256 cap = state.maxDailyRateWad;
        if (grossRate > cap) revert ITreasuryDelegate.RateTooHigh(grossRate, cap);
    }
}
