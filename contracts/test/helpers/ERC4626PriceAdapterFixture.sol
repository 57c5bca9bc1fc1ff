// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SettablePriceAdapter} from "../mocks/SettablePriceAdapter.sol";
import {SettableVault} from "../mocks/SettableVault.sol";
import {BaseTest} from "./BaseTest.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ERC4626PriceAdapter} from "src/adapters/ERC4626PriceAdapter.sol";
import {IPriceAdapter} from "src/interfaces/IPriceAdapter.sol";

/// @title ERC4626PriceAdapterFixture
/// @notice An adapter of a vault whose rate can be set, and whose asset counts as one USD.
abstract contract ERC4626PriceAdapterFixture is BaseTest {
    uint256 internal constant WAD = 1e18;
    uint256 internal constant REFERENCE_WAD = 1.0437e18;
    uint256 internal constant BOUND_WAD = 0.01e18;
    /// Largest move within the bound around `REFERENCE_WAD`.
    uint256 internal constant MAX_MOVE_WAD = 0.010437e18;
    IPriceAdapter internal constant ONE_USD = IPriceAdapter(address(0));

    SettableVault internal vault;
    ERC4626PriceAdapter internal adapter;

    function setUp() public virtual {
        vm.warp(1_750_000_000);
        _deploy(18, 18, ONE_USD);
    }

    function _deploy(uint8 shareDecimals, uint8 assetDecimals, IPriceAdapter assetPriceAdapter) internal {
        vault = new SettableVault(address(new TestToken("Asset", "AST", assetDecimals)), shareDecimals);
        _setRate(REFERENCE_WAD);
        adapter = _deployAdapter(assetPriceAdapter, BOUND_WAD, REFERENCE_WAD);
    }

    function _deployAdapter(IPriceAdapter assetPriceAdapter, uint256 boundWad, uint256 referenceWad)
        internal
        returns (ERC4626PriceAdapter)
    {
        return new ERC4626PriceAdapter(IERC4626(address(vault)), assetPriceAdapter, boundWad, referenceWad);
    }

    /// Sets the value of a whole share, in whole assets.
    function _setRate(uint256 rateWad) internal {
        vault.set(rateWad * 10 ** TestToken(vault.asset()).decimals());
    }

    function _expectMoveTooLarge(uint256 rateWad) internal {
        vm.expectRevert(
            abi.encodeWithSelector(
                ERC4626PriceAdapter.RateMoveTooLarge.selector, adapter.referenceRateWad(), rateWad, BOUND_WAD
            )
        );
    }

    function _assetAdapter(uint256 priceWad) internal returns (SettablePriceAdapter) {
        return new SettablePriceAdapter(priceWad);
    }
}
