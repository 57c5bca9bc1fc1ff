// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegateFixture} from "../helpers/TreasuryDelegateFixture.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Vm} from "forge-std/Vm.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";

/// A leg settled by the treasury delegate has the result of its quote, on every route, with every rate set, for an
/// account whose accrual and merging the quote has to project.
contract TreasuryQuoteTest is TreasuryDelegateFixture {
    /// Balances and credits that a leg may change.
    struct Holdings {
        uint256 userIn;
        uint256 receiverOut;
        uint256 custodyIn;
        uint256 custodyOut;
        uint256 supply;
        uint256 userCredits;
        uint256 receiverCredits;
        uint256 vaultTokens;
        uint256 vaultCredits;
    }

    ICoreSwap.SwapInputs private leg;
    bool private stablecoinWithdrawal;
    bool private treasuryIn;
    bool private treasuryOut;
    /// The `effectiveValue` of the last redemption.
    uint256 private claimed;

    function setUp() public override {
        super.setUp();
        _setTreasuryRates();
        _admit(receiver);
        for (uint256 day = DAY_ZERO; day < DAY_ZERO + 6; ++day) {
            _goToDayAndPost(day);
            if (day % 2 == 0) _deposit(alice, 100_000e18 + day);
            else _depositRWA(alice, 50_000e18 + day);
        }
    }

    /// forge-config: default.fuzz.runs = 256
    function testFuzz_S1_D11_Swap_DoesWhatTheQuoteOfTheSameBlockSaid(
        uint256 routeId,
        uint256 amount,
        uint256 elapsed,
        uint256 posted,
        bool secondStablecoin,
        bool redeems
    ) public {
        _choose(bound(routeId, 1, 8), secondStablecoin, redeems);
        vm.warp(vm.getBlockTimestamp() + bound(elapsed, 0, 10 days));
        uint256 last = delegate.lastRatePostingDay();
        for (uint256 day = last + 1; day < _today() && day <= last + bound(posted, 0, 10); ++day) {
            _post(day, RATE);
        }
        _setAmount(amount);

        ICoreSwap.SwapResolved memory quote = core.quoteSwap(alice, leg);
        uint256 value =
            treasuryIn ? quote.tokenInAmt + delegate.getYieldAmount(alice, quote.tokenInAmt, stablecoinWithdrawal) : 0;
        Holdings memory before = _holdings();
        _assertEqual(_swapAndRead(), quote);
        _assertMoved(before, _holdings(), quote);
        if (treasuryIn) {
            assertEq(claimed, value, "the delegate redeemed what the view said");
            _assertRedemption(quote, value);
        }
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_S2_QuoteAndSwap_BeyondTheCredits_RevertAlike(uint256 routeId, uint256 excess, bool second)
        public
    {
        routeId = bound(routeId, 0, 1) == 0 ? 3 : 7;
        _choose(routeId, second, true);
        uint256 held = delegate.credits(alice) + delegate.totalWithheldCredits(alice);
        // Tokens beyond the credits, as bought on a secondary market.
        _deposit(bob, 1_000_000e18);
        vm.prank(bob);
        treasury.transfer(alice, 1_000_000e18);
        leg.assetInAmt = held + bound(excess, 1, 900_000e18);
        bytes memory expected =
            abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, leg.assetInAmt, held);
        vm.expectRevert(expected);
        core.quoteSwap(alice, leg);
        vm.expectRevert(expected);
        _swapAs(alice, receiver, leg);

        ++leg.routeId;
        (leg.assetInAmt, leg.assetOutAmt) = (ALL, 900_000e18);
        vm.expectPartialRevert(IYieldBearingDelegate.InsufficientCredits.selector);
        core.quoteSwap(alice, leg);
        vm.expectPartialRevert(IYieldBearingDelegate.InsufficientCredits.selector);
        _swapAs(alice, receiver, leg);
    }

    function _choose(uint256 routeId, bool second, bool redeems) private {
        bytes32 rwaIn = second ? bond.id : bill.id;
        bytes32 rwaOut = second ? bill.id : bond.id;
        bytes32 stablecoin = second ? usdx.id : usdc.id;
        leg.routeId = routeId;
        leg.stablecoinDelegateID = trsy;
        if (routeId <= 2) (leg.assetInID, leg.assetOutID) = (rwaIn, trsy);
        else if (routeId <= 4) (leg.assetInID, leg.assetOutID) = (trsy, rwaOut);
        else if (routeId <= 6) (leg.assetInID, leg.assetOutID) = (rwaIn, rwaOut);
        else if (redeems) (leg.assetInID, leg.assetOutID) = (trsy, stablecoin);
        else (leg.assetInID, leg.assetOutID) = (stablecoin, trsy);
        treasuryIn = leg.assetInID == trsy;
        treasuryOut = leg.assetOutID == trsy;
        stablecoinWithdrawal = routeId >= 7;
    }

    function _setAmount(uint256 amount) private {
        uint256 unit = 10 ** _decimals(leg.routeId % 2 == 1 ? leg.assetInID : leg.assetOutID);
        // Half of the runs use small amounts, where rounding shows. A unit of an exact-out asset is always worth less
        // than 400.
        amount = bound(amount, unit / 1_000, amount % 2 == 0 ? unit : 500 * unit);
        if (leg.routeId % 2 == 1) leg.assetInAmt = amount;
        else (leg.assetInAmt, leg.assetOutAmt) = (ALL, amount);
    }

    function _assertMoved(Holdings memory before, Holdings memory later, ICoreSwap.SwapResolved memory quote)
        private
        view
    {
        uint256 fee = quote.issuerFeeAmt + quote.spreadFeeAmt;
        uint256 burned = treasuryIn ? quote.tokenInAmt : 0;
        uint256 minted = treasuryOut ? quote.tokenOutAmt : 0;
        assertEq(before.userIn - later.userIn, quote.tokenInAmt, "user pays");
        assertEq(later.receiverOut - before.receiverOut, quote.tokenOutAmt, "receiver gets");
        assertEq(later.custodyIn - before.custodyIn, treasuryIn ? 0 : quote.tokenInAmt, "custody takes");
        assertEq(before.custodyOut - later.custodyOut, treasuryOut ? 0 : quote.tokenOutAmt, "custody pays");
        assertEq(later.supply + burned, before.supply + minted + fee, "supply");
        assertEq(before.userCredits - later.userCredits, burned, "credits consumed");
        assertEq(later.receiverCredits - before.receiverCredits, minted, "credits granted");
        assertEq(later.vaultTokens - before.vaultTokens, fee, "vault's tokens");
        assertEq(later.vaultCredits - before.vaultCredits, fee, "vault's credits");
        assertEq(treasury.balanceOf(address(delegate)), 0, "the delegate keeps nothing");
    }

    /// The value of the redeemed tokens pays the receiver and the fees. An exact-out leg may leave a rest in the
    /// reserve.
    function _assertRedemption(ICoreSwap.SwapResolved memory quote, uint256 value) private view {
        uint256 fees = quote.issuerFeeAmt + quote.spreadFeeAmt + quote.lpFeeAmt;
        uint256 paid = _valueInTreasury(leg.assetOutID, quote.tokenOutAmt);
        assertLe(paid + fees, value);
        uint256 oneUnitOut = _valueInTreasury(leg.assetOutID, 1);
        assertLe(value - paid - fees, oneUnitOut + 12, "nothing but rounding is left");
    }

    function _valueInTreasury(bytes32 id, uint256 amount) private view returns (uint256) {
        uint256 amountWad = amount * 10 ** (18 - _decimals(id));
        if (id == usdc.id) return amountWad;
        if (id == usdx.id) return amountWad * 0.9995e18 / WAD;
        return amountWad * _adapterOf(id).getPrice() / WAD;
    }

    function _holdings() private view returns (Holdings memory h) {
        IERC20 tokenIn = _anyToken(leg.assetInID);
        IERC20 tokenOut = _anyToken(leg.assetOutID);
        h.userIn = tokenIn.balanceOf(alice);
        h.receiverOut = tokenOut.balanceOf(receiver);
        h.custodyIn = tokenIn.balanceOf(leg.routeId >= 7 ? stablecoinCustody : rwaCustody);
        h.custodyOut = tokenOut.balanceOf(leg.routeId >= 7 ? stablecoinCustody : rwaCustody);
        h.supply = treasury.totalSupply();
        h.userCredits = _credits(alice);
        h.receiverCredits = _credits(receiver);
        h.vaultTokens = treasury.balanceOf(vault);
        h.vaultCredits = _credits(vault);
    }

    function _credits(address who) private view returns (uint256) {
        return delegate.credits(who) + delegate.totalWithheldCredits(who);
    }

    function _anyToken(bytes32 id) private view returns (IERC20) {
        return id == trsy ? IERC20(address(treasury)) : IERC20(address(_tokenOf(id)));
    }

    function _decimals(bytes32 id) private view returns (uint256) {
        return id == trsy ? 18 : _tokenOf(id).decimals();
    }

    function _swapAndRead() private returns (ICoreSwap.SwapResolved memory realized) {
        vm.recordLogs();
        _swapAs(alice, receiver, leg);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 events;
        for (uint256 k = 0; k < logs.length; ++k) {
            if (logs[k].topics[0] == ITreasuryDelegate.YieldClaimed.selector) {
                (,, claimed) = abi.decode(logs[k].data, (uint256, uint256, uint256));
            }
            if (logs[k].topics[0] != ICoreSwap.Swap.selector) continue;
            ++events;
            (,,,, realized) = abi.decode(logs[k].data, (address, address, uint256, bytes32, ICoreSwap.SwapResolved));
        }
        assertEq(events, 1, "one event a leg");
    }

    function _assertEqual(ICoreSwap.SwapResolved memory a, ICoreSwap.SwapResolved memory b) private pure {
        assertEq(abi.encode(a), abi.encode(b), "quote and swap");
    }
}
