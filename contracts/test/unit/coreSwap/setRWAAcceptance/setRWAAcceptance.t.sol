// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";
import {CapRiskDelegate} from "test/mocks/CapRiskDelegate.sol";

contract CoreSwapSetRWAAcceptanceTest is CoreSwapTest {
    TestToken private token;

    function setUp() public override {
        super.setUp();
        token = new TestToken("New", "NEW", 8);
    }

    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, _call(bill.id, address(0), address(bill.token), false));
    }

    function test_RevertWhen_TheRiskDelegateHasNoCode() public asOperator {
        vm.expectRevert(ICoreSwap.InvalidDelegate.selector);
        core.setRWAAcceptance(NEW_ID, stranger, address(token), true);
    }

    function test_RevertWhen_TheIDIsZero() public asOperator {
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, bytes32(0)));
        core.setRWAAcceptance(0, address(0), address(token), true);
    }

    function test_RevertWhen_TheIDIsThatOfAStablecoin_S17() public asOperator {
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, usdc.id));
        core.setRWAAcceptance(usdc.id, address(0), address(token), true);
    }

    function test_RevertWhen_TheIDHasAnotherToken_S17() public asOperator {
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.AssetIDAlreadyRegistered.selector, bill.id));
        core.setRWAAcceptance(bill.id, address(0), address(token), true);
    }

    function test_RevertWhen_TheTokenHasAnotherID() public asOperator {
        vm.expectRevert(ICoreSwap.InvalidAssetAddress.selector);
        core.setRWAAcceptance(NEW_ID, address(0), address(bill.token), true);
        vm.expectRevert(ICoreSwap.InvalidAssetAddress.selector);
        core.setRWAAcceptance(NEW_ID, address(0), address(usdc.token), true);
    }

    function test_RevertWhen_TheTokenIsNone() public asOperator {
        address[3] memory notTokens = [address(0), stranger, address(core)];
        for (uint256 k = 0; k < notTokens.length; ++k) {
            vm.expectRevert(ICoreSwap.InvalidAssetAddress.selector);
            core.setRWAAcceptance(NEW_ID, address(0), notTokens[k], true);
        }
    }

    function test_RevertWhen_TheTokenHasMoreThanEighteenDecimals_S10() public asOperator {
        token = new TestToken("New", "NEW", 19);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.UnsupportedDecimals.selector, 19));
        core.setRWAAcceptance(NEW_ID, address(0), address(token), true);
    }

    function test_WhenTheIDIsNew() public asOperator {
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

    function test_WhenTheIDIsNewAndAllIsWatched() public {
        address risk = address(new CapRiskDelegate(address(core), 0, 0));
        _watchCore();
        bytes memory info = abi.encodeCall(ICoreSwap.rwaInfo, (NEW_ID));
        _expectAnswer(address(core), info, abi.encode(true, true, uint8(8), risk, address(token)));
        // The ID of a token has no view.
        _expectHiddenSlots(1);
        _expectEvent(address(core));
        emit ICoreSwap.RWAAcceptanceSet(NEW_ID, risk, address(token), 8, true);
        _assertEffects(operator, address(core), _call(NEW_ID, risk, address(token), true));
    }

    function test_WhenAcceptanceIsTakenBackAndGivenAgain_S17() public asOperator {
        core.setRWAAcceptance(bill.id, address(0), address(bill.token), false);
        ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
        vm.expectRevert(ICoreSwap.RWANotAccepted.selector);
        core.quoteSwap(user, leg);
        core.setRWAAcceptance(bill.id, address(0), address(bill.token), true);
        core.quoteSwap(user, leg);
    }

    function test_WhenAcceptanceIsTakenBack() public {
        address asset = address(bill.token);
        _watchCore();
        bytes memory info = abi.encodeCall(ICoreSwap.rwaInfo, (bill.id));
        _expectAnswer(address(core), info, abi.encode(false, false, uint8(18), address(0), asset));
        _expectEvent(address(core));
        emit ICoreSwap.RWAAcceptanceSet(bill.id, address(0), asset, 18, false);
        _assertEffects(operator, address(core), _call(bill.id, address(0), asset, false));
    }

    modifier asOperator() {
        vm.startPrank(operator);
        _;
        vm.stopPrank();
    }

    function _call(bytes32 id, address risk, address asset, bool accepted) private pure returns (bytes memory) {
        return abi.encodeCall(ICoreSwap.setRWAAcceptance, (id, risk, asset, accepted));
    }
}
