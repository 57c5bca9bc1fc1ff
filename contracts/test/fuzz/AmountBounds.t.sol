// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DecimalsFixture} from "../helpers/DecimalsFixture.sol";
import {ReferenceQuote} from "../helpers/ReferenceQuote.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// Compares legs of any size, within and beyond the bounds of amounts and prices, with the published formulas. Legs
/// within the bounds are quoted exactly, whatever the intermediate values, and all others are refused.
contract AmountBoundsTest is DecimalsFixture {
    uint256 private constant MAX = type(uint128).max;

    function testFuzz_S24_WithinTheBounds_AQuoteIsExact_AndNothingElsePasses(Draw memory draw) public {
        Prepared memory p = _prepareOfAnySize(draw);
        uint256 decimals = p.terms.exactIn ? p.terms.decimalsIn : p.terms.decimalsOut;
        bytes4 exactError = p.terms.exactIn ? _inputError(p.leg.routeId) : _outputError(p.leg.routeId);
        bytes4 resultError = p.terms.exactIn ? _outputError(p.leg.routeId) : _inputError(p.leg.routeId);
        if (!_isWithin(p.terms.amount, decimals)) {
            vm.expectRevert(exactError);
            core.quoteSwap(user, p.leg);
            return;
        }
        (bool fits, ReferenceQuote.Result memory expected) = _tryReference(p.terms);
        if (p.terms.exactIn) assertTrue(fits, "from a bounded amount in, nothing overflows");
        uint256 result = p.terms.exactIn ? expected.amountOut : expected.amountIn;
        decimals = p.terms.exactIn ? p.terms.decimalsOut : p.terms.decimalsIn;
        if (!fits || result == 0 || !_isWithin(result, decimals)) {
            vm.expectRevert(resultError);
            core.quoteSwap(user, p.leg);
            return;
        }
        _assertEq(
            core.quoteSwap(user, p.leg),
            ICoreSwap.SwapResolved(
                expected.amountIn, expected.amountOut, expected.issuerFee, expected.spreadFee, expected.lpFee
            )
        );
    }

    /// Exact-in and exact-out are mirrors: each undoes the other, except for roundings against the taker.
    function testFuzz_S6_OfAnySize_ExactInAndExactOutAreMirrors(Draw memory draw) public {
        Prepared memory p = _prepareOfAnySize(draw);
        (bool quoted, ICoreSwap.SwapResolved memory there) = _tryQuote(p.leg);
        vm.assume(quoted);
        if (p.terms.exactIn) {
            ++p.leg.routeId;
            _setAmount(p.leg, there.tokenOutAmt);
            ICoreSwap.SwapResolved memory back = core.quoteSwap(user, p.leg);
            assertLe(back.tokenInAmt, there.tokenInAmt);
            assertEq(back.tokenOutAmt, there.tokenOutAmt);
        } else {
            --p.leg.routeId;
            _setAmount(p.leg, there.tokenInAmt);
            ICoreSwap.SwapResolved memory back;
            (quoted, back) = _tryQuote(p.leg);
            // The excess of a rounded amount in may buy more than the bound, and is then refused.
            if (!quoted) return;
            assertGe(back.tokenOutAmt, there.tokenOutAmt);
            assertEq(back.tokenInAmt, there.tokenInAmt);
        }
    }

    /// Without rounding, they are exact inverses of each other.
    function testFuzz_S6_WithoutRounding_ExactInAndExactOutAreInverse(Draw memory draw, uint256 units) public {
        (draw.i, draw.t, draw.d1, draw.d2) = (0, 0, 0, 0);
        (draw.priceIn, draw.priceOut, draw.priceC) = (WAD, WAD, WAD);
        Prepared memory p = _prepare(draw);
        units = bound(units, 1, MAX / WAD);
        (uint256 amountIn, uint256 amountOut) = (units * 10 ** p.terms.decimalsIn, units * 10 ** p.terms.decimalsOut);
        _setAmount(p.leg, p.terms.exactIn ? amountIn : amountOut);
        ICoreSwap.SwapResolved memory quote = core.quoteSwap(user, p.leg);
        assertEq(quote.tokenInAmt, amountIn);
        assertEq(quote.tokenOutAmt, amountOut);
    }

    /// @dev External, so that an overflow of 256 bits can be caught.
    function resolve(ReferenceQuote.Terms memory terms) external pure returns (ReferenceQuote.Result memory result) {
        return ReferenceQuote.resolve(terms);
    }

    /// Draws prices up to the bound, USD values up to their maximum, and amounts that sometimes exceed the bound, all
    /// of any magnitude.
    function _prepareOfAnySize(Draw memory draw) private returns (Prepared memory p) {
        p = _prepare(draw);
        ReferenceQuote.Terms memory terms = p.terms;
        (bool isRWAIn, bool isRWAOut) = _kinds(p.leg.routeId);
        terms.priceC = _ofAnySize(draw.priceC, 88);
        terms.priceIn = terms.inSettles ? terms.priceC : _ofAnySize(draw.priceIn, isRWAIn ? 128 : 88);
        terms.priceOut = terms.outSettles ? terms.priceC : _ofAnySize(draw.priceOut, isRWAOut ? 128 : 88);
        _setPrice(isRWAIn, p.leg.assetInID, terms.priceIn);
        _setPrice(isRWAOut, p.leg.assetOutID, terms.priceOut);
        _setPrice(false, p.lp.id, terms.priceC);
        terms.amount = _ofAnySize(draw.amount, 130);
        _setAmount(p.leg, terms.amount);
    }

    /// Returns a number of 1 … `bits` bits. A quarter of the time, all of its bits are set.
    function _ofAnySize(uint256 word, uint256 bits) private pure returns (uint256 number) {
        bits = word % bits + 1;
        number = 2 ** bits - 1;
        if (word >> 254 != 0) number = bound(word >> 8, 2 ** (bits - 1), number);
    }

    function _isWithin(uint256 amount, uint256 decimals) private pure returns (bool) {
        return amount <= MAX / 10 ** (18 - decimals);
    }

    function _tryReference(ReferenceQuote.Terms memory terms)
        private
        view
        returns (bool fits, ReferenceQuote.Result memory result)
    {
        try this.resolve(terms) returns (ReferenceQuote.Result memory r) {
            return (true, r);
        } catch {
            fits = false;
        }
    }

    function _tryQuote(ICoreSwap.SwapInputs memory leg)
        private
        view
        returns (bool quoted, ICoreSwap.SwapResolved memory quote)
    {
        try core.quoteSwap(user, leg) returns (ICoreSwap.SwapResolved memory q) {
            return (true, q);
        } catch {
            quoted = false;
        }
    }
}
