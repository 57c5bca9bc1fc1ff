// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapSetProtocolFeeExemptTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotAnOperator(address caller) public {
        bytes memory data = abi.encodeCall(ICoreSwap.setProtocolFeeExempt, (usdc.id, true));
        _assertOnlyRole(core.OPERATOR_ROLE(), caller, data);
    }

    function test_WhenAStablecoinIsExempted() public {
        vm.expectEmit(address(core));
        emit ICoreSwap.ProtocolFeeExemptSet(usdc.id, true);
        vm.prank(operator);
        core.setProtocolFeeExempt(usdc.id, true);
        assertTrue(core.protocolFeeExempt(usdc.id));
        ICoreSwap.SwapResolved memory q = core.quoteSwap(user, _leg(1, 1_000e18, false));
        assertEq(q.issuerFeeAmt, 0);
        assertEq(q.spreadFeeAmt, 0);
        assertGt(q.lpFeeAmt, 0);
    }

    function test_WhenTheFlagChanges() public {
        for (uint256 k = 0; k < 2; ++k) {
            bool exempt = k == 0;
            _watchCore();
            _expectAnswer(address(core), abi.encodeCall(ICoreSwap.protocolFeeExempt, (usdc.id)), exempt);
            _expectEvent(address(core));
            emit ICoreSwap.ProtocolFeeExemptSet(usdc.id, exempt);
            _assertEffects(operator, address(core), abi.encodeCall(ICoreSwap.setProtocolFeeExempt, (usdc.id, exempt)));
        }
    }
}
