// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title SettableVault
/// @notice The part of an ERC-4626 vault that a price adapter reads, with a settable rate.
contract SettableVault {
    address public immutable asset;
    uint8 public immutable decimals;
    uint256 private immutable _WHOLE_SHARE;
    uint256 private _assetsPerShare;

    constructor(address asset_, uint8 decimals_) {
        asset = asset_;
        decimals = decimals_;
        _WHOLE_SHARE = 10 ** decimals_;
    }

    /// @notice Sets the assets per whole share, in the asset's smallest unit with 18 more decimals.
    function set(uint256 assetsPerShareWad) external {
        _assetsPerShare = assetsPerShareWad;
    }

    function convertToAssets(uint256 shares) external view returns (uint256 assets) {
        return shares * _assetsPerShare / _WHOLE_SHARE / 1e18;
    }
}
