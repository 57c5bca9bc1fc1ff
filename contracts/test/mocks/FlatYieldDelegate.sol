// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";

/// @title FlatYieldDelegate
/// @notice Delegate whose redemptions pay a tenth more (an eighth more when paid in an RWA), for as many tokens as the
/// user has credits. It shows how CoreSwap quotes a yield-bearing stablecoin.
contract FlatYieldDelegate is BalanceSheetDelegate, IYieldBearingDelegate {
    mapping(address user => uint256) public creditsOf;

    function setCredits(address user, uint256 amount) external {
        creditsOf[user] = amount;
    }

    function getYieldAmount(address user, uint256 redeemValue, bool stablecoinWithdrawal)
        external
        view
        returns (uint256 yieldAmount)
    {
        _requireCredits(user, redeemValue);
        return redeemValue / (stablecoinWithdrawal ? 10 : 8);
    }

    function getAmountForTargetValue(address user, uint256 targetValue, bool stablecoinWithdrawal)
        external
        view
        returns (uint256 treasuryNeeded)
    {
        uint256 part = stablecoinWithdrawal ? 10 : 8;
        treasuryNeeded = (targetValue * part + part) / (part + 1);
        while (treasuryNeeded != 0 && treasuryNeeded - 1 + (treasuryNeeded - 1) / part >= targetValue) --treasuryNeeded;
        _requireCredits(user, treasuryNeeded);
    }

    function _requireCredits(address user, uint256 amount) private view {
        if (amount > creditsOf[user]) revert InsufficientCredits(amount, creditsOf[user]);
    }
}
