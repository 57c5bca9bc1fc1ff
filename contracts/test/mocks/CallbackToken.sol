// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";

/// @title CallbackToken
/// @notice Token that calls a contract during a transfer, and reverts with the error of that call if it fails.
contract CallbackToken is TestToken {
    address private _target;
    bytes private _data;

    constructor(uint8 decimals_) TestToken("Callback", "CALL", decimals_) {}

    function setCallback(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (_target == address(0)) return;
        (bool success, bytes memory reason) = _target.call(_data);
        if (!success) {
            assembly {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }
}
