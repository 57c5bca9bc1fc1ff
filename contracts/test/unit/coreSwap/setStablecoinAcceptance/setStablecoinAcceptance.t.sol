// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "../../../../script/local/TestToken.sol";
import {BalanceSheetDelegate} from "../../../../src/BalanceSheetDelegate.sol";
import {CoreSwap} from "../../../../src/CoreSwap.sol";
import {ICoreSwap} from "../../../../src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "../../../helpers/CoreSwapTest.sol";

contract CoreSwapSetStablecoinAcceptanceTest is CoreSwapTest {
    TestToken private token;

    function setUp() public override {
        super.setUp();
        token = new TestToken("New", "NEW", 8);
    }

    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        bytes memory data = abi.encodeCall(
            ICoreSwap.setStablecoinAcceptance, (usdc.id, address(usdc.delegate), address(usdc.token), false, false)
        );
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, data);
    }

    function test_RevertWhen_TheDelegateDoesNotNameCoreSwapAndTheID() public asOperator {
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

    function test_RevertWhen_TheIDIsNewAndComesWithoutADelegate() public asOperator {
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(0), address(token), false, false);
    }

    function test_RevertWhen_AcceptanceIsTakenBackWithAnotherDelegateThatDoesNotNameThem() public asOperator {
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(usdc.id, stranger, address(usdc.token), false, false);
    }

    function test_RevertWhen_TheIDHasAnotherTokenOrFlag_S17() public asOperator {
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, usdc.id));
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(token), true, false);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, usdc.id));
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(usdc.token), true, true);
    }

    function test_RevertWhen_TheIDIsThatOfAnRWA_S17() public asOperator {
        BalanceSheetDelegate delegate = _newDelegateFor(bill.id);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, bill.id));
        core.setStablecoinAcceptance(bill.id, address(delegate), address(token), true, false);
    }

    function test_RevertWhen_TheTokenHasAnotherID() public asOperator {
        BalanceSheetDelegate delegate = _newDelegate();
        vm.expectRevert(ICoreSwap.InvalidAssetAddress.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(usdc.token), true, false);
    }

    function test_RevertWhen_TheTokenHasMoreThanEighteenDecimals_S10() public asOperator {
        token = new TestToken("New", "NEW", 255);
        BalanceSheetDelegate delegate = _newDelegate();
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.UnsupportedDecimals.selector, 255));
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, false);
    }

    function test_RevertWhen_ItIsYieldBearingAndItsUSDValueIsNotOne() public asOperator {
        BalanceSheetDelegate delegate = _newDelegate();
        core.setStablecoinUSDValue(NEW_ID, WAD + 1);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, true);
    }

    function test_WhenTheIDIsNew() public asOperator {
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

    function test_WhenTheIDIsNewAndAllIsWatched() public {
        address delegate = address(_deployDelegate(NEW_ID, address(token), admin));
        _watchCore();
        bytes memory info = abi.encodeCall(ICoreSwap.stablecoinInfo, (NEW_ID));
        _expectAnswer(address(core), info, abi.encode(true, true, uint8(8), delegate, address(token)));
        // The ID of a token has no view.
        _expectHiddenSlots(1);
        _expectEvent(address(core));
        emit ICoreSwap.StablecoinAcceptanceSet(NEW_ID, delegate, address(token), 8, true, true);
        _assertEffects(
            operator,
            address(core),
            abi.encodeCall(ICoreSwap.setStablecoinAcceptance, (NEW_ID, delegate, address(token), true, true))
        );
    }

    function test_WhenAcceptanceIsTakenBackAndGivenAgain_S17() public asOperator {
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(usdc.token), false, false);
        ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
        vm.expectRevert(ICoreSwap.StablecoinNotAccepted.selector);
        core.quoteSwap(user, leg);
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(usdc.token), true, false);
        core.quoteSwap(user, leg);
    }

    function test_GivenTheRegisteredDelegateIsBroken() public asOperator {
        vm.etch(address(usdc.delegate), "");
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(usdc.token), false, false);
        (bool accepted,,,,) = core.stablecoinInfo(usdc.id);
        assertFalse(accepted);
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(usdc.id, address(usdc.delegate), address(usdc.token), true, false);
    }

    modifier asOperator() {
        vm.startPrank(operator);
        _;
        vm.stopPrank();
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
