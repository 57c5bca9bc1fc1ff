// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SystemStore} from "../SystemStore.sol";
import {SystemHandler} from "./SystemHandler.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";

/// @notice Lets time pass, posts rates in time and late, corrects them, lets anyone accrue with any limits, and sets
/// multipliers as the administrator.
contract YieldHandler is SystemHandler {
    address private immutable POSTER;
    address private immutable CORRECTOR;
    address private immutable ADMIN;
    bool private immutable POSTS_IN_TIME;

    constructor(
        CoreSwap core,
        TreasuryDelegate delegate,
        SystemStore store,
        address[3] memory posterCorrectorAdmin,
        bool postsInTime
    ) SystemHandler(core, delegate, store) {
        (POSTER, CORRECTOR, ADMIN) = (posterCorrectorAdmin[0], posterCorrectorAdmin[1], posterCorrectorAdmin[2]);
        POSTS_IN_TIME = postsInTime;
    }

    /// @notice Lets up to two days pass; every fourth time, advances exactly to midnight, where days begin.
    function pass(uint256 elapsed, uint256 rate) external {
        uint256 now_ = vm.getBlockTimestamp();
        vm.warp(elapsed % 4 == 0 ? (now_ / 1 days + 1) * 1 days : now_ + bound(elapsed, 1, 2 days));
        if (POSTS_IN_TIME) _post(rate, INFINITE);
        STORE.count("pass", true);
    }

    /// @notice Posts up to four of the missing days, after an attempt at another day.
    function post(uint256 rate, uint256 count, uint256 wrongDay) external paced {
        _postWrongDay(wrongDay);
        _post(rate, bound(count, 1, 4));
        STORE.count("post", true);
    }

    /// @dev Tries to post a day near the expected one, which must be refused.
    function _postWrongDay(uint256 day) private {
        uint256 last = DELEGATE.lastRatePostingDay();
        uint256 today = DELEGATE.getCurrentDay();
        if (last == 0) return;
        day = bound(day, last - 3, today + 2);
        if (day == last + 1 && day < today) return;
        vm.prank(POSTER);
        (bool success,) = address(DELEGATE).call(abi.encodeCall(DELEGATE.postDailyRate, (day, 0.05e18)));
        if (success) STORE.report(SystemStore.Property.D4_WrongDaysRefused);
    }

    function correct(uint256 day, uint256 rate) external paced {
        STORE.count("correct", true);
        uint256 first = DELEGATE.firstRateDay();
        if (first == 0) return;
        day = bound(day, first, DELEGATE.lastRatePostingDay());
        vm.prank(CORRECTOR);
        DELEGATE.correctDailyRate(day, bound(rate, 0, 0.2e18));
    }

    /// @notice Accrues one account with limits, or several in full, from any caller.
    function accrue(uint256 userSeed, uint256 callerSeed, uint256 maxDays, uint256 maxRecords) external paced {
        if (maxDays % 4 == 0) {
            address[] memory batch = new address[](3);
            (batch[0], batch[1], batch[2]) = (_user(userSeed), _nextUser(userSeed), STORE.vault());
            DELEGATE.batchAccrueInterest(batch);
        } else {
            (address user, address caller) = (_user(userSeed), _user(callerSeed));
            vm.prank(caller);
            DELEGATE.accrueInterest(user, bound(maxDays, 1, 5), bound(maxRecords, 1, 3));
        }
        STORE.count("accrue", true);
    }

    function setMultiplier(uint256 userSeed, uint256 multiplier) external paced {
        address user = _user(userSeed);
        if (DELEGATE.credits(user) == 0) return;
        vm.prank(ADMIN);
        DELEGATE.setUserYieldMultiplier(user, bound(multiplier, 1e18, 1.5e18));
        STORE.count("setMultiplier", true);
    }

    function _post(uint256 rate, uint256 count) private {
        uint256 today = DELEGATE.getCurrentDay();
        uint256 last = DELEGATE.lastRatePostingDay();
        uint256 next = last == 0 ? today - 1 : last + 1;
        for (; count != 0 && next < today; --count) {
            vm.prank(POSTER);
            DELEGATE.postDailyRate(next++, bound(rate, 0, 0.2e18));
        }
    }
}
