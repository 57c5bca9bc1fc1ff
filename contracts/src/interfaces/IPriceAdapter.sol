// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IPriceAdapter
/// @notice Source of one USD price: the NAV of an RWA, or the market price that guards a stablecoin.
interface IPriceAdapter {
    /// @notice Returns the USD price of one whole token. Reverts rather than return a stale or bad price.
    /// @return priceWad USD per whole token, WAD (1e18 is one USD).
    function getPrice() external view returns (uint256 priceWad);
}
