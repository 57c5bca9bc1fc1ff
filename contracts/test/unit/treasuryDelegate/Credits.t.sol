// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../../../src/interfaces/ICoreSwap.sol";
import {ITreasuryDelegate} from "../../../src/interfaces/ITreasuryDelegate.sol";
import {TreasuryDelegateFixture} from "../../helpers/TreasuryDelegateFixture.sol";

/// The queue of withheld credits: what joins, what is pushed, what order it is used up in.
contract TreasuryDelegateCreditsTest is TreasuryDelegateFixture {
    uint256 private constant AMOUNT = 1_000e18;
    uint256 private constant MAX_RECORDS = 64;

    /* deposits */

    function test_Deposit_OfAStablecoin_EarnsFromTomorrow() public {
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.PendingCreditsAdded(alice, AMOUNT, DAY_ZERO);
        _deposit(alice, AMOUNT);
        _assertRecord(alice, 0, address(cash.token), AMOUNT, (DAY_ZERO + 1) * 1 days, false);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT);
        assertEq(delegate.credits(alice), 0);
        assertEq(delegate.yieldMultiplier(alice), WAD);
        assertEq(delegate.lastAccrualDay(alice), 0);
    }

    function test_Deposit_OfAnRWA_EarnsFromNow() public {
        _depositRWA(alice, AMOUNT);
        _assertRecord(alice, 0, address(note.token), AMOUNT, vm.getBlockTimestamp(), true);
    }

    function test_Deposit_OfTheSameTokenOnTheSameDay_JoinsItsRecordAndMovesTheRelease() public {
        _deposit(alice, AMOUNT);
        _depositRWA(alice, AMOUNT);
        uint256 rwaStart = vm.getBlockTimestamp();
        vm.warp(vm.getBlockTimestamp() + 5 hours);
        _deposit(alice, 3 * AMOUNT);
        _depositRWA(alice, 2 * AMOUNT);
        assertEq(delegate.getWithheldCredits(alice).length, 2);
        _assertRecord(alice, 0, address(cash.token), 4 * AMOUNT, (DAY_ZERO + 1) * 1 days, false);
        _assertRecord(alice, 1, address(note.token), 3 * AMOUNT, rwaStart, true);
    }

    function test_Deposit_OfAnotherDayOrToken_IsPushed() public {
        _deposit(alice, AMOUNT);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(8, usdx.id, trsy, trsy, ALL, AMOUNT));
        assertEq(delegate.getWithheldCredits(alice).length, 2);
        vm.warp((DAY_ZERO + 1) * 1 days);
        _deposit(alice, AMOUNT);
        assertEq(delegate.getWithheldCredits(alice).length, 3);
    }

    /// An RWA that came in exactly at midnight earns that day; what follows it on the day does not.
    function test_D19_Deposit_OfAnRWAAfterOneAtMidnight_DoesNotEarnItsDay() public {
        vm.warp((DAY_ZERO + 1) * 1 days);
        _depositRWA(alice, AMOUNT);
        vm.warp(vm.getBlockTimestamp() + 23 hours);
        _depositRWA(alice, 1_000 * AMOUNT);
        assertEq(delegate.getWithheldCredits(alice).length, 2);

        _goToDayAndPost(DAY_ZERO + 2);
        assertEq(_value(alice), 1_001 * AMOUNT + AMOUNT * GROWTH / WAD);
    }

    function test_Deposit_MergesWhatIsEligibleFirst() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.PendingCreditsMerged(alice, AMOUNT, AMOUNT);
        _deposit(alice, AMOUNT);
        assertEq(delegate.credits(alice), AMOUNT);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT);
    }

    /* the bound */

    function test_Deposit_BeyondSixtyFourRecords_RevertsUntilSomeMerge() public {
        _fill(alice);
        bytes memory call = abi.encodeCall(
            core.swap, (alice, alice, _one(ICoreSwap.SwapInputs(8, usdx.id, trsy, trsy, ALL, AMOUNT)), _noPermit())
        );
        vm.prank(alice);
        (bool success, bytes memory reason) = address(core).call(call);
        assertFalse(success);
        assertEq(reason, abi.encodePacked(ITreasuryDelegate.QueueFull.selector));
        // The last record is of today and of the same token.
        _deposit(alice, AMOUNT);
        assertEq(delegate.getWithheldCredits(alice).length, MAX_RECORDS);

        _postAll();
        vm.prank(alice);
        (success,) = address(core).call(call);
        assertTrue(success);
        assertEq(delegate.getWithheldCredits(alice).length, 2);
    }

    function test_D27_SixtyFourHostileDepositsADay_BlockNobody() public {
        _setTreasuryRates();
        address[3] memory victims = [alice, vault, usdc.custody];
        vm.prank(admin);
        treasury.addToWhitelist(usdc.custody);
        for (uint256 v = 0; v < victims.length; ++v) {
            for (uint256 i = 0; i < 64; ++i) {
                _swapAs(bob, victims[v], ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1));
                _swapAs(bob, victims[v], ICoreSwap.SwapInputs(2, note.id, trsy, trsy, ALL, 1));
            }
            assertLe(delegate.getWithheldCredits(victims[v]).length, 3);
        }
        _deposit(alice, AMOUNT);
        _redeem(alice, AMOUNT);
    }

    function test_D27_AFullQueueOfTheVault_TakesFeesInItsLastRecord() public {
        _fill(vault);
        _setTreasuryRates();
        vm.warp((_today() + 1) * 1 days + 1);
        uint256 before = delegate.totalWithheldCredits(vault);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, usdc.id, trsy, trsy, 1_000e6, 0));

        uint256 fee = delegate.totalWithheldCredits(vault) - before;
        assertGt(fee, 0);
        assertEq(treasury.balanceOf(vault), before + fee);
        ITreasuryDelegate.WithheldCredits[] memory queue = delegate.getWithheldCredits(vault);
        assertEq(queue.length, MAX_RECORDS);
        // No day is paid before the fee was there.
        _assertRecord(vault, 63, address(cash.token), AMOUNT + fee, (_today() + 1) * 1 days, false);
        // And the vault is never in the way of what follows.
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, usdc.id, trsy, 500e18, 0));
    }

    function test_D27_FeesOfADay_AreOneRecordOfTheVault() public {
        _setTreasuryRates();
        for (uint256 i = 0; i < 5; ++i) {
            _swapAs(alice, alice, ICoreSwap.SwapInputs(5, bill.id, bond.id, trsy, 100e18, 0));
        }
        ITreasuryDelegate.WithheldCredits[] memory queue = delegate.getWithheldCredits(vault);
        assertEq(queue.length, 1);
        assertEq(queue[0].tokenAddress, address(treasury));
        assertEq(queue[0].credits, treasury.balanceOf(vault));
        assertEq(queue[0].earningStartTimestamp, (DAY_ZERO + 1) * 1 days);
        assertFalse(queue[0].isRWA);
    }

    /* D2 */

    function test_D2_ReleaseTimes_DoNotFallFromOneDepositDayToTheNext() public {
        for (uint256 day = DAY_ZERO; day < DAY_ZERO + 8; ++day) {
            vm.warp(day * 1 days + (day * 7 hours) % 1 days);
            _deposit(alice, AMOUNT);
            _depositRWA(alice, AMOUNT);
            if (day % 2 == 0) _deposit(alice, 1);
        }
        ITreasuryDelegate.WithheldCredits[] memory queue = delegate.getWithheldCredits(alice);
        assertEq(queue.length, 16);
        for (uint256 i = 2; i < queue.length; ++i) {
            assertGt(queue[i].credits, 0);
            assertGe(queue[i].releaseTimestamp, queue[i - 2].releaseTimestamp);
        }
    }

    /* D9, D10: what redemptions consume */

    function test_D9_Redemption_TakesFromTheBackThenFromMainCredits() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
        _depositRWA(alice, AMOUNT);
        _deposit(alice, AMOUNT);

        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.WithheldCreditsReduced(alice, AMOUNT + 1, AMOUNT - 1);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.YieldClaimed(alice, AMOUNT + 1, 0, AMOUNT + 1);
        _redeem(alice, AMOUNT + 1);
        ITreasuryDelegate.WithheldCredits[] memory queue = delegate.getWithheldCredits(alice);
        assertEq(queue.length, 1);
        assertEq(queue[0].tokenAddress, address(note.token));
        assertEq(queue[0].credits, AMOUNT - 1);

        uint256 value = AMOUNT - 1 + 10e18 * (WAD + GROWTH) / WAD;
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.WithheldCreditsReduced(alice, AMOUNT - 1, 0);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.MainCreditsReduced(alice, 10e18, AMOUNT - 10e18);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.YieldClaimed(alice, AMOUNT + 10e18 - 1, value - (AMOUNT + 10e18 - 1), value);
        assertEq(_redeemForRWA(alice, AMOUNT + 10e18 - 1), value);
        assertEq(delegate.getWithheldCredits(alice).length, 0);
        assertEq(delegate.credits(alice), AMOUNT - 10e18);
        assertEq(delegate.lastAccrualDay(alice), DAY_ZERO + 1);
    }

    function test_D9_RedemptionOfEverything_ResetsTheAccount() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 5);
        _redeem(alice, AMOUNT);
        assertEq(delegate.credits(alice), 0);
        assertEq(delegate.yieldMultiplier(alice), WAD);
        assertEq(delegate.lastAccrualDay(alice), 0);

        // A new deposit begins anew.
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 7);
        assertApproxEqAbs(_value(alice), AMOUNT + AMOUNT * GROWTH / WAD, 1);
    }

    function test_D10_UnmergedCredits_ArePaidOneToOne_MaturedOrNot() public {
        _deposit(alice, AMOUNT);
        _goToDay(DAY_ZERO + 1);
        vm.warp(vm.getBlockTimestamp() - 1);
        assertEq(_redeem(alice, AMOUNT / 2), AMOUNT / 2);
        // Matured, but no rate is posted that would let it merge.
        _goToDay(DAY_ZERO + 9);
        assertEq(delegate.getYieldAmount(alice, AMOUNT / 2, true), 0);
        assertEq(_redeem(alice, AMOUNT / 2), AMOUNT / 2);
    }

    /// A record of each of 64 days without a posted rate; the last is of today.
    function _fill(address account) private {
        for (uint256 i = 0; i < MAX_RECORDS; ++i) {
            _goToDay(DAY_ZERO + i);
            _swapAs(bob, account, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, AMOUNT));
        }
        assertEq(delegate.getWithheldCredits(account).length, MAX_RECORDS);
        assertEq(delegate.totalWithheldCredits(account), MAX_RECORDS * AMOUNT, "D1");
    }

    function _assertRecord(
        address account,
        uint256 at,
        address token,
        uint256 credits,
        uint256 earningStart,
        bool isRWA
    ) private view {
        ITreasuryDelegate.WithheldCredits memory record = delegate.getWithheldCredits(account)[at];
        assertEq(record.tokenAddress, token, "token");
        assertEq(record.credits, credits, "credits");
        assertEq(record.releaseTimestamp, vm.getBlockTimestamp() + 24 hours, "release");
        assertEq(record.earningStartTimestamp, earningStart, "earningStart");
        assertEq(record.isRWA, isRWA, "isRWA");
    }
}
