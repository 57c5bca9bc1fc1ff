// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapFixture} from "./CoreSwapFixture.sol";
import {ReferenceQuote} from "./ReferenceQuote.sol";
import {Vm} from "forge-std/Vm.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @title DecimalsFixture
/// @notice Two stablecoins and two RWAs for each of 0, 6, 8 and 18 decimals, and legs between any of them with any
/// prices and rates. The first of each pair goes in or settles between RWAs, and the second goes out.
abstract contract DecimalsFixture is CoreSwapFixture {
    /// The values that a fuzz run draws; {_prepare} brings them into range.
    struct Draw {
        uint256 routeId;
        uint256 amount;
        uint256 inIndex;
        uint256 outIndex;
        uint256 settlementIndex;
        bool settledByIn;
        bool exempt;
        uint256 priceIn;
        uint256 priceOut;
        uint256 priceC;
        uint256 i;
        uint256 t;
        uint256 d1;
        uint256 d2;
    }

    /// A leg, its terms for the reference, and the LP that settles it.
    struct Prepared {
        ICoreSwap.SwapInputs leg;
        ReferenceQuote.Terms terms;
        LP lp;
        TestToken tokenIn;
        TestToken tokenOut;
    }

    /// Small enough that the other amount stays within its bound for any draw: a millionth of the price at rates of
    /// 0.99.
    uint256 internal constant MAX_WHOLE_TOKENS = 1e8;
    uint256 internal constant MIN_PRICE = 1e15;
    uint256 internal constant MAX_PRICE = 1e21;

    uint8[4] internal decimalsUnderTest = [0, 6, 8, 18];
    LP[4] internal stablecoinsIn;
    LP[4] internal stablecoinsOut;
    RWA[4] internal rwasIn;
    RWA[4] internal rwasOut;

    function setUp() public override {
        (user, userKey) = makeAddrAndKey("user");
        _deployCore();
        for (uint256 k = 0; k < 4; ++k) {
            uint8 d = decimalsUnderTest[k];
            stablecoinsIn[k] = _addStablecoin(string.concat("SIN", vm.toString(d)), d, WAD, address(0));
            stablecoinsOut[k] = _addStablecoin(string.concat("SOUT", vm.toString(d)), d, WAD, address(0));
            rwasIn[k] = _addRWA(string.concat("RIN", vm.toString(d)), d, WAD);
            rwasOut[k] = _addRWA(string.concat("ROUT", vm.toString(d)), d, WAD);
        }
    }

    /// Sets prices and rates as drawn and returns the leg with its terms.
    function _prepare(Draw memory draw) internal returns (Prepared memory p) {
        ReferenceQuote.Terms memory terms = p.terms;
        p.leg.routeId = bound(draw.routeId, 1, 8);
        _chooseAssets(p, draw);
        _setPrices(p, draw);
        _setRates(p, draw);

        // Half of the runs use dust, where rounding matters most.
        terms.exactIn = p.leg.routeId % 2 == 1;
        uint256 whole = 10 ** (terms.exactIn ? terms.decimalsIn : terms.decimalsOut);
        terms.amount = bound(draw.amount, 1, draw.amount % 2 == 0 ? 1_000 : MAX_WHOLE_TOKENS * whole);
        _setAmount(p.leg, terms.amount);
    }

    /// Writes the exact side of a leg and leaves the bound open.
    function _setAmount(ICoreSwap.SwapInputs memory leg, uint256 amount) internal pure {
        if (leg.routeId % 2 == 1) (leg.assetInAmt, leg.assetOutAmt) = (amount, 0);
        else (leg.assetInAmt, leg.assetOutAmt) = (type(uint256).max, amount);
    }

    /// Funds the user and the custody for the amounts, and sets the approvals.
    function _fund(Prepared memory p, ICoreSwap.SwapResolved memory amounts) internal {
        p.tokenIn.mint(user, amounts.tokenInAmt);
        p.tokenOut.mint(p.lp.custody, amounts.tokenOutAmt);
        p.lp.token.mint(p.lp.custody, amounts.issuerFeeAmt + amounts.spreadFeeAmt);
        vm.prank(user);
        p.tokenIn.approve(address(p.lp.delegate), type(uint256).max);
    }

    /// Swaps, and returns the amounts in the single event of the leg.
    function _swapAndRead(ICoreSwap.SwapInputs memory leg) internal returns (ICoreSwap.SwapResolved memory realized) {
        vm.recordLogs();
        _swap(leg);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 events;
        for (uint256 k = 0; k < logs.length; ++k) {
            if (logs[k].topics[0] != ICoreSwap.Swap.selector) continue;
            ++events;
            (,,,, realized) = abi.decode(logs[k].data, (address, address, uint256, bytes32, ICoreSwap.SwapResolved));
        }
        assertEq(events, 1, "one event a leg");
    }

    function _assertEq(ICoreSwap.SwapResolved memory a, ICoreSwap.SwapResolved memory b) internal pure {
        assertEq(a.tokenInAmt, b.tokenInAmt, "tokenInAmt");
        assertEq(a.tokenOutAmt, b.tokenOutAmt, "tokenOutAmt");
        assertEq(a.issuerFeeAmt, b.issuerFeeAmt, "issuerFeeAmt");
        assertEq(a.spreadFeeAmt, b.spreadFeeAmt, "spreadFeeAmt");
        assertEq(a.lpFeeAmt, b.lpFeeAmt, "lpFeeAmt");
    }

    function _chooseAssets(Prepared memory p, Draw memory draw) private view {
        (bool isRWAIn, bool isRWAOut) = _kinds(p.leg.routeId);
        uint256 a = bound(draw.inIndex, 0, 3);
        uint256 b = bound(draw.outIndex, 0, 3);
        uint256 c = bound(draw.settlementIndex, 0, 3);
        p.terms.decimalsIn = decimalsUnderTest[a];
        p.terms.decimalsOut = decimalsUnderTest[b];
        (p.leg.assetInID, p.tokenIn) =
            isRWAIn ? (rwasIn[a].id, rwasIn[a].token) : (stablecoinsIn[a].id, stablecoinsIn[a].token);
        (p.leg.assetOutID, p.tokenOut) =
            isRWAOut ? (rwasOut[b].id, rwasOut[b].token) : (stablecoinsOut[b].id, stablecoinsOut[b].token);

        p.terms.inSettles = !isRWAIn && (isRWAOut || draw.settledByIn);
        p.terms.outSettles = !isRWAOut && (isRWAIn || !draw.settledByIn);
        if (p.terms.inSettles) p.lp = stablecoinsIn[a];
        else if (p.terms.outSettles) p.lp = stablecoinsOut[b];
        else p.lp = stablecoinsIn[c];
        p.leg.stablecoinDelegateID = p.lp.id;
        p.terms.decimalsC = p.lp.token.decimals();
    }

    function _setPrices(Prepared memory p, Draw memory draw) private {
        (bool isRWAIn, bool isRWAOut) = _kinds(p.leg.routeId);
        ReferenceQuote.Terms memory terms = p.terms;
        terms.priceC = bound(draw.priceC, 0.5e18, 2e18);
        terms.priceIn = terms.inSettles ? terms.priceC : bound(draw.priceIn, MIN_PRICE, MAX_PRICE);
        terms.priceOut = terms.outSettles ? terms.priceC : bound(draw.priceOut, MIN_PRICE, MAX_PRICE);
        _setPrice(isRWAIn, p.leg.assetInID, terms.priceIn);
        _setPrice(isRWAOut, p.leg.assetOutID, terms.priceOut);
        _setPrice(false, p.lp.id, terms.priceC);
    }

    function _setPrice(bool isRWA, bytes32 id, uint256 price) internal {
        if (isRWA) {
            _adapterOf(id).setPrice(price);
        } else {
            vm.prank(operator);
            core.setStablecoinUSDValue(id, price);
        }
    }

    function _setRates(Prepared memory p, Draw memory draw) private {
        (bool isRWAIn, bool isRWAOut) = _kinds(p.leg.routeId);
        ReferenceQuote.Terms memory terms = p.terms;
        terms.d1 = bound(draw.d1, 0, MAX_RATE);
        terms.d2 = isRWAIn && isRWAOut ? bound(draw.d2, 0, MAX_RATE) : 0;
        uint256 i = bound(draw.i, 0, MAX_RATE);
        uint256 t = bound(draw.t, 0, WAD);
        (terms.i, terms.t) = draw.exempt ? (0, 0) : (i, t);

        vm.startPrank(operator);
        core.setIssuerPaidProtocolFeeRate(p.lp.id, i);
        core.setSpreadProtocolTakeRate(t);
        core.setProtocolFeeExempt(p.lp.id, draw.exempt);
        vm.stopPrank();

        _uncap(address(p.lp.delegate), address(p.tokenIn));
        vm.startPrank(p.lp.issuerAdmin);
        if (isRWAIn) {
            p.lp.delegate.setRWADiscountRate(p.leg.assetInID, terms.d1);
            p.lp.delegate.whitelistRWA(address(p.tokenIn), true);
        }
        if (isRWAOut) {
            p.lp.delegate.setRWARedemptionFee(p.leg.assetOutID, isRWAIn ? terms.d2 : terms.d1);
            p.lp.delegate.whitelistRWA(address(p.tokenOut), true);
        }
        if (!isRWAIn && !isRWAOut) {
            TestToken foreign = terms.inSettles ? p.tokenOut : p.tokenIn;
            if (terms.inSettles) p.lp.delegate.setStablecoinRedemptionFee(address(foreign), terms.d1);
            else p.lp.delegate.setStablecoinAcceptanceFee(address(foreign), terms.d1);
            p.lp.delegate.whitelistStablecoin(address(foreign), true);
        }
        vm.stopPrank();
    }
}
