// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title MisbehavingWallet
/// @notice ERC-1271 wallet that answers signature checks in every wrong way.
contract MisbehavingWallet {
    enum Mode {
        Revert,
        BurnGas,
        WrongMagic,
        ShortAnswer,
        DirtyMagic,
        Empty
    }

    Mode private immutable _MODE;

    constructor(Mode mode) {
        _MODE = mode;
    }

    function isValidSignature(bytes32, bytes calldata) external view {
        if (_MODE == Mode.Revert) revert("no");
        if (_MODE == Mode.BurnGas) {
            assembly {
                invalid()
            }
        }
        bytes32 answer = bytes32(_MODE == Mode.WrongMagic ? bytes4(0xffffffff) : bytes4(0x1626ba7e));
        if (_MODE == Mode.DirtyMagic) answer |= bytes32(uint256(1));
        uint256 size = _MODE == Mode.ShortAnswer ? 4 : (_MODE == Mode.Empty ? 0 : 32);
        assembly {
            mstore(0, answer)
            return(0, size)
        }
    }
}
