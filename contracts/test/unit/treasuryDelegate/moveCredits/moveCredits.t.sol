// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract MoveCreditsTest is DelegateTest {
    uint256 private constant AMOUNT = 1_000e18;

    /// 1,000 main credits, and withheld credits of 300 from a stablecoin and 200 from an RWA.
    function setUp() public override {
        super.setUp();
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(alice);
        _deposit(alice, 300e18);
        _depositRWA(alice, 200e18);
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_RevertWhen_TheCallerIsNotTheAdministrator(address caller) public {
        bytes memory data = abi.encodeCall(delegate.moveCredits, (alice, bob, 1));
        _assertOnlyRole(delegate.DEFAULT_ADMIN_ROLE(), caller, data);
    }

    function test_RevertWhen_BothAccountsAreOne() public {
        _assertReverts(
            admin,
            abi.encodeCall(delegate.moveCredits, (alice, alice, 1)),
            abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector)
        );
    }

    function test_RevertWhen_TheCreditsDoNotSuffice() public {
        _assertReverts(
            admin,
            abi.encodeCall(delegate.moveCredits, (alice, bob, 1_500e18 + 1)),
            abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, 1_500e18 + 1, 1_500e18)
        );
    }

    function test_RevertWhen_TheQueueOfTheOtherIsFull() public {
        for (uint256 i = 0; i < 64; ++i) {
            _goToDay(DAY_ZERO + 3 + i);
            _deposit(bob, 1e18);
        }
        _goToDay(DAY_ZERO + 3 + 64);
        _assertReverts(
            admin,
            abi.encodeCall(delegate.moveCredits, (alice, bob, 1)),
            abi.encodePacked(ITreasuryDelegate.QueueFull.selector)
        );
        vm.prank(admin);
        delegate.moveCredits(alice, address(0), 1);
    }

    function test_RevertWhen_AnAdministratorCallsInTheMiddleOfASettlement_S15() public {
        _assertAdministratorCannotReenter(abi.encodeCall(delegate.moveCredits, (alice, bob, 1)));
    }

    /// Moves the newest part of the withheld credits. They keep their order, token, kind and earning start.
    function test_WhenAPartOfTheWithheldCreditsMoves_D30() public {
        uint256 rwaStart = vm.getBlockTimestamp();
        vm.warp(rwaStart + 1 hours);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.WithheldCreditsReduced(alice, 250e18, 250e18);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.CreditsMoved(alice, bob, 250e18, 0);
        vm.prank(admin);
        delegate.moveCredits(alice, bob, 250e18);

        ITreasuryDelegate.WithheldCredits[] memory left = delegate.getWithheldCredits(alice);
        assertEq(left.length, 1);
        assertEq(left[0].credits, 250e18);
        assertEq(left[0].releaseTimestamp, rwaStart + 24 hours, "what stays keeps its release");
        ITreasuryDelegate.WithheldCredits[] memory moved = delegate.getWithheldCredits(bob);
        assertEq(moved.length, 2);
        _assertMoved(moved[0], address(cash.token), 50e18, (DAY_ZERO + 4) * 1 days, false);
        _assertMoved(moved[1], address(note.token), 200e18, rwaStart, true);
        assertEq(delegate.totalWithheldCredits(bob), 250e18);
        assertEq(delegate.credits(alice), AMOUNT);
    }

    /// They are the other account's own from then on, and share a record with its deposits of the same token.
    function test_WhenDepositsOfOthersMove_D30() public {
        _swapAs(carol, alice, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, AMOUNT));
        _deposit(bob, AMOUNT);
        vm.prank(admin);
        delegate.moveCredits(alice, bob, AMOUNT);
        ITreasuryDelegate.WithheldCredits[] memory moved = delegate.getWithheldCredits(bob);
        assertEq(moved.length, 1);
        _assertMoved(moved[0], address(cash.token), 2 * AMOUNT, (DAY_ZERO + 4) * 1 days, false);
    }

    function test_WhenAllMoves_D30() public {
        _deposit(bob, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 6);
        uint256 value = _value(alice) + _value(bob);
        uint256 ofBob = _value(bob);
        vm.prank(admin);
        delegate.moveCredits(alice, bob, ALL);
        assertEq(delegate.credits(alice) + delegate.totalWithheldCredits(alice), 0);
        assertEq(delegate.lastAccrualDay(alice), 0, "the account starts again");
        assertEq(delegate.credits(bob) + delegate.totalWithheldCredits(bob), 2_500e18);
        assertApproxEqAbs(_value(bob), value, 1, "worth the same together");
        assertGt(_value(bob), ofBob);
        assertEq(delegate.lastAccrualDay(bob), DAY_ZERO + 5);
    }

    /// The other account has no main credits, so it continues where the first one stopped.
    function test_WhenMainCreditsMoveToANewAccount_D30() public {
        _goToDayAndPost(DAY_ZERO + 6);
        uint256 value = _value(alice);
        vm.prank(admin);
        delegate.moveCredits(alice, bob, ALL);
        assertEq(_value(bob), value);
        _goToDayAndPost(DAY_ZERO + 7);
        uint256 main = value + value * GROWTH / WAD;
        assertApproxEqAbs(_value(bob), main, 1, "and earns like before");
    }

    /// The other account would lose the days that it has not accrued, if its credits blended before.
    function test_WhenMainCreditsMoveToAnAccountWithDaysLeftToAccrue_D30() public {
        _deposit(bob, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 6);
        _accrueAll(bob);
        assertEq(delegate.credits(bob), AMOUNT);
        _goToDayAndPost(DAY_ZERO + 9);
        uint256 value = _value(alice) + _value(bob);
        vm.prank(admin);
        delegate.moveCredits(alice, bob, ALL);
        assertApproxEqAbs(_value(bob), value, 2);
        assertEq(delegate.lastAccrualDay(bob), DAY_ZERO + 8);
    }

    /// Zero alone stands for nobody.
    function test_WhenTheOtherIsTheAccountNextToZero_D30() public {
        address next = address(1);
        vm.prank(admin);
        delegate.moveCredits(alice, next, AMOUNT);
        assertEq(delegate.credits(next), AMOUNT / 2);
        _goToDayAndPost(DAY_ZERO + 6);
        uint256 value = _value(alice) + _value(next);
        vm.prank(admin);
        delegate.moveCredits(alice, next, ALL);
        assertApproxEqAbs(_value(next), value, 2);
        assertEq(delegate.lastAccrualDay(next), DAY_ZERO + 5);
    }

    function test_WhenCreditsAreCancelled() public {
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.WithheldCreditsReduced(alice, 500e18, 0);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.MainCreditsReduced(alice, 100e18, 900e18);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.CreditsMoved(alice, address(0), 500e18, 100e18);
        vm.prank(admin);
        delegate.moveCredits(alice, address(0), 600e18);
        assertEq(delegate.credits(alice), 900e18);
        assertEq(delegate.credits(address(0)) + delegate.totalWithheldCredits(address(0)), 0);
    }

    function test_WhenTheDelegateIsPausedAndBothAreBlacklisted() public {
        vm.startPrank(issuer);
        delegate.setBlacklist(alice, true);
        delegate.setBlacklist(bob, true);
        delegate.pause();
        vm.stopPrank();
        vm.prank(admin);
        delegate.moveCredits(alice, bob, ALL);
        assertEq(delegate.credits(bob), AMOUNT);
    }

    /// A lost key: the tokens recovered by force can be redeemed, and the lost account no longer earns.
    function test_WhenTokensWereRecoveredByForce() public {
        uint256 balance = treasury.balanceOf(alice);
        vm.startPrank(admin);
        treasury.addToBlacklist(alice);
        treasury.forceTransfer(alice, bob, balance);
        delegate.moveCredits(alice, bob, ALL);
        vm.stopPrank();
        _redeem(bob, balance);
        assertEq(treasury.balanceOf(bob), 0);
        assertEq(delegate.credits(alice) + delegate.totalWithheldCredits(alice), 0);
    }

    function _assertMoved(
        ITreasuryDelegate.WithheldCredits memory record,
        address token,
        uint256 credits,
        uint256 earningStart,
        bool isRWA
    ) private view {
        assertEq(record.tokenAddress, token, "token");
        assertEq(record.credits, credits, "credits");
        assertEq(record.releaseTimestamp, vm.getBlockTimestamp() + 24 hours, "release");
        assertEq(record.earningStartTimestamp, earningStart, "earning start");
        assertEq(record.isRWA, isRWA, "kind");
    }
}
