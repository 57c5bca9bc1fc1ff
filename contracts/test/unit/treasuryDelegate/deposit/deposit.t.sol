// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegate} from "src/interfaces/IStablecoinDelegate.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";
import {FeeOnTransferToken} from "test/mocks/FeeOnTransferToken.sol";
import {SilentToken} from "test/mocks/SilentToken.sol";

/// Tests the queue of withheld credits: which deposits join a record and which add one.
contract DepositTest is DelegateTest {
    uint256 private constant MAX_RECORDS = 64;
    uint256 private constant PROTOCOL_FEE = 3e18;
    uint256 private constant LP_FEE = 5e18;
    uint256 private constant AMOUNT = 1_000e18;

    function setUp() public override {
        super.setUp();
        _admit(receiver);
    }

    function test_WhenAStablecoinComesIn() public {
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.PendingCreditsAdded(alice, AMOUNT, DAY_ZERO);
        _deposit(alice, AMOUNT);
        _assertRecord(alice, 0, address(cash.token), AMOUNT, (DAY_ZERO + 1) * 1 days, false);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT);
        assertEq(delegate.credits(alice), 0);
        assertEq(delegate.yieldMultiplier(alice), WAD);
        assertEq(delegate.lastAccrualDay(alice), 0);
    }

    function test_WhenAnRWAComesIn() public {
        _depositRWA(alice, AMOUNT);
        _assertRecord(alice, 0, address(note.token), AMOUNT, vm.getBlockTimestamp(), true);
    }

    function test_WhenTheSameTokenComesInOnTheSameDay() public {
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

    function test_WhenAnotherDayOrTokenComesIn() public {
        _deposit(alice, AMOUNT);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(8, usdx.id, trsy, trsy, ALL, AMOUNT));
        assertEq(delegate.getWithheldCredits(alice).length, 2);
        vm.warp((DAY_ZERO + 1) * 1 days);
        _deposit(alice, AMOUNT);
        assertEq(delegate.getWithheldCredits(alice).length, 3);
    }

    /// An RWA that comes in exactly at midnight earns on that day; later deposits of the day do not.
    function test_WhenAnRWAFollowsOneOfMidnight_D19() public {
        vm.warp((DAY_ZERO + 1) * 1 days);
        _depositRWA(alice, AMOUNT);
        vm.warp(vm.getBlockTimestamp() + 23 hours);
        _depositRWA(alice, 1_000 * AMOUNT);
        assertEq(delegate.getWithheldCredits(alice).length, 2);

        _goToDayAndPost(DAY_ZERO + 2);
        assertEq(_value(alice), 1_001 * AMOUNT + AMOUNT * GROWTH / WAD);
    }

    function test_WhenSomethingIsEligible() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.PendingCreditsMerged(alice, AMOUNT, AMOUNT);
        _deposit(alice, AMOUNT);
        assertEq(delegate.credits(alice), AMOUNT);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT);
    }

    function test_RevertWhen_TheQueueIsFull() public {
        _fill(alice);
        bytes memory call = abi.encodeCall(
            core.swap, (alice, alice, _one(ICoreSwap.SwapInputs(8, usdx.id, trsy, trsy, ALL, AMOUNT)), _noPermit())
        );
        vm.prank(alice);
        (bool success, bytes memory reason) = address(core).call(call);
        assertFalse(success);
        assertEq(reason, abi.encodePacked(ITreasuryDelegate.QueueFull.selector));
        // The last record is from today and of the same token.
        _deposit(alice, AMOUNT);
        assertEq(delegate.getWithheldCredits(alice).length, MAX_RECORDS);

        _postAll();
        vm.prank(alice);
        (success,) = address(core).call(call);
        assertTrue(success);
        assertEq(delegate.getWithheldCredits(alice).length, 2);
    }

    function test_WhenSixtyFourHostileDepositsADayCome_D27() public {
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

    /// Deposits by others on one day share a record, whatever the asset. The record shows the asset that opened it.
    function test_WhenOthersDeposit_D31() public {
        _swapAs(bob, alice, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1e18));
        _swapAs(carol, alice, ICoreSwap.SwapInputs(2, note.id, trsy, trsy, ALL, 2e18));
        _swapAs(bob, alice, ICoreSwap.SwapInputs(8, usdx.id, trsy, trsy, ALL, 3e18));
        assertEq(delegate.getWithheldCredits(alice).length, 1);
        _assertRecord(alice, 0, address(cash.token), 6e18, (DAY_ZERO + 1) * 1 days, false);
    }

    /// Dust from others does not join an own record or delay it, and own records are placed before it.
    function test_WhenOthersDepositDustAfterAndBeforeOwnDeposits_D31() public {
        _swapAs(bob, alice, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1_000));
        _deposit(alice, AMOUNT);
        _depositRWA(alice, AMOUNT);
        uint256 deposited = vm.getBlockTimestamp();
        vm.warp(deposited + 12 hours);
        _swapAs(bob, alice, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1_000));
        ITreasuryDelegate.WithheldCredits[] memory queue = delegate.getWithheldCredits(alice);
        assertEq(queue.length, 3);
        assertEq(queue[0].credits, AMOUNT);
        assertEq(queue[0].releaseTimestamp, deposited + 24 hours);
        assertEq(queue[1].credits, AMOUNT);
        assertEq(queue[1].releaseTimestamp, deposited + 24 hours);
        assertEq(queue[2].credits, 2_000);
        assertEq(queue[2].releaseTimestamp, deposited + 36 hours);

        vm.warp(deposited + 24 hours);
        _postAll();
        _accrueAll(alice);
        assertEq(delegate.credits(alice), 2 * AMOUNT, "released on time");
    }

    /// Only others' deposits of the same day are placed behind own ones. Otherwise, the next own deposit of the day would
    /// not find the record that it joins.
    function test_WhenOthersDepositedTheDayBefore_D31() public {
        _swapAs(bob, alice, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1e18));
        vm.warp(vm.getBlockTimestamp() + 23 hours);
        _deposit(alice, AMOUNT);
        _deposit(alice, AMOUNT);
        ITreasuryDelegate.WithheldCredits[] memory queue = delegate.getWithheldCredits(alice);
        assertEq(queue.length, 2, "own deposits of a day share a record");
        assertEq(queue[0].credits, 1e18);
        _assertRecord(alice, 1, address(cash.token), 2 * AMOUNT, (DAY_ZERO + 2) * 1 days, false);
    }

    /// A fee is the vault's own: dust from others does not join its record or delay it.
    function test_WhenOthersDepositDustToTheVaultBeforeAndAfterAFee_D31() public {
        _swapAs(bob, vault, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1_000));
        assertTrue(_settle(_functions()[3], address(cash.token), address(treasury)));
        uint256 paid = vm.getBlockTimestamp();
        vm.warp(paid + 12 hours);
        _swapAs(bob, vault, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1_000));
        ITreasuryDelegate.WithheldCredits[] memory queue = delegate.getWithheldCredits(vault);
        assertEq(queue.length, 2);
        assertEq(queue[0].credits, PROTOCOL_FEE);
        assertEq(queue[0].releaseTimestamp, paid + 24 hours);
        assertEq(queue[1].credits, 2_000);
        assertEq(queue[1].releaseTimestamp, paid + 36 hours);
    }

    /// With forty assets and rates thirty days late, deposits by others take one place per day.
    function test_WhenOthersDepositInFortyAssetsForThirtyLateDays_D31() public {
        TestToken[40] memory tokens;
        for (uint256 i = 0; i < tokens.length; ++i) {
            tokens[i] = _addRWA(string.concat("DUST", vm.toString(i)), 18, WAD).token;
            tokens[i].mint(bob, DEEP);
            vm.prank(bob);
            tokens[i].approve(address(delegate), ALL);
            _uncap(address(delegate), address(tokens[i]));
            vm.prank(issuer);
            delegate.whitelistRWA(address(tokens[i]), true);
        }
        for (uint256 day = 0; day < 30; ++day) {
            _goToDay(DAY_ZERO + day);
            for (uint256 i = 0; i < tokens.length; ++i) {
                bytes32 id = _id(string.concat("DUST", vm.toString(i)));
                _swapAs(bob, alice, ICoreSwap.SwapInputs(2, id, trsy, trsy, ALL, 1));
            }
            _deposit(alice, AMOUNT);
        }
        assertEq(delegate.getWithheldCredits(alice).length, 60);
        assertEq(delegate.totalWithheldCredits(alice), 30 * (AMOUNT + tokens.length));
    }

    function test_WhenTheQueueOfTheVaultIsFull_D27() public {
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
        // No day is paid before the fee arrived.
        _assertRecord(vault, 63, address(cash.token), AMOUNT + fee, (_today() + 1) * 1 days, false);
        // The vault does not block later deposits either.
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, usdc.id, trsy, 500e18, 0));
    }

    function test_WhenFeesComeInAllDay_D27() public {
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

    function test_WhenDepositsGoOnForDays_D2() public {
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

    function test_RevertWhen_TheReceiverIsNotOnTheWhitelistOfTheToken() public {
        vm.expectRevert(abi.encodeWithSelector(ITreasury.AccountNotWhitelisted.selector, stranger));
        _swapAs(alice, stranger, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1e18));
    }

    function test_WhenTheTokenInTakesAFee_S22() public {
        FeeOnTransferToken token = new FeeOnTransferToken(18);
        token.mint(alice, AMOUNT);
        vm.prank(alice);
        token.approve(address(delegate), AMOUNT);
        _uncap(address(delegate), address(token));
        vm.prank(issuer);
        delegate.whitelistRWA(address(token), true);
        Stored memory before = _stored(receiver);
        assertFalse(_settle(_functions()[0], address(token), address(treasury)));
        _assertStored(receiver, before);
        assertEq(treasury.balanceOf(receiver), 0);
    }

    function test_RevertWhen_TheTokenInAnswersFalse() public {
        SilentToken token = new SilentToken();
        _uncap(address(delegate), address(token));
        vm.prank(issuer);
        delegate.whitelistRWA(address(token), true);
        _assertReverts(
            address(core),
            _call(_functions()[0], address(token), address(treasury)),
            abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token))
        );
    }

    /// Makes one record on each of 64 days without a posted rate, the last one today.
    function _fill(address account) private {
        for (uint256 i = 0; i < MAX_RECORDS; ++i) {
            _goToDay(DAY_ZERO + i);
            _deposit(account, AMOUNT);
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

    function _settle(bytes4 selector, address assetIn, address assetOut) private returns (bool) {
        (bool success, bytes memory result) = _try(address(core), _call(selector, assetIn, assetOut));
        assertTrue(success);
        return abi.decode(result, (bool));
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
