// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalanceSheetDelegate} from "../../src/BalanceSheetDelegate.sol";
import {CoreSwap} from "../../src/CoreSwap.sol";
import {ICoreSwap} from "../../src/interfaces/ICoreSwap.sol";
import {CoreSwapFixture} from "../helpers/CoreSwapFixture.sol";
import {CapRiskDelegate} from "../mocks/CapRiskDelegate.sol";
import {TestToken} from "../mocks/TestToken.sol";

/// Asset IDs, tokens, delegates, adapters and values.
contract RegistryTest is CoreSwapFixture {
    bytes32 private constant NEW_ID = keccak256("NEW");
    TestToken private token;

    function setUp() public override {
        super.setUp();
        token = new TestToken("New", "NEW", 8);
        vm.startPrank(operator);
    }

    /* RWAs */

    function test_SetRWAAcceptance_RegistersAndReadsDecimals() public {
        address risk = address(new CapRiskDelegate(address(core), 0, 0));
        vm.expectEmit(address(core));
        emit ICoreSwap.RWAAcceptanceSet(NEW_ID, risk, address(token), 8, true);
        core.setRWAAcceptance(NEW_ID, risk, address(token), true);
        (bool accepted, bool controls, uint8 decimals, address delegate, address asset) = core.rwaInfo(NEW_ID);
        assertTrue(accepted);
        assertTrue(controls);
        assertEq(decimals, 8);
        assertEq(delegate, risk);
        assertEq(asset, address(token));
    }

    function test_S17_SetRWAAcceptance_TakesBackAndRestores() public {
        core.setRWAAcceptance(bill.id, address(0), address(bill.token), false);
        ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
        vm.expectRevert(ICoreSwap.RWANotAccepted.selector);
        core.quoteSwap(user, leg);
        core.setRWAAcceptance(bill.id, address(0), address(bill.token), true);
        core.quoteSwap(user, leg);
    }

    function test_SetRWAAcceptance_WithAnotherToken_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, bill.id));
        core.setRWAAcceptance(bill.id, address(0), address(token), true);
    }

    function test_SetRWAAcceptance_OfAStablecoinID_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, usdc.id));
        core.setRWAAcceptance(usdc.id, address(0), address(token), true);
    }

    function test_SetRWAAcceptance_OfTheZeroID_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, bytes32(0)));
        core.setRWAAcceptance(0, address(0), address(token), true);
    }

    function test_SetRWAAcceptance_OfATokenUnderAnotherID_Reverts() public {
        vm.expectRevert(ICoreSwap.InvalidAssetAddress.selector);
        core.setRWAAcceptance(NEW_ID, address(0), address(bill.token), true);
        vm.expectRevert(ICoreSwap.InvalidAssetAddress.selector);
        core.setRWAAcceptance(NEW_ID, address(0), address(usdc.token), true);
    }

    function test_SetRWAAcceptance_OfNoToken_Reverts() public {
        address[3] memory notTokens = [address(0), stranger, address(core)];
        for (uint256 k = 0; k < notTokens.length; ++k) {
            vm.expectRevert(ICoreSwap.InvalidAssetAddress.selector);
            core.setRWAAcceptance(NEW_ID, address(0), notTokens[k], true);
        }
    }

    function test_S10_SetRWAAcceptance_AboveEighteenDecimals_Reverts() public {
        token = new TestToken("New", "NEW", 19);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.UnsupportedDecimals.selector, 19));
        core.setRWAAcceptance(NEW_ID, address(0), address(token), true);
    }

    function test_SetRWAAcceptance_WithARiskDelegateWithoutCode_Reverts() public {
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setRWAAcceptance(NEW_ID, stranger, address(token), true);
    }

    function test_SetRwaPriceAdapter_SetsAndClears() public {
        vm.expectEmit(address(core));
        emit ICoreSwap.RwaPriceAdapterSet(bill.id, address(0));
        core.setRwaPriceAdapter(bill.id, address(0));
        assertEq(core.rwaPriceAdapters(bill.id), address(0));
    }

    function test_SetRwaWhitelistAdapter_SetsAndClears() public {
        vm.expectEmit(address(core));
        emit ICoreSwap.RwaWhitelistAdapterSet(bill.id, stranger);
        core.setRwaWhitelistAdapter(bill.id, stranger);
        assertEq(core.rwaWhitelistAdapters(bill.id), stranger);
        core.setRwaWhitelistAdapter(bill.id, address(0));
        assertEq(core.rwaWhitelistAdapters(bill.id), address(0));
    }

    /* stablecoins */

    function test_SetStablecoinAcceptance_RegistersAndReadsDecimals() public {
        BalanceSheetDelegate delegate = _newDelegate();
        vm.expectEmit(address(core));
        emit ICoreSwap.StablecoinAcceptanceSet(NEW_ID, address(delegate), address(token), 8, true, true);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, true);
        (bool accepted, bool yieldBearing, uint8 decimals, address registered, address asset) =
            core.stablecoinInfo(NEW_ID);
        assertTrue(accepted);
        assertTrue(yieldBearing);
        assertEq(decimals, 8);
        assertEq(registered, address(delegate));
        assertEq(asset, address(token));
    }

    function test_S17_SetStablecoinAcceptance_TakesBackAndRestores() public {
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(usdc.token), false, false);
        ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
        vm.expectRevert(ICoreSwap.StablecoinNotAccepted.selector);
        core.quoteSwap(user, leg);
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(usdc.token), true, false);
        core.quoteSwap(user, leg);
    }

    function test_SetStablecoinAcceptance_WithADelegateThatDoesNotNameUs_Reverts() public {
        vm.stopPrank();
        CoreSwap registry = core;
        _deployCore();
        address ofAnotherCoreSwap = address(_deployDelegate(NEW_ID, address(token), admin));
        core = registry;
        // No code, no such getters, another ID, another CoreSwap.
        address[4] memory delegates = [stranger, address(token), address(usdx.delegate), ofAnotherCoreSwap];
        vm.startPrank(operator);
        for (uint256 k = 0; k < delegates.length; ++k) {
            vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
            core.setStablecoinAcceptance(NEW_ID, delegates[k], address(token), true, false);
        }
    }

    function test_SetStablecoinAcceptance_OfABrokenDelegate_CanBeTakenBack() public {
        vm.etch(address(usdc.delegate), "");
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(usdc.token), false, false);
        (bool accepted,,,,) = core.stablecoinInfo(usdc.id);
        assertFalse(accepted);
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(usdc.token), true, false);
    }

    function test_SetStablecoinAcceptance_TakenBackWithAnotherDelegate_StillChecksIt() public {
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(usdc.id, stranger, address(usdc.token), false, false);
    }

    function test_S17_SetStablecoinAcceptance_WithAnotherTokenOrFlag_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, usdc.id));
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(token), true, false);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, usdc.id));
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(usdc.token), true, true);
    }

    function test_S17_SetStablecoinAcceptance_OfAnRWAID_Reverts() public {
        BalanceSheetDelegate delegate = _newDelegateFor(bill.id);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, bill.id));
        core.setStablecoinAcceptance(bill.id, address(delegate), address(token), true, false);
    }

    function test_SetStablecoinAcceptance_OfATokenUnderAnotherID_Reverts() public {
        BalanceSheetDelegate delegate = _newDelegate();
        vm.expectRevert(ICoreSwap.InvalidAssetAddress.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(usdc.token), true, false);
    }

    function test_S10_SetStablecoinAcceptance_AboveEighteenDecimals_Reverts() public {
        token = new TestToken("New", "NEW", 255);
        BalanceSheetDelegate delegate = _newDelegate();
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.UnsupportedDecimals.selector, 255));
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, false);
    }

    function test_SetStablecoinUSDValue_BelowTwoToThe88() public {
        vm.expectEmit(address(core));
        emit ICoreSwap.StablecoinUSDValueSet(usdc.id, type(uint88).max);
        core.setStablecoinUSDValue(usdc.id, type(uint88).max);
        assertEq(core.stablecoinUSDValue(usdc.id), type(uint88).max);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setStablecoinUSDValue(usdc.id, uint256(type(uint88).max) + 1);
    }

    function test_SetStablecoinUSDValue_OfAYieldBearingOne_TakesOneUSDAlone() public {
        BalanceSheetDelegate delegate = _newDelegate();
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, true);
        core.setStablecoinUSDValue(NEW_ID, WAD);
        uint256[3] memory values = [uint256(0), WAD - 1, WAD + 1];
        for (uint256 k = 0; k < values.length; ++k) {
            vm.expectRevert(ICoreSwap.InvalidRate.selector);
            core.setStablecoinUSDValue(NEW_ID, values[k]);
        }
    }

    function test_SetStablecoinAcceptance_AsYieldBearingAfterAnotherValue_Reverts() public {
        BalanceSheetDelegate delegate = _newDelegate();
        core.setStablecoinUSDValue(NEW_ID, WAD + 1);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, true);
    }

    function test_ConfigureStablecoinGuardrail_UpToABandOfOne() public {
        vm.expectEmit(address(core));
        emit ICoreSwap.StablecoinPriceGuardrailSet(usdc.id, stranger, WAD);
        core.configureStablecoinGuardrail(usdc.id, stranger, WAD, true);
        assertEq(core.stablecoinPriceAdapters(usdc.id), stranger);
        assertEq(core.stablecoinGuardrailBands(usdc.id), WAD);
        assertTrue(core.stablecoinGuardrailEnabled(usdc.id));
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.configureStablecoinGuardrail(usdc.id, stranger, WAD + 1, true);
    }

    function _newDelegate() private returns (BalanceSheetDelegate delegate) {
        return _newDelegateFor(NEW_ID);
    }

    function _newDelegateFor(bytes32 id) private returns (BalanceSheetDelegate delegate) {
        vm.stopPrank();
        delegate = _deployDelegate(id, address(token), admin);
        vm.startPrank(operator);
    }
}
