// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegateFixture} from "../helpers/TreasuryDelegateFixture.sol";
import {TreasuryDelegateHandler} from "./handlers/TreasuryDelegateHandler.sol";
import {StdInvariant} from "forge-std/StdInvariant.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";

/// @notice Invariants under any sequence of calls.
contract TreasuryDelegateInvariantsTest is StdInvariant, TreasuryDelegateFixture {
    TreasuryDelegateHandler private handler;

    function setUp() public override {
        super.setUp();
        address[] memory actors = new address[](5);
        (actors[0], actors[1], actors[2], actors[3], actors[4]) = (user, alice, bob, carol, vault);
        handler = new TreasuryDelegateHandler(
            core,
            delegate,
            [trsy, cash.id, note.id],
            TreasuryDelegateHandler.Party({poster: poster, corrector: corrector, admin: admin}),
            actors
        );
        targetContract(address(handler));
        bytes4[] memory selectors = new bytes4[](10);
        selectors[0] = handler.deposit.selector;
        selectors[1] = handler.redeem.selector;
        selectors[2] = handler.transfer.selector;
        selectors[3] = handler.accrue.selector;
        selectors[4] = handler.post.selector;
        selectors[5] = handler.postWrongDay.selector;
        selectors[6] = handler.correct.selector;
        selectors[7] = handler.setMultiplier.selector;
        selectors[8] = handler.pass.selector;
        selectors[9] = handler.togglePause.selector;
        targetSelector(FuzzSelector({addr: address(handler), selectors: selectors}));
    }

    /// @dev One function, because forge runs all sequences again for each invariant function.
    function invariant_D1_D2_D3_D4_D11_D14_D22_D24_CreditsHold() public view {
        _d1TotalWithheldCreditsIsTheSumOfTheQueue();
        _d2QueuesAreOrderedByDepositDayBoundedAndWithoutEmptyRecords();
        _d3ValueNeverFallsButByAWithdrawalOrAnAdministrator();
        _d4RatesArePostedFromTheFirstDayToTheLastWithoutAGap();
        _d11QuotesAreWhatSwapsPay();
        _d14CreditsAreGrantedLessConsumed();
        _d22MultipliersAreBoundedWhereSetAndNeverBelowOne();
        _d24PausedNothingMoves();
    }

    function _d1TotalWithheldCreditsIsTheSumOfTheQueue() private view {
        for (uint256 i = 0; i < handler.actorCount(); ++i) {
            address actor = handler.actors(i);
            ITreasuryDelegate.WithheldCredits[] memory queue = delegate.getWithheldCredits(actor);
            uint256 sum;
            for (uint256 k = 0; k < queue.length; ++k) {
                sum += queue[k].credits;
            }
            assertEq(delegate.totalWithheldCredits(actor), sum);
        }
    }

    function _d2QueuesAreOrderedByDepositDayBoundedAndWithoutEmptyRecords() private view {
        for (uint256 i = 0; i < handler.actorCount(); ++i) {
            ITreasuryDelegate.WithheldCredits[] memory queue = delegate.getWithheldCredits(handler.actors(i));
            assertLe(queue.length, 64);
            for (uint256 k = 0; k < queue.length; ++k) {
                assertGt(queue[k].credits, 0);
                if (k == 0) continue;
                assertGe(queue[k].releaseTimestamp / 1 days, queue[k - 1].releaseTimestamp / 1 days);
            }
        }
    }

    function _d3ValueNeverFallsButByAWithdrawalOrAnAdministrator() private view {
        assertEq(handler.violations(TreasuryDelegateHandler.Property.ValueNeverFalls), 0);
    }

    function _d4RatesArePostedFromTheFirstDayToTheLastWithoutAGap() private view {
        assertEq(handler.violations(TreasuryDelegateHandler.Property.WrongDaysRefused), 0);
        uint256 first = delegate.firstRateDay();
        uint256 last = delegate.lastRatePostingDay();
        if (first == 0) return;
        assertLt(last, _today());
        for (uint256 day = first - 2; day <= last + 2; ++day) {
            assertEq(delegate.ratePosted(day), day >= first && day <= last);
        }
    }

    function _d11QuotesAreWhatSwapsPay() private view {
        assertEq(handler.violations(TreasuryDelegateHandler.Property.QuoteIsSwap), 0);
    }

    function _d14CreditsAreGrantedLessConsumed() private view {
        uint256 all;
        for (uint256 i = 0; i < handler.actorCount(); ++i) {
            address actor = handler.actors(i);
            uint256 held = delegate.credits(actor) + delegate.totalWithheldCredits(actor);
            assertEq(held, handler.granted(actor) - handler.consumed(actor));
            all += held;
        }
        assertEq(all, treasury.totalSupply(), "a token a credit");
    }

    function _d22MultipliersAreBoundedWhereSetAndNeverBelowOne() private view {
        assertEq(handler.violations(TreasuryDelegateHandler.Property.MultiplierBounded), 0);
        for (uint256 i = 0; i < handler.actorCount(); ++i) {
            address actor = handler.actors(i);
            assertGe(delegate.yieldMultiplier(actor), WAD);
            if (delegate.credits(actor) == 0) {
                assertEq(delegate.yieldMultiplier(actor), WAD);
                assertEq(delegate.lastAccrualDay(actor), 0);
            } else {
                assertLe(delegate.lastAccrualDay(actor), delegate.lastRatePostingDay());
            }
        }
    }

    function _d24PausedNothingMoves() private view {
        assertEq(handler.violations(TreasuryDelegateHandler.Property.PausedMovesNothing), 0);
    }

    /// @dev One call of each kind succeeds through the handler, so that the invariants are not vacuous.
    function test_Handler_ReachesEveryCall() public {
        handler.deposit(1, 1, 1001, false);
        handler.deposit(1, 2, 1001, true);
        handler.transfer(1, 2, 10);
        for (uint256 i = 0; i < 3; ++i) {
            handler.pass(4);
        }
        handler.post(0.05e18, 4);
        handler.postWrongDay(3);
        handler.accrue(1, 2, 1, 1);
        handler.correct(0, 0.04e18);
        handler.setMultiplier(1, 2e18);
        handler.togglePause(0);
        handler.redeem(2, 4, false);
        handler.togglePause(1);
        handler.redeem(2, 4, false);
        bytes4[10] memory calls = [
            handler.deposit.selector,
            handler.redeem.selector,
            handler.transfer.selector,
            handler.accrue.selector,
            handler.post.selector,
            handler.postWrongDay.selector,
            handler.correct.selector,
            handler.setMultiplier.selector,
            handler.pass.selector,
            handler.togglePause.selector
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            assertGt(handler.successes(calls[i]), 0);
        }
        assertEq(handler.successes(handler.redeem.selector), 1, "not while paused");
    }
}
