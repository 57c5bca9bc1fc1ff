// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapSetRwaAdaptersTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller, bool whitelist) public {
        bytes memory data = whitelist
            ? abi.encodeCall(ICoreSwap.setRwaWhitelistAdapter, (bill.id, address(0)))
            : abi.encodeCall(ICoreSwap.setRwaPriceAdapter, (bill.id, address(0)));
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, data);
    }

    function test_WhenThePriceAdapterIsCleared() public asOperator {
        vm.expectEmit(address(core));
        emit ICoreSwap.RwaPriceAdapterSet(bill.id, address(0));
        core.setRwaPriceAdapter(bill.id, address(0));
        assertEq(core.rwaPriceAdapters(bill.id), address(0));
    }

    function test_WhenTheWhitelistAdapterIsSetAndCleared() public asOperator {
        vm.expectEmit(address(core));
        emit ICoreSwap.RwaWhitelistAdapterSet(bill.id, stranger);
        core.setRwaWhitelistAdapter(bill.id, stranger);
        assertEq(core.rwaWhitelistAdapters(bill.id), stranger);
        core.setRwaWhitelistAdapter(bill.id, address(0));
        assertEq(core.rwaWhitelistAdapters(bill.id), address(0));
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenThePriceAdapterChanges(address adapter) public {
        vm.assume(adapter != address(bill.adapter));
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.rwaPriceAdapters, (bill.id)), adapter);
        _expectEvent(address(core));
        emit ICoreSwap.RwaPriceAdapterSet(bill.id, adapter);
        _assertEffects(operator, address(core), abi.encodeCall(ICoreSwap.setRwaPriceAdapter, (bill.id, adapter)));
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenTheWhitelistAdapterChanges(address adapter) public {
        vm.assume(adapter != address(0));
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.rwaWhitelistAdapters, (bill.id)), adapter);
        // The flag for the existence of an adapter shares a slot with the record.
        _expectHiddenSlots(1);
        _expectEvent(address(core));
        emit ICoreSwap.RwaWhitelistAdapterSet(bill.id, adapter);
        _assertEffects(operator, address(core), abi.encodeCall(ICoreSwap.setRwaWhitelistAdapter, (bill.id, adapter)));
    }

    modifier asOperator() {
        vm.startPrank(operator);
        _;
        vm.stopPrank();
    }
}
