// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";
import {ERC4626PriceAdapter} from "src/adapters/ERC4626PriceAdapter.sol";
import {IPriceAdapter} from "src/interfaces/IPriceAdapter.sol";
import {ERC4626PriceAdapterFixture} from "test/helpers/ERC4626PriceAdapterFixture.sol";
import {TestVault} from "test/mocks/TestVault.sol";

contract ERC4626PriceAdapterConstructorTest is ERC4626PriceAdapterFixture {
    function test_RevertWhen_TheBoundIsZero() public {
        vm.expectRevert(abi.encodeWithSelector(ERC4626PriceAdapter.InvalidMaxMove.selector, 0));
        _deployAdapter(ONE_USD, 0, REFERENCE_WAD);
    }

    function testFuzz_RevertWhen_TheBoundIsOneOrMore(uint256 boundWad) public {
        boundWad = boundWad % 2 == 0 ? WAD : bound(boundWad, WAD, type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(ERC4626PriceAdapter.InvalidMaxMove.selector, boundWad));
        _deployAdapter(ONE_USD, boundWad, REFERENCE_WAD);
    }

    function test_RevertWhen_TheReferenceIsZero() public {
        vm.expectRevert(abi.encodeWithSelector(ERC4626PriceAdapter.InvalidReference.selector, 0));
        _deployAdapter(ONE_USD, BOUND_WAD, 0);
    }

    function testFuzz_RevertWhen_TheReferenceTakesMoreThan96Bits(uint256 referenceWad) public {
        referenceWad = bound(referenceWad, 2 ** 96, type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(ERC4626PriceAdapter.InvalidReference.selector, referenceWad));
        _deployAdapter(ONE_USD, BOUND_WAD, referenceWad);
    }

    function test_RevertWhen_TheShareHasMoreThan18Decimals() public {
        vm.mockCall(address(vault), abi.encodeCall(TestToken.decimals, ()), abi.encode(19));
        vm.expectRevert(abi.encodeWithSelector(ERC4626PriceAdapter.UnsupportedDecimals.selector, 19));
        _deployAdapter(ONE_USD, BOUND_WAD, REFERENCE_WAD);
    }

    function test_RevertWhen_TheAssetHasMoreThan18Decimals() public {
        vm.mockCall(vault.asset(), abi.encodeCall(TestToken.decimals, ()), abi.encode(19));
        vm.expectRevert(abi.encodeWithSelector(ERC4626PriceAdapter.UnsupportedDecimals.selector, 19));
        _deployAdapter(ONE_USD, BOUND_WAD, REFERENCE_WAD);
    }

    function testFuzz_RevertWhen_TheRateOfTheVaultIsFartherFromTheReferenceThanTheBound(uint256 rateWad) public {
        // One unit beyond the bound, on either side.
        rateWad = rateWad % 2 == 0 ? REFERENCE_WAD + MAX_MOVE_WAD + 1 : REFERENCE_WAD - MAX_MOVE_WAD - 1;
        _setRate(rateWad);
        _expectMoveTooLarge(rateWad);
        _deployAdapter(ONE_USD, BOUND_WAD, REFERENCE_WAD);
    }

    function test_RevertWhen_TheFirstDepositorInflatedTheRateBeforeDeployment() public {
        TestToken asset = new TestToken("Asset", "AST", 18);
        TestVault inflated = new TestVault(asset, 0);
        asset.mint(address(this), 1_001e18);
        asset.approve(address(inflated), 1);
        inflated.deposit(1, address(this));
        asset.transfer(address(inflated), 1_000e18);
        uint256 rateWad = inflated.convertToAssets(1e18);
        assertGt(rateWad, 100e18, "not inflated");
        vm.expectRevert(abi.encodeWithSelector(ERC4626PriceAdapter.RateMoveTooLarge.selector, WAD, rateWad, BOUND_WAD));
        new ERC4626PriceAdapter(inflated, ONE_USD, BOUND_WAD, WAD);
    }

    function testFuzz_WhenTheArgumentsAreValid(address assetPriceAdapter, uint256 boundWad, uint256 referenceWad)
        public
    {
        boundWad = bound(boundWad, 1, WAD - 1);
        referenceWad = bound(referenceWad, 1, type(uint96).max);
        _setRate(referenceWad);
        adapter = _deployAdapter(IPriceAdapter(assetPriceAdapter), boundWad, referenceWad);
        assertEq(address(adapter.vault()), address(vault), "vault");
        assertEq(address(adapter.assetPriceAdapter()), assetPriceAdapter, "asset price adapter");
        assertEq(adapter.maxMovePerDayWad(), boundWad, "bound");
        assertEq(adapter.referenceRateWad(), referenceWad, "reference");
        assertEq(adapter.checkpointedAt(), 0, "time");
        adapter.checkpoint();
    }
}
