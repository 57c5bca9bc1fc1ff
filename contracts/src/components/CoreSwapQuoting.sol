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
    /// @param leg The leg to fill; what it held before does not matter.
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

    /// @notice Tells which amount of a leg is given.
    /// @param leg The leg, with its assets loaded.
    /// @return isExactIn True when the amount in is given, false when the amount out is.
    function _isExactIn(Leg memory leg) internal pure returns (bool isExactIn) {
        return leg.routeId & 1 == 1;
    }

    /// @notice Reads route, assets and settling stablecoin, and checks acceptance and delegate ID.
    /// @param leg The leg to fill; what it held before does not matter.
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
            // An object of its own: the one there may be an asset of this leg, since the leg before.
            Side memory c;
            leg.settlement = c;
            _loadSide(c, delegateID, false);
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
    /// @param side The asset to fill; an RWA's price and token are read later.
    /// @param id Asset ID.
    /// @param isRWA Kind that the route asks for.
    function _loadSide(Side memory side, bytes32 id, bool isRWA) private view {
        side.id = id;
        side.isRWA = isRWA;
        // Every member of a slot is read before the first branch, so that the slot is read once.
        if (isRWA) {
            RWA storage rwa = _rwa(id);
            side.provider = rwa.priceAdapter;
            side.decimals = rwa.decimals;
            side.flags = rwa.flags;
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

    /// @notice Reads the price of an RWA.
    /// @param rwa The RWA.
    function _loadRWAPrice(Side memory rwa) private view {
        if (rwa.provider == address(0)) revert PriceAdapterNotSet(rwa.id);
        rwa.priceWad = IPriceAdapter(rwa.provider).getPrice();
        if (rwa.priceWad == 0) revert InvalidPrice();
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
        if (distance > Math.mulDiv(guardrail.band, adminValue, FeeMath.WAD)) {
            revert StablecoinPriceOutsideBand(side.id, adminValue, oraclePrice, guardrail.band);
        }
    }

    /// @notice Reads the rates of the leg, and with an RWA's rate its token.
    /// @param leg The leg, with its assets loaded.
    /// @param paysProtocol False to leave the protocol's rates at zero.
    function _loadRates(Leg memory leg, bool paysProtocol) private view {
        CoreSwapState storage $ = _coreSwapStorage();
        FeeMath.Rates memory rates = leg.rates;
        // Not every leg sets them; the leg before may have.
        (rates.issuerRate, rates.takeRate, rates.secondRate) = (0, 0, 0);
        Side memory assetIn = leg.assetIn;
        Side memory assetOut = leg.assetOut;
        Side memory settlement = leg.settlement;
        bytes32 c = settlement.id;
        if (paysProtocol && settlement.flags & PROTOCOL_FEE_EXEMPT == 0) {
            rates.issuerRate = _stablecoin(c).issuerPaidProtocolFeeRate;
            rates.takeRate = $.spreadProtocolTakeRate;
        }
        if (assetIn.isRWA) {
            rates.firstRate = _loadRWARate(assetIn, $.discountRates[c][assetIn.id]);
            if (assetOut.isRWA) rates.secondRate = _loadRWARate(assetOut, $.redemptionFees[c][assetOut.id]);
        } else if (assetOut.isRWA) {
            rates.firstRate = _loadRWARate(assetOut, $.redemptionFees[c][assetOut.id]);
        } else if (c == assetOut.id) {
            rates.firstRate = $.stablecoinAcceptanceFees[c][assetIn.token];
        } else {
            rates.firstRate = $.stablecoinRedemptionFees[c][assetOut.token];
        }
    }

    /// @notice Reads an LP's rate on an RWA, and the RWA's token where it stands beside it.
    /// @param rwa The RWA; gets its token.
    /// @param record The rate.
    /// @return rate WAD fraction.
    function _loadRWARate(Side memory rwa, RWARate storage record) private view returns (uint256 rate) {
        rate = record.rate;
        rwa.token = record.token;
        if (rwa.token == address(0)) rwa.token = _rwa(rwa.id).token;
    }

    /// @notice Computes the amounts from the amount in, rounding down throughout.
    /// @param leg The leg, with prices and rates loaded.
    /// @param user Account that pays.
    /// @param amountIn Amount in, in units of the token in.
    function _resolveExactIn(Leg memory leg, address user, uint256 amountIn) internal view {
        Side memory assetIn = leg.assetIn;
        Side memory c = leg.settlement;
        (bool fits, uint256 amountWad) = ValueMath.tryToWad(amountIn, assetIn.decimals);
        if (!fits || amountWad == 0) _revertInput(leg);

        uint256 gross = amountIn;
        if (assetIn.id != c.id) {
            (, gross) =
                ValueMath.tryConvertWad(amountWad, assetIn.priceWad, c.decimals, c.priceWad, Math.Rounding.Floor);
        } else if (_isYieldBearing(c)) {
            gross = _redeemableValue(leg, user, amountIn);
        }

        uint256 amountOut;
        (amountOut, leg.issuerFee, leg.spreadFee, leg.lpFee) = FeeMath.splitGross(gross, leg.rates);
        if (leg.assetOut.id != c.id) (, amountOut) = _tryConvert(amountOut, c, leg.assetOut, Math.Rounding.Floor);
        // A value that does not fit 256 bits is zero, here and above, and nothing comes of it.
        if (amountOut == 0) _revertOutput(leg);
        (leg.amountIn, leg.amountOut) = (amountIn, amountOut);
    }

    /// @notice Computes the amounts from the amount out, rounding up throughout.
    /// @param leg The leg, with prices and rates loaded.
    /// @param user Account that pays.
    /// @param amountOut Amount out, in units of the token out.
    function _resolveExactOut(Leg memory leg, address user, uint256 amountOut) internal view {
        Side memory c = leg.settlement;
        if (!_isUsable(amountOut, leg.assetOut)) _revertOutput(leg);

        bool fits = true;
        uint256 net = amountOut;
        if (leg.assetOut.id != c.id) (fits, net) = _tryConvert(amountOut, leg.assetOut, c, Math.Rounding.Ceil);
        uint256 amountIn;
        if (fits) {
            (fits, amountIn, leg.issuerFee, leg.spreadFee, leg.lpFee) = FeeMath.trySplitNet(net, leg.rates);
        }
        if (!fits) _revertInput(leg);

        // What comes in is never zero: it is a positive amount out, rounded up.
        if (leg.assetIn.id != c.id) {
            (fits, amountIn) = _tryConvert(amountIn, c, leg.assetIn, Math.Rounding.Ceil);
        } else if (_isYieldBearing(c)) {
            amountIn = IYieldBearingDelegate(leg.settlement.provider)
                .getAmountForTargetValue(user, amountIn, _isStablecoinWithdrawal(leg));
        }
        if (!fits || !_isUsable(amountIn, leg.assetIn)) _revertInput(leg);
        (leg.amountIn, leg.amountOut) = (amountIn, amountOut);
    }

    /// @notice Value of yield-bearing tokens that the user redeems: the tokens and the yield of the user's credits.
    /// @param leg The leg.
    /// @param user Account whose credits are consumed.
    /// @param amountIn Tokens redeemed.
    /// @return value Tokens and yield, in token units; zero when the sum needs more than 256 bits.
    function _redeemableValue(Leg memory leg, address user, uint256 amountIn) private view returns (uint256 value) {
        IYieldBearingDelegate delegate = IYieldBearingDelegate(leg.settlement.provider);
        (, value) = Math.tryAdd(amountIn, delegate.getYieldAmount(user, amountIn, _isStablecoinWithdrawal(leg)));
    }

    /// @notice Tells whether a redemption of a yield-bearing stablecoin is paid in a stablecoin.
    /// @param leg The leg.
    /// @return isStablecoinWithdrawal False when it is paid in an RWA.
    function _isStablecoinWithdrawal(Leg memory leg) private pure returns (bool isStablecoinWithdrawal) {
        return !leg.assetOut.isRWA;
    }

    /// @notice Tells whether redemptions of an asset pay yield on top of the tokens.
    /// @param side The asset; an RWA never has the flag.
    /// @return isYieldBearing True when they do.
    function _isYieldBearing(Side memory side) internal pure returns (bool isYieldBearing) {
        return side.flags & YIELD_BEARING != 0;
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
}
