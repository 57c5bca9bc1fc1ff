// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IYieldBearingDelegate
/// @notice The views that CoreSwap calls on the delegate of a yield-bearing stablecoin when tokens are redeemed. A
/// token is worth itself plus the yield that the redeeming user's credits have earned.
interface IYieldBearingDelegate {
    /// @notice The user's credits do not cover the redemption.
    /// @param requested Credits needed, in token units.
    /// @param available Credits held, in token units.
    error InsufficientCredits(uint256 requested, uint256 available);

    /// @notice Returns the yield paid on top of `redeemValue` tokens redeemed now, rounded down.
    /// @param user Account whose credits are consumed.
    /// @param redeemValue Tokens to redeem, in token units.
    /// @param stablecoinWithdrawal True when paid in a stablecoin (partial-day yield counts), false when in an RWA.
    /// @return yieldAmount Yield in token units.
    function getYieldAmount(address user, uint256 redeemValue, bool stablecoinWithdrawal)
        external
        view
        returns (uint256 yieldAmount);

    /// @notice Returns the smallest number of tokens whose redemption is worth at least `targetValue` (rounded up).
    /// @param user Account whose credits are consumed.
    /// @param targetValue Principal and yield wanted, in token units.
    /// @param stablecoinWithdrawal True when paid in a stablecoin (partial-day yield counts), false when in an RWA.
    /// @return treasuryNeeded Tokens to redeem, in token units.
    function getAmountForTargetValue(address user, uint256 targetValue, bool stablecoinWithdrawal)
        external
        view
        returns (uint256 treasuryNeeded);
}
