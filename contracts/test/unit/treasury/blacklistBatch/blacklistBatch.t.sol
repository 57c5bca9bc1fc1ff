// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

/// @dev Flags and callers, no arithmetic: a few hundred draws cover all cases.
/// forge-config: default.fuzz.runs = 256
contract TreasuryBlacklistBatchTest is TreasuryTest {
    function testFuzz_RevertWhen_TheCallerIsNotABlacklister(address caller, bool adds) public {
        address[] memory accounts = new address[](1);
        accounts[0] = BOB;
        bytes memory data = adds
            ? abi.encodeCall(ITreasury.addToBlacklistBatch, (accounts))
            : abi.encodeCall(ITreasury.removeFromBlacklistBatch, (accounts));
        _assertOnlyRole(treasury.BLACKLISTER_ROLE(), caller, data);
    }

    /// @dev Adds in a batch and one by one from the same state, over any list with repetitions. Lists and logs are the
    /// same.
    function testFuzz_WhenAccountsAreListedInABatch_T14(uint8[] calldata picks) public {
        address[] memory accounts = _pick(picks);
        uint256 snapshot = vm.snapshotState();

        vm.recordLogs();
        vm.startPrank(BLACKLISTER);
        for (uint256 i; i < accounts.length; ++i) {
            treasury.addToBlacklist(accounts[i]);
        }
        vm.stopPrank();
        bytes32 logsOfSequence = _logsHash();
        State memory expected = _state();

        vm.revertToState(snapshot);
        vm.prank(BLACKLISTER);
        treasury.addToBlacklistBatch(accounts);
        assertEq(_logsHash(), logsOfSequence, "logs");
        _assertState(expected);
    }

    function testFuzz_WhenAccountsAreTakenOffInABatch_T14(uint8[] calldata picks) public {
        for (uint256 i; i < 3; ++i) {
            _blacklist(actors[i]);
        }
        address[] memory accounts = _pick(picks);
        uint256 snapshot = vm.snapshotState();

        vm.recordLogs();
        bytes memory firstError;
        for (uint256 i; i < accounts.length && firstError.length == 0; ++i) {
            vm.prank(BLACKLISTER);
            (bool success, bytes memory returned) =
                address(treasury).call(abi.encodeCall(ITreasury.removeFromBlacklist, (accounts[i])));
            if (!success) firstError = returned;
        }
        bytes32 logsOfSequence = _logsHash();
        State memory expected = _state();

        vm.revertToState(snapshot);
        _callAndAssertOutcome(BLACKLISTER, abi.encodeCall(ITreasury.removeFromBlacklistBatch, (accounts)), firstError);
        if (firstError.length == 0) {
            assertEq(_logsHash(), logsOfSequence, "logs");
            _assertState(expected);
        }
    }

    function test_WhenABatchListsAndTakesOffAndAllIsWatched() public {
        address[] memory accounts = new address[](2);
        (accounts[0], accounts[1]) = (ALICE, BOB);
        for (uint256 k = 0; k < 2; ++k) {
            bool adds = k == 0;
            _watchTreasury();
            // The filter of the blacklist, whose bits are never cleared.
            if (adds) _expectHiddenSlots(1);
            for (uint256 i = 0; i < 2; ++i) {
                _expectAnswer(address(treasury), abi.encodeCall(ITreasury.blacklisted, (accounts[i])), adds);
                _expectEvent(address(treasury));
                if (adds) emit ITreasury.AddedToBlacklist(accounts[i]);
                else emit ITreasury.RemovedFromBlacklist(accounts[i]);
            }
            bytes memory data = adds
                ? abi.encodeCall(ITreasury.addToBlacklistBatch, (accounts))
                : abi.encodeCall(ITreasury.removeFromBlacklistBatch, (accounts));
            _assertEffects(BLACKLISTER, address(treasury), data);
        }
    }

    function _pick(uint8[] calldata picks) private view returns (address[] memory accounts) {
        accounts = new address[](picks.length % 5);
        for (uint256 i; i < accounts.length; ++i) {
            accounts[i] = actors[picks[i] % actors.length];
        }
    }

    function _logsHash() private returns (bytes32) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        return keccak256(abi.encode(logs));
    }
}
