// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPriceAdapter} from "../interfaces/IPriceAdapter.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title ERC4626PriceAdapter
/// @notice The USD price of one share of an ERC-4626 vault: the assets per share times the USD price of the asset. No
/// roles: CoreSwap's operator replaces the adapter as a whole.
/// @dev
/// Price. `convertToAssets` of a whole share, times the price from the asset's own adapter; without such an adapter an
/// asset counts as one USD. Both steps round down.
///
/// Bound. A donation of assets to a vault raises its share price at once. {getPrice} therefore serves an asset rate
/// only within `maxMovePerDayWad` of a stored reference and reverts beyond it. {checkpoint}, open to all, stores the
/// current rate as the next reference, at most once a day and at most `maxMovePerDayWad` away from the reference in
/// force. The new reference comes into force a day later, so nothing done in one transaction, or in one day, moves both
/// the rate and the reference. So `k` whole days after a reference came into force, no rate above
/// `(1 + bound)^(k + 1)` times it or below `(1 - bound)^(k + 1)` times it is served.
///
/// Liveness. The bound has to cover what the vault earns between two checkpoints and in the day until a checkpoint
/// takes effect; daily checkpoints and a bound of several days' yield are enough. A rate that leaves the bound stops
/// the swaps of its RWA; daily checkpoints by any caller then move the reference towards it by one bound a day. A
/// donation can cause such a stop, at the donor's cost and to the holders' gain. After an incident the operator sets a
/// new adapter instead of waiting.
///
/// Assumptions. The decimals of share and asset never change. The vault's rate cannot be moved and moved back in one
/// transaction: {checkpoint} reads it at a moment that the caller chooses.
///
/// Not checked. That shares can be redeemed at the rate, which does not include fees, limits and queues of the vault.
/// The move of the asset's own price.
contract ERC4626PriceAdapter is IPriceAdapter {
    uint256 private constant WAD = 1e18;
    uint256 private constant WAD_DECIMALS = 18;

    // solhint-disable immutable-vars-naming

    /// @notice The vault.
    IERC4626 public immutable vault;

    /// @notice Adapter of the asset's USD price; zero when an asset counts as one USD.
    IPriceAdapter public immutable assetPriceAdapter;

    /// @notice Largest relative distance between the rate served and the reference in force, and between one reference
    /// and the next, inclusive. WAD fraction of the reference, above 0 and below 1e18.
    uint256 public immutable maxMovePerDayWad;

    // solhint-enable immutable-vars-naming

    /// @dev Number of shares whose value in the asset's smallest unit equals the WAD rate of one share.
    uint256 private immutable _RATE_SHARES;

    /// @dev The reference in force until the last checkpoint comes into force.
    uint96 private _previousRateWad;

    /// @dev The reference that the last checkpoint stored.
    uint96 private _lastRateWad;

    /// @notice Block timestamp of the last checkpoint, in seconds; 0 before the first.
    uint64 public checkpointedAt;

    /// @notice A checkpoint was taken.
    /// @param referenceRateWad Reference that comes into force a day later: assets per share, WAD.
    /// @param rateWad The vault's rate at the checkpoint; differs from the reference when it was out of bounds.
    event Checkpointed(uint256 referenceRateWad, uint256 rateWad);

    /// @notice The bound given is zero, or 1e18 or more.
    error InvalidMaxMove(uint256 maxMovePerDayWad);

    /// @notice The first reference is zero or at least 2^96.
    error InvalidReference(uint256 referenceRateWad);

    /// @notice The share or the asset has more than 18 decimals.
    error UnsupportedDecimals(uint8 decimals);

    /// @notice The vault's rate is too far from the reference in force.
    /// @param referenceRateWad The reference: assets per share, WAD.
    /// @param rateWad The vault's rate.
    /// @param maxMovePerDayWad The bound.
    error RateMoveTooLarge(uint256 referenceRateWad, uint256 rateWad, uint256 maxMovePerDayWad);

    /// @notice The last checkpoint is less than a day old.
    /// @param nextCheckpointAt When the next may be taken, in seconds.
    error CheckpointTooEarly(uint256 nextCheckpointAt);

    /// @notice The price rounds to zero.
    error ZeroPrice();

    /// @notice Sets the vault, the asset's price adapter and the bound, which never change. The vault's rate has to be
    /// within the bound of the first reference, so that nobody can give the adapter a wrong start by moving the rate
    /// before its deployment.
    /// @param vault_ See {vault}. Share and asset have at most 18 decimals, else `UnsupportedDecimals`.
    /// @param assetPriceAdapter_ See {assetPriceAdapter}.
    /// @param maxMovePerDayWad_ See {maxMovePerDayWad}; `InvalidMaxMove` outside its range.
    /// @param referenceRateWad_ First reference, as the deployer knows it: assets per share, WAD. `InvalidReference`
    /// when zero or at least 2^96, `RateMoveTooLarge` when the vault's rate is too far from it.
    constructor(
        IERC4626 vault_,
        IPriceAdapter assetPriceAdapter_,
        uint256 maxMovePerDayWad_,
        uint256 referenceRateWad_
    ) {
        if (maxMovePerDayWad_ == 0 || maxMovePerDayWad_ >= WAD) {
            revert InvalidMaxMove(maxMovePerDayWad_);
        }
        if (referenceRateWad_ == 0 || referenceRateWad_ > type(uint96).max) revert InvalidReference(referenceRateWad_);
        vault = vault_;
        assetPriceAdapter = assetPriceAdapter_;
        maxMovePerDayWad = maxMovePerDayWad_;
        uint256 shareDecimals = _decimalsOf(address(vault_));
        _RATE_SHARES = 10 ** (shareDecimals + WAD_DECIMALS - _decimalsOf(vault_.asset()));
        // Does not truncate: the range is checked above.
        // forge-lint: disable-next-line(unsafe-typecast)
        _previousRateWad = _lastRateWad = uint96(referenceRateWad_);
        _checkMove(referenceRateWad_, vault_.convertToAssets(_RATE_SHARES), maxMovePerDayWad_);
    }

    /// @notice Takes the vault's current rate, clamped to the bound around the reference in force, as the reference
    /// that comes into force in a day. Open to all. `CheckpointTooEarly` when the last checkpoint is less than a day
    /// old.
    function checkpoint() external {
        uint256 nextCheckpointAt = checkpointedAt + 1 days;
        // A validator can shift the timestamp by seconds, which is negligible against a day.
        // forge-lint: disable-next-line(block-timestamp)
        if (block.timestamp < nextCheckpointAt) revert CheckpointTooEarly(nextCheckpointAt);
        // The last checkpoint is a day old, so it is in force.
        uint256 current = _lastRateWad;
        uint256 rateWad = assetsPerShareWad();
        // Exact in 256 bits: a reference is below 2^96 and a WAD fraction below 2^60.
        uint256 maxMoveWad = current * maxMovePerDayWad / WAD;
        uint256 next = Math.max(Math.min(rateWad, current + maxMoveWad), current - maxMoveWad);
        _previousRateWad = SafeCast.toUint96(current);
        _lastRateWad = SafeCast.toUint96(next);
        checkpointedAt = SafeCast.toUint64(block.timestamp);
        emit Checkpointed(next, rateWad);
    }

    /// @inheritdoc IPriceAdapter
    /// @dev Reverts with `RateMoveTooLarge` or `ZeroPrice`, and with the errors of the vault and the asset's adapter.
    function getPrice() external view returns (uint256 priceWad) {
        priceWad = assetsPerShareWad();
        _checkMove(referenceRateWad(), priceWad, maxMovePerDayWad);
        if (address(assetPriceAdapter) != address(0)) {
            priceWad = Math.mulDiv(priceWad, assetPriceAdapter.getPrice(), WAD);
        }
        if (priceWad == 0) revert ZeroPrice();
    }

    /// @notice Returns the vault's current rate, whether or not it is within the bound.
    /// @return rateWad Whole assets per whole share, WAD, as the vault rounds (down).
    function assetsPerShareWad() public view returns (uint256 rateWad) {
        return vault.convertToAssets(_RATE_SHARES);
    }

    /// @notice Returns the reference in force.
    /// @return rateWad Whole assets per whole share, WAD.
    function referenceRateWad() public view returns (uint256 rateWad) {
        // forge-lint: disable-next-line(block-timestamp)
        return block.timestamp < uint256(checkpointedAt) + 1 days ? _previousRateWad : _lastRateWad;
    }

    /// @dev Reverts with `RateMoveTooLarge` when a rate is out of the bound around a reference. The rates are WAD, the
    /// bound is a WAD fraction.
    function _checkMove(uint256 centerWad, uint256 rateWad, uint256 boundWad) private pure {
        uint256 moveWad = rateWad > centerWad ? rateWad - centerWad : centerWad - rateWad;
        // The quotient is the largest whole move within the bound; the product does not overflow (see {checkpoint}).
        if (moveWad > centerWad * boundWad / WAD) revert RateMoveTooLarge(centerWad, rateWad, boundWad);
    }

    /// @dev Reads a token's decimals; `UnsupportedDecimals` above 18.
    function _decimalsOf(address token) private view returns (uint256 decimals) {
        uint8 count = IERC20Metadata(token).decimals();
        if (count > WAD_DECIMALS) revert UnsupportedDecimals(count);
        return count;
    }
}
