// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DecimalsFixture} from "../helpers/DecimalsFixture.sol";
import {ReferenceQuote} from "../helpers/ReferenceQuote.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// Compares the amounts of every route, at any prices, rates and decimals, with the published formulas.
contract QuoteFuzzTest is DecimalsFixture {
    function testFuzz_S10_QuoteEqualsTheReference(Draw memory draw) public {
        Prepared memory p = _prepare(draw);
        ReferenceQuote.Result memory expected = ReferenceQuote.resolve(p.terms);
        if (expected.amountOut == 0) {
            vm.expectRevert(_outputError(p.leg.routeId));
            core.quoteSwap(user, p.leg);
            return;
        }
        _assertEq(
            core.quoteSwap(user, p.leg),
            ICoreSwap.SwapResolved({
                tokenInAmt: expected.amountIn,
                tokenOutAmt: expected.amountOut,
                issuerFeeAmt: expected.issuerFee,
                spreadFeeAmt: expected.spreadFee,
                lpFeeAmt: expected.lpFee
            })
        );
        assertEq(expected.gross, expected.net + expected.issuerFee + expected.spreadFee + expected.lpFee);
    }

    function testFuzz_S1_SwapEqualsTheQuote(Draw memory draw) public {
        Prepared memory p = _prepare(draw);
        (bool quoted, ICoreSwap.SwapResolved memory quote) = _tryQuote(p.leg);
        vm.assume(quoted);
        _fund(p, quote);
        uint256 vaultBefore = p.lp.token.balanceOf(vault);
        _assertEq(_swapAndRead(p.leg), quote);
        assertEq(p.tokenOut.balanceOf(receiver), quote.tokenOutAmt, "receiver");
        assertEq(p.tokenIn.balanceOf(user), 0, "user");
        assertEq(p.lp.token.balanceOf(vault) - vaultBefore, quote.issuerFeeAmt + quote.spreadFeeAmt, "vault");
    }

    /// On the side of the settling stablecoin, the quoted net amount and fees add up to the gross amount.
    function testFuzz_S5_GrossIsNetAndFees(Draw memory draw) public {
        Prepared memory p = _prepare(draw);
        (bool quoted, ICoreSwap.SwapResolved memory q) = _tryQuote(p.leg);
        vm.assume(quoted);
        uint256 fees = q.issuerFeeAmt + q.spreadFeeAmt + q.lpFeeAmt;
        ReferenceQuote.Result memory expected = ReferenceQuote.resolve(p.terms);
        if (p.terms.inSettles) assertEq(q.tokenInAmt, expected.net + fees);
        else if (p.terms.outSettles) assertEq(expected.gross, q.tokenOutAmt + fees);
        else assertEq(expected.gross, expected.net + fees);
        if (draw.exempt) assertEq(q.issuerFeeAmt + q.spreadFeeAmt, 0, "an exempt leg pays no protocol fee");
    }

    function testFuzz_S6_ExactOutOfExactInsOutputNeverCostsMore(Draw memory draw) public {
        draw.routeId = _odd(draw.routeId);
        Prepared memory p = _prepare(draw);
        (bool quoted, ICoreSwap.SwapResolved memory exactIn) = _tryQuote(p.leg);
        vm.assume(quoted);
        ++p.leg.routeId;
        _setAmount(p.leg, exactIn.tokenOutAmt);
        assertLe(core.quoteSwap(user, p.leg).tokenInAmt, exactIn.tokenInAmt);
    }

    function testFuzz_S6_ExactInOfExactOutsInputNeverPaysLess(Draw memory draw) public {
        draw.routeId = _odd(draw.routeId) + 1;
        Prepared memory p = _prepare(draw);
        ICoreSwap.SwapResolved memory exactOut = core.quoteSwap(user, p.leg);
        --p.leg.routeId;
        _setAmount(p.leg, exactOut.tokenInAmt);
        assertGe(core.quoteSwap(user, p.leg).tokenOutAmt, exactOut.tokenOutAmt);
    }

    function testFuzz_S8_MoreInNeverPaysLess(Draw memory draw, uint256 more) public {
        draw.routeId = _odd(draw.routeId);
        Prepared memory p = _prepare(draw);
        (bool quoted, ICoreSwap.SwapResolved memory less) = _tryQuote(p.leg);
        vm.assume(quoted);
        _setAmount(p.leg, p.terms.amount + bound(more, 0, p.terms.amount));
        assertGe(core.quoteSwap(user, p.leg).tokenOutAmt, less.tokenOutAmt);
    }

    function testFuzz_S9_BoundIsHonoredExactly(Draw memory draw) public {
        Prepared memory p = _prepare(draw);
        (bool quoted, ICoreSwap.SwapResolved memory q) = _tryQuote(p.leg);
        vm.assume(quoted);
        _fund(p, q);
        (p.leg.assetInAmt, p.leg.assetOutAmt) = (q.tokenInAmt, q.tokenOutAmt);
        if (p.terms.exactIn) ++p.leg.assetOutAmt;
        else --p.leg.assetInAmt;
        vm.expectRevert(p.terms.exactIn ? _outputError(p.leg.routeId) : _inputError(p.leg.routeId));
        _swap(p.leg);

        (p.leg.assetInAmt, p.leg.assetOutAmt) = (q.tokenInAmt, q.tokenOutAmt);
        _assertEq(_swapAndRead(p.leg), q);
    }

    /// For any amount, price, value and rate, the quote returns or reverts with a named reason, and never panics.
    function testFuzz_QuoteNeverPanics(Draw memory draw, uint256 rawPrice, uint256 rawAmount) public {
        Prepared memory p = _prepare(draw);
        (bool isRWAIn, bool isRWAOut) = _kinds(p.leg.routeId);
        if (isRWAIn) _adapterOf(p.leg.assetInID).setPrice(rawPrice);
        if (isRWAOut) _adapterOf(p.leg.assetOutID).setPrice(rawPrice);
        vm.prank(operator);
        core.setStablecoinUSDValue(p.lp.id, draw.priceC % (uint256(type(uint88).max) + 1));
        _setAmount(p.leg, rawAmount);
        try core.quoteSwap(user, p.leg) returns (ICoreSwap.SwapResolved memory q) {
            assertGt(q.tokenInAmt, 0);
            assertGt(q.tokenOutAmt, 0);
        } catch (bytes memory reason) {
            // An error's selector is the first four bytes of the revert data.
            // forge-lint: disable-next-line(unsafe-typecast)
            bytes4 selector = bytes4(reason);
            assertTrue(
                selector == _inputError(p.leg.routeId) || selector == _outputError(p.leg.routeId)
                    || selector == ICoreSwap.InvalidPrice.selector || selector == ICoreSwap.USDValueNotSet.selector,
                vm.toString(reason)
            );
        }
    }

    function _tryQuote(ICoreSwap.SwapInputs memory leg)
        private
        view
        returns (bool quoted, ICoreSwap.SwapResolved memory quote)
    {
        try core.quoteSwap(user, leg) returns (ICoreSwap.SwapResolved memory q) {
            return (true, q);
        } catch (bytes memory reason) {
            // A prepared leg may only fail because it is dust that buys nothing.
            // forge-lint: disable-next-line(unsafe-typecast)
            assertEq(bytes4(reason), _outputError(leg.routeId));
        }
    }

    function _odd(uint256 routeId) private pure returns (uint256) {
        return 2 * bound(routeId, 0, 3) + 1;
    }
}
