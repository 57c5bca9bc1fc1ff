// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DailyLimit} from "../src/libraries/DailyLimit.sol";

/// @title DailyLimitProof
/// @notice A sum under a daily limit never rises by leaking, leaks no faster than the limit evenly over a day, and is gone
/// after a day. What passes at once never lifts it above the limit.
/// @dev `leaksNoFasterThanEvenly` is the step of an induction. The times of consecutive leaks follow on each other, so
/// that all leaks within 24 hours come to less than the limit and one unit. What passes in that time is the sum at its
/// end, less the sum at its beginning, plus what leaked: at most twice the limit. Limits are those of 96 bits that the
/// contracts have; times are below 2^40.
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

    /// However often it is looked at: the time stands still until a unit has leaked.
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

    /// The lines of the contracts: what is above the rest of the limit is refused. A sum may be above a limit that was
    /// lowered; it then rises no further.
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
