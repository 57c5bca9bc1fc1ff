// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";
import {ERC4626PriceAdapter} from "src/adapters/ERC4626PriceAdapter.sol";
import {IPriceAdapter} from "src/interfaces/IPriceAdapter.sol";
import {ERC4626PriceAdapterFixture} from "test/helpers/ERC4626PriceAdapterFixture.sol";
import {SettableVault} from "test/mocks/SettableVault.sol";
import {TestVault} from "test/mocks/TestVault.sol";

contract ERC4626PriceAdapterGetPriceTest is ERC4626PriceAdapterFixture {
    function test_RevertGiven_TheVaultReverts() public {
        vm.mockCallRevert(address(vault), abi.encodeWithSelector(SettableVault.convertToAssets.selector), "closed");
        vm.expectRevert("closed");
        adapter.getPrice();
    }

    function test_RevertGiven_TheAssetPriceAdapterReverts() public {
        IPriceAdapter assetAdapter = _assetAdapter(WAD);
        _deploy(18, 18, assetAdapter);
        vm.mockCallRevert(address(assetAdapter), abi.encodeCall(IPriceAdapter.getPrice, ()), "stale");
        vm.expectRevert("stale");
        adapter.getPrice();
    }

    function test_GivenTheRateIsAsFarFromTheReferenceAsTheBound() public {
        _setRate(REFERENCE_WAD + MAX_MOVE_WAD);
        assertEq(adapter.getPrice(), REFERENCE_WAD + MAX_MOVE_WAD, "above");
        _setRate(REFERENCE_WAD - MAX_MOVE_WAD);
        assertEq(adapter.getPrice(), REFERENCE_WAD - MAX_MOVE_WAD, "below");
    }

    function testFuzz_RevertGiven_TheRateIsFartherFromTheReferenceThanTheBound(uint256 rateWad) public {
        rateWad = rateWad % 2 == 0
            ? bound(rateWad, REFERENCE_WAD + MAX_MOVE_WAD + 1, 1e30)
            : bound(rateWad, 0, REFERENCE_WAD - MAX_MOVE_WAD - 1);
        _setRate(rateWad);
        _expectMoveTooLarge(rateWad);
        adapter.getPrice();
    }

    function testFuzz_RevertGiven_TheVaultLostEverything(uint256 boundWad, uint256 referenceWad) public {
        boundWad = bound(boundWad, 1, WAD - 1);
        referenceWad = bound(referenceWad, 1, type(uint96).max);
        _setRate(referenceWad);
        adapter = _deployAdapter(ONE_USD, boundWad, referenceWad);
        _setRate(0);
        vm.expectRevert(
            abi.encodeWithSelector(ERC4626PriceAdapter.RateMoveTooLarge.selector, referenceWad, 0, boundWad)
        );
        adapter.getPrice();
    }

    function test_RevertGiven_ThePriceRoundsToZero() public {
        // Half an asset at 1e-18 USD.
        vault = new SettableVault(address(new TestToken("Asset", "AST", 18)), 18);
        _setRate(0.5e18);
        adapter = _deployAdapter(_assetAdapter(1), BOUND_WAD, 0.5e18);
        vm.expectRevert(ERC4626PriceAdapter.ZeroPrice.selector);
        adapter.getPrice();
    }

    function testFuzz_GivenAnAssetCountsOneUSD(uint8 shareDecimals, uint8 assetDecimals, uint256 rateWad) public {
        _deploy(uint8(bound(shareDecimals, 0, 18)), uint8(bound(assetDecimals, 0, 18)), ONE_USD);
        rateWad = bound(rateWad, REFERENCE_WAD - MAX_MOVE_WAD, REFERENCE_WAD + MAX_MOVE_WAD);
        _setRate(rateWad);
        assertEq(adapter.assetsPerShareWad(), rateWad, "rate");
        assertEq(adapter.getPrice(), rateWad, "price");
    }

    function testFuzz_GivenAnAssetHasAPrice(uint256 rateWad, uint256 assetPriceWad) public {
        rateWad = bound(rateWad, REFERENCE_WAD - MAX_MOVE_WAD, REFERENCE_WAD + MAX_MOVE_WAD);
        assetPriceWad = bound(assetPriceWad, 1, 1e36);
        _deploy(6, 8, _assetAdapter(assetPriceWad));
        _setRate(rateWad);
        assertEq(adapter.getPrice(), rateWad * assetPriceWad / WAD);
    }

    function test_GivenTheVaultEarnedYield() public {
        (TestToken asset, TestVault yielding) = _deployTestVault();
        asset.mint(address(yielding), 1_000e6);
        // The vault's virtual asset takes 1e-12 of the yield. The asset has only 6 decimals.
        assertApproxEqAbs(adapter.getPrice(), 1.001e18, 2e6, "price");
        assertEq(adapter.getPrice() / 1e12, yielding.convertToAssets(1e18), "the vault's own, cut to the asset");
    }

    function test_RevertGiven_ADonationBeyondTheBound() public {
        (TestToken asset, TestVault yielding) = _deployTestVault();
        asset.mint(address(yielding), 10_001e6);
        _expectMoveTooLarge(adapter.assetsPerShareWad());
        adapter.getPrice();
        // Redeeming does not remove the donation from the rate.
        yielding.redeem(900_000e18, address(this), address(this));
        _expectMoveTooLarge(adapter.assetsPerShareWad());
        adapter.getPrice();
    }

    /// Returns a real vault of 18 decimals over an asset of 6 decimals, which holds a million.
    function _deployTestVault() private returns (TestToken asset, TestVault yielding) {
        asset = new TestToken("Asset", "AST", 6);
        yielding = new TestVault(asset, 12);
        asset.mint(address(this), 1_000_000e6);
        asset.approve(address(yielding), 1_000_000e6);
        yielding.deposit(1_000_000e6, address(this));
        adapter = new ERC4626PriceAdapter(yielding, ONE_USD, BOUND_WAD, WAD);
    }
}
