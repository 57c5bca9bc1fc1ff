// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapSetCoreVaultTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, abi.encodeCall(ICoreSwap.setCoreVault, (stranger)));
    }

    function test_RevertWhen_TheVaultIsZeroOrCoreSwap() public {
        vm.startPrank(operator);
        vm.expectRevert(ICoreSwap.InvalidVault.selector);
        core.setCoreVault(address(0));
        vm.expectRevert(ICoreSwap.InvalidVault.selector);
        core.setCoreVault(address(core));
        vm.stopPrank();
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenTheVaultIsAnotherAccount(address newVault) public {
        vm.assume(newVault != address(0) && newVault != address(core) && newVault != vault);
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.coreVault, ()), newVault);
        _expectEvent(address(core));
        emit ICoreSwap.CoreVaultSet(vault, newVault);
        _assertEffects(operator, address(core), abi.encodeCall(ICoreSwap.setCoreVault, (newVault)));
        assertEq(core.coreVault(), newVault);
    }
}
