// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";

/// @title ApproveFromZeroToken
/// @notice Token like USDT on Ethereum, which refuses to change an allowance from one amount to another.
contract ApproveFromZeroToken is TestToken {
    error AllowanceNotZero();

    constructor(uint8 decimals_) TestToken("Approve from zero", "ZERO", decimals_) {}

    function approve(address spender, uint256 value) public override returns (bool) {
        if (value != 0 && allowance(msg.sender, spender) != 0) revert AllowanceNotZero();
        return super.approve(spender, value);
    }
}
