// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";

/// @title FeeOnTransferToken
/// @notice Token that burns one unit of every transfer.
contract FeeOnTransferToken is TestToken {
    constructor(uint8 decimals_) TestToken("Fee on transfer", "FEE", decimals_) {}

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && to != address(0)) super._update(to, address(0), 1);
    }
}
