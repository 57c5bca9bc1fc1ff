// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapFixture} from "test/helpers/CoreSwapFixture.sol";

/// Tests the bounds of amounts and prices, exactly at the bound and one above. All assets have 18 decimals and are
/// worth one dollar, without fees, so that both amounts of a leg are equal.
contract CoreSwapQuoteBoundsTest is CoreSwapFixture {
    uint256 private constant MAX = type(uint128).max;
    uint256 private constant HALF = 0.5e18;

    function setUp() public override {
        super.setUp();
        usdc = _addStablecoin("USD18", 18, WAD, makeAddr("custody"));
        usdx = _addStablecoin("USX18", 18, WAD, address(0));
        bond = _addRWA("BOND18", 18, WAD);
        bill.adapter.setPrice(WAD);
        _connect();
        TestToken[4] memory tokens = [usdc.token, usdx.token, bill.token, bond.token];
        for (uint256 k = 0; k < tokens.length; ++k) {
            tokens[k].mint(user, 8 * MAX);
            tokens[k].mint(usdc.custody, 8 * MAX);
        }
    }

    function test_WhenBothAmountsAreAtTheBound_S24() public {
        for (uint256 routeId = 1; routeId <= 8; ++routeId) {
            _expectAmounts(_leg(routeId, MAX, false), MAX, MAX);
        }
    }

    function test_RevertWhen_TheExactAmountIsAboveTheBound_S24() public {
        for (uint256 routeId = 1; routeId <= 8; ++routeId) {
            bytes4 reason = routeId % 2 == 1 ? _inputError(routeId) : _outputError(routeId);
            _expectBoth(_leg(routeId, MAX + 1, false), reason);
            _expectBoth(_leg(routeId, type(uint256).max, false), reason);
        }
    }

    /// The asset on the exact side is worth two dollars, so that the result is twice the amount.
    function test_RevertWhen_TheResultIsAboveTheBound_S24() public {
        for (uint256 routeId = 1; routeId <= 8; ++routeId) {
            bool isExactIn = routeId % 2 == 1;
            ICoreSwap.SwapInputs memory leg = _leg(routeId, 2 ** 127 - 1, false);
            bytes32 exactID = isExactIn ? leg.assetInID : leg.assetOutID;
            _setValue(exactID, 2 * WAD);
            if (isExactIn) _expectAmounts(leg, 2 ** 127 - 1, MAX - 1);
            else _expectAmounts(leg, MAX - 1, 2 ** 127 - 1);
            leg = _leg(routeId, 2 ** 127, false);
            _expectBoth(leg, isExactIn ? _outputError(routeId) : _inputError(routeId));
            leg = _leg(routeId, MAX, false);
            _expectBoth(leg, isExactIn ? _outputError(routeId) : _inputError(routeId));
            _setValue(exactID, WAD);
        }
    }

    function test_WhenATokenHasFewerDecimals_S24() public {
        RWA memory six = _addRWA("SIX", 6, WAD);
        uint256 most = MAX / 1e12;
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(1, six.id, usdc.id, usdc.id, most, 0);
        assertEq(core.quoteSwap(user, leg).tokenOutAmt, most * 1e12);
        ++leg.assetInAmt;
        _expectBoth(leg, ICoreSwap.InsufficientRWAInput.selector);
        leg = ICoreSwap.SwapInputs(4, usdc.id, six.id, usdc.id, type(uint256).max, most);
        assertEq(core.quoteSwap(user, leg).tokenInAmt, most * 1e12);
        ++leg.assetOutAmt;
        _expectBoth(leg, ICoreSwap.InsufficientRWAOutput.selector);

        // The bound applies to the result of the other side, rounded down and up to whole units.
        leg = ICoreSwap.SwapInputs(3, usdc.id, six.id, usdc.id, MAX, 0);
        assertEq(core.quoteSwap(user, leg).tokenOutAmt, most);
        leg = ICoreSwap.SwapInputs(2, six.id, usdc.id, usdc.id, type(uint256).max, most * 1e12);
        assertEq(core.quoteSwap(user, leg).tokenInAmt, most);
        ++leg.assetOutAmt;
        _expectBoth(leg, ICoreSwap.InsufficientRWAInput.selector);
    }

    function test_GivenThePriceIsAtTheBound_S24() public {
        bill.adapter.setPrice(MAX);
        _expectAmounts(_leg(1, WAD, false), WAD, MAX);
        _expectAmounts(_leg(2, MAX, false), WAD, MAX);
        bond.adapter.setPrice(MAX);
        _expectAmounts(_leg(3, MAX, false), MAX, WAD);
        _expectAmounts(_leg(4, WAD, false), MAX, WAD);
        // Their value in `c` is not a whole number, which costs the taker a unit.
        _expectAmounts(_leg(5, MAX, false), MAX, MAX - 1);
        _expectAmounts(_leg(6, MAX - 1, false), MAX, MAX - 1);
        _expectBoth(_leg(6, MAX, false), ICoreSwap.InsufficientRWAInput.selector);
    }

    function test_RevertGiven_ThePriceIsAboveTheBound_S24() public {
        uint256[2] memory prices = [MAX + 1, type(uint256).max];
        for (uint256 k = 0; k < prices.length; ++k) {
            for (uint256 routeId = 1; routeId <= 6; ++routeId) {
                ICoreSwap.SwapInputs memory leg = _leg(routeId, WAD, false);
                bill.adapter.setPrice(prices[k]);
                bond.adapter.setPrice(prices[k]);
                _expectBoth(leg, ICoreSwap.InvalidPrice.selector);
                if (routeId < 5) continue;
                bill.adapter.setPrice(WAD);
                _expectBoth(leg, ICoreSwap.InvalidPrice.selector);
            }
        }
    }

    function test_WhenTheValueBetweenTheAmountsIsAboveTheBound_S24() public {
        // Twice the bound in `c`, of which half remains after the LP's fee.
        bill.adapter.setPrice(2 * WAD);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWADiscountRate(bill.id, HALF);
        _expectAmounts(_leg(1, MAX, false), MAX, MAX);
        _expectAmounts(_leg(2, MAX, false), MAX, MAX);
        // The square of the bound is the largest value in `c`.
        bill.adapter.setPrice(MAX);
        bond.adapter.setPrice(MAX);
        _setValue(usdc.id, 1);
        vm.startPrank(usdc.issuerAdmin);
        usdc.delegate.setRWARedemptionFee(bond.id, HALF);
        vm.stopPrank();
        uint256 net = MAX * MAX / 2 / 2;
        assertEq(core.quoteSwap(user, _leg(5, MAX, false)).tokenOutAmt, net / MAX);
        assertEq(core.quoteSwap(user, _leg(6, MAX / 4, false)).tokenInAmt, MAX / 4 * 4);
        _expectBoth(_leg(6, MAX / 4 + 1, false), ICoreSwap.InsufficientRWAInput.selector);
        // Four times the square of the bound, which does not fit.
        _expectBoth(_leg(6, MAX, false), ICoreSwap.InsufficientRWAInput.selector);
    }

    function test_WhenTheLargestNumberBoundsTheAmountIn_S24() public {
        for (uint256 routeId = 2; routeId <= 8; routeId += 2) {
            ICoreSwap.SwapInputs memory leg = _leg(routeId, MAX, false);
            assertEq(leg.assetInAmt, type(uint256).max);
            _expectAmounts(leg, MAX, MAX);
        }
    }

    function test_WhenTheLargestNumberBoundsTheAmountOut_S24() public {
        for (uint256 routeId = 1; routeId <= 7; routeId += 2) {
            ICoreSwap.SwapInputs memory leg = _leg(routeId, MAX, false);
            leg.assetOutAmt = type(uint256).max;
            assertEq(core.quoteSwap(user, leg).tokenOutAmt, MAX);
            vm.expectRevert(_outputError(routeId));
            _swap(leg);
        }
    }

    function _setValue(bytes32 id, uint256 usdWad) private {
        if (id == bill.id || id == bond.id) {
            _adapterOf(id).setPrice(usdWad);
        } else {
            vm.prank(operator);
            core.setStablecoinUSDValue(id, usdWad);
        }
    }

    /// Quotes and swaps the leg.
    function _expectAmounts(ICoreSwap.SwapInputs memory leg, uint256 amountIn, uint256 amountOut) private {
        ICoreSwap.SwapResolved memory quote = core.quoteSwap(user, leg);
        assertEq(quote.tokenInAmt, amountIn, "in");
        assertEq(quote.tokenOutAmt, amountOut, "out");
        uint256 before = _tokenOf(leg.assetOutID).balanceOf(receiver);
        uint256 snapshot = vm.snapshotState();
        _swap(leg);
        assertEq(_tokenOf(leg.assetOutID).balanceOf(receiver) - before, amountOut, "received");
        vm.revertToState(snapshot);
    }

    /// Asserts that the swap reverts with the same data as the quote.
    function _expectBoth(ICoreSwap.SwapInputs memory leg, bytes4 reason) private {
        vm.expectRevert(reason);
        core.quoteSwap(user, leg);
        vm.expectRevert(reason);
        _swap(leg);
    }
}
