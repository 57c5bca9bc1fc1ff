// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {YieldMath} from "../../../src/libraries/YieldMath.sol";
import {Test} from "forge-std/Test.sol";

/// What random inputs do not meet.
contract YieldMathValueTest is Test {
    /// A growth of one unit, paid for one second, is a unit for every 86,400e18.
    function test_ValueOf_WithTheSmallestPartialWeight_PaysIt() public pure {
        uint256 credits = 5 * 86_400e18;
        assertEq(YieldMath.valueOf(credits, 1e36, 1), credits + 5);
        assertEq(YieldMath.valueOf(credits - 1, 1e36, 1), credits - 1 + 4);
    }
}
