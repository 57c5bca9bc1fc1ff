// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "./BaseTest.sol";
import {Vm} from "forge-std/Vm.sol";

/// @title Effects
/// @notice States all effects of one call: which views change, which events are emitted, and that nothing else changes
/// in any contract.
/// @dev A test watches views, states which of them change and to what value, emits the expected events after
/// {_expectEvent}, and makes the call with {_assertEffects}. Three things are then compared: every watched view; the
/// logs of all contracts, in order; and the storage of all contracts, where a slot may change only if a view that
/// changes reads it. {_expectHiddenSlots} allows for slots that no view reads.
abstract contract Effects is BaseTest {
    struct View {
        address target;
        bytes data;
        bytes answer;
        bool changes;
    }

    struct Slot {
        address account;
        bytes32 slot;
    }

    View[] private _views;
    mapping(uint256 generation => mapping(bytes32 key => uint256 place)) private _places;
    uint256 private _generation;
    address[] private _emitters;
    uint256 private _hiddenSlots;
    bool private _recording;

    /// Watches a view. Its result must not change, unless {_expectAnswer} says so.
    function _watch(address target, bytes memory data) internal {
        _views.push(View({target: target, data: data, answer: _read(target, data), changes: false}));
        // Places count from one; zero means that the view is not watched.
        _places[_generation][keccak256(abi.encode(target, data))] = _views.length;
    }

    /// States the result of a view after the call. The result before the call must differ.
    function _expectAnswer(address target, bytes memory data, bytes memory answer) internal {
        bytes32 key = keccak256(abi.encode(target, data));
        if (_places[_generation][key] == 0) _watch(target, data);
        View storage watched = _views[_places[_generation][key] - 1];
        assertNotEq(watched.answer, answer, "a view that is said to change answers so already");
        watched.answer = answer;
        watched.changes = true;
    }

    function _expectAnswer(address target, bytes memory data, uint256 answer) internal {
        _expectAnswer(target, data, abi.encode(answer));
    }

    function _expectAnswer(address target, bytes memory data, address answer) internal {
        _expectAnswer(target, data, abi.encode(answer));
    }

    function _expectAnswer(address target, bytes memory data, bool answer) internal {
        _expectAnswer(target, data, abi.encode(answer));
    }

    /// Records the next event of the test as one that `emitter` must emit in the call.
    function _expectEvent(address emitter) internal {
        if (!_recording) {
            vm.recordLogs();
            _recording = true;
        }
        _emitters.push(emitter);
    }

    /// Allows for slots without a view, such as the positions of an enumerable set. Exactly `count` of them must
    /// change.
    function _expectHiddenSlots(uint256 count) internal {
        _hiddenSlots = count;
    }

    /// Makes the call, and compares everything with the stated effects.
    function _assertEffects(address caller, address target, bytes memory data) internal returns (bytes memory result) {
        if (!_recording) vm.recordLogs();
        vm.startStateDiffRecording();
        vm.prank(caller);
        bool success;
        (success, result) = target.call(data);
        Vm.AccountAccess[] memory accesses = vm.stopAndReturnStateDiff();
        assertTrue(success, "the call reverts");
        _compareLogs(vm.getRecordedLogs());
        _compareViews();
        _compareSlots(accesses);
        _forget();
    }

    /// Asserts that a call succeeds and has no effect.
    function _assertNoEffects(address caller, address target, bytes memory data) internal {
        assertEq(_emitters.length, 0, "an event is expected");
        _assertEffects(caller, target, data);
    }

    /// Asserts that a call reverts with exactly this error.
    function _assertRevert(address caller, address target, bytes memory data, bytes memory expected) internal {
        vm.prank(caller);
        (bool success, bytes memory reason) = target.call(data);
        assertFalse(success, "expected a revert");
        assertEq(reason, expected, "error");
    }

    function _assertRevert(address caller, address target, bytes memory data, bytes4 selector) internal {
        _assertRevert(caller, target, data, abi.encodePacked(selector));
    }

    function _compareLogs(Vm.Log[] memory logs) private view {
        uint256 count = _emitters.length;
        assertEq(logs.length, 2 * count, "number of events");
        for (uint256 i = 0; i < count; ++i) {
            Vm.Log memory actual = logs[count + i];
            assertEq(actual.emitter, _emitters[i], "emitter");
            assertEq(keccak256(abi.encode(actual.topics)), keccak256(abi.encode(logs[i].topics)), "topics");
            assertEq(actual.data, logs[i].data, "data");
        }
    }

    function _compareViews() private view {
        for (uint256 i = 0; i < _views.length; ++i) {
            View storage watched = _views[i];
            assertEq(_read(watched.target, watched.data), watched.answer, vm.toString(watched.data));
        }
    }

    function _compareSlots(Vm.AccountAccess[] memory accesses) private {
        (Slot[] memory changed, uint256 count) = _changedSlots(accesses);
        uint256 hidden;
        for (uint256 i = 0; i < count; ++i) {
            if (!_isReadByAChangingView(changed[i])) ++hidden;
        }
        assertEq(hidden, _hiddenSlots, "slots changed that no changing view reads");
    }

    /// @dev Returns the slots whose final value differs from the initial one. Each slot counts once.
    function _changedSlots(Vm.AccountAccess[] memory accesses)
        private
        view
        returns (Slot[] memory changed, uint256 count)
    {
        uint256 writes;
        for (uint256 i = 0; i < accesses.length; ++i) {
            writes += accesses[i].storageAccesses.length;
        }
        changed = new Slot[](writes);
        bytes32[] memory seen = new bytes32[](writes);
        uint256 seenCount;
        for (uint256 i = 0; i < accesses.length; ++i) {
            for (uint256 k = 0; k < accesses[i].storageAccesses.length; ++k) {
                Vm.StorageAccess memory access = accesses[i].storageAccesses[k];
                if (!access.isWrite || access.reverted) continue;
                bytes32 key = keccak256(abi.encode(access.account, access.slot));
                if (_contains(seen, seenCount, key)) continue;
                seen[seenCount++] = key;
                // The first write has the initial value.
                if (vm.load(access.account, access.slot) != access.previousValue) {
                    changed[count++] = Slot({account: access.account, slot: access.slot});
                }
            }
        }
    }

    function _contains(bytes32[] memory keys, uint256 count, bytes32 key) private pure returns (bool) {
        for (uint256 i = 0; i < count; ++i) {
            if (keys[i] == key) return true;
        }
        return false;
    }

    function _isReadByAChangingView(Slot memory slot) private returns (bool) {
        for (uint256 i = 0; i < _views.length; ++i) {
            if (!_views[i].changes) continue;
            vm.record();
            _read(_views[i].target, _views[i].data);
            (bytes32[] memory reads,) = vm.accesses(slot.account);
            if (_contains(reads, reads.length, slot.slot)) return true;
        }
        return false;
    }

    function _read(address target, bytes memory data) private view returns (bytes memory answer) {
        bool success;
        (success, answer) = target.staticcall(data);
        assertTrue(success, "a watched view reverts");
    }

    function _forget() private {
        delete _views;
        ++_generation;
        delete _emitters;
        _hiddenSlots = 0;
        _recording = false;
    }
}
