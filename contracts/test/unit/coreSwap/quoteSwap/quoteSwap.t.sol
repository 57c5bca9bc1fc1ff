// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";
import {SettablePriceAdapter} from "test/mocks/SettablePriceAdapter.sol";

/// Tests each reason for a quote to revert, on every route. The swap reverts with the same error.
contract CoreSwapQuoteSwapTest is CoreSwapTest {
    function test_RevertWhen_TheRouteIsNone_S2() public {
        uint256[3] memory routes = [uint256(0), 9, type(uint256).max];
        for (uint256 k = 0; k < routes.length; ++k) {
            ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
            leg.routeId = routes[k];
            _expectBoth(leg, abi.encodeWithSelector(ICoreSwap.UnsupportedRouteId.selector, routes[k]));
        }
    }

    function test_RevertWhen_BothAssetsAreTheSame_S2() public {
        for (uint256 routeId = 5; routeId <= 8; ++routeId) {
            ICoreSwap.SwapInputs memory leg = _leg(routeId, 1e6, false);
            leg.assetOutID = leg.assetInID;
            _expectBoth(
                leg,
                abi.encodePacked(
                    routeId <= 6 ? ICoreSwap.IdenticalAssets.selector : ICoreSwap.IdenticalStablecoins.selector
                )
            );
        }
    }

    function test_RevertWhen_AnAssetIsOfTheOtherKind_S2() public {
        for (uint256 routeId = 1; routeId <= 8; ++routeId) {
            (bool isRWAIn, bool isRWAOut) = _kinds(routeId);
            ICoreSwap.SwapInputs memory leg = _leg(routeId, 1e6, false);
            leg.assetInID = isRWAIn ? usdx.id : bill.id;
            _expectBoth(leg, _notAccepted(isRWAIn));
            leg = _leg(routeId, 1e6, false);
            leg.assetOutID = isRWAOut ? usdx.id : bill.id;
            if (leg.assetOutID == leg.assetInID) leg.assetOutID = bond.id;
            _expectBoth(leg, _notAccepted(isRWAOut));
        }
    }

    function test_RevertWhen_TheSettlingStablecoinIsNotAccepted() public {
        ICoreSwap.SwapInputs memory leg = _leg(5, 1e18, false);
        leg.stablecoinDelegateID = bill.id;
        _expectBoth(leg, abi.encodePacked(ICoreSwap.StablecoinNotAccepted.selector));
    }

    function test_WhenTheSettlingStablecoinIsAnyOtherThatIsAccepted() public {
        ICoreSwap.SwapInputs memory leg = _leg(5, 1_000e18, false);
        uint256 viaUsdc = core.quoteSwap(user, leg).tokenOutAmt;
        leg.stablecoinDelegateID = usdx.id;
        assertNotEq(core.quoteSwap(user, leg).tokenOutAmt, viaUsdc, "the other LP's rates apply");
        _swap(leg);
    }

    function test_RevertWhen_TheDelegateIDIsNotThatOfThePair_S2() public {
        for (uint256 routeId = 1; routeId <= 4; ++routeId) {
            ICoreSwap.SwapInputs memory leg = _leg(routeId, 1e6, false);
            leg.stablecoinDelegateID = usdx.id;
            _expectBoth(leg, _invalidDelegateID(usdx.id, usdc.id));
        }
        for (uint256 routeId = 7; routeId <= 8; ++routeId) {
            ICoreSwap.SwapInputs memory leg = _leg(routeId, 1e6, false);
            leg.stablecoinDelegateID = bill.id;
            _expectBoth(leg, _invalidDelegateID(bill.id, leg.assetOutID));
        }
    }

    function test_RevertGiven_TheRWAHasNoPriceAdapter_S2() public {
        vm.prank(operator);
        core.setRwaPriceAdapter(bill.id, address(0));
        uint256[4] memory routes = [uint256(1), 2, 5, 6];
        for (uint256 k = 0; k < routes.length; ++k) {
            _expectBoth(
                _leg(routes[k], 1e6, false), abi.encodeWithSelector(ICoreSwap.PriceAdapterNotSet.selector, bill.id)
            );
        }
    }

    function test_RevertGiven_ThePriceIsZero_S2() public {
        bond.adapter.setPrice(0);
        for (uint256 routeId = 3; routeId <= 6; ++routeId) {
            _expectBoth(_leg(routeId, 1e6, false), abi.encodePacked(ICoreSwap.InvalidPrice.selector));
        }
    }

    function test_RevertGiven_TheStablecoinHasNoUSDValue_S2() public {
        vm.prank(operator);
        core.setStablecoinUSDValue(usdc.id, 0);
        for (uint256 routeId = 1; routeId <= 8; ++routeId) {
            _expectBoth(_leg(routeId, 1e6, true), abi.encodeWithSelector(ICoreSwap.USDValueNotSet.selector, usdc.id));
        }
        vm.startPrank(operator);
        core.setStablecoinUSDValue(usdc.id, WAD);
        core.setStablecoinUSDValue(usdx.id, 0);
        vm.stopPrank();
        for (uint256 routeId = 7; routeId <= 8; ++routeId) {
            _expectBoth(_leg(routeId, 1e6, true), abi.encodeWithSelector(ICoreSwap.USDValueNotSet.selector, usdx.id));
            _expectBoth(_leg(routeId, 1e6, false), abi.encodeWithSelector(ICoreSwap.USDValueNotSet.selector, usdx.id));
        }
    }

    function test_RevertGiven_TheGuardrailOfAStablecoinIsViolated_S16() public {
        SettablePriceAdapter market = new SettablePriceAdapter(1.5e18);
        _guard(usdc.id, address(market), 0.01e18);
        for (uint256 routeId = 1; routeId <= 8; ++routeId) {
            _expectBoth(_leg(routeId, 1e6, true), _outsideBand(usdc.id, WAD, 1.5e18, 0.01e18));
            _expectBoth(_leg(routeId, 1e6, false), _outsideBand(usdc.id, WAD, 1.5e18, 0.01e18));
        }
        vm.prank(operator);
        core.configureStablecoinGuardrail(usdc.id, address(market), 0.01e18, false);
        _guard(usdx.id, address(market), 0.01e18);
        _expectBoth(_leg(7, 1e18, true), _outsideBand(usdx.id, 0.9995e18, 1.5e18, 0.01e18));
        _expectBoth(_leg(7, 1e18, false), _outsideBand(usdx.id, 0.9995e18, 1.5e18, 0.01e18));
        core.quoteSwap(user, _leg(1, 1e18, false));
    }

    function test_GivenTheMarketIsAtTheEdgeOfTheBand_S16() public {
        SettablePriceAdapter market = new SettablePriceAdapter(1.01e18);
        _guard(usdc.id, address(market), 0.01e18);
        ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
        core.quoteSwap(user, leg);
        market.setPrice(0.99e18);
        core.quoteSwap(user, leg);
        market.setPrice(1.01e18 + 1);
        _expectBoth(leg, _outsideBand(usdc.id, WAD, 1.01e18 + 1, 0.01e18));
        market.setPrice(0.99e18 - 1);
        _expectBoth(leg, _outsideBand(usdc.id, WAD, 0.99e18 - 1, 0.01e18));
        market.setPrice(type(uint256).max);
        _expectBoth(leg, _outsideBand(usdc.id, WAD, type(uint256).max, 0.01e18));
        market.setPrice(0);
        _expectBoth(leg, _outsideBand(usdc.id, WAD, 0, 0.01e18));
    }

    function testFuzz_GivenAnyValueAndPriceAndBand_S16(uint88 value, uint128 price, uint256 band) public {
        vm.assume(value != 0);
        band = bound(band, 1, WAD - 1);
        vm.prank(operator);
        core.setStablecoinUSDValue(usdc.id, value);
        _guard(usdc.id, address(new SettablePriceAdapter(price)), band);
        uint256 distance = price > value ? uint256(price) - value : uint256(value) - price;
        bond.adapter.setPrice(value);
        ICoreSwap.SwapInputs memory leg = _leg(3, 1e18, false);
        if (distance * WAD > band * value) vm.expectRevert(_outsideBand(usdc.id, value, price, band));
        core.quoteSwap(user, leg);
    }

    function test_RevertGiven_TheGuardrailLacksItsAdapterOrBand_S16() public {
        ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
        _guard(usdc.id, address(0), 0.01e18);
        _expectBoth(leg, abi.encodeWithSelector(ICoreSwap.StablecoinPriceAdapterNotSet.selector, usdc.id));
        _guard(usdc.id, stranger, 0);
        _expectBoth(leg, abi.encodeWithSelector(ICoreSwap.StablecoinGuardrailBandNotSet.selector, usdc.id));
    }

    function test_GivenTheGuardrailIsDisabled_S16() public {
        vm.prank(operator);
        core.configureStablecoinGuardrail(usdc.id, stranger, 0, false);
        core.quoteSwap(user, _leg(1, 1e18, false));
    }

    function test_RevertWhen_TheExactAmountIsZero_S2() public {
        for (uint256 routeId = 1; routeId <= 8; ++routeId) {
            bytes4 reason = routeId % 2 == 1 ? _inputError(routeId) : _outputError(routeId);
            _expectBoth(_leg(routeId, 0, false), abi.encodePacked(reason));
        }
    }

    function test_RevertWhen_TheCounterAmountIsZero_S2() public {
        for (uint256 routeId = 1; routeId <= 7; routeId += 2) {
            _expectBoth(_leg(routeId, 1, false), abi.encodePacked(_outputError(routeId)));
        }
    }

    function _guard(bytes32 id, address adapter, uint256 band) private {
        vm.prank(operator);
        core.configureStablecoinGuardrail(id, adapter, band, true);
    }

    /// S2: asserts that the swap reverts with the same data as the quote.
    function _expectBoth(ICoreSwap.SwapInputs memory leg, bytes memory reason) private {
        vm.expectRevert(reason);
        core.quoteSwap(user, leg);
        vm.expectRevert(reason);
        _swap(leg);
    }

    function _notAccepted(bool isRWA) private pure returns (bytes memory) {
        return abi.encodePacked(isRWA ? ICoreSwap.RWANotAccepted.selector : ICoreSwap.StablecoinNotAccepted.selector);
    }

    function _invalidDelegateID(bytes32 actual, bytes32 expected) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ICoreSwap.InvalidStablecoinDelegateID.selector, actual, expected);
    }

    function _outsideBand(bytes32 id, uint256 value, uint256 price, uint256 band) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ICoreSwap.StablecoinPriceOutsideBand.selector, id, value, price, band);
    }
}
