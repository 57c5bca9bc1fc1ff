// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Vm} from "forge-std/Vm.sol";
import {TestToken} from "script/local/TestToken.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";
import {AutoLiquidityFixture} from "test/helpers/AutoLiquidityFixture.sol";
import {RevertingDelegate} from "test/mocks/RevertingDelegate.sol";

contract AutoLiquidityTest is AutoLiquidityFixture {
    /// Balances that a leg can change: user, receiver, vault and the two custodies, in every token of the fixture.
    struct Balances {
        uint256 userIn;
        uint256 receiverOut;
        uint256 vaultFee;
        uint256 custody;
        uint256 reserveTokens;
        uint256 reserveCredits;
        uint256 reserveBuffer;
    }

    function testFuzz_RevertWhen_SweepIsCalledByAnyoneButCoreSwap(address caller) public {
        vm.assume(caller != address(core));
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.InvalidSwapAddress.selector, caller));
        core.sweep(usdc.id, 1);
    }

    function test_GivenTheCustodyHoldsWhatLeavesIt_S19() public {
        uint256[4] memory routes = [uint256(1), 2, 5, 6];
        for (uint256 i = 0; i < routes.length; ++i) {
            ICoreSwap.SwapInputs memory leg = _leg(routes[i], routes[i] == 1 || routes[i] == 5 ? 100e18 : 100e6, false);
            uint256 snapshot = vm.snapshotState();
            _setBuffer(_leaving(core.quoteSwap(user, leg), leg.assetOutID == usdc.id));
            _clear();
            Balances memory without = _settleAndMeasure(leg, 1);
            vm.revertToState(snapshot);
            _setBuffer(_leaving(core.quoteSwap(user, leg), leg.assetOutID == usdc.id));
            Balances memory with = _settleAndMeasure(leg, 1);
            assertEq(abi.encode(with), abi.encode(without));
            vm.revertToState(snapshot);
        }
    }

    function test_GivenTheCustodyHoldsWhatLeavesItAndTheReservesDelegateFails_S19() public {
        ICoreSwap.SwapInputs memory leg = _leg(1, 100e18, false);
        _setBuffer(_leaving(core.quoteSwap(user, leg), true));
        vm.mockCallRevert(address(delegate), abi.encodeCall(delegate.stablecoinCustodyAddress, ()), "");
        vm.mockCallRevert(address(delegate), abi.encodeCall(delegate.balanceSheetCustodyAddress, ()), "");
        _settleAndMeasure(leg, 1);
    }

    function test_GivenTheCustodyLacksPartOfPayoutAndFee() public {
        _testPrefund(_leg(1, 20_000e18, false), true);
        _testPrefund(_leg(2, 20_000e6, false), true);
    }

    function test_GivenTheCustodyLacksPartOfTheFeeOfALegBetweenRWAs() public {
        _setBuffer(3);
        _testPrefund(_leg(5, 20_000e18, false), false);
        _testPrefund(_leg(6, 200e6, false), false);
    }

    function test_GivenTheCustodyLacksWhatItPaysForAnotherStablecoin() public {
        _testPrefund(_leg(7, 20_000e18, false), true);
        _testPrefund(_leg(8, 20_000e6, false), true);
    }

    function test_WhenALegTakesTheStablecoinIn() public {
        _testSweep(_leg(3, 5_000e6, false));
        _testSweep(_leg(4, 50e6, false));
        _testSweep(ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdc.id, 5_000e6, 0));
        _testSweep(ICoreSwap.SwapInputs(8, usdc.id, usdx.id, usdc.id, ALL, 5_000e18));
    }

    function test_WhenTheStablecoinComesInAsAForeignOne() public {
        _admit(receiver);
        uint256 before = usdc.token.balanceOf(usdc.custody);
        assertEq(_swapRecorded(ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdx.id, 5_000e6, 0)).length, 1);
        assertEq(_swapRecorded(ICoreSwap.SwapInputs(7, usdc.id, trsy, trsy, 5_000e6, 0)).length, 1);
        assertEq(usdc.token.balanceOf(usdc.custody), before);
    }

    function test_GivenALaterLegOfABatchNeedsWhatAnEarlierOneSwept() public {
        _setBuffer(0);
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](2);
        legs[0] = _leg(3, 5_000e6, false);
        legs[1] = _leg(2, 4_000e6, false);
        vm.recordLogs();
        vm.prank(user);
        core.swap(user, receiver, legs, _noPermit());
        Vm.Log[] memory swaps = _swapsOf(vm.getRecordedLogs());
        uint256[4] memory routes = [uint256(3), 7, 8, 2];
        assertEq(swaps.length, routes.length);
        for (uint256 i = 0; i < routes.length; ++i) {
            (,, uint256 routeId) = abi.decode(swaps[i].data, (address, address, uint256));
            assertEq(routeId, routes[i]);
        }
        assertEq(usdc.token.balanceOf(usdc.custody), 0);
        assertEq(usdc.token.balanceOf(receiver), 4_000e6);
    }

    function test_RevertGiven_TheCustodyDidNotAllowTheRedemption_S21() public {
        ICoreSwap.SwapInputs memory leg = _leg(2, 20_000e6, false);
        uint256 needed = _quoteDerived(_prefundLeg(_shortfall(leg))).tokenInAmt;
        _allow(trsy, needed - 1);
        _assertSwapReverts(leg, abi.encodeWithSelector(ICoreSwap.InsufficientSwapAllowance.selector));
        _allow(trsy, 0);
        _assertSwapReverts(leg, abi.encodeWithSelector(ICoreSwap.InsufficientSwapAllowance.selector));
    }

    function test_GivenTheAllowanceCoversTheRedemptionExactly_S21() public {
        ICoreSwap.SwapInputs memory leg = _leg(2, 20_000e6, false);
        uint256 needed = _quoteDerived(_prefundLeg(_shortfall(leg))).tokenInAmt;
        _allow(trsy, needed);
        vm.expectEmit(address(core));
        emit ICoreSwap.SwapInputAllowanceSpent(usdc.custody, address(core), trsy, needed, 0);
        _swap(leg);
        assertEq(core.swapInputAllowances(usdc.custody, address(core), trsy), 0);
        assertEq(treasury.balanceOf(usdc.custody), RESERVE - needed);
    }

    function test_RevertGiven_TheReserveHasTooFewCredits() public {
        ICoreSwap.SwapInputs memory leg = _leg(2, 60_000e6, false);
        uint256 gross = _grossOf(_shortfall(leg));
        _assertSwapReverts(
            leg, abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, gross, RESERVE)
        );
    }

    function test_RevertGiven_TheReserveWasTakenOffTheAcceptedStablecoins() public {
        vm.prank(operator);
        core.setStablecoinAcceptance(trsy, address(delegate), address(treasury), false, true);
        _assertSwapReverts(_leg(2, 20_000e6, false), abi.encodeWithSelector(ICoreSwap.StablecoinNotAccepted.selector));
    }

    function test_RevertGiven_TheCustodyIsBlacklistedInCoreSwap() public {
        vm.prank(blacklister);
        core.setBlacklisted(usdc.custody, true);
        _assertSwapReverts(
            _leg(2, 20_000e6, false), abi.encodeWithSelector(ICoreSwap.UserBlacklisted.selector, usdc.custody)
        );
    }

    function test_RevertGiven_TheDelegateOfTheReserveIsPaused() public {
        vm.prank(issuer);
        delegate.pause();
        _assertSwapReverts(_leg(2, 20_000e6, false), abi.encodeWithSelector(IPausable.EnforcedPause.selector));
    }

    function test_GivenASweepFailsForAnyReason_S21() public {
        uint256 snapshot = vm.snapshotState();
        _allow(usdc.id, 0);
        _assertNoSweep("no allowance", snapshot);

        vm.prank(usdc.custody);
        usdc.token.approve(address(delegate), 0);
        _assertNoSweep("no approval", snapshot);

        vm.prank(admin);
        treasury.removeFromWhitelist(usdc.custody);
        _assertNoSweep("custody not on the token's whitelist", snapshot);

        vm.prank(blacklister);
        core.setBlacklisted(usdc.custody, true);
        _assertNoSweep("custody blacklisted", snapshot);

        vm.prank(issuer);
        delegate.setBlacklist(usdc.custody, true);
        _assertNoSweep("custody blacklisted by the other LP", snapshot);

        vm.prank(issuer);
        delegate.pause();
        _assertNoSweep("delegate paused", snapshot);

        vm.prank(admin);
        treasury.pause();
        _assertNoSweep("token paused", snapshot);

        vm.prank(issuer);
        delegate.whitelistStablecoin(address(usdc.token), false);
        _assertNoSweep("stablecoin not dealt in", snapshot);

        vm.prank(operator);
        core.setStablecoinAcceptance(trsy, address(delegate), address(treasury), false, true);
        _assertNoSweep("reserve not accepted", snapshot);

        for (uint256 burnsGas = 0; burnsGas < 2; ++burnsGas) {
            address broken = address(new RevertingDelegate(address(core), trsy, address(treasury), burnsGas == 1));
            vm.prank(operator);
            core.setStablecoinAcceptance(trsy, broken, address(treasury), true, true);
            _assertNoSweep("delegate that answers nothing", snapshot);
        }
    }

    /// The operator's USD value of the stablecoin prices what the custody redeems, so it may not move further than the
    /// LP agreed.
    function test_RevertGiven_TheUSDValueIsMoreThanOnePercentFromTheOneAgreed_S23() public {
        ICoreSwap.SwapInputs memory leg = _leg(2, 20_000e6, false);
        uint256[2] memory within = [uint256(1.01e18), 0.99e18];
        uint256[2] memory beyond = [uint256(1.01e18 + 1), 0.99e18 - 1];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 snapshot = vm.snapshotState();
            _setUSDValue(within[i]);
            assertEq(_swapRecorded(leg).length, 2, "at the bound");
            vm.revertToState(snapshot);
            _setUSDValue(beyond[i]);
            _assertSwapReverts(leg, abi.encodeWithSelector(ICoreSwap.DerivedLegTooExpensive.selector, usdc.id));
            assertEq(_swapRecorded(_leg(2, 500e6, false)).length, 1, "the buffer pays");
            // The LP agrees to the current value by setting its reserve again.
            vm.prank(usdc.issuerAdmin);
            usdc.delegate.setAutoLiquidityStablecoinID(trsy);
            assertEq(_swapRecorded(leg).length, 2, "agreed anew");
            vm.revertToState(snapshot);
        }
    }

    function test_RevertGiven_OnePercentOfTheUSDValueAgreedIsNotWhole_S23() public {
        uint256 agreedWad = 1e18 - 50;
        _setUSDValue(agreedWad);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setAutoLiquidityStablecoinID(trsy);
        _setUSDValue(agreedWad + 0.01e18);
        ICoreSwap.SwapInputs memory leg = _leg(2, 20_000e6, false);
        _assertSwapReverts(leg, abi.encodeWithSelector(ICoreSwap.DerivedLegTooExpensive.selector, usdc.id));
        _setUSDValue(agreedWad + 0.01e18 - 1);
        assertEq(_swapRecorded(leg).length, 2, "rounded down");
    }

    function test_RevertGiven_TheRateOfTheReserveIsAboveOnePercent_S23() public {
        vm.prank(issuer);
        delegate.setStablecoinRedemptionFee(address(usdc.token), 0.01e18);
        assertEq(_swapRecorded(_leg(2, 5_000e6, false)).length, 2, "at the bound");
        vm.prank(issuer);
        delegate.setStablecoinRedemptionFee(address(usdc.token), 0.01e18 + 1);
        _assertSwapReverts(
            _leg(2, 20_000e6, false), abi.encodeWithSelector(ICoreSwap.DerivedLegTooExpensive.selector, usdc.id)
        );
    }

    function test_GivenASweepWouldBeTooExpensive_S23() public {
        uint256 snapshot = vm.snapshotState();
        _setUSDValue(0.98e18);
        _assertNoSweep("value too low", snapshot);
        _setUSDValue(1.02e18);
        _assertNoSweep("value too high", snapshot);
        vm.prank(issuer);
        delegate.setStablecoinAcceptanceFee(address(usdc.token), 0.01e18 + 1);
        _assertNoSweep("rate too high", snapshot);
    }

    function test_GivenASweepIsBeyondTheIntakeCap_D29() public {
        uint256 snapshot = vm.snapshotState();
        _setIntakeCap(address(delegate), address(usdc.token), 1e6);
        _assertNoSweep("intake cap", snapshot);
    }

    function test_GivenTheCustodyIsOneOfTheCustodiesOfTheReserve() public {
        _listCustody(address(delegate), usdc.custody);
        vm.prank(usdc.custody);
        delegate.acceptCustody();
        for (uint256 i = 0; i < 2; ++i) {
            uint256 snapshot = vm.snapshotState();
            vm.prank(issuer);
            if (i == 0) delegate.setStablecoinCustodyAddress(usdc.custody);
            else delegate.setRWACustodyAddress(usdc.custody);
            assertEq(_swapRecorded(_leg(3, 5_000e6, false)).length, 1);
            assertEq(_swapRecorded(_leg(2, 5_000e6, false)).length, 1);
            // Nothing is redeemed for it either: the leg fails at the empty custody.
            vm.prank(user);
            vm.expectPartialRevert(IERC20Errors.ERC20InsufficientBalance.selector);
            core.swap(user, receiver, _one(_leg(2, 20_000e6, false)), _noPermit());
            vm.revertToState(snapshot);
        }
    }

    /// The error names what is missing, and not an allowance of the zero address.
    function test_RevertGiven_NoCustodyIsSet() public {
        bytes32 id = _id("NEW");
        address token = address(new TestToken("NEW", "NEW", 18));
        BalanceSheetDelegate custodyless = _deployDelegate(id, token, issuer);
        vm.startPrank(operator);
        core.setStablecoinAcceptance(id, address(custodyless), token, true, false);
        core.setStablecoinUSDValue(id, WAD);
        vm.stopPrank();
        vm.startPrank(issuer);
        custodyless.setAutoLiquidityStablecoinID(trsy);
        custodyless.whitelistRWA(address(bill.token), true);
        vm.stopPrank();
        vm.prank(user);
        vm.expectRevert(IStablecoinDelegateAdmin.SetRWACustodyAddress.selector);
        core.swap(user, receiver, _one(ICoreSwap.SwapInputs(1, bill.id, id, id, 1e18, 0)), _noPermit());
    }

    function test_GivenTheStablecoinIsItselfYieldBearing() public {
        bytes32 other = _id("YBS");
        address token = address(new TestToken("YBS", "YBS", 18));
        address otherDelegate = address(new RevertingDelegate(address(core), other, token, false));
        vm.prank(operator);
        core.setStablecoinAcceptance(other, otherDelegate, token, true, true);
        vm.prank(issuer);
        delegate.setAutoLiquidityStablecoinID(other);
        _admit(receiver);

        assertEq(_swapRecorded(ICoreSwap.SwapInputs(1, note.id, trsy, trsy, 5_000e18, 0)).length, 1);
        assertEq(_swapRecorded(ICoreSwap.SwapInputs(7, cash.id, trsy, trsy, 5_000e18, 0)).length, 1);
    }

    function test_GivenAutoLiquidityWasCleared() public {
        _clear();
        assertEq(_swapRecorded(_leg(3, 5_000e6, false)).length, 1);
        assertEq(_swapRecorded(_leg(2, 5_000e6, false)).length, 1);
    }

    // --------------------------------------------------------------------------------------------------- helpers

    function _setUSDValue(uint256 value) private {
        vm.prank(operator);
        core.setStablecoinUSDValue(usdc.id, value);
    }

    /// Swaps a leg that the custody cannot pay from its buffer, and compares it with the same leg with a full buffer.
    function _testPrefund(ICoreSwap.SwapInputs memory leg, bool paysOut) private {
        uint256 snapshot = vm.snapshotState();
        uint256 buffer = usdc.token.balanceOf(usdc.custody);
        ICoreSwap.SwapResolved memory quoted = core.quoteSwap(user, leg);
        uint256 shortfall = _leaving(quoted, paysOut) - buffer;
        ICoreSwap.SwapInputs memory derivedLeg = _prefundLeg(shortfall);
        ICoreSwap.SwapResolved memory derived = _quoteDerived(derivedLeg);
        assertEq(derived.tokenOutAmt, shortfall);

        uint256 reserveBuffer = usdc.token.balanceOf(stablecoinCustody);
        Vm.Log[] memory swaps = _swapRecorded(leg);
        assertEq(swaps.length, 2);
        _assertDerived(swaps[0], derivedLeg, derived);
        assertEq(swaps[1].topics[1], bytes32(uint256(uint160(user))));
        assertEq(usdc.token.balanceOf(usdc.custody), 0, "exactly the shortfall");
        assertEq(treasury.balanceOf(usdc.custody), RESERVE - derived.tokenInAmt);
        assertEq(delegate.totalWithheldCredits(usdc.custody), RESERVE - derived.tokenInAmt);
        assertEq(usdc.token.balanceOf(stablecoinCustody), reserveBuffer - shortfall);

        vm.revertToState(snapshot);
        _clear();
        _setBuffer(_leaving(quoted, paysOut));
        Vm.Log[] memory plain = _swapRecorded(leg);
        assertEq(plain.length, 1);
        assertEq(keccak256(plain[0].data), keccak256(swaps[1].data), "the same result as with a full buffer");
        vm.revertToState(snapshot);
    }

    function _testSweep(ICoreSwap.SwapInputs memory leg) private {
        uint256 snapshot = vm.snapshotState();
        ICoreSwap.SwapResolved memory quoted = core.quoteSwap(user, leg);
        uint256 received = quoted.tokenInAmt - quoted.issuerFeeAmt - quoted.spreadFeeAmt;
        ICoreSwap.SwapInputs memory derivedLeg = _sweepLeg(received);
        ICoreSwap.SwapResolved memory derived = _quoteDerived(derivedLeg);

        uint256 reserveBuffer = usdc.token.balanceOf(stablecoinCustody);
        Vm.Log[] memory swaps = _swapRecorded(leg);
        assertEq(swaps.length, 2);
        assertEq(swaps[0].topics[1], bytes32(uint256(uint160(user))));
        _assertDerived(swaps[1], derivedLeg, derived);
        assertEq(usdc.token.balanceOf(usdc.custody), BUFFER, "all that came in");
        assertEq(treasury.balanceOf(usdc.custody), RESERVE + derived.tokenOutAmt);
        assertEq(delegate.totalWithheldCredits(usdc.custody), RESERVE + derived.tokenOutAmt);
        assertEq(usdc.token.balanceOf(stablecoinCustody), reserveBuffer + received);
        vm.revertToState(snapshot);
    }

    /// Swaps a leg whose sweep must fail, and compares it with the same leg without auto-liquidity. Restores the state
    /// afterwards.
    function _assertNoSweep(string memory cause, uint256 snapshot) private {
        uint256 broken = vm.snapshotState();
        ICoreSwap.SwapInputs memory leg = _leg(3, 5_000e6, false);
        Balances memory with = _settleAndMeasure(leg, 1);
        vm.revertToState(broken);
        vm.prank(address(usdc.delegate));
        core.setAutoLiquidityStablecoinID(usdc.id, 0);
        assertEq(abi.encode(_settleAndMeasure(leg, 1)), abi.encode(with), cause);
        vm.revertToState(snapshot);
    }

    function _settleAndMeasure(ICoreSwap.SwapInputs memory leg, uint256 legs) private returns (Balances memory b) {
        assertEq(_swapRecorded(leg).length, legs);
        b.userIn = _tokenOf(leg.assetInID).balanceOf(user);
        b.receiverOut = _tokenOf(leg.assetOutID).balanceOf(receiver);
        b.vaultFee = usdc.token.balanceOf(vault);
        b.custody = usdc.token.balanceOf(usdc.custody);
        b.reserveTokens = treasury.balanceOf(usdc.custody);
        b.reserveCredits = delegate.totalWithheldCredits(usdc.custody);
        b.reserveBuffer = usdc.token.balanceOf(stablecoinCustody);
    }

    function _assertSwapReverts(ICoreSwap.SwapInputs memory leg, bytes memory reason) private {
        vm.prank(user);
        vm.expectRevert(reason);
        core.swap(user, receiver, _one(leg), _noPermit());
    }

    function _clear() private {
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setAutoLiquidityStablecoinID(0);
    }

    function _shortfall(ICoreSwap.SwapInputs memory leg) private view returns (uint256 shortfall) {
        return _leaving(core.quoteSwap(user, leg), true) - usdc.token.balanceOf(usdc.custody);
    }

    /// Returns the amount that leaves the custody: the protocol fee and, if the leg pays the stablecoin out, the
    /// payout.
    function _leaving(ICoreSwap.SwapResolved memory amounts, bool paysOut) private pure returns (uint256 leaving) {
        return amounts.issuerFeeAmt + amounts.spreadFeeAmt + (paysOut ? amounts.tokenOutAmt : 0);
    }

    /// Returns the gross value of a redemption that pays `net` of `usdc`: scales up from 6 decimals, then adds the LP's
    /// 18 basis points.
    function _grossOf(uint256 net) private pure returns (uint256 gross) {
        uint256 netWad = net * 1e12;
        return (netWad * WAD + (WAD - 0.0018e18) - 1) / (WAD - 0.0018e18);
    }
}
