// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

/// @notice Tests the whitelist and the blacklist, one account at a time, paused or not.
/// @dev Flags and callers, no arithmetic: a few hundred draws cover all cases.
/// forge-config: default.fuzz.runs = 256
contract TreasuryListsTest is TreasuryTest {
    function testFuzz_RevertWhen_TheCallerIsNotAWhitelister(address caller, bool adds) public {
        bytes memory data = adds
            ? abi.encodeCall(ITreasury.addToWhitelist, (BOB))
            : abi.encodeCall(ITreasury.removeFromWhitelist, (ALICE));
        _assertOnlyRole(treasury.WHITELISTER_ROLE(), caller, data);
    }

    function testFuzz_RevertWhen_TheCallerIsNotABlacklister(address caller, bool adds) public {
        bytes memory data = adds
            ? abi.encodeCall(ITreasury.addToBlacklist, (BOB))
            : abi.encodeCall(ITreasury.removeFromBlacklist, (ALICE));
        _assertOnlyRole(treasury.BLACKLISTER_ROLE(), caller, data);
    }

    function test_RevertWhen_TheOperatorCalls() public {
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

    function test_RevertWhen_TheAccountIsTheZeroAddress() public {
        bytes memory zeroAddress = abi.encodeWithSelector(ITreasury.ZeroAddress.selector);
        _callAndAssertOutcome(WHITELISTER, abi.encodeCall(ITreasury.addToWhitelist, (address(0))), zeroAddress);
        _callAndAssertOutcome(WHITELISTER, abi.encodeCall(ITreasury.removeFromWhitelist, (address(0))), zeroAddress);
        _callAndAssertOutcome(BLACKLISTER, abi.encodeCall(ITreasury.addToBlacklist, (address(0))), zeroAddress);
        _callAndAssertOutcome(BLACKLISTER, abi.encodeCall(ITreasury.removeFromBlacklist, (address(0))), zeroAddress);
        bytes memory batch = abi.encodeCall(ITreasury.addToBlacklistBatch, (_accounts(ALICE, address(0))));
        _callAndAssertOutcome(BLACKLISTER, batch, zeroAddress);
    }

    function test_RevertWhen_AnAccountThatIsNotBlacklistedIsTakenOff() public {
        _callAndAssertOutcome(
            BLACKLISTER,
            abi.encodeCall(ITreasury.removeFromBlacklist, (ALICE)),
            abi.encodeWithSelector(ITreasury.AccountNotBlacklisted.selector, ALICE)
        );
    }

    function testFuzz_WhenAnAccountIsWhitelisted(bool isPaused) public {
        if (isPaused) _pause();
        State memory expected = _state();
        expected.whitelisted[BOB_INDEX] = true;
        vm.expectEmit(address(treasury));
        emit ITreasury.AddedToWhitelist(BOB);
        _whitelist(BOB);
        _assertState(expected);
    }

    function testFuzz_WhenAnAccountIsTakenOffTheWhitelist(bool isPaused) public {
        if (isPaused) _pause();
        State memory expected = _state();
        expected.whitelisted[ALICE_INDEX] = false;
        vm.expectEmit(address(treasury));
        emit ITreasury.RemovedFromWhitelist(ALICE);
        vm.prank(WHITELISTER);
        treasury.removeFromWhitelist(ALICE);
        _assertState(expected);
    }

    function testFuzz_WhenAnAccountIsBlacklisted(bool isPaused) public {
        if (isPaused) _pause();
        State memory expected = _state();
        expected.blacklisted[ALICE_INDEX] = true;
        vm.expectEmit(address(treasury));
        emit ITreasury.AddedToBlacklist(ALICE);
        _blacklist(ALICE);
        _assertState(expected);
    }

    function testFuzz_WhenAnAccountIsTakenOffTheBlacklist(bool isPaused) public {
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

    function test_WhenAnyListChangesAndAllIsWatched() public {
        bytes memory onWhitelist = abi.encodeCall(ITreasury.whitelisted, (BOB));
        _expectList(onWhitelist, true);
        emit ITreasury.AddedToWhitelist(BOB);
        _assertEffects(WHITELISTER, address(treasury), abi.encodeCall(ITreasury.addToWhitelist, (BOB)));
        _expectList(onWhitelist, false);
        emit ITreasury.RemovedFromWhitelist(BOB);
        _assertEffects(WHITELISTER, address(treasury), abi.encodeCall(ITreasury.removeFromWhitelist, (BOB)));
        bytes memory onBlacklist = abi.encodeCall(ITreasury.blacklisted, (BOB));
        _expectList(onBlacklist, true);
        // The filter of the blacklist, whose bits are never cleared.
        _expectHiddenSlots(1);
        emit ITreasury.AddedToBlacklist(BOB);
        _assertEffects(BLACKLISTER, address(treasury), abi.encodeCall(ITreasury.addToBlacklist, (BOB)));
        _expectList(onBlacklist, false);
        emit ITreasury.RemovedFromBlacklist(BOB);
        _assertEffects(BLACKLISTER, address(treasury), abi.encodeCall(ITreasury.removeFromBlacklist, (BOB)));
    }

    function test_WhenAnEntryIsAsWantedAlready() public {
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

    function _expectList(bytes memory entry, bool listed) private {
        _watchTreasury();
        _expectAnswer(address(treasury), entry, listed);
        _expectEvent(address(treasury));
    }

    function _accounts(address first, address second) private pure returns (address[] memory accounts) {
        accounts = new address[](2);
        accounts[0] = first;
        accounts[1] = second;
    }

    function _assertUnauthorized(bytes memory data, bytes32 role) private {
        _callAndAssertOutcome(OPERATOR, data, _unauthorized(OPERATOR, role));
    }
}
