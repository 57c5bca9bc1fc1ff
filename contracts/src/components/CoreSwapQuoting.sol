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
/// Where the asset on a side is `c` itself, its amount and its value in `c` are the same number, except that a
/// yield-bearing `c` coming in is worth its tokens and the yield of the user's credits.
abstract contract CoreSwapQuoting is ICoreSwap, CoreSwapStorage {
    /// @notice One of the assets of a leg.
    /// @param id Asset ID.
    /// @param token ERC-20 token.
    /// @param decimals Decimals of the token.
    /// @param isRWA True for an RWA, false for a stablecoin.
    /// @param yieldBearing True for a stablecoin whose redemptions pay yield.
    /// @param controls Bits of a stablecoin's `Stablecoin.controls`, none for an RWA.
    /// @param priceAdapter Price source of an RWA.
    /// @param priceWad USD a whole token, WAD: the adapter's price of an RWA, the USD value of a stablecoin.
    struct Side {
        bytes32 id;
        address token;
        uint8 decimals;
        bool isRWA;
        bool yieldBearing;
        uint8 controls;
        address priceAdapter;
        uint256 priceWad;
    }

    /// @notice One leg, resolved.
    /// @param exactIn True when the amount in is given, false when the amount out is.
    /// @param assetIn Asset that the user pays.
    /// @param assetOut Asset that the receiver gets.
    /// @param settlement The stablecoin `c`; the same object as `assetIn` or `assetOut` when it is one of them.
    /// @param delegate Delegate of `c`.
    /// @param rates Rates of the leg.
    /// @param amounts The result.
    struct Leg {
        bool exactIn;
        Side assetIn;
        Side assetOut;
        Side settlement;
        address delegate;
        FeeMath.Rates rates;
        SwapResolved amounts;
    }

    /// @notice Last route; the first is 1.
    uint256 internal constant LAST_ROUTE_ID = 8;

    /// @inheritdoc ICoreSwap
    function quoteSwap(address user, SwapInputs calldata inputs) external view returns (SwapResolved memory resolved) {
        return _resolveLeg(user, inputs, true).amounts;
    }

    /// @notice Resolves a leg: assets, prices, rates and amounts. Ignores the bound.
    /// @param user Account that pays.
    /// @param inputs The leg asked for.
    /// @param paysProtocol False for a derived leg, which pays neither the issuer-paid fee nor the take rate.
    /// @return leg The leg resolved.
    function _resolveLeg(address user, SwapInputs memory inputs, bool paysProtocol)
        internal
        view
        returns (Leg memory leg)
    {
        _loadAssets(leg, inputs);
        _loadPrices(leg);
        _loadRates(leg, paysProtocol);
        if (leg.exactIn) _resolveExactIn(leg, user, inputs.assetInAmt);
        else _resolveExactOut(leg, user, inputs.assetOutAmt);
    }

    /// @notice Reverts with the error of an amount in that is zero, too large or above its bound.
    /// @param leg The leg.
    function _revertInput(Leg memory leg) internal pure {
        if (leg.assetIn.isRWA) revert InsufficientRWAInput();
        revert InsufficientStablecoinInput();
    }

    /// @notice Reverts with the error of an amount out that is zero, too large or below its bound.
    /// @param leg The leg.
    function _revertOutput(Leg memory leg) internal pure {
        if (leg.assetOut.isRWA) revert InsufficientRWAOutput();
        revert InsufficientStablecoinOutput();
    }

    /// @notice Reads route, assets and settling stablecoin, and checks acceptance and delegate ID.
    /// @param leg The leg to fill.
    /// @param inputs The leg asked for.
    function _loadAssets(Leg memory leg, SwapInputs memory inputs) private view {
        uint256 routeId = inputs.routeId;
        if (routeId == 0 || routeId > LAST_ROUTE_ID) revert UnsupportedRouteId(routeId);
        bool isRWAIn = routeId == 1 || routeId == 2 || routeId == 5 || routeId == 6;
        bool isRWAOut = routeId >= 3 && routeId <= 6;
        leg.exactIn = routeId % 2 == 1;

        if (inputs.assetInID == inputs.assetOutID && isRWAIn == isRWAOut) {
            if (isRWAIn) revert IdenticalAssets();
            revert IdenticalStablecoins();
        }
        leg.assetIn = _loadSide(inputs.assetInID, isRWAIn);
        leg.assetOut = _loadSide(inputs.assetOutID, isRWAOut);
        leg.settlement = _loadSettlement(leg, inputs.stablecoinDelegateID);
    }

    /// @notice Finds the stablecoin whose delegate settles, or refuses the one named.
    /// @param leg The leg, with both sides loaded.
    /// @param delegateID The stablecoin named.
    /// @return settlement The stablecoin.
    function _loadSettlement(Leg memory leg, bytes32 delegateID) private view returns (Side memory settlement) {
        Side memory assetIn = leg.assetIn;
        Side memory assetOut = leg.assetOut;
        if (assetIn.isRWA && assetOut.isRWA) return _loadSide(delegateID, false);

        bool inMaySettle = !assetIn.isRWA;
        bool outMaySettle = !assetOut.isRWA;
        if (inMaySettle && outMaySettle) {
            // Tokens of a yield-bearing stablecoin taken as a foreign one would part yield from capital, so its own
            // delegate has to settle; between two of them neither can.
            (inMaySettle, outMaySettle) = (!assetOut.yieldBearing, !assetIn.yieldBearing);
        }
        if (inMaySettle && delegateID == assetIn.id) return assetIn;
        if (outMaySettle && delegateID == assetOut.id) return assetOut;
        revert InvalidStablecoinDelegateID(delegateID, inMaySettle && !outMaySettle ? assetIn.id : assetOut.id);
    }

    /// @notice Reads one accepted asset.
    /// @param id Asset ID.
    /// @param isRWA Kind that the route asks for.
    /// @return side The asset; an RWA's price is read later.
    function _loadSide(bytes32 id, bool isRWA) private view returns (Side memory side) {
        side.id = id;
        side.isRWA = isRWA;
        if (isRWA) {
            RWA storage rwa = _rwa(id);
            if (!rwa.accepted) revert RWANotAccepted();
            side.token = rwa.token;
            side.decimals = rwa.decimals;
            side.priceAdapter = rwa.priceAdapter;
        } else {
            Stablecoin storage stablecoin = _stablecoin(id);
            if (!stablecoin.accepted) revert StablecoinNotAccepted();
            side.token = stablecoin.token;
            side.decimals = stablecoin.decimals;
            side.yieldBearing = stablecoin.yieldBearing;
            side.priceWad = stablecoin.usdValueWad;
            side.controls = stablecoin.controls;
        }
    }

    /// @notice Reads RWA prices, then requires USD values, then asks the guardrail of every stablecoin of the leg.
    /// @param leg The leg, with its assets loaded.
    function _loadPrices(Leg memory leg) private view {
        _loadRWAPrice(leg.assetIn);
        _loadRWAPrice(leg.assetOut);
        _requireUSDValue(leg.assetIn);
        _requireUSDValue(leg.assetOut);
        // Between RWAs the settling stablecoin is on neither side, and the leg is still valued in it.
        bool isThirdAsset = leg.assetIn.isRWA && leg.assetOut.isRWA;
        if (isThirdAsset) _requireUSDValue(leg.settlement);
        _checkGuardrail(leg.assetIn);
        _checkGuardrail(leg.assetOut);
        if (isThirdAsset) _checkGuardrail(leg.settlement);
    }

    /// @notice Reads the price of an RWA; leaves a stablecoin alone.
    /// @param side The asset.
    function _loadRWAPrice(Side memory side) private view {
        if (!side.isRWA) return;
        if (side.priceAdapter == address(0)) revert PriceAdapterNotSet(side.id);
        side.priceWad = IPriceAdapter(side.priceAdapter).getPrice();
        if (side.priceWad == 0) revert InvalidPrice();
    }

    /// @notice Requires a USD value of a stablecoin; leaves an RWA alone.
    /// @param side The asset.
    function _requireUSDValue(Side memory side) private pure {
        if (!side.isRWA && side.priceWad == 0) revert USDValueNotSet(side.id);
    }

    /// @notice Refuses a stablecoin whose market price is out of its band, while its guardrail is on.
    /// @param side The asset; an RWA never has the bit.
    function _checkGuardrail(Side memory side) private view {
        if (side.controls & GUARDRAIL == 0) return;
        Guardrail memory guardrail = _coreSwapStorage().guardrails[side.id];
        if (guardrail.priceAdapter == address(0)) revert StablecoinPriceAdapterNotSet(side.id);
        if (guardrail.band == 0) revert StablecoinGuardrailBandNotSet(side.id);

        uint256 oraclePrice = IPriceAdapter(guardrail.priceAdapter).getPrice();
        uint256 adminValue = side.priceWad;
        uint256 distance = oraclePrice > adminValue ? oraclePrice - adminValue : adminValue - oraclePrice;
        // distance * WAD <= band * adminValue, divided by WAD: the quotient's floor compares alike with an integer.
        if (distance > Math.mulDiv(guardrail.band, adminValue, FeeMath.WAD)) {
            revert StablecoinPriceOutsideBand(side.id, adminValue, oraclePrice, guardrail.band);
        }
    }

    /// @notice Reads the delegate of `c` and the rates of the leg.
    /// @param leg The leg, with its assets loaded.
    /// @param paysProtocol False to leave the protocol's rates at zero.
    function _loadRates(Leg memory leg, bool paysProtocol) private view {
        CoreSwapState storage $ = _coreSwapStorage();
        bytes32 c = leg.settlement.id;
        Stablecoin storage settlement = _stablecoin(c);
        leg.delegate = settlement.delegate;

        FeeMath.Rates memory rates = leg.rates;
        if (paysProtocol && !settlement.protocolFeeExempt) {
            rates.issuerRate = settlement.issuerPaidProtocolFeeRate;
            rates.takeRate = $.spreadProtocolTakeRate;
        }
        if (leg.assetIn.isRWA) {
            rates.firstRate = $.discountRates[c][leg.assetIn.id];
            if (leg.assetOut.isRWA) rates.secondRate = $.redemptionFees[c][leg.assetOut.id];
        } else if (leg.assetOut.isRWA) {
            rates.firstRate = $.redemptionFees[c][leg.assetOut.id];
        } else if (c == leg.assetOut.id) {
            rates.firstRate = $.stablecoinAcceptanceFees[c][leg.assetIn.token];
        } else {
            rates.firstRate = $.stablecoinRedemptionFees[c][leg.assetOut.token];
        }
    }

    /// @notice Computes the amounts from the amount in, rounding down throughout.
    /// @param leg The leg, with prices and rates loaded.
    /// @param user Account that pays.
    /// @param amountIn Amount in, in units of the token in.
    function _resolveExactIn(Leg memory leg, address user, uint256 amountIn) private view {
        Side memory c = leg.settlement;
        if (!_isUsable(amountIn, leg.assetIn)) _revertInput(leg);

        bool fits = true;
        uint256 gross = amountIn;
        if (leg.assetIn.id != c.id) (fits, gross) = _tryConvert(amountIn, leg.assetIn, c, Math.Rounding.Floor);
        else if (c.yieldBearing) (fits, gross) = _tryRedeemableValue(leg, user, amountIn);
        if (!fits) _revertOutput(leg);

        FeeMath.Split memory split = FeeMath.splitGross(gross, leg.rates);
        uint256 amountOut = split.net;
        if (leg.assetOut.id != c.id) (fits, amountOut) = _tryConvert(split.net, c, leg.assetOut, Math.Rounding.Floor);
        if (!fits || amountOut == 0) _revertOutput(leg);
        _setAmounts(leg, amountIn, amountOut, split);
    }

    /// @notice Computes the amounts from the amount out, rounding up throughout.
    /// @param leg The leg, with prices and rates loaded.
    /// @param user Account that pays.
    /// @param amountOut Amount out, in units of the token out.
    function _resolveExactOut(Leg memory leg, address user, uint256 amountOut) private view {
        Side memory c = leg.settlement;
        if (!_isUsable(amountOut, leg.assetOut)) _revertOutput(leg);

        bool fits = true;
        uint256 net = amountOut;
        if (leg.assetOut.id != c.id) (fits, net) = _tryConvert(amountOut, leg.assetOut, c, Math.Rounding.Ceil);
        FeeMath.Split memory split;
        if (fits) (fits, split) = FeeMath.trySplitNet(net, leg.rates);
        if (!fits) _revertInput(leg);

        // What comes in is never zero: it is a positive amount out, rounded up.
        uint256 amountIn = split.gross;
        if (leg.assetIn.id != c.id) {
            (fits, amountIn) = _tryConvert(split.gross, c, leg.assetIn, Math.Rounding.Ceil);
        } else if (c.yieldBearing) {
            amountIn = IYieldBearingDelegate(leg.delegate)
                .getAmountForTargetValue(user, split.gross, _isStablecoinWithdrawal(leg));
        }
        if (!fits || !_isUsable(amountIn, leg.assetIn)) _revertInput(leg);
        _setAmounts(leg, amountIn, amountOut, split);
    }

    /// @notice Value of yield-bearing tokens that the user redeems: the tokens and the yield of the user's credits.
    /// @param leg The leg.
    /// @param user Account whose credits are consumed.
    /// @param amountIn Tokens redeemed.
    /// @return fits False when the sum needs more than 256 bits.
    /// @return value Tokens and yield, in token units.
    function _tryRedeemableValue(Leg memory leg, address user, uint256 amountIn)
        private
        view
        returns (bool fits, uint256 value)
    {
        return Math.tryAdd(
            amountIn, IYieldBearingDelegate(leg.delegate).getYieldAmount(user, amountIn, _isStablecoinWithdrawal(leg))
        );
    }

    /// @notice Tells whether a redemption of a yield-bearing stablecoin is paid in a stablecoin.
    /// @param leg The leg.
    /// @return isStablecoinWithdrawal False when it is paid in an RWA.
    function _isStablecoinWithdrawal(Leg memory leg) private pure returns (bool isStablecoinWithdrawal) {
        return !leg.assetOut.isRWA;
    }

    /// @notice Tells whether an amount can be computed with: above zero and, scaled to WAD, within 256 bits.
    /// @param amount Amount in units of the side's token.
    /// @param side The asset.
    /// @return isUsable True when it can.
    function _isUsable(uint256 amount, Side memory side) private pure returns (bool isUsable) {
        (bool fits, uint256 amountWad) = ValueMath.tryToWad(amount, side.decimals);
        return fits && amountWad != 0;
    }

    /// @notice Converts between two assets of a leg at their prices.
    /// @param amount Amount of the first asset, in its token units.
    /// @param from First asset.
    /// @param to Second asset.
    /// @param rounding Floor or Ceil, for every step.
    /// @return fits False when a step needs more than 256 bits.
    /// @return converted Amount of the second asset, in its token units.
    function _tryConvert(uint256 amount, Side memory from, Side memory to, Math.Rounding rounding)
        private
        pure
        returns (bool fits, uint256 converted)
    {
        return ValueMath.tryConvert(amount, from.decimals, from.priceWad, to.decimals, to.priceWad, rounding);
    }

    /// @notice Writes the result of a leg.
    /// @param leg The leg.
    /// @param amountIn Amount in, in units of the token in.
    /// @param amountOut Amount out, in units of the token out.
    /// @param split Fees, in units of `c`.
    function _setAmounts(Leg memory leg, uint256 amountIn, uint256 amountOut, FeeMath.Split memory split) private pure {
        leg.amounts = SwapResolved({
            tokenInAmt: amountIn,
            tokenOutAmt: amountOut,
            issuerFeeAmt: split.issuerFee,
            spreadFeeAmt: split.spreadFee,
            lpFeeAmt: split.lpFee
        });
    }
}
