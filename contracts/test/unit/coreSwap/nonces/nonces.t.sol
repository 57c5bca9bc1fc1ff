// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PermitFixture} from "test/helpers/PermitFixture.sol";
import {EOASigner} from "test/helpers/signers/EOASigner.sol";

contract CoreSwapNoncesTest is PermitFixture, EOASigner {
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_GivenNoPermitWasUsed(address anyone) public view {
        assertEq(core.nonces(anyone), 0);
    }

    function test_GivenPermitsWereUsed() public {
        Call memory call = _call();
        for (; call.nonce < 3; ++call.nonce) {
            _submit(call, _permit(call));
            assertEq(core.nonces(account), call.nonce + 1, "nonce");
        }
        assertEq(core.nonces(broker) + core.nonces(receiver) + core.nonces(twin), 0, "nonces of others");
    }

    function test_GivenSwapsWithoutASignature() public {
        Call memory call = _call();
        vm.prank(account);
        core.adjustSwapInputAllowance(broker, bill.id, type(uint256).max, true);
        _submit(call, _noPermit());
        call.operator = account;
        _submit(call, _noPermit());
        assertEq(core.nonces(account), 0);
    }
}
