// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRWAWhitelistAdapter} from "src/interfaces/IRWAWhitelistAdapter.sol";

/// @title SettableWhitelistAdapter
/// @notice Holder register that anyone may write.
contract SettableWhitelistAdapter is IRWAWhitelistAdapter {
    mapping(address account => bool) public isWhitelisted;

    function set(address account, bool listed) external {
        isWhitelisted[account] = listed;
    }
}
