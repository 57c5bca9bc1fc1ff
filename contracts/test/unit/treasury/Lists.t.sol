// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasury} from "../../../src/interfaces/ITreasury.sol";
import {TreasuryTest} from "./TreasuryTest.sol";
import {Vm} from "forge-std/Vm.sol";

/// @notice The whitelist and the blacklist, one account at a time and in batches, paused or not.
contract TreasuryListsTest is TreasuryTest {
    function testFuzz_AddToWhitelist_ListsAccountOnly(bool isPaused) public {
        if (isPaused) _pause();
        State memory expected = _state();
        expected.whitelisted[BOB_INDEX] = true;
        vm.expectEmit(address(treasury));
        emit ITreasury.AddedToWhitelist(BOB);
        _whitelist(BOB);
        _assertState(expected);
    }

    function testFuzz_RemoveFromWhitelist_UnlistsAccountOnly(bool isPaused) public {
        if (isPaused) _pause();
        State memory expected = _state();
        expected.whitelisted[ALICE_INDEX] = false;
        vm.expectEmit(address(treasury));
        emit ITreasury.RemovedFromWhitelist(ALICE);
        vm.prank(WHITELISTER);
        treasury.removeFromWhitelist(ALICE);
        _assertState(expected);
    }

    function testFuzz_AddToBlacklist_ListsAccountOnly(bool isPaused) public {
        if (isPaused) _pause();
        State memory expected = _state();
        expected.blacklisted[ALICE_INDEX] = true;
        vm.expectEmit(address(treasury));
        emit ITreasury.AddedToBlacklist(ALICE);
        _blacklist(ALICE);
        _assertState(expected);
    }

    function testFuzz_RemoveFromBlacklist_UnlistsAccountOnly(bool isPaused) public {
        State memory expected = _state();
        _blacklist(ALICE);
        expected.paused = isPaused;
        if (isPaused) _pause();
        vm.expectEmit(address(treasury));
        emit ITreasury.RemovedFromBlacklist(ALICE);
        vm.prank(BLACKLISTER);
        treasury.removeFromBlacklist(ALICE);
        _assertState(expected);
    }

    function test_Lists_AddedTwiceOrNotThere_DoNothingWithoutEvent() public {
        _blacklist(BOB);
        State memory expected = _state();
        vm.recordLogs();
        _whitelist(ALICE);
        _blacklist(BOB);
        vm.prank(WHITELISTER);
        treasury.removeFromWhitelist(BOB);
        assertEq(vm.getRecordedLogs().length, 0);
        _assertState(expected);
    }

    function test_RemoveFromBlacklist_NotListed_Reverts() public {
        _callAndAssertOutcome(
            BLACKLISTER,
            abi.encodeCall(ITreasury.removeFromBlacklist, (ALICE)),
            abi.encodeWithSelector(ITreasury.AccountNotBlacklisted.selector, ALICE)
        );
    }

    function test_Lists_WithoutRole_Revert() public {
        bytes32 whitelister = treasury.WHITELISTER_ROLE();
        bytes32 blacklister = treasury.BLACKLISTER_ROLE();
        _blacklist(SPENDER);
        _assertUnauthorized(abi.encodeCall(ITreasury.addToWhitelist, (BOB)), whitelister);
        _assertUnauthorized(abi.encodeCall(ITreasury.removeFromWhitelist, (ALICE)), whitelister);
        _assertUnauthorized(abi.encodeCall(ITreasury.addToBlacklist, (BOB)), blacklister);
        _assertUnauthorized(abi.encodeCall(ITreasury.removeFromBlacklist, (SPENDER)), blacklister);
        _assertUnauthorized(abi.encodeCall(ITreasury.addToBlacklistBatch, (_accounts(ALICE, BOB))), blacklister);
        _assertUnauthorized(abi.encodeCall(ITreasury.removeFromBlacklistBatch, (_accounts(ALICE, BOB))), blacklister);
    }

    function test_Lists_ZeroAddress_Revert() public {
        bytes memory zeroAddress = abi.encodeWithSelector(ITreasury.ZeroAddress.selector);
        _callAndAssertOutcome(WHITELISTER, abi.encodeCall(ITreasury.addToWhitelist, (address(0))), zeroAddress);
        _callAndAssertOutcome(WHITELISTER, abi.encodeCall(ITreasury.removeFromWhitelist, (address(0))), zeroAddress);
        _callAndAssertOutcome(BLACKLISTER, abi.encodeCall(ITreasury.addToBlacklist, (address(0))), zeroAddress);
        _callAndAssertOutcome(BLACKLISTER, abi.encodeCall(ITreasury.removeFromBlacklist, (address(0))), zeroAddress);
        bytes memory batch = abi.encodeCall(ITreasury.addToBlacklistBatch, (_accounts(ALICE, address(0))));
        _callAndAssertOutcome(BLACKLISTER, batch, zeroAddress);
    }

    /// @dev Both ways from the same state, over any list with repetitions: same lists, same logs.
    function testFuzz_T14_AddToBlacklistBatch_EqualsSequence(uint8[] calldata picks) public {
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

    function testFuzz_T14_RemoveFromBlacklistBatch_EqualsSequenceOrFailsAsWhole(uint8[] calldata picks) public {
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

    function _pick(uint8[] calldata picks) private view returns (address[] memory accounts) {
        accounts = new address[](picks.length % 5);
        for (uint256 i; i < accounts.length; ++i) {
            accounts[i] = actors[picks[i] % actors.length];
        }
    }

    function _accounts(address first, address second) private pure returns (address[] memory accounts) {
        accounts = new address[](2);
        accounts[0] = first;
        accounts[1] = second;
    }

    function _assertUnauthorized(bytes memory data, bytes32 role) private {
        _callAndAssertOutcome(OPERATOR, data, _unauthorized(OPERATOR, role));
    }

    function _logsHash() private returns (bytes32) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        return keccak256(abi.encode(logs));
    }
}
