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
/// redeems the shortfall of a payout, and a sweep deposits what came in.
/// @dev Both are derived legs of the custody account, settled by `y`'s delegate and reported like any other, with the
/// custody as user and receiver and CoreSwap as the operator. Like any operator's leg, they spend a standing input
/// allowance, which only the custody itself can grant to CoreSwap. They pay `y`'s LP but not the protocol, and never
/// cause further derived legs.
///
/// An allowance is for an asset, not for an LP: a prefund for any `c` whose delegate names the custody can spend the
/// custody's allowance of `y`. The custody therefore trusts every LP that it consented to serve, and whoever can
/// register a delegate or upgrade a registered one.
///
/// The operator's USD value of `c` prices a derived leg, and `y`'s LP sets its rate. To keep a false value or rate from
/// taking what the custody allowed, a derived leg runs only while that value is within 1 % of its value at the LP's last
/// call of {setAutoLiquidityStablecoinID} and the rate is at most 1 %. This does not bind an operator that registers a
/// delegate of its own for `c`, which agrees to any value: only the custody's allowances bound that. Alternating sweeps
/// and prefunds can make a custody pay rates repeatedly, up to its allowance of `c`, which should therefore be finite.
///
/// A custody that also serves `y`'s delegate has no derived legs: it would pay itself, which that delegate refuses.
abstract contract CoreSwapAutoLiquidity is CoreSwapFees, CoreSwapSettlement {
    /// @notice Exact-in route of a sweep.
    uint256 private constant SWEEP_ROUTE_ID = 7;

    /// @notice Exact-out route of a prefund.
    uint256 private constant PREFUND_ROUTE_ID = 8;

    /// @notice Largest distance of a USD value from the value that the LP agreed to, and highest rate of a derived leg.
    /// WAD fraction: 1 %.
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

    /// @dev Before a leg that pays `c` out, redeems the amount that the custody lacks for the payout and the protocol
    /// fee. Reverts when the redemption fails. The leg must be resolved and its settling stablecoin must have
    /// auto-liquidity.
    function _prefund(Leg memory leg) internal {
        Side memory c = leg.settlement;
        if (leg.assetIn.id == c.id) return;
        uint256 leaving = leg.issuerFee + leg.spreadFee;
        if (leg.assetOut.id == c.id) leaving += leg.amountOut;

        address custody = _custodyOf(c.id);
        uint256 available = IERC20(c.token).balanceOf(custody);
        // Checked before the other delegate is called, so that a failure there cannot stop a payout that the balance
        // covers.
        if (leaving <= available) return;
        bytes32 reserveID = _coreSwapStorage().autoLiquidity[c.id].stablecoinID;
        if (!_isApart(custody, reserveID)) return;
        _swapDerivedLeg(custody, PREFUND_ROUTE_ID, reserveID, c.id, reserveID, leaving - available);
    }

    /// @dev After a leg that brought `c` in, deposits the amount that the custody received. Best effort: if the sweep
    /// fails, the requested leg still stands. The caller can make the sweep fail with a gas limit that covers only the
    /// requested legs. The leg must be settled and its settling stablecoin must have auto-liquidity.
    function _trySweep(Leg memory leg) internal {
        Side memory c = leg.settlement;
        if (leg.assetIn.id != c.id) return;
        uint256 received = leg.amountIn - leg.issuerFee - leg.spreadFee;
        // The whole sweep, including its calls to the other delegate, runs in this external call: if it fails, it is
        // undone and the requested leg stands.
        // solhint-disable-next-line no-empty-blocks
        try this.sweep(c.id, received) {} catch {}
    }

    /// @dev Resolves, authorizes, settles and reports a leg of a custody, which is both its user and its receiver. It
    /// is settled by the delegate of `reserveID`, the yield-bearing one of the two assets. `amount` is the amount in of
    /// a sweep or the amount out of a prefund.
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

    /// @dev Returns whether a custody of `c` can have derived legs in the reserve `y`: false when the custody is zero
    /// or also serves `y`'s delegate.
    function _isApart(address custody, bytes32 reserveID) private view returns (bool isApart) {
        return custody != address(0) && custody != _custodyOf(reserveID)
            && custody != IStablecoinDelegate(_stablecoin(reserveID).delegate).balanceSheetCustodyAddress();
    }

    /// @dev Returns the account that holds the stablecoins of the LP of `stablecoinID`, or zero when it is not set.
    function _custodyOf(bytes32 stablecoinID) private view returns (address custody) {
        return IStablecoinDelegate(_stablecoin(stablecoinID).delegate).stablecoinCustodyAddress();
    }

    /// @dev Returns whether the custody of a stablecoin has derived legs. The custody of a yield-bearing one does not:
    /// that stablecoin is minted when it is paid out and burned when it comes in.
    function _hasAutoLiquidity(Side memory c) internal pure returns (bool hasAutoLiquidity) {
        return c.flags & (AUTO_LIQUIDITY | YIELD_BEARING) == AUTO_LIQUIDITY;
    }
}
