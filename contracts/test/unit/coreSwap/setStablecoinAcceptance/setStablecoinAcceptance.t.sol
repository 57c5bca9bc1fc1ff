// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";
import {FlatYieldDelegate} from "test/mocks/FlatYieldDelegate.sol";

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
        // Delegates without code, without the views, with another ID, and with another CoreSwap.
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
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(0), address(0), false, false);
    }

    function test_RevertWhen_AcceptanceIsTakenBackWithAnotherDelegateThatDoesNotNameThem() public asOperator {
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(usdc.id, stranger, address(usdc.token), false, false);
    }

    function test_RevertWhen_TheIDHasAnotherTokenOrFlag_S17() public asOperator {
        BalanceSheetDelegate delegate = _newDelegateFor(usdc.id);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, usdc.id));
        core.setStablecoinAcceptance(usdc.id, address(delegate), address(token), true, false);
        token = usdc.token;
        delegate = _newYieldDelegateFor(usdc.id);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, usdc.id));
        core.setStablecoinAcceptance(usdc.id, address(delegate), address(token), false, true);
    }

    /// CoreSwap would ask the rates of one stablecoin, and the delegate would set those of another.
    function test_RevertWhen_TheDelegateNamesAnotherID() public asOperator {
        BalanceSheetDelegate delegate = _newDelegateFor(_id("OTHER"));
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, false);
        core.setStablecoinAcceptance(_id("OTHER"), address(delegate), address(token), true, false);
    }

    /// A delegate of another token would pay fees and payouts in that token, in amounts of this one.
    function test_RevertWhen_TheDelegateNamesAnotherToken() public asOperator {
        BalanceSheetDelegate delegate = _newDelegate();
        address other = address(new TestToken("Other", "OTHER", 8));
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), other, true, false);
        // The registered delegate is checked, too, when its stablecoin changes.
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), false, false);
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), other, false, false);
    }

    function test_RevertWhen_TheFlagDoesNotMatchTheYieldInterface() public asOperator {
        BalanceSheetDelegate delegate = _newDelegate();
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, true);
        delegate = _newYieldDelegate();
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, false);
    }

    function test_RevertWhen_TheDelegateRevertsWithWhatItShouldReturn() public asOperator {
        BalanceSheetDelegate delegate = _newDelegate();
        vm.mockCallRevert(address(delegate), abi.encodeCall(delegate.stablecoinID, ()), abi.encode(NEW_ID));
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, false);
        vm.clearMockedCalls();
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, false);
    }

    /// An asset that was registered by mistake and never accepted can be replaced: by another token, flag or kind.
    function test_WhenTheIDWasNeverAccepted_S17() public asOperator {
        BalanceSheetDelegate mistaken = _newYieldDelegate();
        core.setStablecoinAcceptance(NEW_ID, address(mistaken), address(token), false, true);
        BalanceSheetDelegate delegate = _newDelegate();
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), false, false);

        token = new TestToken("Other", "OTHER", 6);
        delegate = _newDelegate();
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), false, false);
        (, bool yieldBearing, uint8 decimals,, address asset) = core.stablecoinInfo(NEW_ID);
        assertEq(abi.encode(yieldBearing, decimals, asset), abi.encode(false, uint8(6), address(token)));

        core.setStablecoinAcceptance(NEW_ID, address(_newYieldDelegate()), address(token), false, true);
        core.setRWAAcceptance(NEW_ID, address(delegate), address(token), false);
        (bool success, bytes memory former) = address(core).call(abi.encodeCall(ICoreSwap.stablecoinInfo, (NEW_ID)));
        assertTrue(success);
        assertEq(former, new bytes(5 * 32));
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, false);
        (success, former) = address(core).call(abi.encodeCall(ICoreSwap.rwaInfo, (NEW_ID)));
        assertTrue(success);
        assertEq(former, new bytes(5 * 32));

        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, NEW_ID));
        core.setRWAAcceptance(NEW_ID, address(0), address(bill.token), false);
    }

    function test_RevertWhen_TheIDIsThatOfAnRWA_S17() public asOperator {
        BalanceSheetDelegate delegate = _newDelegateFor(bill.id);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, bill.id));
        core.setStablecoinAcceptance(bill.id, address(delegate), address(token), true, false);
    }

    function test_RevertWhen_TheTokenHasAnotherID() public asOperator {
        token = usdc.token;
        BalanceSheetDelegate delegate = _newDelegate();
        vm.expectRevert(ICoreSwap.InvalidAssetAddress.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, false);
    }

    function test_RevertWhen_TheTokenHasMoreThanEighteenDecimals_S10() public asOperator {
        token = new TestToken("New", "NEW", 255);
        BalanceSheetDelegate delegate = _newDelegate();
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.UnsupportedDecimals.selector, 255));
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, false);
    }

    function test_RevertWhen_ItIsYieldBearingAndItsUSDValueIsNotOne() public asOperator {
        BalanceSheetDelegate delegate = _newYieldDelegate();
        core.setStablecoinUSDValue(NEW_ID, WAD + 1);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, true);
    }

    /// Only a yield-bearing stablecoin has to be worth one dollar.
    function test_WhenItsUSDValueWasSetBefore() public asOperator {
        core.setStablecoinUSDValue(NEW_ID, WAD - 1);
        core.setStablecoinAcceptance(NEW_ID, address(_newDelegate()), address(token), false, false);
        core.setStablecoinUSDValue(NEW_ID, WAD);
        core.setStablecoinAcceptance(NEW_ID, address(_newYieldDelegate()), address(token), false, true);
        (, bool yieldBearing,,,) = core.stablecoinInfo(NEW_ID);
        assertTrue(yieldBearing);
    }

    function test_WhenTheIDIsNew() public asOperator {
        BalanceSheetDelegate delegate = _newYieldDelegate();
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
        delegateImplementation = address(new FlatYieldDelegate());
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

    function _newYieldDelegate() private returns (BalanceSheetDelegate delegate) {
        return _newYieldDelegateFor(NEW_ID);
    }

    function _newYieldDelegateFor(bytes32 id) private returns (BalanceSheetDelegate delegate) {
        address implementation = delegateImplementation;
        delegateImplementation = address(new FlatYieldDelegate());
        delegate = _newDelegateFor(id);
        delegateImplementation = implementation;
    }

    function _newDelegateFor(bytes32 id) private returns (BalanceSheetDelegate delegate) {
        vm.stopPrank();
        delegate = _deployDelegate(id, address(token), admin);
        vm.startPrank(operator);
    }
}
