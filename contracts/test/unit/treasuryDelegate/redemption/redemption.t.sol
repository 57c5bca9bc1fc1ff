// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Vm} from "forge-std/Vm.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

/// Tests what redemptions pay, to whom, and which credits they use.
contract RedemptionTest is DelegateTest {
    uint256 private constant AMOUNT = 1_000_000e18;

    function test_WhenThePartOfTodayIsPaid_D12() public {
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

    function test_GivenThereIsNoWindow_D12() public {
        _depositAndMerge();
        vm.prank(admin);
        delegate.setMaxFallbackRateSeconds(0);
        assertEq(delegate.getYieldAmount(alice, AMOUNT, true), delegate.getYieldAmount(alice, AMOUNT, false));
    }

    function test_GivenTheLastPostedRateIsZero_D12() public {
        _depositAndMerge();
        _goToDay(DAY_ZERO + 4);
        _post(DAY_ZERO + 2, RATE);
        _post(DAY_ZERO + 3, 0);
        assertEq(delegate.getYieldAmount(alice, AMOUNT, true), delegate.getYieldAmount(alice, AMOUNT, false));
    }

    function test_WhenNoDayIsPostedInBetween_D13() public {
        _depositAndMerge();
        uint256 value = _value(alice);
        for (uint256 i = 0; i < 10; ++i) {
            vm.warp(vm.getBlockTimestamp() + 17 hours);
            assertEq(_value(alice), value);
        }
        _postAll();
        assertGt(_value(alice), value);
    }

    function test_RevertWhen_TokensComeWithoutCredits_D15() public {
        _deposit(alice, AMOUNT);
        vm.prank(alice);
        treasury.transfer(bob, AMOUNT);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT, "transfers move no credits");
        assertEq(delegate.totalWithheldCredits(bob), 0);
        vm.expectRevert(abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, 1, 0));
        _swapAs(bob, bob, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 1, 0));
    }

    function test_WhenCreditsComeWithoutTokens_D15() public {
        _deposit(alice, AMOUNT);
        vm.prank(alice);
        treasury.transfer(bob, AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 0, AMOUNT));
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, AMOUNT, 0));
        vm.prank(bob);
        treasury.transfer(alice, AMOUNT);
        assertEq(_redeem(alice, AMOUNT), AMOUNT);
    }

    function test_RevertWhen_TheCustodyLacksOneUnit_D16() public {
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

    function test_GivenTheCustodyIsEmpty() public {
        _depositAndMerge();
        uint256 custodyBalance = cash.token.balanceOf(stablecoinCustody);
        vm.prank(stablecoinCustody);
        cash.token.transfer(stranger, custodyBalance);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientBalance.selector);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 1e18, 0));
        _deposit(bob, 100e18);
        _redeem(alice, 1e18);
    }

    /// forge-config: default.fuzz.runs = 1000
    function testFuzz_WhenItFollowsTheDepositInTheSameSecond_D19(uint256 n, bool rwaIn, bool rwaOut) public {
        _depositAndMerge();
        n = bound(n, 1, 1e27);
        if (rwaIn) _depositRWA(bob, n);
        else _deposit(bob, n);
        assertEq(rwaOut ? _redeemForRWA(bob, n) : _redeem(bob, n), n);
        // The same on top of credits that earn: the new ones are used first.
        if (rwaIn) _depositRWA(alice, n);
        else _deposit(alice, n);
        assertEq(rwaOut ? _redeemForRWA(alice, n) : _redeem(alice, n), n);
    }

    /// forge-config: default.fuzz.runs = 200
    function testFuzz_WhenCreditsAreHeldForAnyTime_D19(uint256 n, uint256 from, uint256 held, uint256 late, bool isRWA)
        public
    {
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

    /// forge-config: default.fuzz.runs = 1000
    function testFuzz_WhenItComesInParts_D20(uint256 n, uint256 part, bool rwaOut) public {
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

    function test_WhenCreditsAreWithheldAndMain_D9() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
        _depositRWA(alice, AMOUNT);
        _deposit(alice, AMOUNT);

        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.WithheldCreditsReduced(alice, AMOUNT + 1, AMOUNT - 1);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.YieldClaimed(alice, AMOUNT + 1, 0, AMOUNT + 1);
        vm.recordLogs();
        _redeem(alice, AMOUNT + 1);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            assertNotEq(logs[i].topics[0], ITreasuryDelegate.MainCreditsReduced.selector, "main credits are unchanged");
        }
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

    function test_WhenEverythingIsRedeemed_D9() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 5);
        _redeem(alice, AMOUNT);
        assertEq(delegate.credits(alice), 0);
        assertEq(delegate.yieldMultiplier(alice), WAD);
        assertEq(delegate.lastAccrualDay(alice), 0);

        // A new deposit starts again.
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 7);
        assertApproxEqAbs(_value(alice), AMOUNT + AMOUNT * GROWTH / WAD, 1);
    }

    function test_WhenCreditsAreUnmerged_D10() public {
        _deposit(alice, AMOUNT);
        _goToDay(DAY_ZERO + 1);
        vm.warp(vm.getBlockTimestamp() - 1);
        assertEq(_redeem(alice, AMOUNT / 2), AMOUNT / 2);
        // Matured, but it cannot merge because no rate is posted.
        _goToDay(DAY_ZERO + 9);
        assertEq(delegate.getYieldAmount(alice, AMOUNT / 2, true), 0);
        assertEq(_redeem(alice, AMOUNT / 2), AMOUNT / 2);
    }

    function test_RevertWhen_TheDelegateIsNotApproved() public {
        _deposit(alice, AMOUNT);
        vm.prank(alice);
        treasury.approve(address(delegate), 0);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(delegate), 0, 1e18)
        );
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 1e18, 0));
    }

    function test_WhenAStablecoinDepositIsHeldForTwoDays() public {
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

    function test_WhenAnRWADepositIsHeldForTwoDays() public {
        _depositRWA(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        assertEq(_redeemForRWA(alice, AMOUNT), AMOUNT + AMOUNT * GROWTH / WAD);
    }

    function _depositAndMerge() private {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
    }
}
