// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../../../src/interfaces/ICoreSwap.sol";
import {IYieldBearingDelegate} from "../../../src/interfaces/IYieldBearingDelegate.sol";
import {TreasuryDelegateFixture} from "../../helpers/TreasuryDelegateFixture.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

/// What redemptions pay, and to whom.
contract TreasuryDelegateRedemptionTest is TreasuryDelegateFixture {
    uint256 private constant AMOUNT = 1_000_000e18;

    /* D12: the part of today */

    function test_D12_PartOfToday_IsPaidInStablecoinsAloneAndCappedByTheWindow() public {
        _depositAndMerge();
        uint256 main = AMOUNT + delegate.getYieldAmount(alice, AMOUNT, false);
        uint256 start = (delegate.lastAccrualDay(alice) + 1) * 1 days;
        uint256[5] memory elapsed = [uint256(0), 1, 1 days, 3 days, 30 days];
        for (uint256 i = 0; i < elapsed.length; ++i) {
            vm.warp(start + elapsed[i]);
            uint256 paidFor = elapsed[i] < 3 days ? elapsed[i] : 3 days;
            assertEq(delegate.getYieldAmount(alice, AMOUNT, false), main - AMOUNT, "RWA");
            assertEq(
                delegate.getYieldAmount(alice, AMOUNT, true),
                main + main * GROWTH * paidFor / 1 days / WAD - AMOUNT,
                "stablecoin"
            );
        }
    }

    function test_D12_PartOfToday_IsZeroWithoutAWindow() public {
        _depositAndMerge();
        vm.prank(corrector);
        delegate.setMaxFallbackRateSeconds(0);
        assertEq(delegate.getYieldAmount(alice, AMOUNT, true), delegate.getYieldAmount(alice, AMOUNT, false));
    }

    function test_D12_PartOfToday_UsesTheLastPostedRate() public {
        _depositAndMerge();
        _goToDay(DAY_ZERO + 4);
        _post(DAY_ZERO + 2, RATE);
        _post(DAY_ZERO + 3, 0);
        assertEq(delegate.getYieldAmount(alice, AMOUNT, true), delegate.getYieldAmount(alice, AMOUNT, false));
    }

    /* D13 */

    function test_D13_RWAWithdrawalValue_StaysBetweenPosts() public {
        _depositAndMerge();
        uint256 value = _value(alice);
        for (uint256 i = 0; i < 10; ++i) {
            vm.warp(vm.getBlockTimestamp() + 17 hours);
            assertEq(_value(alice), value);
        }
        _postAll();
        assertGt(_value(alice), value);
    }

    /* D11: views are the swap */

    function test_D11_GetAmountForTargetValue_IsMinimal() public {
        _depositAndMerge();
        _deposit(alice, 5e18);
        uint256[6] memory targets = [uint256(0), 1, 5e18, 5e18 + 1, 77e18, AMOUNT];
        for (uint256 i = 0; i < targets.length; ++i) {
            uint256 n = delegate.getAmountForTargetValue(alice, targets[i], true);
            assertGe(n + delegate.getYieldAmount(alice, n, true), targets[i]);
            if (n != 0) assertLt(n - 1 + delegate.getYieldAmount(alice, n - 1, true), targets[i]);
        }
        assertEq(delegate.getAmountForTargetValue(alice, 5e18, true), 5e18, "withheld credits are worth themselves");
    }

    function test_D11_GetAmountForTargetValue_BeyondTheCredits_NamesWhatItWouldTake() public {
        _depositAndMerge();
        uint256 all = _value(alice);
        assertEq(delegate.getAmountForTargetValue(alice, all, false), AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, AMOUNT + 1, AMOUNT));
        delegate.getAmountForTargetValue(alice, all + 1, false);
        vm.expectRevert(abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, 7e18, 0));
        delegate.getAmountForTargetValue(stranger, 7e18, true);
        vm.expectPartialRevert(IYieldBearingDelegate.InsufficientCredits.selector);
        delegate.getAmountForTargetValue(alice, ALL, true);
    }

    /* D15: tokens and credits */

    function test_D15_TokensWithoutCredits_CannotBeRedeemed() public {
        _deposit(alice, AMOUNT);
        vm.prank(alice);
        treasury.transfer(bob, AMOUNT);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT, "transfers move no credits");
        assertEq(delegate.totalWithheldCredits(bob), 0);
        vm.expectRevert(abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, 1, 0));
        _swapAs(bob, bob, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 1, 0));
    }

    function test_D15_CreditsWithoutTokens_CannotBeRedeemedUntilTokensAreBoughtBack() public {
        _deposit(alice, AMOUNT);
        vm.prank(alice);
        treasury.transfer(bob, AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 0, AMOUNT));
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, AMOUNT, 0));
        vm.prank(bob);
        treasury.transfer(alice, AMOUNT);
        assertEq(_redeem(alice, AMOUNT), AMOUNT);
    }

    /* D16: whole or not at all */

    function test_D16_Redemption_FromACustodyThatLacksOneUnit_RevertsWhole() public {
        _depositAndMerge();
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, AMOUNT, 0);
        uint256 amountOut = core.quoteSwap(alice, leg).tokenOutAmt;
        uint256 custodyBalance = cash.token.balanceOf(stablecoinCustody);
        vm.prank(stablecoinCustody);
        cash.token.transfer(stranger, custodyBalance - amountOut + 1);
        Stored memory before = _stored(alice);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientBalance.selector, stablecoinCustody, amountOut - 1, amountOut
            )
        );
        _swapAs(alice, alice, leg);
        _assertStored(alice, before);
        assertEq(treasury.balanceOf(alice), AMOUNT);

        vm.prank(stranger);
        cash.token.transfer(stablecoinCustody, 1);
        assertEq(_redeem(alice, AMOUNT), amountOut);
        assertEq(cash.token.balanceOf(stablecoinCustody), 0);
    }

    function test_EmptyCustody_StopsRedemptionsAndIsRefilledByDeposits() public {
        _depositAndMerge();
        uint256 custodyBalance = cash.token.balanceOf(stablecoinCustody);
        vm.prank(stablecoinCustody);
        cash.token.transfer(stranger, custodyBalance);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientBalance.selector);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 1e18, 0));
        _deposit(bob, 100e18);
        _redeem(alice, 1e18);
    }

    /* D19, D20: nothing is gained */

    function testFuzz_D19_DepositAndRedemptionInTheSameSecond_PayNoMoreThanWentIn(uint256 n, bool rwaIn, bool rwaOut)
        public
    {
        _depositAndMerge();
        n = bound(n, 1, 1e27);
        if (rwaIn) _depositRWA(bob, n);
        else _deposit(bob, n);
        assertEq(rwaOut ? _redeemForRWA(bob, n) : _redeem(bob, n), n);
        // The same on top of credits that earn: the new ones go first.
        if (rwaIn) _depositRWA(alice, n);
        else _deposit(alice, n);
        assertEq(rwaOut ? _redeemForRWA(alice, n) : _redeem(alice, n), n);
    }

    /// forge-config: default.fuzz.runs = 200
    function testFuzz_D19_AnyHolding_IsPaidAtMostItsWholePostedDaysAndTheFallback(
        uint256 n,
        uint256 from,
        uint256 held,
        uint256 late,
        bool isRWA
    ) public {
        n = bound(n, 1, 1e27);
        vm.warp((DAY_ZERO + 1) * 1 days + bound(from, 0, 1 days));
        uint256 firstWholeDay = (vm.getBlockTimestamp() + 1 days - 1) / 1 days;
        if (isRWA) _depositRWA(alice, n);
        else _deposit(alice, n);

        vm.warp(vm.getBlockTimestamp() + bound(held, 0, 20 days));
        uint256 lateDays = bound(late, 0, 4);
        uint256 frontier = _today() - 1;
        for (uint256 day = DAY_ZERO; day + lateDays < _today(); ++day) {
            _post(day, RATE);
            frontier = day;
        }
        uint256 atMost = n;
        for (uint256 day = firstWholeDay; day <= frontier; ++day) {
            atMost += atMost * GROWTH / WAD + 1;
        }
        uint256 sinceFrontier = vm.getBlockTimestamp() - (frontier + 1) * 1 days;
        atMost += atMost * GROWTH * (sinceFrontier < 3 days ? sinceFrontier : 3 days) / 1 days / WAD;
        assertLe(_redeem(alice, n), atMost);
    }

    function testFuzz_D20_RedemptionInParts_PaysNoMoreThanAtOnce(uint256 n, uint256 part, bool rwaOut) public {
        _depositAndMerge();
        _deposit(alice, 1_000e18);
        n = bound(n, 2, AMOUNT);
        part = bound(part, 1, n - 1);
        uint256 snapshot = vm.snapshotState();
        uint256 atOnce = rwaOut ? _redeemForRWA(alice, n) : _redeem(alice, n);
        vm.revertToState(snapshot);
        uint256 inParts = rwaOut ? _redeemForRWA(alice, part) : _redeem(alice, part);
        inParts += rwaOut ? _redeemForRWA(alice, n - part) : _redeem(alice, n - part);
        assertLe(inParts, atOnce);
        assertLe(atOnce - inParts, 2);
    }

    function _depositAndMerge() private {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
    }
}
