// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPriceAdapter} from "src/interfaces/IPriceAdapter.sol";

/// @title SettablePriceAdapter
/// @notice Price adapter whose price anyone may set, zero included.
contract SettablePriceAdapter is IPriceAdapter {
    uint256 private _priceWad;

    constructor(uint256 priceWad) {
        _priceWad = priceWad;
    }

    /// @notice Sets the price, in WAD.
    function setPrice(uint256 priceWad) external {
        _priceWad = priceWad;
    }

    function getPrice() external view returns (uint256 priceWad) {
        return _priceWad;
    }
}
