// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasuryDelegate} from "../interfaces/ITreasuryDelegate.sol";
import {IYieldBearingDelegate} from "../interfaces/IYieldBearingDelegate.sol";
import {TreasuryDelegateStorage} from "../storage/TreasuryDelegateStorage.sol";
import {YieldMath} from "./YieldMath.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title CreditQueue
/// @notice An account's credits: how they are read and written, and how withheld credits join and leave the queue.
/// {TreasuryDelegateCredits} decides who gets and loses credits and what they are worth.
library CreditQueue {
    using SafeCast for uint256;

    /// @notice An account's state without its records, in memory.
    /// @param multiplierE36 Value of a main credit; 1e36 without main credits.
    /// @param lastAccrualDay Last day included in the multiplier; zero without main credits.
    /// @param front Position of the queue's first record.
    /// @param length Records in the queue.
    /// @param mainCredits Merged credits.
    /// @param withheldCredits Sum of the queue's credits.
    struct Position {
        uint256 multiplierE36;
        uint256 lastAccrualDay;
        uint256 front;
        uint256 length;
        uint256 mainCredits;
        uint256 withheldCredits;
    }

    /// @notice Most records that a queue can hold.
    uint256 internal constant MAX_RECORDS = 64;

    /// @notice How long credits are withheld.
    uint256 internal constant HOLD = 24 hours;

    /// @dev Reads an account.
    function load(TreasuryDelegateStorage.Account storage account) internal view returns (Position memory position) {
        position.multiplierE36 = account.multiplierE36;
        position.lastAccrualDay = account.lastAccrualDay;
        position.front = account.front;
        position.length = account.length;
        position.withheldCredits = storedWithheldCredits(account);
        if (position.multiplierE36 == 0) position.multiplierE36 = YieldMath.E36;
        else position.mainCredits = account.mainCredits;
    }

    /// @dev Writes an account; one without main credits has neither multiplier nor last day.
    function save(TreasuryDelegateStorage.Account storage account, Position memory position) internal {
        bool hasMain = position.mainCredits != 0;
        uint168 multiplierE36 = hasMain ? position.multiplierE36.toUint168() : 0;
        uint40 lastDay = hasMain ? position.lastAccrualDay.toUint40() : 0;
        uint40 front = position.front.toUint40();
        uint8 length = position.length.toUint8();
        // The slot of a value that was zero and stays zero is not accessed.
        if (hasMain || account.multiplierE36 != 0) account.mainCredits = position.mainCredits;
        if (length > 1) account.withheldCredits = position.withheldCredits;
        account.multiplierE36 = multiplierE36;
        account.lastAccrualDay = lastDay;
        account.front = front;
        account.length = length;
    }

    /// @dev Returns the sum of the queue's credits as stored: for a queue of one record, only the record holds it.
    function storedWithheldCredits(TreasuryDelegateStorage.Account storage account)
        internal
        view
        returns (uint256 amount)
    {
        uint256 length = account.length;
        if (length == 0) return 0;
        return length == 1 ? account.records[account.front].credits : account.withheldCredits;
    }

    /// @dev Splits `amount` into withheld credits, which are taken first, and main credits.
    function splitRedemption(Position memory position, uint256 amount)
        internal
        pure
        returns (uint256 fromWithheld, uint256 fromMain)
    {
        fromWithheld = Math.min(amount, position.withheldCredits);
        fromMain = amount - fromWithheld;
    }

    /// @dev Takes credits from an account, emits the events and stores the account.
    function takeCredits(
        TreasuryDelegateStorage.Account storage account,
        address user,
        Position memory position,
        uint256 fromWithheld,
        uint256 fromMain
    ) internal {
        if (fromWithheld != 0) {
            takeFromBack(account, position, fromWithheld);
            position.withheldCredits -= fromWithheld;
            emit ITreasuryDelegate.WithheldCreditsReduced(user, fromWithheld, position.withheldCredits);
        }
        if (fromMain != 0) {
            position.mainCredits -= fromMain;
            emit ITreasuryDelegate.MainCreditsReduced(user, fromMain, position.mainCredits);
        }
        save(account, position);
    }

    /// @dev Puts credits into an account's queue, released in 24 hours. They join the record of the same token, kind,
    /// day and first day of earning, wherever it is among today's records, so that many deposits need few records.
    /// Deposits made by others share one record, whatever their token and kind. Changes `position`.
    function addRecord(
        TreasuryDelegateStorage.Account storage account,
        Position memory position,
        TreasuryDelegateStorage.CreditRecord memory added,
        bool joinsLastIfFull
    ) internal {
        uint256 firstDay = firstEarningDay(added.earningStartTimestamp);
        (bool joins, uint256 at) = findToday(account, position, added, firstDay);
        if (!joins && position.length == MAX_RECORDS) {
            if (!joinsLastIfFull) revert ITreasuryDelegate.QueueFull();
            joins = true;
            at = position.front + MAX_RECORDS - 1;
        }
        position.withheldCredits += added.credits;
        added.releaseTimestamp = (block.timestamp + HOLD).toUint40();
        TreasuryDelegateStorage.CreditRecord storage record = account.records[at];
        if (joins) {
            record.credits += added.credits;
            record.releaseTimestamp = added.releaseTimestamp;
            // Only the last record of a full queue can start earlier; it must not be paid for days before the new
            // credits existed.
            if (firstEarningDay(record.earningStartTimestamp) < firstDay) {
                record.earningStartTimestamp = added.earningStartTimestamp;
            }
            return;
        }
        ++position.length;
        // Others' deposits stay behind the account's own deposits of the day, which a later release in front would
        // delay.
        if (!added.isOthers) {
            for (; at > position.front && isOthersOfToday(account.records[at - 1]); --at) {
                write(account, at, account.records[at - 1]);
            }
        }
        write(account, at, added);
    }

    /// @dev Writes a record. A separate function, so that its code is not duplicated.
    function write(
        TreasuryDelegateStorage.Account storage account,
        uint256 at,
        TreasuryDelegateStorage.CreditRecord memory record
    ) private {
        account.records[at] = record;
    }

    /// @dev Searches today's records, which are at the back, for one that the credits join. `at` is the position of
    /// that record, or the position after the last record when there is none.
    function findToday(
        TreasuryDelegateStorage.Account storage account,
        Position memory position,
        TreasuryDelegateStorage.CreditRecord memory added,
        uint256 firstDay
    ) private view returns (bool found, uint256 at) {
        uint256 releaseDay = dayOf(block.timestamp + HOLD);
        uint256 end = position.front + position.length;
        for (at = end; at > position.front; --at) {
            TreasuryDelegateStorage.CreditRecord storage record = account.records[at - 1];
            if (dayOf(record.releaseTimestamp) != releaseDay) break;
            bool isSame = record.isOthers == added.isOthers
                && (added.isOthers || (record.token == added.token && record.isRWA == added.isRWA));
            if (isSame && firstEarningDay(record.earningStartTimestamp) == firstDay) return (true, at - 1);
        }
        return (false, end);
    }

    /// @dev Returns whether a record holds deposits that others made today.
    function isOthersOfToday(TreasuryDelegateStorage.CreditRecord storage record) private view returns (bool isOthers) {
        // forge-lint: disable-next-line(block-timestamp)
        return record.isOthers && dayOf(record.releaseTimestamp) == dayOf(block.timestamp + HOLD);
    }

    /// @dev Takes credits from the back of the queue and removes the records that are used up. `amount` is at most the
    /// credits of the queue; the `length` of `position` changes.
    function takeFromBack(TreasuryDelegateStorage.Account storage account, Position memory position, uint256 amount)
        private
    {
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

    /// @dev Returns the first whole day that begins at or after a time, which is in seconds since the epoch. Paying for
    /// the day of the deposit would let a daily deposit and redemption earn it twice.
    function firstEarningDay(uint256 earningStart) internal pure returns (uint256 dayNumber) {
        return Math.ceilDiv(earningStart, 1 days);
    }

    /// @dev Refuses to take more credits than an account, accrued and merged, has.
    function requireCredits(Position memory position, uint256 amount) internal pure {
        uint256 available = position.mainCredits + position.withheldCredits;
        if (amount > available) revert IYieldBearingDelegate.InsufficientCredits(amount, available);
    }

    /// @dev Returns the day of a timestamp: days and seconds since the epoch.
    function dayOf(uint256 timestamp) internal pure returns (uint256 dayNumber) {
        return timestamp / 1 days;
    }
}
