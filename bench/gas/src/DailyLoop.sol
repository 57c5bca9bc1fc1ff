// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title DailyLoop
/// @notice Accrual as a loop over the days that passed, which {TreasuryDelegate}'s growth index replaces. It has one
/// account, one posted growth factor per day and no checks, so it is a lower bound of the cost of such a loop.
contract DailyLoop {
    uint256 private constant WAD = 1e18;
    uint256 private _credits = 1000e18;
    uint256 private _lastDay;
    mapping(uint256 day => uint256 growthWad) private _growth;

    function post(uint256 day, uint256 growthWad) external {
        _growth[day] = growthWad;
    }

    /// @notice Compounds every day before `today` that has not been accrued.
    function accrue(uint256 today) external {
        uint256 credits = _credits;
        for (uint256 day = _lastDay; day < today; ++day) {
            credits += credits * _growth[day] / WAD;
        }
        _credits = credits;
        _lastDay = today;
    }
}
