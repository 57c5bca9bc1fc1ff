// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../interfaces/ICoreSwap.sol";
import {IStablecoinDelegate} from "../interfaces/IStablecoinDelegate.sol";
import {FeeMath} from "../libraries/FeeMath.sol";
import {CoreSwapFees} from "./CoreSwapFees.sol";
import {CoreSwapSettlement} from "./CoreSwapSettlement.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title CoreSwapAutoLiquidity
/// @notice Lets the custody of a plain stablecoin `c` keep its reserve in a yield-bearing stablecoin `y`: a prefund
/// redeems the shortfall of a payout, a sweep deposits what came in.
/// @dev Both are derived legs of the custody account, settled by `y`'s delegate and reported like any other, with the
/// custody as user and receiver and CoreSwap as the operator. They are authorized like any operator's leg, by the
/// standing input allowance that the custody granted CoreSwap; nobody else can grant it. They pay `y`'s LP but not the
/// protocol, and never cause further derived legs.
///
/// An allowance names an asset, not the LP that it is meant for: a custody's allowance of `y` can be spent by a prefund
/// for any `c` whose delegate names that custody. That means each LP that the account consented to, and whoever
/// upgrades a registered delegate.
///
/// The operator's USD value of `c` prices a derived leg, and `y`'s LP sets its rate. So that neither can take what the
/// custody allowed, a derived leg runs only while that value is within 1 % of its value at the LP's last call of
/// {setAutoLiquidityStablecoinID} and the rate is at most 1 %. Alternating sweeps and prefunds can make a custody pay
/// rates repeatedly, up to its allowance of `c`, which should therefore be finite.
///
/// A custody that is also one of `y`'s would be paying itself, which `y`'s delegate refuses, so it has no derived legs.
abstract contract CoreSwapAutoLiquidity is CoreSwapFees, CoreSwapSettlement {
    /// @notice Exact-in route of a sweep.
    uint256 private constant SWEEP_ROUTE_ID = 7;

    /// @notice Exact-out route of a prefund.
    uint256 private constant PREFUND_ROUTE_ID = 8;

    /// @notice Largest distance of a USD value from the one that the LP agreed to, and highest rate of a derived leg: 1
    /// %, as a WAD fraction.
    uint256 private constant DERIVED_LEG_BOUND = 0.01e18;

    /// @inheritdoc ICoreSwap
    function setAutoLiquidityStablecoinID(bytes32 stablecoinID, bytes32 autoLiquidityStablecoinID)
        external
        onlyStablecoinDelegate(stablecoinID)
    {
        if (autoLiquidityStablecoinID != 0) {
            if (autoLiquidityStablecoinID == stablecoinID) revert IdenticalStablecoins();
            Stablecoin storage reserve = _stablecoin(autoLiquidityStablecoinID);
            if (!reserve.accepted || !_isYieldBearing(reserve)) revert StablecoinNotAccepted();
        }
        Stablecoin storage stablecoin = _stablecoin(stablecoinID);
        _setFlag(stablecoin, AUTO_LIQUIDITY, autoLiquidityStablecoinID != 0);
        _coreSwapStorage().autoLiquidity[stablecoinID] =
            AutoLiquidity({stablecoinID: autoLiquidityStablecoinID, usdValueWad: stablecoin.usdValueWad});
        emit AutoLiquidityStablecoinIDSet(stablecoinID, autoLiquidityStablecoinID);
    }

    /// @inheritdoc ICoreSwap
    function sweep(bytes32 stablecoinID, uint256 amount) external {
        if (msg.sender != address(this)) revert InvalidSwapAddress(msg.sender);
        address custody = _custodyOf(stablecoinID);
        bytes32 reserveID = _coreSwapStorage().autoLiquidity[stablecoinID].stablecoinID;
        if (!_isApart(custody, reserveID)) return;
        _swapDerivedLeg(custody, SWEEP_ROUTE_ID, stablecoinID, reserveID, reserveID, amount);
    }

    /// @inheritdoc ICoreSwap
    function autoLiquidityStablecoinIDs(bytes32 stablecoinID)
        external
        view
        returns (bytes32 autoLiquidityStablecoinID)
    {
        return _coreSwapStorage().autoLiquidity[stablecoinID].stablecoinID;
    }

    /// @dev Redeems, before a leg that pays `c` out, what its custody lacks for payout and fee. Reverts when it cannot.
    /// The leg is resolved, and its settling stablecoin has auto-liquidity.
    function _prefund(Leg memory leg) internal {
        Side memory c = leg.settlement;
        if (leg.assetIn.id == c.id) return;
        uint256 leaving = leg.issuerFee + leg.spreadFee;
        if (leg.assetOut.id == c.id) leaving += leg.amountOut;

        address custody = _custodyOf(c.id);
        uint256 available = IERC20(c.token).balanceOf(custody);
        // Checked before the other delegate is called, so that its failure stops no payout that the balance covers.
        if (leaving <= available) return;
        bytes32 reserveID = _coreSwapStorage().autoLiquidity[c.id].stablecoinID;
        if (!_isApart(custody, reserveID)) return;
        _swapDerivedLeg(custody, PREFUND_ROUTE_ID, reserveID, c.id, reserveID, leaving - available);
    }

    /// @dev Deposits, after a leg that brought `c` in, what its custody received. Best effort: if the sweep fails, the
    /// requested leg still stands. The caller can starve the sweep with a gas limit that covers only the requested
    /// legs. The leg is settled, and its settling stablecoin has auto-liquidity.
    function _trySweep(Leg memory leg) internal {
        Side memory c = leg.settlement;
        if (leg.assetIn.id != c.id) return;
        uint256 received = leg.amountIn - leg.issuerFee - leg.spreadFee;
        // All of it, including calls to the other delegate, runs in this call: any failure is undone and goes no
        // further.
        // solhint-disable-next-line no-empty-blocks
        try this.sweep(c.id, received) {} catch {}
    }

    /// @dev Resolves, authorizes, settles and reports a leg of a custody, which is both its user and its receiver. The
    /// delegate of `reserveID`, the yield-bearing one of the two assets, settles. `amount` is the amount in of a sweep,
    /// and the amount out of a prefund.
    function _swapDerivedLeg(
        address custody,
        uint256 routeId,
        bytes32 assetInID,
        bytes32 assetOutID,
        bytes32 reserveID,
        uint256 amount
    ) private {
        _checkNotBlacklisted(custody);
        Parties memory parties = Parties({
            user: custody,
            receiver: custody,
            operator: address(this),
            vault: _coreSwapStorage().vault,
            spendsAllowance: true
        });
        Leg memory leg;
        _loadAssets(leg, routeId, assetInID, assetOutID, reserveID);
        _loadTerms(leg, false);
        _checkDerivedTerms(leg.assetIn.id == reserveID ? leg.assetOut : leg.assetIn, leg.rates.firstRate);
        if (_isExactIn(leg)) _resolveExactIn(leg, custody, amount);
        else _resolveExactOut(leg, custody, amount);
        _spendSwapInputAllowance(custody, address(this), assetInID, leg.amountIn);
        _settle(parties, leg);
        _emitSwap(parties, leg);
    }

    /// @dev Refuses terms that the LP of `c` did not agree to. `rateWad` is the rate of the reserve's LP.
    function _checkDerivedTerms(Side memory c, uint256 rateWad) private view {
        uint256 agreedWad = _coreSwapStorage().autoLiquidity[c.id].usdValueWad;
        uint256 distanceWad = c.priceWad > agreedWad ? c.priceWad - agreedWad : agreedWad - c.priceWad;
        if (rateWad > DERIVED_LEG_BOUND || distanceWad > agreedWad * DERIVED_LEG_BOUND / FeeMath.WAD) {
            revert DerivedLegTooExpensive(c.id);
        }
    }

    /// @dev Tells whether a custody of `c` can have derived legs in the reserve `y`: false when it is zero or one of
    /// the custodies of `y`'s delegate.
    function _isApart(address custody, bytes32 reserveID) private view returns (bool isApart) {
        return custody != address(0) && custody != _custodyOf(reserveID)
            && custody != IStablecoinDelegate(_stablecoin(reserveID).delegate).balanceSheetCustodyAddress();
    }

    /// @dev Returns the account that holds the stablecoins of the LP of `stablecoinID`, zero when it is not set.
    function _custodyOf(bytes32 stablecoinID) private view returns (address custody) {
        return IStablecoinDelegate(_stablecoin(stablecoinID).delegate).stablecoinCustodyAddress();
    }

    /// @dev Tells whether the custody of a stablecoin has derived legs. A yield-bearing one pays by minting and takes
    /// in by burning: nothing leaves or enters its custody.
    function _hasAutoLiquidity(Side memory c) internal pure returns (bool hasAutoLiquidity) {
        return c.flags & (AUTO_LIQUIDITY | YIELD_BEARING) == AUTO_LIQUIDITY;
    }
}
