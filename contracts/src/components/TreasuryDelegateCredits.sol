// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasuryDelegate} from "../interfaces/ITreasuryDelegate.sol";
import {IYieldBearingDelegate} from "../interfaces/IYieldBearingDelegate.sol";
import {YieldMath} from "../libraries/YieldMath.sol";
import {TreasuryDelegateAccrual} from "./TreasuryDelegateAccrual.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title TreasuryDelegateCredits
/// @notice What gives an account credits, what consumes them, and what they are worth.
abstract contract TreasuryDelegateCredits is TreasuryDelegateAccrual {
    using SafeCast for uint256;

    /// @notice Most records of a queue.
    uint256 internal constant MAX_RECORDS = 64;

    /// @notice How long credits are withheld.
    uint256 internal constant HOLD = 24 hours;

    /// @inheritdoc IYieldBearingDelegate
    function getYieldAmount(address user, uint256 redeemValue, bool stablecoinWithdrawal)
        external
        view
        returns (uint256 yieldAmount)
    {
        return _valueOf(_projected(user), redeemValue, stablecoinWithdrawal) - redeemValue;
    }

    /// @inheritdoc IYieldBearingDelegate
    function getAmountForTargetValue(address user, uint256 targetValue, bool stablecoinWithdrawal)
        external
        view
        returns (uint256 treasuryNeeded)
    {
        Position memory position = _projected(user);
        uint256 withheld = position.withheldCredits;
        if (targetValue <= withheld) return targetValue;
        treasuryNeeded = withheld
            + YieldMath.creditsFor(
                targetValue - withheld, position.multiplierE36, _partialWeight(position, stablecoinWithdrawal)
            );
        _requireCredits(position, treasuryNeeded);
    }

    /// @inheritdoc ITreasuryDelegate
    function getWithheldCredits(address user) external view returns (WithheldCredits[] memory withheld) {
        Account storage account = _account(user);
        withheld = new WithheldCredits[](account.length);
        for (uint256 i = 0; i < withheld.length; ++i) {
            CreditRecord storage record = account.records[account.front + i];
            withheld[i] = WithheldCredits({
                tokenAddress: record.token,
                credits: record.credits,
                releaseTimestamp: record.releaseTimestamp,
                earningStartTimestamp: record.earningStartTimestamp,
                isRWA: record.isRWA
            });
        }
    }

    /// @inheritdoc ITreasuryDelegate
    function credits(address user) external view returns (uint256 amount) {
        return _account(user).mainCredits;
    }

    /// @inheritdoc ITreasuryDelegate
    function totalWithheldCredits(address user) external view returns (uint256 amount) {
        return _storedWithheldCredits(_account(user));
    }

    /// @inheritdoc ITreasuryDelegate
    function yieldMultiplier(address user) external view returns (uint256 multiplier) {
        return _toWad(_load(_account(user)).multiplierE36);
    }

    /// @inheritdoc ITreasuryDelegate
    function lastAccrualDay(address user) external view returns (uint256 day) {
        return _account(user).lastAccrualDay;
    }

    /// @dev Gives an account credits for tokens minted to it, accruing and merging it first. An RWA earns on days that
    /// begin now or later, anything else from tomorrow on. `joinsLastIfFull` is for protocol fees, which a full queue's
    /// last record takes; other credits revert with `QueueFull`.
    /// They join the record of the same token, kind, day of deposit and first day of earning, wherever it stands among
    /// today's records, so that any number of deposits takes a few places of the queue.
    function _addCredits(address user, address token, uint256 amount, bool isRWA, bool joinsLastIfFull) internal {
        Position memory position = _accrueInFull(user);
        Account storage account = _account(user);
        uint256 today = _dayOf(block.timestamp);
        uint256 earningStart = isRWA ? block.timestamp : (today + 1) * 1 days;

        (bool joins, uint256 at) = _findToday(account, position, token, isRWA, _firstEarningDay(earningStart));
        if (!joins && position.length == MAX_RECORDS) {
            if (!joinsLastIfFull) revert QueueFull();
            joins = true;
            at = position.front + MAX_RECORDS - 1;
        }
        CreditRecord storage record = account.records[at];
        if (joins) {
            record.credits += amount;
            // Only the last record of a full queue can start earlier: no day is paid before its credits were there.
            if (_firstEarningDay(record.earningStartTimestamp) < _firstEarningDay(earningStart)) {
                record.earningStartTimestamp = earningStart.toUint40();
            }
        } else {
            record.token = token;
            record.isRWA = isRWA;
            record.earningStartTimestamp = earningStart.toUint40();
            record.credits = amount;
            ++position.length;
        }
        record.releaseTimestamp = (block.timestamp + HOLD).toUint40();
        position.withheldCredits += amount;
        _save(account, position);
        emit PendingCreditsAdded(user, amount, today);
    }

    /// @dev Consumes credits for tokens redeemed, accruing and merging the account first: withheld credits from the
    /// queue's back, then main credits. `amount` is also the credits needed (`InsufficientCredits`).
    function _redeemCredits(address user, uint256 amount, bool stablecoinWithdrawal) internal {
        Position memory position = _accrueInFull(user);
        Account storage account = _account(user);
        uint256 value = _valueOf(position, amount, stablecoinWithdrawal);

        uint256 fromWithheld = Math.min(amount, position.withheldCredits);
        if (fromWithheld != 0) {
            _takeFromBack(account, position, fromWithheld);
            position.withheldCredits -= fromWithheld;
            emit WithheldCreditsReduced(user, fromWithheld, position.withheldCredits);
        }
        uint256 fromMain = amount - fromWithheld;
        if (fromMain != 0) {
            position.mainCredits -= fromMain;
            emit MainCreditsReduced(user, fromMain, position.mainCredits);
        }
        _save(account, position);
        emit YieldClaimed(user, amount, value - amount, value);
    }

    /// @dev Replaces the multiplier of an account's main credits, accruing and merging it first.
    /// `InvalidYieldMultiplier` without main credits. Returns the multiplier before, rounded down.
    function _replaceMultiplier(address user, uint256 multiplierWad) internal returns (uint256 oldMultiplierWad) {
        Position memory position = _accrueInFull(user);
        if (position.mainCredits == 0) revert InvalidYieldMultiplier(multiplierWad);
        oldMultiplierWad = _toWad(position.multiplierE36);
        position.multiplierE36 = multiplierWad * YieldMath.WAD;
        _save(_account(user), position);
    }

    /// @dev Finds today's record of a token and kind, from the back, where today's records are. `at` is its place, or
    /// the place behind the queue when there is none.
    function _findToday(
        Account storage account,
        Position memory position,
        address token,
        bool isRWA,
        uint256 firstEarningDay
    ) private view returns (bool found, uint256 at) {
        uint256 releaseDay = _dayOf(block.timestamp + HOLD);
        uint256 end = position.front + position.length;
        for (at = end; at > position.front; --at) {
            CreditRecord storage record = account.records[at - 1];
            if (_dayOf(record.releaseTimestamp) != releaseDay) break;
            if (
                record.token == token && record.isRWA == isRWA
                    && _firstEarningDay(record.earningStartTimestamp) == firstEarningDay
            ) return (true, at - 1);
        }
        return (false, end);
    }

    /// @dev Takes credits from the queue's back and removes the records used up. `amount` is at most the credits of the
    /// queue; the `length` of `position` changes.
    function _takeFromBack(Account storage account, Position memory position, uint256 amount) private {
        while (amount != 0) {
            uint256 at = position.front + position.length - 1;
            uint256 available = account.records[at].credits;
            if (amount < available) {
                account.records[at].credits = available - amount;
                return;
            }
            amount -= available;
            delete account.records[at];
            --position.length;
        }
    }

    /// @notice Returns what a redemption is worth: withheld credits 1:1, then main credits.
    /// @param position The account, accrued and merged.
    /// @param amount Credits to redeem (`InsufficientCredits`).
    /// @param stablecoinWithdrawal True when paid in a stablecoin.
    /// @return value In token units, rounded down.
    function _valueOf(Position memory position, uint256 amount, bool stablecoinWithdrawal)
        private
        view
        returns (uint256 value)
    {
        _requireCredits(position, amount);
        uint256 withheld = Math.min(amount, position.withheldCredits);
        return withheld
            + YieldMath.valueOf(
            amount - withheld, position.multiplierE36, _partialWeight(position, stablecoinWithdrawal)
        );
    }

    /// @notice Returns the weight of the time since the last accrued day, which stablecoin withdrawals are paid at the
    /// last posted growth, for as long as the fallback window at most.
    /// @param position The account, accrued and merged.
    /// @param stablecoinWithdrawal True when paid in a stablecoin.
    /// @return weight WAD seconds; zero for RWA withdrawals and without main credits.
    function _partialWeight(Position memory position, bool stablecoinWithdrawal) private view returns (uint256 weight) {
        if (!stablecoinWithdrawal || position.mainCredits == 0) return 0;
        TreasuryDelegateState storage $ = _yieldStorage();
        uint256 elapsed = block.timestamp - (position.lastAccrualDay + 1) * 1 days;
        return _rate($.lastRateDay).growthWad * Math.min(elapsed, $.maxFallbackRateSeconds);
    }

    /// @notice Refuses to redeem more than the account has credits for.
    /// @param position The account, accrued and merged.
    /// @param amount Credits needed.
    function _requireCredits(Position memory position, uint256 amount) private pure {
        uint256 available = position.mainCredits + position.withheldCredits;
        if (amount > available) revert InsufficientCredits(amount, available);
    }
}
