// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DecimalsFixture} from "../helpers/DecimalsFixture.sol";
import {SettablePriceAdapter} from "../mocks/SettablePriceAdapter.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// Properties of any swap, between assets of any decimals at any prices and rates.
contract SwapPropertiesTest is DecimalsFixture {
    /// The balances that a leg may change, and CoreSwap's, which it may not change.
    struct Balances {
        uint256 userIn;
        uint256 receiverOut;
        uint256 custodyIn;
        uint256 custodyOut;
        uint256 custodyC;
        uint256 vaultC;
        uint256 core;
    }

    uint256 private constant INFINITE = type(uint256).max;

    /* S2: quotes revert as swaps do */

    function testFuzz_S2_QuoteAndSwap_RevertAlike(Draw memory draw, uint256 flaw) public {
        Prepared memory p = _prepare(draw);
        (bool quotes,) = _tryQuote(p.leg);
        if (quotes) _fund(p, core.quoteSwap(user, p.leg));
        _spoil(p, bound(flaw, 0, 11));

        (bool quoted, bytes memory answer) = address(core).staticcall(abi.encodeCall(core.quoteSwap, (user, p.leg)));
        vm.prank(user);
        (bool swapped, bytes memory reason) =
            address(core).call(abi.encodeCall(core.swap, (user, receiver, _one(p.leg), _noPermit())));
        assertEq(swapped, quoted, "both or neither");
        if (!quoted) assertEq(reason, answer, "for the same reason");
    }

    /// Makes a leg invalid in one of the ways that a quote checks. Flaw 0 leaves it unchanged.
    function _spoil(Prepared memory p, uint256 flaw) private {
        (bool isRWAIn, bool isRWAOut) = _kinds(p.leg.routeId);
        bytes32 c = p.lp.id;
        if (flaw == 1) p.leg.routeId = 9;
        if (flaw == 2) p.leg.assetInID = _id("unknown");
        if (flaw == 3) p.leg.assetOutID = p.leg.assetInID;
        if (flaw == 4) p.leg.stablecoinDelegateID = _id("unknown");
        if (flaw == 5) _setAmount(p.leg, 0);
        if (flaw == 6) _setAmount(p.leg, INFINITE);
        vm.startPrank(operator);
        if (flaw == 7) core.setStablecoinUSDValue(c, 0);
        if (flaw == 8) core.setStablecoinAcceptance(c, address(p.lp.delegate), address(p.lp.token), false, false);
        if (flaw == 9) core.configureStablecoinGuardrail(c, address(0), 0.1e18, true);
        if (flaw == 10 && (isRWAIn || isRWAOut)) {
            core.setRwaPriceAdapter(isRWAIn ? p.leg.assetInID : p.leg.assetOutID, address(0));
        }
        vm.stopPrank();
        if (flaw == 11 && (isRWAIn || isRWAOut)) _adapterOf(isRWAIn ? p.leg.assetInID : p.leg.assetOutID).setPrice(0);
    }

    /* S3, S4, S5, S22: transfers */

    function testFuzz_S3_S4_S5_S22_Swap_MovesWhatTheEventSaysAndNothingElse(Draw memory draw) public {
        Prepared memory p = _prepareQuotable(draw);
        _fund(p, core.quoteSwap(user, p.leg));
        Balances memory before = _balances(p);
        ICoreSwap.SwapResolved memory r = _swapAndRead(p.leg);
        Balances memory later = _balances(p);

        uint256 fee = r.issuerFeeAmt + r.spreadFeeAmt;
        assertEq(before.userIn - later.userIn, r.tokenInAmt, "the user pays");
        assertEq(later.receiverOut - before.receiverOut, r.tokenOutAmt, "the receiver gets");
        assertEq(later.custodyIn - before.custodyIn, p.terms.inSettles ? r.tokenInAmt - fee : r.tokenInAmt, "taken in");
        assertEq(before.custodyOut - later.custodyOut, p.terms.outSettles ? r.tokenOutAmt + fee : r.tokenOutAmt, "paid");
        assertEq(later.vaultC - before.vaultC, fee, "the vault gains the protocol's part");
        if (draw.exempt) assertEq(fee, 0, "exempt");
        if (!p.terms.inSettles && !p.terms.outSettles) {
            assertEq(before.custodyC - later.custodyC, fee, "the fee is paid");
        }
        assertEq(later.core, 0, "CoreSwap holds nothing");
        assertEq(p.tokenIn.allowance(address(core), address(p.lp.delegate)), 0, "CoreSwap approves nothing");
    }

    /* S7: cycles and splits */

    /// Swaps there and back at the same prices with the same LP, without fees, which would hide a gain.
    function testFuzz_S7_ThereAndBack_NeverGains(Draw memory draw, bool exactOutBack) public {
        (draw.i, draw.t, draw.d1, draw.d2) = (0, 0, 0, 0);
        draw.routeId = 2 * bound(draw.routeId, 0, 3) + 1;
        Prepared memory p = _prepareQuotable(draw);
        uint256 paid = p.terms.amount;
        uint256 got = core.quoteSwap(user, p.leg).tokenOutAmt;

        ICoreSwap.SwapInputs memory back = p.leg;
        (back.assetInID, back.assetOutID) = (p.leg.assetOutID, p.leg.assetInID);
        if (back.routeId == 1) back.routeId = 3;
        else if (back.routeId == 3) back.routeId = 1;
        if (exactOutBack) {
            // To receive the paid amount back takes at least the whole amount received.
            ++back.routeId;
            _setAmount(back, paid);
            assertGe(core.quoteSwap(user, back).tokenInAmt, got);
        } else {
            _setAmount(back, got);
            (bool quoted, ICoreSwap.SwapResolved memory q) = _tryQuote(back);
            if (quoted) assertLe(q.tokenOutAmt, paid);
        }
    }

    /// Swaps a stablecoin into an RWA with one LP, out of it with another LP for another stablecoin, and back.
    function testFuzz_S7_Triangle_NeverGains(Draw memory draw, uint256 amount) public {
        (draw.i, draw.t, draw.d1, draw.d2, draw.routeId) = (0, 0, 0, 0, 7);
        Prepared memory p = _prepareQuotable(draw);
        RWA memory rwa = rwasIn[bound(draw.settlementIndex, 0, 3)];
        rwa.adapter.setPrice(bound(draw.priceIn, MIN_PRICE, MAX_PRICE));
        uint256 start = bound(amount, 1, MAX_WHOLE_TOKENS * 10 ** p.tokenIn.decimals());

        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(3, p.leg.assetInID, rwa.id, p.leg.assetInID, start, 0);
        (bool quoted, ICoreSwap.SwapResolved memory q) = _tryQuote(leg);
        if (!quoted) return;
        leg = ICoreSwap.SwapInputs(1, rwa.id, p.leg.assetOutID, p.leg.assetOutID, q.tokenOutAmt, 0);
        (quoted, q) = _tryQuote(leg);
        if (!quoted) return;
        leg = ICoreSwap.SwapInputs(7, p.leg.assetOutID, p.leg.assetInID, p.leg.stablecoinDelegateID, q.tokenOutAmt, 0);
        (quoted, q) = _tryQuote(leg);
        if (quoted) assertLe(q.tokenOutAmt, start);
    }

    function testFuzz_S7_Splitting_NeverGains(Draw memory draw, uint256 part) public {
        Prepared memory p = _prepareQuotable(draw);
        ICoreSwap.SwapResolved memory whole = core.quoteSwap(user, p.leg);
        part = bound(part, 0, p.terms.amount);
        (uint256 in1, uint256 out1) = _amountsOf(p.leg, part);
        (uint256 in2, uint256 out2) = _amountsOf(p.leg, p.terms.amount - part);
        if (p.terms.exactIn) assertLe(out1 + out2, whole.tokenOutAmt);
        else assertGe(in1 + in2, whole.tokenInAmt);
    }

    /// Quotes a leg with another amount. A part that buys nothing is not swapped.
    function _amountsOf(ICoreSwap.SwapInputs memory leg, uint256 amount) private view returns (uint256, uint256) {
        if (amount == 0) return (0, 0);
        _setAmount(leg, amount);
        (bool quoted, ICoreSwap.SwapResolved memory q) = _tryQuote(leg);
        return quoted ? (q.tokenInAmt, q.tokenOutAmt) : (0, 0);
    }

    /* S13: allowances */

    function testFuzz_S13_Allowance_IsSpentByTheRealizedInputOfItsOwner(Draw memory draw, uint256 spare) public {
        Prepared memory p = _prepareQuotable(draw);
        ICoreSwap.SwapResolved memory q = core.quoteSwap(user, p.leg);
        _fund(p, q);
        spare = bound(spare, 0, INFINITE - 1 - q.tokenInAmt);
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, p.leg.assetInID, q.tokenInAmt - 1, true);
        // Allowances of another user, for another operator or for another asset do not count.
        vm.prank(stranger);
        core.adjustSwapInputAllowance(broker, p.leg.assetInID, INFINITE, true);
        vm.startPrank(user);
        core.adjustSwapInputAllowance(stranger, p.leg.assetInID, INFINITE, true);
        core.adjustSwapInputAllowance(broker, p.leg.assetOutID, INFINITE, true);
        vm.stopPrank();
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        vm.prank(broker);
        core.swap(user, receiver, _one(p.leg), _noPermit());

        vm.prank(user);
        core.adjustSwapInputAllowance(broker, p.leg.assetInID, 1 + spare, true);
        vm.prank(broker);
        core.swap(user, receiver, _one(p.leg), _noPermit());
        assertEq(core.swapInputAllowances(user, broker, p.leg.assetInID), spare);
        assertEq(core.swapInputAllowances(user, stranger, p.leg.assetInID), INFINITE);
    }

    /* S14: batches */

    function testFuzz_S14_Batch_IsTheSequence_AllOrNothing(Draw memory draw, uint256 part, bool fails) public {
        Prepared memory p = _prepareQuotable(draw);
        ICoreSwap.SwapResolved memory q = core.quoteSwap(user, p.leg);
        _fund(p, q);
        _fund(p, q);
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](2);
        legs[0] = p.leg;
        legs[1] = abi.decode(abi.encode(p.leg), (ICoreSwap.SwapInputs));
        _setAmount(legs[1], bound(part, 1, p.terms.amount));
        (bool quoted,) = _tryQuote(legs[1]);
        if (!quoted || fails) {
            // If the second leg fails, the first is undone.
            if (p.terms.exactIn) legs[1].assetOutAmt = INFINITE;
            else legs[1].assetInAmt = 0;
            Balances memory before = _balances(p);
            vm.prank(user);
            vm.expectRevert();
            core.swap(user, receiver, legs, _noPermit());
            assertEq(abi.encode(_balances(p)), abi.encode(before));
            return;
        }
        uint256 snapshot = vm.snapshotState();
        _swap(legs[0]);
        _swap(legs[1]);
        Balances memory sequence = _balances(p);
        vm.revertToState(snapshot);
        vm.prank(user);
        core.swap(user, receiver, legs, _noPermit());
        assertEq(abi.encode(_balances(p)), abi.encode(sequence));
    }

    /// A leg's result does not depend on the leg before it, whatever its kind and assets.
    function testFuzz_S14_Batch_OfAnyTwoLegs_IsTheSequence(Draw memory first, Draw memory second) public {
        Prepared[2] memory p = [_prepare(first), _prepare(second)];
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](2);
        for (uint256 k = 0; k < 2; ++k) {
            legs[k] = p[k].leg;
            (bool quoted, ICoreSwap.SwapResolved memory q) = _tryQuote(legs[k]);
            vm.assume(quoted);
            _fund(p[k], q);
        }
        uint256 snapshot = vm.snapshotState();
        vm.recordLogs();
        _swap(legs[0]);
        _swap(legs[1]);
        bytes memory sequence = abi.encode(vm.getRecordedLogs());
        vm.revertToState(snapshot);
        vm.recordLogs();
        vm.prank(user);
        core.swap(user, receiver, legs, _noPermit());
        assertEq(abi.encode(vm.getRecordedLogs()), sequence);
    }

    /* S16: guardrails */

    function testFuzz_S16_Guardrail_OfAnyStablecoinOfTheLeg_IsItsDefinition(
        Draw memory draw,
        uint256 which,
        uint256 oracle,
        uint256 band,
        bool enabled
    ) public {
        Prepared memory p = _prepareQuotable(draw);
        bytes32 id = which % 2 == 0 ? p.lp.id : _otherStablecoin(p);
        uint256 value = core.stablecoinUSDValue(id);
        band = bound(band, 1, WAD - 1);
        // Half of the time near the edge, where one unit decides.
        uint256 edge = value + value * band / WAD;
        oracle = oracle % 2 == 0 ? bound(oracle, 0, 3 * value) : bound(oracle, edge - 1, edge + 1);
        SettablePriceAdapter adapter = new SettablePriceAdapter(oracle);
        vm.prank(operator);
        core.configureStablecoinGuardrail(id, address(adapter), band, enabled);

        _fund(p, _quoteUnguarded(p, id, address(adapter), band, enabled));
        uint256 distance = oracle > value ? oracle - value : value - oracle;
        bool passes = !enabled || distance * WAD <= band * value;
        bytes memory refusal =
            abi.encodeWithSelector(ICoreSwap.StablecoinPriceOutsideBand.selector, id, value, oracle, band);
        if (!passes) vm.expectRevert(refusal);
        core.quoteSwap(user, p.leg);
        if (!passes) vm.expectRevert(refusal);
        _swap(p.leg);
    }

    function _quoteUnguarded(Prepared memory p, bytes32 id, address adapter, uint256 band, bool enabled)
        private
        returns (ICoreSwap.SwapResolved memory quote)
    {
        vm.prank(operator);
        core.configureStablecoinGuardrail(id, adapter, band, false);
        quote = core.quoteSwap(user, p.leg);
        vm.prank(operator);
        core.configureStablecoinGuardrail(id, adapter, band, enabled);
    }

    /// Returns the stablecoin of the leg that does not settle, if there are two.
    function _otherStablecoin(Prepared memory p) private pure returns (bytes32) {
        if (p.leg.routeId < 7) return p.lp.id;
        return p.lp.id == p.leg.assetInID ? p.leg.assetOutID : p.leg.assetInID;
    }

    /* S17, S18: acceptance and blacklist */

    function testFuzz_S17_Unaccepting_StopsTheLeg_AcceptingRestoresIt(Draw memory draw, uint256 which) public {
        Prepared memory p = _prepareQuotable(draw);
        ICoreSwap.SwapResolved memory q = core.quoteSwap(user, p.leg);
        _fund(p, q);
        (bool isRWAIn, bool isRWAOut) = _kinds(p.leg.routeId);
        which = bound(which, 0, 2);
        bool isRWA = which == 0 ? isRWAIn : (which == 1 && isRWAOut);
        bytes32 id = which == 0 ? p.leg.assetInID : (which == 1 ? p.leg.assetOutID : p.lp.id);
        _accept(id, isRWA, false);
        bytes4 refusal = isRWA ? ICoreSwap.RWANotAccepted.selector : ICoreSwap.StablecoinNotAccepted.selector;
        vm.expectRevert(refusal);
        core.quoteSwap(user, p.leg);
        vm.expectRevert(refusal);
        _swap(p.leg);
        _accept(id, isRWA, true);
        _assertEq(_swapAndRead(p.leg), q);
    }

    function _accept(bytes32 id, bool isRWA, bool accepted) private {
        if (isRWA) {
            (,,,, address rwa) = core.rwaInfo(id);
            vm.prank(operator);
            core.setRWAAcceptance(id, address(0), rwa, accepted);
        } else {
            (,,, address lp, address stablecoin) = core.stablecoinInfo(id);
            vm.prank(operator);
            core.setStablecoinAcceptance(id, lp, stablecoin, accepted, false);
        }
    }

    function testFuzz_S18_ABlacklistedParty_StopsTheSwap(Draw memory draw, uint256 role) public {
        Prepared memory p = _prepareQuotable(draw);
        ICoreSwap.SwapResolved memory q = core.quoteSwap(user, p.leg);
        _fund(p, q);
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, p.leg.assetInID, INFINITE, true);
        address[3] memory parties = [user, receiver, broker];
        address party = parties[bound(role, 0, 2)];
        vm.prank(blacklister);
        core.setBlacklisted(party, true);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.UserBlacklisted.selector, party));
        vm.prank(broker);
        core.swap(user, receiver, _one(p.leg), _noPermit());
        vm.prank(blacklister);
        core.setBlacklisted(party, false);
        vm.prank(broker);
        core.swap(user, receiver, _one(p.leg), _noPermit());
        assertEq(p.tokenOut.balanceOf(receiver), q.tokenOutAmt);
    }

    /* S20: donations */

    function testFuzz_S20_Donations_ChangeNoAmountAndNoRight(Draw memory draw, uint256 amount, uint256 to) public {
        Prepared memory p = _prepareQuotable(draw);
        ICoreSwap.SwapResolved memory q = core.quoteSwap(user, p.leg);
        _fund(p, q);
        amount = bound(amount, 1, type(uint128).max);
        address[4] memory receivers = [p.lp.custody, address(p.lp.delegate), vault, address(core)];
        address donee = receivers[bound(to, 0, 3)];
        p.tokenIn.mint(donee, amount);
        p.tokenOut.mint(donee, amount);
        p.lp.token.mint(donee, amount);
        Balances memory before = _balances(p);
        _assertEq(core.quoteSwap(user, p.leg), q);
        _assertEq(_swapAndRead(p.leg), q);
        assertEq(_balances(p).core, before.core, "CoreSwap neither spends nor keeps");
    }

    /* helpers */

    function _balances(Prepared memory p) private view returns (Balances memory b) {
        TestToken c = p.lp.token;
        b.userIn = p.tokenIn.balanceOf(user);
        b.receiverOut = p.tokenOut.balanceOf(receiver);
        b.custodyIn = p.tokenIn.balanceOf(p.lp.custody);
        b.custodyOut = p.tokenOut.balanceOf(p.lp.custody);
        b.custodyC = c.balanceOf(p.lp.custody);
        b.vaultC = c.balanceOf(vault);
        b.core = c.balanceOf(address(core)) + p.tokenIn.balanceOf(address(core)) + p.tokenOut.balanceOf(address(core));
    }

    /// Prepares a leg that can be quoted. If the drawn amount is dust that buys nothing, it is multiplied by a hundred
    /// million.
    function _prepareQuotable(Draw memory draw) private returns (Prepared memory p) {
        p = _prepare(draw);
        (bool quoted,) = _tryQuote(p.leg);
        if (quoted) return p;
        p.terms.amount = MAX_WHOLE_TOKENS * 10 ** p.terms.decimalsIn;
        _setAmount(p.leg, p.terms.amount);
        (quoted,) = _tryQuote(p.leg);
        vm.assume(quoted);
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
}
