// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DailyLimit} from "../src/libraries/DailyLimit.sol";

/// @title DailyLimitProof
/// @notice The leak of a daily limit's sum never raises the sum, is no faster than the limit spread evenly over a day,
/// and is complete after a day. An amount that passes never lifts the sum above the limit.
/// @dev `leaksNoFasterThanEvenly` is the step of an induction. Consecutive leaks cover consecutive periods, so all
/// leaks within 24 hours add up to less than the limit plus one unit. The amount that passes in that time is the sum at
/// the end, less the sum at the beginning, plus the leaks. It is at most twice the limit. Limits have 96 bits, as in
/// the contracts, and times are below 2^40.
contract DailyLimitProof {
    function neverRises(uint256 used, uint256 since, uint256 perDay) external view {
        _assumeBounds(used, since, perDay);
        (uint256 left, uint256 time) = DailyLimit.leak(used, since, perDay);
        assert(left <= used);
        assert(time >= since);
        assert(time <= block.timestamp);
    }

    function productFits(uint256 used, uint256 since, uint256 perDay) external view {
        _assumeBounds(used, since, perDay);
        uint256 elapsed = block.timestamp - since;
        assert(elapsed == 0 || perDay <= type(uint256).max / elapsed);
    }

    function leaksNoFasterThanEvenly(uint256 used, uint256 since, uint256 perDay) external view {
        _assumeBounds(used, since, perDay);
        (uint256 left, uint256 time) = DailyLimit.leak(used, since, perDay);
        assert((used - left) * 1 days <= perDay * (time - since));
    }

    /// Frequent updates do not stop the leak: the stored time does not change until a unit has leaked.
    function leaksUnlessLessThanAUnit(uint256 used, uint256 since, uint256 perDay) external view {
        _assumeBounds(used, since, perDay);
        (uint256 left, uint256 time) = DailyLimit.leak(used, since, perDay);
        assert(time == block.timestamp || time == since);
        assert(time == block.timestamp || perDay * (block.timestamp - since) < 1 days);
        assert(used == 0 || left < used || time == since);
    }

    function isGoneAfterADay(uint256 used, uint256 since, uint256 perDay) external view {
        _assumeBounds(used, since, perDay);
        require(used <= perDay && perDay != 0 && block.timestamp - since >= 1 days);
        (uint256 left,) = DailyLimit.leak(used, since, perDay);
        assert(left == 0);
    }

    /// Restates the lines of the contracts, which refuse an amount above the rest of the limit. A sum can be above a
    /// limit that was lowered, and then it does not rise further.
    function passesNoMoreThanTheLimit(uint256 used, uint256 since, uint256 perDay, uint256 amount) external view {
        _assumeBounds(used, since, perDay);
        (uint256 left,) = DailyLimit.leak(used, since, perDay);
        uint256 available = perDay > left ? perDay - left : 0;
        require(amount <= available);
        assert(left + amount <= (used > perDay ? used : perDay));
        assert(amount == 0 || left + amount <= perDay);
    }

    function _assumeBounds(uint256 used, uint256 since, uint256 perDay) private view {
        require(used <= type(uint96).max && perDay <= type(uint96).max);
        require(since <= block.timestamp && block.timestamp <= type(uint40).max);
    }
}
