// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {YieldMath} from "../libraries/YieldMath.sol";

/// @title TreasuryDelegateStorage
/// @notice Rates and credits of the treasury token's delegate, in an ERC-7201 namespace separate from the state that
/// every delegate shares.
abstract contract TreasuryDelegateStorage {
    /// @notice One posted day, one slot.
    /// @param indexE36 Cumulative growth from before the first posted day through this day, scale 1e36; zero while the
    /// day is not posted.
    /// @param netRateWad Net APY, WAD.
    /// @param growthWad Growth of this one day, WAD fraction.
    struct DailyRate {
        uint128 indexE36;
        uint64 netRateWad;
        uint64 growthWad;
    }

    /// @notice Credits of the deposits of one day that have not merged yet; two slots. Own deposits of one token and
    /// kind share a record. All deposits that others made for the account share another record, whatever token came in,
    /// so that nobody can fill the queue by depositing many assets.
    /// @param token Token that came in; for others' deposits, the token of the first one.
    /// @param releaseTimestamp Unix time from which the credits can merge.
    /// @param earningStartTimestamp Unix time from which they can earn; whole days that begin then or later are paid.
    /// @param isRWA True when `token` is an RWA, false when it is a stablecoin.
    /// @param isOthers True when others made the deposits.
    /// @param credits Credits, in token units of the treasury token.
    struct CreditRecord {
        address token;
        uint40 releaseTimestamp;
        uint40 earningStartTimestamp;
        bool isRWA;
        bool isOthers;
        uint256 credits;
    }

    /// @notice One account. `multiplierE36`, `lastAccrualDay` and the queue's bounds share a slot.
    /// @param multiplierE36 Value of a main credit, scale 1e36; zero while there are none.
    /// @param lastAccrualDay Last day whose growth the multiplier includes; zero while there are no main credits.
    /// @param front Position of the queue's first record.
    /// @param length Records in the queue.
    /// @param mainCredits Merged credits.
    /// @param withheldCredits Sum of the queue's credits; kept only while the queue has more than one record.
    /// @param records The queue: positions `front` … `front + length - 1`.
    struct Account {
        uint168 multiplierE36;
        uint40 lastAccrualDay;
        uint40 front;
        uint8 length;
        uint256 mainCredits;
        uint256 withheldCredits;
        mapping(uint256 place => CreditRecord) records;
    }

    /// @notice Layout of the namespace. The settings that a settlement reads share the first slot.
    /// @param firstRateDay First posted day, zero before the first post.
    /// @param lastRateDay Posting frontier, zero before the first post.
    /// @param earliestRateDay Earliest day that can be posted first.
    /// @param maxFallbackRateSeconds Longest time for which a stablecoin withdrawal is paid the last posted rate.
    /// @param managementFeeWad APY deducted from gross rates, WAD.
    /// @param maxDailyRateWad Largest gross APY that may be posted, WAD.
    /// @param initialRateWad Gross APY returned for days that are not posted, WAD.
    /// @param dailyRates Posted days.
    /// @param accounts Credits.
    /// @custom:storage-location erc7201:coreswap.storage.TreasuryDelegate
    struct TreasuryDelegateState {
        uint40 firstRateDay;
        uint40 lastRateDay;
        uint40 earliestRateDay;
        uint40 maxFallbackRateSeconds;
        uint64 managementFeeWad;
        uint64 maxDailyRateWad;
        uint64 initialRateWad;
        mapping(uint256 dayNumber => DailyRate) dailyRates;
        mapping(address account => Account) accounts;
    }

    /// @notice Slot of the namespace:
    /// keccak256(abi.encode(uint256(keccak256("coreswap.storage.TreasuryDelegate")) - 1)) & ~bytes32(uint256(0xff)).
    bytes32 private constant TREASURY_DELEGATE_STORAGE =
        0xfa1f1bf7e3a4747b2bc7089fea2af3e5ce50244bdf86471d5d818ffeddb54c00;

    /// @notice Returns the namespace.
    /// @return state Storage pointer.
    function _yieldStorage() internal pure returns (TreasuryDelegateState storage state) {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            state.slot := TREASURY_DELEGATE_STORAGE
        }
    }

    /// @dev Returns the record of an account.
    function _account(address user) internal view returns (Account storage account) {
        return _yieldStorage().accounts[user];
    }

    /// @dev Returns the record of a day.
    function _rate(uint256 dayNumber) internal view returns (DailyRate storage rate) {
        return _yieldStorage().dailyRates[dayNumber];
    }

    /// @dev Returns the cumulative growth through a day not after the posting frontier, at scale 1e36; 1e36 before the
    /// first posted day.
    function _indexAt(uint256 dayNumber) internal view returns (uint256 indexE36) {
        return dayNumber < _yieldStorage().firstRateDay ? YieldMath.E36 : _rate(dayNumber).indexE36;
    }

    /// @dev Returns the day of a timestamp: days and seconds since the epoch.
    function _dayOf(uint256 timestamp) internal pure returns (uint256 dayNumber) {
        return timestamp / 1 days;
    }
}
