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
/// @notice The only place that computes the amounts of a leg, for both quotes and swaps.
/// @dev Exact-in and exact-out are mirror images. Let `c` be the stablecoin whose delegate settles:
///
///     exact-in    amount in  -> gross (value in c) -> fees -> net (value in c) -> amount out    all rounded down
///     exact-out   amount out -> net (value in c)   -> fees -> gross (value in c) -> amount in   all rounded up
///
/// Both amounts are above zero and, scaled to WAD, at most 2^128 - 1, as {ValueMath} requires.
///
/// When the asset on a side is `c` itself, its amount equals its value in `c`. The exception is a yield-bearing `c`
/// that comes in: its value is the amount of tokens plus the yield of the user's credits.
abstract contract CoreSwapQuoting is ICoreSwap, CoreSwapStorage {
    /// @notice One of the assets of a leg.
    /// @param id Asset ID.
    /// @param token ERC-20 token.
    /// @param decimals Decimals of the token.
    /// @param isRWA True for an RWA, false for a stablecoin.
    /// @param flags Flags of its record.
    /// @param provider Price adapter of an RWA, or delegate of a stablecoin.
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

    /// @notice One resolved leg.
    /// @param routeId Route, which determines the kinds of the assets and which amount is given.
    /// @param assetIn Asset that the user pays.
    /// @param assetOut Asset that the receiver is paid.
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

    /// @notice Highest route ID; the lowest is 1.
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

    /// @dev Resolves the assets, prices, rates and amounts of a leg. Ignores the bound.
    function _resolveLeg(Leg memory leg, address user, SwapInputs calldata inputs) internal view {
        _loadAssets(leg, inputs.routeId, inputs.assetInID, inputs.assetOutID, inputs.stablecoinDelegateID);
        _loadTerms(leg, true);
        if (_isExactIn(leg)) _resolveExactIn(leg, user, inputs.assetInAmt);
        else _resolveExactOut(leg, user, inputs.assetOutAmt);
    }

    /// @dev Reads the prices and rates of a leg with its assets loaded. `paysProtocol` is false for a derived leg,
    /// which pays neither the issuer-paid fee nor the take rate.
    function _loadTerms(Leg memory leg, bool paysProtocol) internal view {
        _loadPrices(leg);
        _loadRates(leg, paysProtocol);
    }

    /// @dev Reverts with the error for an amount in that is zero, too large or above its bound.
    function _revertInput(Leg memory leg) internal pure {
        if (leg.assetIn.isRWA) revert InsufficientRWAInput();
        revert InsufficientStablecoinInput();
    }

    /// @dev Reverts with the error for an amount out that is zero, too large or below its bound.
    function _revertOutput(Leg memory leg) internal pure {
        if (leg.assetOut.isRWA) revert InsufficientRWAOutput();
        revert InsufficientStablecoinOutput();
    }

    /// @dev Returns whether a leg gives the amount in (exact-in) rather than the amount out.
    function _isExactIn(Leg memory leg) internal pure returns (bool isExactIn) {
        return leg.routeId & 1 == 1;
    }

    /// @dev Reads the route, the assets and the settling stablecoin. Checks acceptance, and that `delegateID` is the ID
    /// of the stablecoin that settles.
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

    /// @dev Finds the stablecoin whose delegate settles, and refuses a `delegateID` that names another. Both sides of
    /// the leg must be loaded.
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
        // A foreign delegate would separate the yield of a yield-bearing stablecoin from its capital, so its own
        // delegate has to settle; between two such stablecoins, neither can.
        bool inMaySettle = !_isYieldBearing(assetOut);
        bool outMaySettle = !_isYieldBearing(assetIn);
        if (inMaySettle && delegateID == assetIn.id) leg.settlement = assetIn;
        else if (outMaySettle && delegateID == assetOut.id) leg.settlement = assetOut;
        else revert InvalidStablecoinDelegateID(delegateID, inMaySettle && !outMaySettle ? assetIn.id : assetOut.id);
    }

    /// @dev Reads one accepted asset of the kind that the route requires; an RWA's price is read later.
    function _loadSide(Side memory side, bytes32 id, bool isRWA) private view {
        side.id = id;
        side.isRWA = isRWA;
        // Every member of a slot is read before the first branch, so that the slot is read only once.
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

    /// @dev Reads RWA prices, then requires USD values, then checks the guardrail of every stablecoin of the leg.
    function _loadPrices(Leg memory leg) private view {
        Side memory assetIn = leg.assetIn;
        Side memory assetOut = leg.assetOut;
        // The stablecoin of a leg with an RWA. In an RWA to RWA leg it is on neither side, but the leg is still valued
        // in it.
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

    /// @dev Requires a stablecoin to have a USD value.
    function _requireUSDValue(Side memory side) private pure {
        if (side.priceWad == 0) revert USDValueNotSet(side.id);
    }

    /// @dev Refuses a stablecoin whose market price is outside its band, while its guardrail is on. An RWA never has
    /// that flag.
    function _checkGuardrail(Side memory side) private view {
        if (side.flags & GUARDRAIL == 0) return;
        Guardrail memory guardrail = _coreSwapStorage().guardrails[side.id];
        if (guardrail.priceAdapter == address(0)) revert StablecoinPriceAdapterNotSet(side.id);
        if (guardrail.band == 0) revert StablecoinGuardrailBandNotSet(side.id);

        uint256 oraclePrice = IPriceAdapter(guardrail.priceAdapter).getPrice();
        uint256 adminValue = side.priceWad;
        uint256 distance = oraclePrice > adminValue ? oraclePrice - adminValue : adminValue - oraclePrice;
        // distance * WAD <= band * adminValue, divided by WAD; comparing with the floor is exact because distance is an
        // integer.
        if (distance > guardrail.band * adminValue / FeeMath.WAD) {
            revert StablecoinPriceOutsideBand(side.id, adminValue, oraclePrice, guardrail.band);
        }
    }

    /// @dev Reads the rates of a leg with its assets loaded. The protocol's rates stay zero unless `paysProtocol`.
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

    /// @dev Computes the amounts from the amount in, in units of the token in, rounding down throughout. Prices and
    /// rates must be loaded.
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

    /// @dev Computes the amounts from the amount out, in units of the token out, rounding up throughout. Prices and
    /// rates must be loaded.
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

    /// @dev Returns the delegate that tracks the credits of a yield-bearing stablecoin that comes in; it always
    /// settles.
    function _yieldDelegate(Leg memory leg) private pure returns (IYieldBearingDelegate delegate) {
        return IYieldBearingDelegate(leg.settlement.provider);
    }

    /// @dev Returns whether a redemption of a yield-bearing stablecoin is paid in a stablecoin.
    function _isStablecoinWithdrawal(Leg memory leg) private pure returns (bool isStablecoinWithdrawal) {
        return !leg.assetOut.isRWA;
    }

    /// @dev Returns whether redemptions of an asset pay yield on top of the tokens. An RWA never has that flag.
    function _isYieldBearing(Side memory side) internal pure returns (bool isYieldBearing) {
        return side.flags & YIELD_BEARING != 0;
    }

    /// @dev Converts between two assets of a leg at their prices. Amounts are in units of their tokens; every step is
    /// rounded in the given direction.
    function _convert(uint256 amount, Side memory from, Side memory to, Math.Rounding rounding)
        private
        pure
        returns (uint256 converted)
    {
        if (from.id == to.id) return amount;
        return ValueMath.convert(amount, from.decimals, from.priceWad, to.decimals, to.priceWad, rounding);
    }
}
