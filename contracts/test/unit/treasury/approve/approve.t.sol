// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasuryApproveTest is TreasuryTest {
    function test_RevertWhen_TheSpenderIsTheZeroAddress() public {
        _callAndAssertOutcome(
            ALICE,
            abi.encodeCall(IERC20.approve, (address(0), 1)),
            abi.encodeWithSelector(IERC20Errors.ERC20InvalidSpender.selector, address(0))
        );
    }

    /// @dev An approval does not move tokens, so neither a list nor a pause stops it.
    function testFuzz_WhenTheAccountsAreListedOrPausedOrNot(uint256 value, bool isPaused, bool isBlacklisted) public {
        if (isBlacklisted) {
            _blacklist(ALICE);
            _blacklist(SPENDER);
        }
        if (isPaused) _pause();
        State memory expected = _state();
        expected.allowances[_allowanceIndex(ALICE_INDEX, SPENDER_INDEX)] = value;

        vm.expectEmit(address(treasury));
        emit IERC20.Approval(ALICE, SPENDER, value);
        vm.prank(ALICE);
        assertTrue(treasury.approve(SPENDER, value));

        _assertState(expected);
    }
}
