// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasuryDelegate} from "../interfaces/ITreasuryDelegate.sol";
import {CreditQueue} from "../libraries/CreditQueue.sol";
import {YieldMath} from "../libraries/YieldMath.sol";
import {TreasuryDelegateStorage} from "../storage/TreasuryDelegateStorage.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title TreasuryDelegateAccrual
/// @notice How an account accrues posted days and merges withheld records.
/// @dev Works on a {CreditQueue.Position} in memory. Settlements store the result and views do not, so a quote equals a
/// swap in the same block.
abstract contract TreasuryDelegateAccrual is ITreasuryDelegate, TreasuryDelegateStorage {
    /// @dev Accrues and merges an account up to the limits. The caller stores the result. `dailyAccrualComplete` is
    /// true when no posted day is left.
    function _accrue(address user, uint256 maxDays, uint256 maxRecords)
        internal
        returns (
            CreditQueue.Position memory position,
            uint256 daysAccrued,
            uint256 recordsMerged,
            bool dailyAccrualComplete
        )
    {
        Account storage account = _account(user);
        position = CreditQueue.load(account);
        uint256 fromDay = position.lastAccrualDay + 1;
        (daysAccrued, dailyAccrualComplete) = _applyDays(position, maxDays);
        if (daysAccrued != 0) {
            emit InterestAccrued(user, fromDay, position.lastAccrualDay, daysAccrued, _toWad(position.multiplierE36));
        }
        if (dailyAccrualComplete) {
            while (recordsMerged < maxRecords && _isFrontEligible(account, position)) {
                uint256 merged = _mergeFront(account, position);
                delete account.records[position.front - 1];
                ++recordsMerged;
                emit PendingCreditsMerged(user, merged, position.mainCredits);
            }
        }
    }

    /// @dev Accrues and merges an account in full. The caller stores the result.
    function _accrueInFull(address user) internal returns (CreditQueue.Position memory position) {
        (position,,,) = _accrue(user, type(uint256).max, type(uint256).max);
    }

    /// @dev Accrues and merges an account in full and stores it.
    function _accrueAndSave(address user) internal {
        CreditQueue.save(_account(user), _accrueInFull(user));
    }

    /// @dev Returns whether an account has a record that may merge now.
    function _hasEligibleRecord(address user, CreditQueue.Position memory position)
        internal
        view
        returns (bool eligible)
    {
        return _isFrontEligible(_account(user), position);
    }

    /// @dev Accrues and merges an account in full, in memory only. Returns the account as a settlement in this block
    /// would see it.
    function _projected(address user) internal view returns (CreditQueue.Position memory position) {
        Account storage account = _account(user);
        position = CreditQueue.load(account);
        _applyDays(position, type(uint256).max);
        while (_isFrontEligible(account, position)) {
            _mergeFront(account, position);
        }
    }

    /// @dev Applies at most `maxDays` posted days to main credits, changing `position`. Returns the number of days
    /// applied, and whether no posted day is left. The posting frontier is never after yesterday, since only finished
    /// days are posted.
    function _applyDays(CreditQueue.Position memory position, uint256 maxDays)
        private
        view
        returns (uint256 daysAccrued, bool complete)
    {
        if (position.mainCredits == 0) return (0, true);
        uint256 from = position.lastAccrualDay;
        uint256 open = _yieldStorage().lastRateDay - from;
        daysAccrued = Math.min(open, maxDays);
        if (daysAccrued != 0) {
            position.lastAccrualDay = from + daysAccrued;
            position.multiplierE36 =
                YieldMath.grow(position.multiplierE36, _indexAt(from), _indexAt(position.lastAccrualDay));
        }
        complete = daysAccrued == open;
    }

    /// @dev Merges the queue's first record into main credits, without changing the stored record. A first merge starts
    /// the main credits at the posting frontier. Changes `position` and returns the credits of the record.
    function _mergeFront(Account storage account, CreditQueue.Position memory position)
        private
        view
        returns (uint256 merged)
    {
        CreditRecord storage record = account.records[position.front];
        merged = record.credits;
        position.lastAccrualDay = _frontier(position);
        uint256 multiplier = YieldMath.grow(
            YieldMath.E36,
            _indexAt(CreditQueue.firstEarningDay(record.earningStartTimestamp) - 1),
            _indexAt(position.lastAccrualDay)
        );
        position.multiplierE36 = YieldMath.blend(position.mainCredits, position.multiplierE36, merged, multiplier);
        position.mainCredits += merged;
        position.withheldCredits -= merged;
        ++position.front;
        --position.length;
    }

    /// @dev Returns whether the queue's first record may merge: it is released, and the day before its first earning
    /// day has accrued. Nothing merges before the first post. Returns false when the queue is empty.
    function _isFrontEligible(Account storage account, CreditQueue.Position memory position)
        private
        view
        returns (bool eligible)
    {
        if (position.length == 0 || _yieldStorage().lastRateDay == 0) return false;
        CreditRecord storage record = account.records[position.front];
        // forge-lint: disable-next-line(block-timestamp)
        return block.timestamp >= record.releaseTimestamp
            && CreditQueue.firstEarningDay(record.earningStartTimestamp) <= _frontier(position) + 1;
    }

    /// @dev Returns the day that merged credits have accrued through.
    function _frontier(CreditQueue.Position memory position) private view returns (uint256 day) {
        return position.mainCredits == 0 ? _yieldStorage().lastRateDay : position.lastAccrualDay;
    }

    /// @dev Scales a multiplier from E36 to WAD, rounded down.
    function _toWad(uint256 multiplierE36) internal pure returns (uint256 multiplierWad) {
        return multiplierE36 / YieldMath.WAD;
    }
}
