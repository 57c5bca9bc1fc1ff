// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasuryDelegate} from "../interfaces/ITreasuryDelegate.sol";
import {YieldMath} from "../libraries/YieldMath.sol";
import {TreasuryDelegateStorage} from "../storage/TreasuryDelegateStorage.sol";
import {StablecoinDelegateAdmin} from "./StablecoinDelegateAdmin.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title TreasuryDelegateRates
/// @notice The daily rates and their bounds.
/// @dev Each posted day keeps the product of all growth through it, so that accrual over any number of days is one
/// division. The index takes 128 bits: it has room for growth to 340 times, 31 years at 20 % and 8 at 100 %, after which
/// posting reverts.
abstract contract TreasuryDelegateRates is ITreasuryDelegate, TreasuryDelegateStorage, StablecoinDelegateAdmin {
    using SafeCast for uint256;

    /// @notice Posts daily rates.
    bytes32 public constant RATE_POSTER_ROLE = keccak256("RATE_POSTER_ROLE");

    /// @notice Corrects posted rates, sets their cap and the fallback window.
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    /// @notice Largest management fee: 5 % APY.
    uint256 internal constant MAX_MANAGEMENT_FEE = 0.05e18;

    /// @notice Largest cap of gross rates: 100 % APY.
    uint256 internal constant MAX_RATE_CAP = 1e18;

    /// @notice Cap of gross rates after initialization: 20 % APY.
    uint256 internal constant INITIAL_RATE_CAP = 0.2e18;

    /// @notice Bounds of a fallback window that is not zero.
    uint256 internal constant MIN_FALLBACK_WINDOW = 1 days;
    uint256 internal constant MAX_FALLBACK_WINDOW = 7 days;

    /// @notice Fallback window after initialization.
    uint256 internal constant INITIAL_FALLBACK_WINDOW = 3 days;

    /// @inheritdoc ITreasuryDelegate
    function postDailyRate(uint256 dayNumber, uint256 grossRate) external onlyRole(RATE_POSTER_ROLE) {
        TreasuryDelegateState storage $ = _yieldStorage();
        uint256 today = _dayOf(block.timestamp);
        if (dayNumber > today) revert CannotPostFutureRate(dayNumber, today);
        if (dayNumber == today) revert CannotPostRateForUnfinishedDay(dayNumber, today);
        if (_rate(dayNumber).indexE36 != 0) revert RateAlreadyPosted(dayNumber);

        uint256 last = $.lastRateDay;
        bool isFirst = last == 0;
        uint256 expected = isFirst ? $.earliestRateDay : last + 1;
        if (isFirst ? dayNumber < expected : dayNumber != expected) revert MustPostSequentially(dayNumber, expected);
        _checkRateCap(grossRate);

        uint256 netRate = _netRate(grossRate);
        uint256 growth = YieldMath.dailyGrowth(netRate);
        _setRate(dayNumber, isFirst ? YieldMath.E36 : _indexAt(last), netRate, growth);
        $.lastRateDay = dayNumber.toUint40();
        if (isFirst) {
            $.firstRateDay = dayNumber.toUint40();
            emit FirstRatePosted(dayNumber);
        }
        emit DailyRatePosted(dayNumber, netRate, msg.sender);
    }

    /// @inheritdoc ITreasuryDelegate
    function correctDailyRate(uint256 dayNumber, uint256 grossRate) external onlyRole(OPERATOR_ROLE) {
        TreasuryDelegateState storage $ = _yieldStorage();
        uint256 first = $.firstRateDay;
        uint256 last = $.lastRateDay;
        if (first == 0 || dayNumber < first) revert CannotCorrectBeforeFirstRate(dayNumber, first);
        if (dayNumber > last) revert MustPostSequentially(dayNumber, last + 1);
        _checkRateCap(grossRate);

        uint256 oldRate = _rate(dayNumber).netRateWad;
        uint256 netRate = _netRate(grossRate);
        uint256 index = _indexAt(dayNumber - 1);
        index = _setRate(dayNumber, index, netRate, YieldMath.dailyGrowth(netRate));
        for (uint256 day = dayNumber + 1; day <= last; ++day) {
            DailyRate storage later = _rate(day);
            index = YieldMath.nextIndex(index, later.growthWad);
            later.indexE36 = index.toUint128();
        }
        emit DailyRateCorrected(dayNumber, oldRate, netRate, msg.sender);
    }

    /// @inheritdoc ITreasuryDelegate
    function setManagementFee(uint256 fee) external onlyIssuerAdmin {
        _setManagementFee(fee);
    }

    /// @inheritdoc ITreasuryDelegate
    function setMaxDailyRate(uint256 maxRate) external onlyRole(OPERATOR_ROLE) {
        _setMaxDailyRate(maxRate);
    }

    /// @inheritdoc ITreasuryDelegate
    function setMaxFallbackRateSeconds(uint256 maxSeconds) external onlyRole(OPERATOR_ROLE) {
        _setMaxFallbackRateSeconds(maxSeconds);
    }

    /// @inheritdoc ITreasuryDelegate
    function getDailyRate(uint256 dayNumber) external view returns (uint256 rate, bool posted) {
        TreasuryDelegateState storage $ = _yieldStorage();
        DailyRate storage daily = _rate(dayNumber);
        posted = daily.indexE36 != 0;
        rate = posted ? daily.netRateWad : _netRate($.initialRateWad);
    }

    /// @inheritdoc ITreasuryDelegate
    function getCurrentDay() external view returns (uint256 currentDay) {
        return _dayOf(block.timestamp);
    }

    /// @inheritdoc ITreasuryDelegate
    function dailyRates(uint256 day) external view returns (uint256 rate) {
        return _rate(day).netRateWad;
    }

    /// @inheritdoc ITreasuryDelegate
    function ratePosted(uint256 day) external view returns (bool posted) {
        return _rate(day).indexE36 != 0;
    }

    /// @inheritdoc ITreasuryDelegate
    function firstRateDay() external view returns (uint256 day) {
        return _yieldStorage().firstRateDay;
    }

    /// @inheritdoc ITreasuryDelegate
    function lastRatePostingDay() external view returns (uint256 day) {
        return _yieldStorage().lastRateDay;
    }

    /// @inheritdoc ITreasuryDelegate
    function managementFee() external view returns (uint256 fee) {
        return _yieldStorage().managementFeeWad;
    }

    /// @inheritdoc ITreasuryDelegate
    function maxDailyRate() external view returns (uint256 rate) {
        return _yieldStorage().maxDailyRateWad;
    }

    /// @inheritdoc ITreasuryDelegate
    function maxFallbackRateSeconds() external view returns (uint256 window) {
        return _yieldStorage().maxFallbackRateSeconds;
    }

    /// @notice Sets bounds, fee and initial rate within the bounds of their setters, and the earliest day to post.
    /// @param initialRate Gross APY shown for days not posted, WAD; `RateTooHigh` above the initial cap.
    /// @param initialManagementFee APY, WAD; `ManagementFeeTooHigh` above 5 %.
    function _initializeRates(uint256 initialRate, uint256 initialManagementFee) internal onlyInitializing {
        _setMaxDailyRate(INITIAL_RATE_CAP);
        _setMaxFallbackRateSeconds(INITIAL_FALLBACK_WINDOW);
        _setManagementFee(initialManagementFee);
        _checkRateCap(initialRate);
        TreasuryDelegateState storage $ = _yieldStorage();
        $.initialRateWad = initialRate.toUint64();
        // Day 0 stands for none, so it can never be posted.
        $.earliestRateDay = (Math.max(_dayOf(block.timestamp), 2) - 1).toUint40();
    }

    /// @notice Stores a day.
    /// @param dayNumber The day.
    /// @param previousIndexE36 Index through the day before.
    /// @param netRateWad Net APY.
    /// @param growthWad The day's growth.
    /// @return indexE36 Index through the day.
    function _setRate(uint256 dayNumber, uint256 previousIndexE36, uint256 netRateWad, uint256 growthWad)
        private
        returns (uint256 indexE36)
    {
        indexE36 = YieldMath.nextIndex(previousIndexE36, growthWad);
        _yieldStorage().dailyRates[dayNumber] = DailyRate({
            indexE36: indexE36.toUint128(), netRateWad: netRateWad.toUint64(), growthWad: growthWad.toUint64()
        });
    }

    /// @notice Sets the management fee.
    /// @param fee APY, WAD.
    function _setManagementFee(uint256 fee) private {
        if (fee > MAX_MANAGEMENT_FEE) revert ManagementFeeTooHigh(fee);
        TreasuryDelegateState storage $ = _yieldStorage();
        emit ManagementFeeUpdated($.managementFeeWad, fee);
        $.managementFeeWad = fee.toUint64();
    }

    /// @notice Sets the cap of gross rates.
    /// @param maxRate APY, WAD.
    function _setMaxDailyRate(uint256 maxRate) private {
        if (maxRate > MAX_RATE_CAP) revert InvalidRate();
        TreasuryDelegateState storage $ = _yieldStorage();
        emit MaxDailyRateUpdated($.maxDailyRateWad, maxRate);
        $.maxDailyRateWad = maxRate.toUint64();
    }

    /// @notice Sets the fallback window.
    /// @param window Seconds.
    function _setMaxFallbackRateSeconds(uint256 window) private {
        if (window != 0 && (window < MIN_FALLBACK_WINDOW || window > MAX_FALLBACK_WINDOW)) {
            revert InvalidFallbackRateWindow();
        }
        TreasuryDelegateState storage $ = _yieldStorage();
        emit MaxFallbackRateSecondsUpdated($.maxFallbackRateSeconds, window);
        $.maxFallbackRateSeconds = window.toUint40();
    }

    /// @notice Takes the management fee of now from a gross rate.
    /// @param grossRate APY, WAD.
    /// @return netRate APY, WAD, not below zero.
    function _netRate(uint256 grossRate) private view returns (uint256 netRate) {
        uint256 fee = _yieldStorage().managementFeeWad;
        return grossRate > fee ? grossRate - fee : 0;
    }

    /// @notice Refuses a gross rate above the cap.
    /// @param grossRate APY, WAD.
    function _checkRateCap(uint256 grossRate) private view {
        uint256 cap = _yieldStorage().maxDailyRateWad;
        if (grossRate > cap) revert RateTooHigh(grossRate, cap);
    }
}
