// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";

/// @title HostileToken
/// @notice Token that behaves correctly, burns a unit of every transfer, or makes a call during a transfer and records
/// whether that call succeeded. A failed call does not stop the transfer.
contract HostileToken is TestToken {
    enum Mode {
        Honest,
        TakesFee,
        CallsOut
    }

    Mode public mode;
    uint256 public callsThatGotThrough;
    address private _target;
    bytes private _data;

    constructor(string memory symbol_, uint8 decimals_) TestToken(symbol_, symbol_, decimals_) {}

    function setMode(Mode mode_) external {
        mode = mode_;
    }

    function setCall(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from == address(0) || to == address(0)) return;
        if (mode == Mode.TakesFee && value != 0) super._update(to, address(0), 1);
        if (mode == Mode.CallsOut) {
            (bool success,) = _target.call(_data);
            if (success) ++callsThatGotThrough;
        }
    }
}
