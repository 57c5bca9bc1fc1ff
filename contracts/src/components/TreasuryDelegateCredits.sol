// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasuryDelegate} from "../interfaces/ITreasuryDelegate.sol";
import {IYieldBearingDelegate} from "../interfaces/IYieldBearingDelegate.sol";
import {CreditQueue} from "../libraries/CreditQueue.sol";
import {YieldMath} from "../libraries/YieldMath.sol";
import {TreasuryDelegateAccrual} from "./TreasuryDelegateAccrual.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title TreasuryDelegateCredits
/// @notice How an account gets and loses credits, and what they are worth.
abstract contract TreasuryDelegateCredits is TreasuryDelegateAccrual {
    using SafeCast for uint256;

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
        CreditQueue.Position memory position = _projected(user);
        uint256 withheld = position.withheldCredits;
        if (targetValue <= withheld) return targetValue;
        treasuryNeeded = withheld
            + YieldMath.creditsFor(
                targetValue - withheld, position.multiplierE36, _partialWeight(position, stablecoinWithdrawal)
            );
        CreditQueue.requireCredits(position, treasuryNeeded);
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
        return CreditQueue.storedWithheldCredits(_account(user));
    }

    /// @inheritdoc ITreasuryDelegate
    function yieldMultiplier(address user) external view returns (uint256 multiplier) {
        return _toWad(CreditQueue.load(_account(user)).multiplierE36);
    }

    /// @inheritdoc ITreasuryDelegate
    function lastAccrualDay(address user) external view returns (uint256 day) {
        return _account(user).lastAccrualDay;
    }

    /// @dev Adds credits for tokens minted to an account, accruing and merging it first. An RWA earns on days that
    /// begin now or later, other assets from tomorrow on. `isOthers` is true for a deposit that somebody else paid.
    /// `joinsLastIfFull` is true for protocol fees, which join the last record of a full queue; other credits revert
    /// with `QueueFull`.
    function _addCredits(address user, address token, uint256 amount, bool isRWA, bool isOthers, bool joinsLastIfFull)
        internal
    {
        CreditQueue.Position memory position = _accrueInFull(user);
        Account storage account = _account(user);
        uint256 today = _dayOf(block.timestamp);
        uint256 earningStart = isRWA ? block.timestamp : (today + 1) * 1 days;
        CreditRecord memory added = CreditRecord({
            token: token,
            releaseTimestamp: 0,
            earningStartTimestamp: earningStart.toUint40(),
            isRWA: isRWA,
            isOthers: isOthers,
            credits: amount
        });
        CreditQueue.addRecord(account, position, added, joinsLastIfFull);
        CreditQueue.save(account, position);
        emit PendingCreditsAdded(user, amount, today);
    }

    /// @dev Consumes credits for tokens redeemed, accruing and merging the account first: withheld credits from the
    /// back of the queue, then main credits. `amount` is also the number of credits needed (`InsufficientCredits`).
    function _redeemCredits(address user, uint256 amount, bool stablecoinWithdrawal) internal {
        CreditQueue.Position memory position = _accrueInFull(user);
        uint256 value = _valueOf(position, amount, stablecoinWithdrawal);
        (uint256 fromWithheld, uint256 fromMain) = CreditQueue.splitRedemption(position, amount);
        CreditQueue.takeCredits(_account(user), user, position, fromWithheld, fromMain);
        emit YieldClaimed(user, amount, value - amount, value);
    }

    /// @dev Returns the value of a redemption of `amount` credits (`InsufficientCredits`) in token units, rounded down:
    /// withheld credits 1:1, then main credits. The account is accrued and merged.
    function _valueOf(CreditQueue.Position memory position, uint256 amount, bool stablecoinWithdrawal)
        private
        view
        returns (uint256 value)
    {
        CreditQueue.requireCredits(position, amount);
        uint256 withheld = Math.min(amount, position.withheldCredits);
        return withheld
            + YieldMath.valueOf(
            amount - withheld, position.multiplierE36, _partialWeight(position, stablecoinWithdrawal)
        );
    }

    /// @dev Returns the weight of the time since the last accrued day, at the last posted growth and for at most the
    /// fallback window: WAD seconds. Zero for RWA withdrawals and without main credits. The account is accrued and
    /// merged.
    function _partialWeight(CreditQueue.Position memory position, bool stablecoinWithdrawal)
        private
        view
        returns (uint256 weight)
    {
        if (!stablecoinWithdrawal || position.mainCredits == 0) return 0;
        TreasuryDelegateState storage $ = _yieldStorage();
        uint256 elapsed = block.timestamp - (position.lastAccrualDay + 1) * 1 days;
        return _rate($.lastRateDay).growthWad * Math.min(elapsed, $.maxFallbackRateSeconds);
    }
}
