// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Vm} from "forge-std/Vm.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {IStablecoinDelegate} from "src/interfaces/IStablecoinDelegate.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";
import {CallbackToken} from "test/mocks/CallbackToken.sol";

contract AccrueInterestTest is DelegateTest {
    uint256 private constant PROTOCOL_FEE = 3e18;
    uint256 private constant LP_FEE = 5e18;
    uint256 private constant AMOUNT = 1_000e18;

    function test_RevertWhen_ALimitIsZero() public {
        _assertReverts(
            alice,
            abi.encodeCall(delegate.accrueInterest, (alice, 0, 1)),
            abi.encodePacked(ITreasuryDelegate.InvalidMaxDays.selector)
        );
        _assertReverts(
            alice,
            abi.encodeCall(delegate.accrueInterest, (alice, 1, 0)),
            abi.encodePacked(ITreasuryDelegate.InvalidMaxRecords.selector)
        );
    }

    function test_RevertGiven_TheDelegateIsPaused_D24() public {
        _depositAndMerge(alice);
        _goToDayAndPost(DAY_ZERO + 5);
        uint256 value = _value(alice);
        address[2] memory pausers = [admin, issuer];
        for (uint256 i = 0; i < pausers.length; ++i) {
            vm.prank(pausers[i]);
            delegate.pause();
            bytes memory paused = abi.encodePacked(IPausable.EnforcedPause.selector);
            _assertReverts(alice, abi.encodeCall(delegate.accrueInterest, (alice, ALL, ALL)), paused);
            _assertReverts(alice, abi.encodeCall(delegate.batchAccrueInterest, (new address[](1))), paused);
            assertEq(_value(alice), value);
            assertEq(delegate.getAmountForTargetValue(alice, value, false), AMOUNT);
            vm.prank(pausers[i]);
            delegate.unpause();
        }
        _assertAccrues(alice, ALL, ALL, 3, 0, true, true);
    }

    /// In each of the four settlements, a hostile token calls during its transfer. Each passes without the calls.
    function test_RevertWhen_ATokenAccruesInTheMiddleOfItsTransfer_S15() public {
        CallbackToken token = _addHostileToken();
        address own = address(treasury);
        address hostile = address(token);
        bytes[4] memory settlements = [
            _call(_functions()[0], hostile, own),
            _call(_functions()[1], own, hostile),
            _call(_functions()[2], hostile, address(note.token)),
            _call(_functions()[3], hostile, own)
        ];
        bytes[2] memory calls = [
            abi.encodeCall(delegate.accrueInterest, (receiver, ALL, ALL)),
            abi.encodeCall(delegate.batchAccrueInterest, (new address[](1)))
        ];
        bytes memory reentrant = abi.encodePacked(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        for (uint256 k = 0; k < settlements.length; ++k) {
            for (uint256 i = 0; i < calls.length; ++i) {
                token.setCallback(address(delegate), calls[i]);
                _assertReverts(address(core), settlements[k], reentrant);
            }
            token.setCallback(address(0), "");
            (bool success, bytes memory result) = _try(address(core), settlements[k]);
            assertTrue(success && abi.decode(result, (bool)));
        }
    }

    function test_WhenTheAccountHasNoCredits() public {
        _goToDayAndPost(DAY_ZERO + 3);
        _assertAccrues(stranger, ALL, ALL, 0, 0, true, true);
        assertEq(delegate.yieldMultiplier(stranger), WAD);
        assertEq(delegate.lastAccrualDay(stranger), 0);
    }

    function test_WhenNothingWasPostedYet() public {
        _deposit(alice, AMOUNT);
        _goToDay(DAY_ZERO + 5);
        _assertAccrues(alice, ALL, ALL, 0, 0, true, true);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT);
    }

    function test_WhenCreditsAreNotReleasedYet() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 1);
        vm.warp(vm.getBlockTimestamp() - 1);
        _assertAccrues(alice, ALL, ALL, 0, 0, true, true);
        vm.warp(vm.getBlockTimestamp() + 1);
        _assertAccrues(alice, ALL, ALL, 0, 1, true, true);
    }

    function test_WhenCreditsAreNew() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 4);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.PendingCreditsMerged(alice, AMOUNT, AMOUNT);
        vm.recordLogs();
        _assertAccrues(alice, ALL, ALL, 0, 1, true, true);
        assertEq(vm.getRecordedLogs().length, 1, "no InterestAccrued");

        assertEq(delegate.credits(alice), AMOUNT);
        assertEq(delegate.totalWithheldCredits(alice), 0);
        assertEq(delegate.getWithheldCredits(alice).length, 0);
        assertEq(delegate.lastAccrualDay(alice), DAY_ZERO + 3);
        // Days 1 to 3.
        assertEq(delegate.yieldMultiplier(alice), _compound(3));
    }

    function test_WhenCreditsAreNewAndAllIsWatched() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _watchDelegate();
        _watchYield();
        _expectDelegateAnswer(abi.encodeCall(delegate.credits, (alice)), abi.encode(AMOUNT));
        _expectDelegateAnswer(abi.encodeCall(delegate.totalWithheldCredits, (alice)), abi.encode(0));
        _expectDelegateAnswer(
            abi.encodeCall(delegate.getWithheldCredits, (alice)), abi.encode(new ITreasuryDelegate.WithheldCredits[](0))
        );
        _expectDelegateAnswer(abi.encodeCall(delegate.yieldMultiplier, (alice)), abi.encode(WAD + GROWTH));
        _expectDelegateAnswer(abi.encodeCall(delegate.lastAccrualDay, (alice)), abi.encode(DAY_ZERO + 1));
        // The two slots of the merged record, which the queue no longer shows.
        _expectHiddenSlots(2);
        _expectEvent(address(delegate));
        emit ITreasuryDelegate.PendingCreditsMerged(alice, AMOUNT, AMOUNT);
        _assertDelegateEffects(stranger, abi.encodeCall(delegate.accrueInterest, (alice, ALL, ALL)));
    }

    function test_WhenMainCreditsAccrue() public {
        _depositAndMerge(alice);
        uint256 before = delegate.yieldMultiplier(alice);
        _goToDayAndPost(DAY_ZERO + 5);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.InterestAccrued(alice, DAY_ZERO + 2, DAY_ZERO + 4, 3, _compound(4));
        _assertAccrues(alice, ALL, ALL, 3, 0, true, true);
        assertEq(before, _compound(1));
        assertEq(delegate.yieldMultiplier(alice), _compound(4));

        Stored memory stored = _stored(alice);
        _assertAccrues(alice, ALL, ALL, 0, 0, true, true);
        _assertStored(alice, stored);
    }

    function test_WhenMainCreditsAccrueAndAllIsWatched() public {
        _depositAndMerge(alice);
        _goToDayAndPost(DAY_ZERO + 3);
        _watchDelegate();
        _watchYield();
        _expectDelegateAnswer(abi.encodeCall(delegate.yieldMultiplier, (alice)), abi.encode(_compound(2)));
        _expectDelegateAnswer(abi.encodeCall(delegate.lastAccrualDay, (alice)), abi.encode(DAY_ZERO + 2));
        _expectEvent(address(delegate));
        emit ITreasuryDelegate.InterestAccrued(alice, DAY_ZERO + 2, DAY_ZERO + 2, 1, _compound(2));
        address[] memory users = new address[](1);
        users[0] = alice;
        _assertDelegateEffects(stranger, abi.encodeCall(delegate.batchAccrueInterest, (users)));
    }

    function test_WhenADayIsNotPosted() public {
        _depositAndMerge(alice);
        _goToDay(DAY_ZERO + 9);
        _post(DAY_ZERO + 2, RATE);
        _assertAccrues(alice, ALL, ALL, 1, 0, true, true);
        assertEq(delegate.lastAccrualDay(alice), DAY_ZERO + 2);
        _postAll();
        _assertAccrues(alice, ALL, ALL, 6, 0, true, true);
    }

    function test_WhenThereAreLimits_D8() public {
        _depositAndMerge(alice);
        _deposit(alice, AMOUNT);
        _depositRWA(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 6);
        // Main credits have accrued through day 1; both records earn from day 3 on.
        _assertAccrues(alice, 1, ALL, 1, 0, false, false);
        _assertAccrues(alice, 2, ALL, 2, 0, false, false);
        assertEq(delegate.credits(alice), AMOUNT);
        _assertAccrues(alice, 1, 1, 1, 1, true, false);
        assertEq(delegate.credits(alice), 2 * AMOUNT);
        _assertAccrues(alice, 1, 1, 0, 1, true, true);
        assertEq(delegate.credits(alice), 3 * AMOUNT);
    }

    function test_WhenARecordIsNotReleased_D8() public {
        _depositAndMerge(alice);
        _goToDayAndPost(DAY_ZERO + 3);
        _deposit(alice, AMOUNT);
        _assertAccrues(alice, ALL, ALL, 0, 0, true, true);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT);
    }

    /// forge-config: default.fuzz.runs = 200
    function testFuzz_WhenItRunsInAnyParts_D6(uint256[12] memory maxDays, uint256[12] memory maxRecords) public {
        _depositAndMerge(alice);
        for (uint256 i = 0; i < 4; ++i) {
            _deposit(alice, AMOUNT + i);
            _depositRWA(alice, AMOUNT / 3 + i);
            vm.warp(vm.getBlockTimestamp() + 1 days);
        }
        _goToDayAndPost(DAY_ZERO + 20);
        uint256 snapshot = vm.snapshotState();
        _accrueAll(alice);
        Stored memory expected = _stored(alice);
        uint256 value = _value(alice);

        vm.revertToState(snapshot);
        bool complete;
        bool merged;
        for (uint256 i = 0; i < 12; ++i) {
            vm.prank(i % 2 == 0 ? stranger : bob);
            (,, complete, merged) = delegate.accrueInterest(alice, bound(maxDays[i], 1, 6), bound(maxRecords[i], 1, 3));
        }
        (,, complete, merged) = delegate.accrueInterest(alice, ALL, ALL);
        assertTrue(complete && merged);
        Stored memory actual = _stored(alice);
        assertEq(actual.credits, expected.credits);
        assertEq(actual.lastDay, expected.lastDay);
        assertEq(actual.queue.length, expected.queue.length);
        assertApproxEqAbs(_value(alice), value, 9, "a unit a merge");
    }

    function test_WhenPostsAreLate_D7() public {
        _deposit(alice, AMOUNT);
        _depositRWA(bob, AMOUNT);
        uint256 snapshot = vm.snapshotState();
        for (uint256 day = DAY_ZERO + 1; day <= DAY_ZERO + 9; ++day) {
            _goToDayAndPost(day);
        }
        _accrueAll(alice);
        _accrueAll(bob);
        Stored memory expectedAlice = _stored(alice);
        Stored memory expectedBob = _stored(bob);

        vm.revertToState(snapshot);
        for (uint256 day = DAY_ZERO + 1; day <= DAY_ZERO + 9; ++day) {
            _goToDay(day);
            _accrueAll(alice);
            _accrueAll(bob);
        }
        _postAll();
        _accrueAll(alice);
        _accrueAll(bob);
        _assertStored(alice, expectedAlice);
        _assertStored(bob, expectedBob);
    }

    function test_WhenCreditsMerge_D21() public {
        _depositAndMerge(alice);
        _goToDayAndPost(DAY_ZERO + 30);
        _deposit(alice, 7 * AMOUNT);
        _deposit(bob, 7 * AMOUNT);
        _goToDayAndPost(DAY_ZERO + 40);
        uint256 mainAlone = AMOUNT * _compoundE36(39) / E36;
        uint256 recordAlone = _value(bob);
        assertApproxEqAbs(_value(alice), mainAlone + recordAlone, 2);
        _accrueAll(alice);
        assertEq(_value(alice), 8 * AMOUNT + delegate.getYieldAmount(alice, 8 * AMOUNT, false));
    }

    function test_WhenAccountsComeInABatch_D23() public {
        address[] memory users = new address[](4);
        (users[0], users[1], users[2], users[3]) = (alice, bob, stranger, alice);
        _depositAndMerge(alice);
        _deposit(bob, AMOUNT);
        _depositRWA(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 8);
        uint256 snapshot = vm.snapshotState();
        vm.recordLogs();
        for (uint256 i = 0; i < users.length; ++i) {
            delegate.accrueInterest(users[i], ALL, ALL);
        }
        bytes32 logs = _hash(vm.getRecordedLogs());
        Stored memory expectedAlice = _stored(alice);
        Stored memory expectedBob = _stored(bob);

        vm.revertToState(snapshot);
        vm.recordLogs();
        delegate.batchAccrueInterest(users);
        assertEq(_hash(vm.getRecordedLogs()), logs);
        _assertStored(alice, expectedAlice);
        _assertStored(bob, expectedBob);
    }

    /// A token that is listed as an RWA and as a stablecoin, and credits for `alice`, so that every settlement passes.
    function _addHostileToken() private returns (CallbackToken token) {
        token = new CallbackToken(18);
        _admit(receiver);
        _deposit(alice, 10 * AMOUNT);
        token.mint(alice, 10 * AMOUNT);
        token.mint(rwaCustody, 10 * AMOUNT);
        address[2] memory owners = [alice, rwaCustody];
        for (uint256 i = 0; i < owners.length; ++i) {
            vm.prank(owners[i]);
            token.approve(address(delegate), ALL);
        }
        _uncap(address(delegate), address(token));
        vm.startPrank(issuer);
        delegate.whitelistRWA(address(token), true);
        delegate.whitelistStablecoin(address(token), true);
        vm.stopPrank();
    }

    function _depositAndMerge(address account) private {
        _deposit(account, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(account);
        assertEq(delegate.credits(account), AMOUNT);
    }

    function _assertAccrues(
        address account,
        uint256 maxDays,
        uint256 maxRecords,
        uint256 days_,
        uint256 records,
        bool complete,
        bool merged
    ) private {
        (bool success, bytes memory actual) =
            _try(stranger, abi.encodeCall(delegate.accrueInterest, (account, maxDays, maxRecords)));
        assertTrue(success);
        assertEq(actual, abi.encode(days_, records, complete, merged));
    }

    /// `(1 + g)^n`, every product rounded down at scale 1e36.
    function _compoundE36(uint256 n) private pure returns (uint256 multiplier) {
        multiplier = E36;
        for (uint256 i = 0; i < n; ++i) {
            multiplier = multiplier * (WAD + GROWTH) / WAD;
        }
    }

    function _compound(uint256 n) private pure returns (uint256 multiplierWad) {
        return _compoundE36(n) / WAD;
    }

    function _hash(Vm.Log[] memory logs) private pure returns (bytes32) {
        return keccak256(abi.encode(logs));
    }

    function _functions() private pure returns (bytes4[4] memory) {
        return [
            IStablecoinDelegate.deployStablecoin.selector,
            IStablecoinDelegate.receiveStablecoin.selector,
            IStablecoinDelegate.exchangeRWAs.selector,
            IStablecoinDelegate.exchangeStablecoins.selector
        ];
    }

    function _call(bytes4 selector, address assetIn, address assetOut) private view returns (bytes memory) {
        return abi.encodeWithSelector(
            selector,
            IStablecoinDelegate.DelegateParams({
                user: alice,
                receiver: receiver,
                vault: vault,
                protocolFeeAmt: PROTOCOL_FEE,
                lpFeeAmt: LP_FEE,
                assetInAddress: assetIn,
                assetInAmount: AMOUNT,
                assetOutAddress: assetOut,
                assetOutAmount: AMOUNT / 2
            })
        );
    }
}
