// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasuryDelegate} from "../interfaces/ITreasuryDelegate.sol";
import {TreasuryDelegateLibrary} from "../libraries/TreasuryDelegateLibrary.sol";
import {TreasuryDelegateStorage} from "../storage/TreasuryDelegateStorage.sol";
import {StablecoinDelegateAdmin} from "./StablecoinDelegateAdmin.sol";

/// @title TreasuryDelegateRates
/// @notice The daily rates and their bounds.
/// @dev {TreasuryDelegateLibrary}, a linked library, implements the posting. Each posted day keeps the product of all
/// growth through it, so that accrual over any number of days is one division. The index takes 128 bits, enough for
/// growth to 340 times: 31 years at 20 % or 8 at 100 %, after which posting reverts.
abstract contract TreasuryDelegateRates is ITreasuryDelegate, TreasuryDelegateStorage, StablecoinDelegateAdmin {
    /// @notice Posts daily rates.
    bytes32 public constant RATE_POSTER_ROLE = keccak256("RATE_POSTER_ROLE");

    /// @notice Corrects posted rates.
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    /// @inheritdoc ITreasuryDelegate
    function postDailyRate(uint256 dayNumber, uint256 grossRate) external onlyRole(RATE_POSTER_ROLE) {
        TreasuryDelegateLibrary.post(_yieldStorage(), dayNumber, grossRate);
    }

    /// @inheritdoc ITreasuryDelegate
    function correctDailyRate(uint256 dayNumber, uint256 grossRate) external onlyRole(OPERATOR_ROLE) {
        TreasuryDelegateLibrary.correct(_yieldStorage(), dayNumber, grossRate);
    }

    /// @inheritdoc ITreasuryDelegate
    function setManagementFee(uint256 fee) external onlyIssuerAdmin {
        TreasuryDelegateLibrary.setManagementFee(_yieldStorage(), fee);
    }

    /// @inheritdoc ITreasuryDelegate
    function setMaxDailyRate(uint256 maxRate) external onlyRole(DEFAULT_ADMIN_ROLE) {
        TreasuryDelegateLibrary.setMaxDailyRate(_yieldStorage(), maxRate);
    }

    /// @inheritdoc ITreasuryDelegate
    function setMaxFallbackRateSeconds(uint256 maxSeconds) external onlyRole(DEFAULT_ADMIN_ROLE) {
        TreasuryDelegateLibrary.setMaxFallbackRateSeconds(_yieldStorage(), maxSeconds);
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

    /// @dev Subtracts the current management fee from a gross rate. Both are APY, WAD; the result is not below zero.
    function _netRate(uint256 grossRate) private view returns (uint256 netRate) {
        uint256 fee = _yieldStorage().managementFeeWad;
        return grossRate > fee ? grossRate - fee : 0;
    }
}
