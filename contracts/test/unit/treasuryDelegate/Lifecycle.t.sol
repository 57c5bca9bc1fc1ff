// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegateFixture} from "../../helpers/TreasuryDelegateFixture.sol";

/// A deposit, its yield, its redemption.
contract TreasuryDelegateLifecycleTest is TreasuryDelegateFixture {
    uint256 private constant AMOUNT = 1_000_000e18;

    function test_StablecoinDeposit_HeldForTwoDays_PaysTheOneWholeDayAndThePartOfToday() public {
        _deposit(alice, AMOUNT);
        assertEq(treasury.balanceOf(alice), AMOUNT);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT);

        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
        assertEq(delegate.credits(alice), AMOUNT);
        assertEq(delegate.yieldMultiplier(alice), WAD + GROWTH);

        uint256 wholeDays = AMOUNT + AMOUNT * GROWTH / WAD;
        uint256 partOfToday = wholeDays * GROWTH * TIME_OF_DAY / 1 days / WAD;
        assertEq(_redeem(alice, AMOUNT), wholeDays + partOfToday);
        assertEq(treasury.balanceOf(alice), 0);
        assertEq(delegate.credits(alice), 0);
    }

    function test_RWADeposit_HeldForTwoDays_PaysTheOneWholeDay() public {
        _depositRWA(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        assertEq(_redeemForRWA(alice, AMOUNT), AMOUNT + AMOUNT * GROWTH / WAD);
    }
}
