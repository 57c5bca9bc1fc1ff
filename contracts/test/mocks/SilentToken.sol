// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";

/// @title SilentToken
/// @notice Token whose transfers return false instead of reverting, as some old tokens do.
contract SilentToken is TestToken {
    constructor() TestToken("Silent", "SIL", 18) {}

    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return false;
    }
}
