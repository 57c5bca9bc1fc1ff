// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapConfigureStablecoinGuardrailTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, _call(address(1), 1));
    }

    function testFuzz_RevertWhen_TheBandIsOneOrMore(uint256 band) public {
        band = bound(band, WAD, type(uint256).max);
        _assertRevert(operator, address(core), _call(stranger, band), ICoreSwap.InvalidRate.selector);
    }

    function test_WhenTheBandIsJustBelowOne() public asOperator {
        vm.expectEmit(address(core));
        emit ICoreSwap.StablecoinPriceGuardrailSet(usdc.id, stranger, WAD - 1);
        core.configureStablecoinGuardrail(usdc.id, stranger, WAD - 1, true);
        assertEq(core.stablecoinPriceAdapters(usdc.id), stranger);
        assertEq(core.stablecoinGuardrailBands(usdc.id), WAD - 1);
        assertTrue(core.stablecoinGuardrailEnabled(usdc.id));
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.configureStablecoinGuardrail(usdc.id, stranger, WAD, true);
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenTheBandIsBelowOne(address adapter, uint256 band) public {
        vm.assume(adapter != address(0));
        band = bound(band, 1, WAD - 1);
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.stablecoinPriceAdapters, (usdc.id)), adapter);
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.stablecoinGuardrailBands, (usdc.id)), band);
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.stablecoinGuardrailEnabled, (usdc.id)), true);
        _expectEvent(address(core));
        emit ICoreSwap.StablecoinPriceGuardrailSet(usdc.id, adapter, band);
        _expectEvent(address(core));
        emit ICoreSwap.StablecoinGuardrailEnabledSet(usdc.id, true);
        _assertEffects(operator, address(core), _call(adapter, band));
    }

    modifier asOperator() {
        vm.startPrank(operator);
        _;
        vm.stopPrank();
    }

    function _call(address adapter, uint256 band) private view returns (bytes memory) {
        return abi.encodeCall(ICoreSwap.configureStablecoinGuardrail, (usdc.id, adapter, band, true));
    }
}
