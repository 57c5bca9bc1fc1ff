// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "./BaseTest.sol";
import {Vm} from "forge-std/Vm.sol";

/// @title StateAccess
/// @notice Counts the state that a transaction touches, whose gas cannot be saved by rewriting code.
abstract contract StateAccess is BaseTest {
    /// What a transaction touched. `accounts` leaves out its target, which is warm.
    struct Touched {
        uint256 accounts;
        uint256 slots;
        uint256 changedSlots;
        uint256 filledSlots;
    }

    /// The accounts and slots that were seen, by transaction. State of a slot: 0 not seen, 1 touched, 2 written.
    mapping(uint256 round => mapping(address account => bool isSeen)) private _seenAccounts;
    mapping(uint256 round => mapping(address account => mapping(bytes32 slot => uint256 state))) private _slots;
    uint256 private _round;

    /// Starts recording. The next call is the transaction.
    function _startCounting() internal {
        vm.startStateDiffRecording();
    }

    /// @param target Contract that the transaction was sent to.
    function _stopCounting(address target) internal returns (Touched memory touched) {
        Vm.AccountAccess[] memory accesses = vm.stopAndReturnStateDiff();
        ++_round;
        _seenAccounts[_round][target] = true;
        _seenAccounts[_round][address(vm)] = true;
        for (uint256 i = 0; i < accesses.length; ++i) {
            address account = accesses[i].account;
            bool isPrecompile = uint160(account) < 0x100;
            if (!isPrecompile && !_seenAccounts[_round][account]) {
                _seenAccounts[_round][account] = true;
                ++touched.accounts;
            }
            for (uint256 k = 0; k < accesses[i].storageAccesses.length; ++k) {
                _count(accesses[i].storageAccesses[k], touched);
            }
        }
    }

    /// Counts a slot as changed or filled once, by its value before the first write of a different value.
    function _count(Vm.StorageAccess memory access, Touched memory touched) private {
        mapping(bytes32 slot => uint256 state) storage slots = _slots[_round][access.account];
        if (slots[access.slot] == 0) {
            slots[access.slot] = 1;
            ++touched.slots;
        }
        bool isChange = access.isWrite && access.previousValue != access.newValue;
        if (!isChange || slots[access.slot] == 2) return;
        slots[access.slot] = 2;
        if (access.previousValue == 0) ++touched.filledSlots;
        else ++touched.changedSlots;
    }
}
