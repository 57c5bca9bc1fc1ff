// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";
import {FlatYieldDelegate} from "test/mocks/FlatYieldDelegate.sol";

contract CoreSwapSetStablecoinUSDValueTest is CoreSwapTest {
    TestToken private token;

    function setUp() public override {
        super.setUp();
        token = new TestToken("New", "NEW", 8);
    }

    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, abi.encodeCall(ICoreSwap.setStablecoinUSDValue, (usdc.id, 1)));
    }

    function test_RevertWhen_TheValueDoesNotFitEightyEightBits() public asOperator {
        vm.expectEmit(address(core));
        emit ICoreSwap.StablecoinUSDValueSet(usdc.id, type(uint88).max);
        core.setStablecoinUSDValue(usdc.id, type(uint88).max);
        assertEq(core.stablecoinUSDValue(usdc.id), type(uint88).max);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setStablecoinUSDValue(usdc.id, uint256(type(uint88).max) + 1);
    }

    function test_RevertWhen_TheStablecoinIsYieldBearingAndTheValueIsNotOne() public asOperator {
        delegateImplementation = address(new FlatYieldDelegate());
        BalanceSheetDelegate delegate = _newDelegate();
        core.setStablecoinAcceptance(NEW_ID, address(delegate), address(token), true, true);
        core.setStablecoinUSDValue(NEW_ID, WAD);
        uint256[3] memory values = [uint256(0), WAD - 1, WAD + 1];
        for (uint256 k = 0; k < values.length; ++k) {
            vm.expectRevert(ICoreSwap.InvalidRate.selector);
            core.setStablecoinUSDValue(NEW_ID, values[k]);
        }
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenTheValueFits(uint88 value) public {
        vm.assume(value != WAD);
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.stablecoinUSDValue, (usdc.id)), uint256(value));
        _expectEvent(address(core));
        emit ICoreSwap.StablecoinUSDValueSet(usdc.id, value);
        _assertEffects(operator, address(core), abi.encodeCall(ICoreSwap.setStablecoinUSDValue, (usdc.id, value)));
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
