// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapSetBlacklistedTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotABlacklister(address caller) public {
        _assertOnlyRole(core.BLACKLISTER_ROLE(), caller, abi.encodeCall(ICoreSwap.setBlacklisted, (user, true)));
        vm.expectRevert(_unauthorized(operator, core.BLACKLISTER_ROLE()));
        vm.prank(operator);
        core.setBlacklisted(user, true);
    }

    function test_WhenAnAccountIsListedAndUnlisted() public {
        vm.startPrank(blacklister);
        vm.expectEmit(address(core));
        emit ICoreSwap.UserBlacklistUpdated(user, true);
        core.setBlacklisted(user, true);
        assertTrue(core.blacklisted(user));
        core.setBlacklisted(user, false);
        assertFalse(core.blacklisted(user));
        vm.stopPrank();
    }

    function test_WhenAnAccountIsListed() public {
        _watchCore();
        _expectAnswer(address(core), abi.encodeCall(ICoreSwap.blacklisted, (user)), true);
        _expectEvent(address(core));
        emit ICoreSwap.UserBlacklistUpdated(user, true);
        _assertEffects(blacklister, address(core), abi.encodeCall(ICoreSwap.setBlacklisted, (user, true)));
    }
}
