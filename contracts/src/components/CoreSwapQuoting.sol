// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../interfaces/ICoreSwap.sol";
import {IPriceAdapter} from "../interfaces/IPriceAdapter.sol";
import {IYieldBearingDelegate} from "../interfaces/IYieldBearingDelegate.sol";
import {FeeMath} from "../libraries/FeeMath.sol";
import {ValueMath} from "../libraries/ValueMath.sol";
import {CoreSwapStorage} from "../storage/CoreSwapStorage.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title CoreSwapQuoting
/// @notice The one place where a leg's amounts are computed; quotes and swaps both come here.
/// @dev Exact-in and exact-out are mirror images. With `c` the stablecoin whose delegate settles:
///
///     exact-in    amount in  -> gross (value in c) -> fees -> net (value in c) -> amount out    all rounded down
///     exact-out   amount out -> net (value in c)   -> fees -> gross (value in c) -> amount in   all rounded up
///
/// Both amounts are above zero and, scaled to WAD, at most 2^128 - 1, which {ValueMath} builds on.
///
/// Where the asset on a side is `c` itself, its amount and its value in `c` are the same number, except that a
/// yield-bearing `c` coming in is worth its tokens and the yield of the user's credits.
abstract contract CoreSwapQuoting is ICoreSwap, CoreSwapStorage {
    /// @notice One of the assets of a leg.
    /// @param id Asset ID.
    /// @param token ERC-20 token.
    /// @param decimals Decimals of the token.
    /// @param isRWA True for an RWA, false for a stablecoin.
    /// @param flags Flags of its record.
    /// @param provider Who prices an RWA and who settles a stablecoin: its price adapter or its delegate.
    /// @param priceWad USD per whole token, WAD: the adapter's price of an RWA, the USD value of a stablecoin.
    struct Side {
        bytes32 id;
        address token;
        uint256 decimals;
        bool isRWA;
        uint256 flags;
        address provider;
        uint256 priceWad;
    }

    /// @notice One leg, resolved.
    /// @param routeId Kinds of the assets, and which amount is given.
    /// @param assetIn Asset that the user pays.
    /// @param assetOut Asset that the receiver gets.
    /// @param settlement The stablecoin `c`; the same object as `assetIn` or `assetOut` when it is one of them.
    /// @param rates Rates of the leg.
    /// @param amountIn Amount in, in units of the token in.
    /// @param amountOut Amount out, in units of the token out.
    /// @param issuerFee Protocol fee on the gross value, in units of `c`.
    /// @param spreadFee Protocol part of the LP's spread, in units of `c`.
    /// @param lpFee LP part of the spread, in units of `c`.
    struct Leg {
        uint256 routeId;
        Side assetIn;
        Side assetOut;
        Side settlement;
        FeeMath.Rates rates;
        uint256 amountIn;
        uint256 amountOut;
        uint256 issuerFee;
        uint256 spreadFee;
        uint256 lpFee;
    }

    /// @notice Last route; the first is 1.
    uint256 internal constant LAST_ROUTE_ID = 8;

    /// @inheritdoc ICoreSwap
    function quoteSwap(address user, SwapInputs calldata inputs) external view returns (SwapResolved memory resolved) {
        Leg memory leg;
        _resolveLeg(leg, user, inputs);
        return SwapResolved({
            tokenInAmt: leg.amountIn,
            tokenOutAmt: leg.amountOut,
            issuerFeeAmt: leg.issuerFee,
            spreadFeeAmt: leg.spreadFee,
            lpFeeAmt: leg.lpFee
        });
    }

    /// @notice Resolves a leg: assets, prices, rates and amounts. Ignores the bound.
    /// @param leg The leg to fill.
    /// @param user Account that pays.
    /// @param inputs The leg asked for.
    function _resolveLeg(Leg memory leg, address user, SwapInputs calldata inputs) internal view {
        _loadAssets(leg, inputs.routeId, inputs.assetInID, inputs.assetOutID, inputs.stablecoinDelegateID);
        _loadTerms(leg, true);
        if (_isExactIn(leg)) _resolveExactIn(leg, user, inputs.assetInAmt);
        else _resolveExactOut(leg, user, inputs.assetOutAmt);
    }

    /// @notice Reads prices and rates.
    /// @param leg The leg, with its assets loaded.
    /// @param paysProtocol False for a derived leg, which pays neither the issuer-paid fee nor the take rate.
    function _loadTerms(Leg memory leg, bool paysProtocol) internal view {
        _loadPrices(leg);
        _loadRates(leg, paysProtocol);
    }

    /// @dev Reverts with the error of an amount in that is zero, too large or above its bound.
    function _revertInput(Leg memory leg) internal pure {
        if (leg.assetIn.isRWA) revert InsufficientRWAInput();
        revert InsufficientStablecoinInput();
    }

    /// @dev Reverts with the error of an amount out that is zero, too large or below its bound.
    function _revertOutput(Leg memory leg) internal pure {
        if (leg.assetOut.isRWA) revert InsufficientRWAOutput();
        revert InsufficientStablecoinOutput();
    }

    /// @notice Tells which amount of a leg is given.
    /// @param leg The leg, with its assets loaded.
    /// @return isExactIn True when the amount in is given, false when the amount out is.
    function _isExactIn(Leg memory leg) internal pure returns (bool isExactIn) {
        return leg.routeId & 1 == 1;
    }

    /// @notice Reads route, assets and settling stablecoin, and checks acceptance and delegate ID.
    /// @param leg The leg to fill.
    /// @param routeId Kinds of the assets, and which amount is given.
    /// @param assetInID Asset that the user pays.
    /// @param assetOutID Asset that the receiver gets.
    /// @param delegateID Stablecoin whose delegate settles.
    function _loadAssets(Leg memory leg, uint256 routeId, bytes32 assetInID, bytes32 assetOutID, bytes32 delegateID)
        internal
        view
    {
        if (routeId == 0 || routeId > LAST_ROUTE_ID) revert UnsupportedRouteId(routeId);
        bool isRWAIn = routeId <= 2 || routeId == 5 || routeId == 6;
        bool isRWAOut = routeId >= 3 && routeId <= 6;

        if (assetInID == assetOutID && isRWAIn == isRWAOut) {
            if (isRWAIn) revert IdenticalAssets();
            revert IdenticalStablecoins();
        }
        leg.routeId = routeId;
        _loadSide(leg.assetIn, assetInID, isRWAIn);
        _loadSide(leg.assetOut, assetOutID, isRWAOut);
        _loadSettlement(leg, delegateID);
    }

    /// @notice Finds the stablecoin whose delegate settles, or refuses the one named.
    /// @param leg The leg, with both sides loaded; gets its settling stablecoin.
    /// @param delegateID The stablecoin named.
    function _loadSettlement(Leg memory leg, bytes32 delegateID) private view {
        Side memory assetIn = leg.assetIn;
        Side memory assetOut = leg.assetOut;
        if (assetIn.isRWA && assetOut.isRWA) {
            _loadSide(leg.settlement, delegateID, false);
            return;
        }
        if (assetIn.isRWA || assetOut.isRWA) {
            Side memory c = assetIn.isRWA ? assetOut : assetIn;
            if (delegateID != c.id) revert InvalidStablecoinDelegateID(delegateID, c.id);
            leg.settlement = c;
            return;
        }
        // Tokens of a yield-bearing stablecoin taken as a foreign one would part yield from capital, so its own delegate
        // has to settle; between two of them neither can.
        bool inMaySettle = !_isYieldBearing(assetOut);
        bool outMaySettle = !_isYieldBearing(assetIn);
        if (inMaySettle && delegateID == assetIn.id) leg.settlement = assetIn;
        else if (outMaySettle && delegateID == assetOut.id) leg.settlement = assetOut;
        else revert InvalidStablecoinDelegateID(delegateID, inMaySettle && !outMaySettle ? assetIn.id : assetOut.id);
    }

    /// @notice Reads one accepted asset.
    /// @param side The asset to fill; an RWA's price is read later.
    /// @param id Asset ID.
    /// @param isRWA Kind that the route asks for.
    function _loadSide(Side memory side, bytes32 id, bool isRWA) private view {
        side.id = id;
        side.isRWA = isRWA;
        // Every member of a slot is read before the first branch, so that the slot is read once.
        if (isRWA) {
            RWA storage rwa = _rwa(id);
            side.token = rwa.token;
            side.decimals = rwa.decimals;
            side.flags = rwa.flags;
            side.provider = rwa.priceAdapter;
            if (!rwa.accepted) revert RWANotAccepted();
        } else {
            Stablecoin storage stablecoin = _stablecoin(id);
            side.token = stablecoin.token;
            side.decimals = stablecoin.decimals;
            side.flags = stablecoin.flags;
            side.provider = stablecoin.delegate;
            side.priceWad = stablecoin.usdValueWad;
            if (!stablecoin.accepted) revert StablecoinNotAccepted();
        }
    }

    /// @notice Reads RWA prices, then requires USD values, then asks the guardrail of every stablecoin of the leg.
    /// @param leg The leg, with its assets loaded.
    function _loadPrices(Leg memory leg) private view {
        Side memory assetIn = leg.assetIn;
        Side memory assetOut = leg.assetOut;
        // The stablecoin of a leg with an RWA; between RWAs it is on neither side, and the leg is still valued in it.
        Side memory c = leg.settlement;
        if (assetIn.isRWA) _loadRWAPrice(assetIn);
        if (assetOut.isRWA) _loadRWAPrice(assetOut);
        if (assetIn.isRWA || assetOut.isRWA) {
            _requireUSDValue(c);
        } else {
            _requireUSDValue(assetIn);
            _requireUSDValue(assetOut);
        }
        if ((assetIn.flags | assetOut.flags | c.flags) & GUARDRAIL == 0) return;
        _checkGuardrail(assetIn);
        _checkGuardrail(assetOut);
        if (assetIn.isRWA && assetOut.isRWA) _checkGuardrail(c);
    }

    /// @dev Reads the price of an RWA.
    function _loadRWAPrice(Side memory rwa) private view {
        if (rwa.provider == address(0)) revert PriceAdapterNotSet(rwa.id);
        rwa.priceWad = IPriceAdapter(rwa.provider).getPrice();
        if (rwa.priceWad == 0 || rwa.priceWad > ValueMath.MAX_WAD) revert InvalidPrice();
    }

    /// @notice Requires a USD value.
    /// @param side A stablecoin.
    function _requireUSDValue(Side memory side) private pure {
        if (side.priceWad == 0) revert USDValueNotSet(side.id);
    }

    /// @notice Refuses a stablecoin whose market price is out of its band, while its guardrail is on.
    /// @param side The asset; an RWA never has the flag.
    function _checkGuardrail(Side memory side) private view {
        if (side.flags & GUARDRAIL == 0) return;
        Guardrail memory guardrail = _coreSwapStorage().guardrails[side.id];
        if (guardrail.priceAdapter == address(0)) revert StablecoinPriceAdapterNotSet(side.id);
        if (guardrail.band == 0) revert StablecoinGuardrailBandNotSet(side.id);

        uint256 oraclePrice = IPriceAdapter(guardrail.priceAdapter).getPrice();
        uint256 adminValue = side.priceWad;
        uint256 distance = oraclePrice > adminValue ? oraclePrice - adminValue : adminValue - oraclePrice;
        // distance * WAD <= band * adminValue, divided by WAD: the quotient's floor compares alike with an integer.
        if (distance > guardrail.band * adminValue / FeeMath.WAD) {
            revert StablecoinPriceOutsideBand(side.id, adminValue, oraclePrice, guardrail.band);
        }
    }

    /// @notice Reads the rates of the leg.
    /// @param leg The leg, with its assets loaded.
    /// @param paysProtocol False to leave the protocol's rates at zero.
    function _loadRates(Leg memory leg, bool paysProtocol) private view {
        CoreSwapState storage $ = _coreSwapStorage();
        FeeMath.Rates memory rates = leg.rates;
        Side memory assetIn = leg.assetIn;
        Side memory assetOut = leg.assetOut;
        Side memory settlement = leg.settlement;
        bytes32 c = settlement.id;
        if (paysProtocol && settlement.flags & PROTOCOL_FEE_EXEMPT == 0) {
            rates.issuerRate = _stablecoin(c).issuerPaidProtocolFeeRate;
            rates.takeRate = $.spreadProtocolTakeRate;
        }
        if (assetIn.isRWA) {
            rates.firstRate = $.discountRates[c][assetIn.id];
            if (assetOut.isRWA) rates.secondRate = $.redemptionFees[c][assetOut.id];
        } else if (assetOut.isRWA) {
            rates.firstRate = $.redemptionFees[c][assetOut.id];
        } else if (c == assetOut.id) {
            rates.firstRate = $.stablecoinAcceptanceFees[c][assetIn.token];
        } else {
            rates.firstRate = $.stablecoinRedemptionFees[c][assetOut.token];
        }
    }

    /// @notice Computes the amounts from the amount in, rounding down throughout.
    /// @param leg The leg, with prices and rates loaded.
    /// @param user Account that pays.
    /// @param amountIn Amount in, in units of the token in.
    function _resolveExactIn(Leg memory leg, address user, uint256 amountIn) internal view {
        if (!ValueMath.isWithinBounds(amountIn, leg.assetIn.decimals)) _revertInput(leg);
        uint256 gross = _convert(amountIn, leg.assetIn, leg.settlement, Math.Rounding.Floor);
        if (_isYieldBearing(leg.assetIn)) {
            uint256 yield = _yieldDelegate(leg).getYieldAmount(user, amountIn, _isStablecoinWithdrawal(leg));
            gross = Math.saturatingAdd(gross, yield);
        }
        uint256 net;
        (net, leg.issuerFee, leg.spreadFee, leg.lpFee) = FeeMath.splitGross(gross, leg.rates);
        uint256 amountOut = _convert(net, leg.settlement, leg.assetOut, Math.Rounding.Floor);
        if (!ValueMath.isWithinBounds(amountOut, leg.assetOut.decimals)) _revertOutput(leg);
        (leg.amountIn, leg.amountOut) = (amountIn, amountOut);
    }

    /// @notice Computes the amounts from the amount out, rounding up throughout.
    /// @param leg The leg, with prices and rates loaded.
    /// @param user Account that pays.
    /// @param amountOut Amount out, in units of the token out.
    function _resolveExactOut(Leg memory leg, address user, uint256 amountOut) internal view {
        if (!ValueMath.isWithinBounds(amountOut, leg.assetOut.decimals)) _revertOutput(leg);
        uint256 net = _convert(amountOut, leg.assetOut, leg.settlement, Math.Rounding.Ceil);
        uint256 gross;
        (gross, leg.issuerFee, leg.spreadFee, leg.lpFee) = FeeMath.splitNet(net, leg.rates);
        uint256 amountIn = _isYieldBearing(leg.assetIn)
            ? _yieldDelegate(leg).getAmountForTargetValue(user, gross, _isStablecoinWithdrawal(leg))
            : _convert(gross, leg.settlement, leg.assetIn, Math.Rounding.Ceil);
        if (!ValueMath.isWithinBounds(amountIn, leg.assetIn.decimals)) _revertInput(leg);
        (leg.amountIn, leg.amountOut) = (amountIn, amountOut);
    }

    /// @dev Returns who knows the credits of a yield-bearing stablecoin that comes in, which always settles.
    function _yieldDelegate(Leg memory leg) private pure returns (IYieldBearingDelegate delegate) {
        return IYieldBearingDelegate(leg.settlement.provider);
    }

    /// @dev Tells whether a redemption of a yield-bearing stablecoin is paid in a stablecoin.
    function _isStablecoinWithdrawal(Leg memory leg) private pure returns (bool isStablecoinWithdrawal) {
        return !leg.assetOut.isRWA;
    }

    /// @notice Tells whether redemptions of an asset pay yield on top of the tokens.
    /// @param side The asset; an RWA never has the flag.
    /// @return isYieldBearing True when they do.
    function _isYieldBearing(Side memory side) internal pure returns (bool isYieldBearing) {
        return side.flags & YIELD_BEARING != 0;
    }

    /// @notice Converts between two assets of a leg at their prices.
    /// @param amount Amount of the first asset, in its token units.
    /// @param from First asset.
    /// @param to Second asset.
    /// @param rounding Floor or Ceil, for every step.
    /// @return converted Amount of the second asset, in its token units.
    function _convert(uint256 amount, Side memory from, Side memory to, Math.Rounding rounding)
        private
        pure
        returns (uint256 converted)
    {
        if (from.id == to.id) return amount;
        return ValueMath.convert(amount, from.decimals, from.priceWad, to.decimals, to.priceWad, rounding);
    }
}
