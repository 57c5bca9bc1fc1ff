// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title MisbehavingWallet
/// @notice ERC-1271 wallet that answers signature checks in every wrong way.
contract MisbehavingWallet {
    enum Mode {
        Revert,
        RevertWithMagic,
        BurnGas,
        LoopForever,
        WriteState,
        WrongMagic,
        DirtyMagic,
        ShiftedMagic,
        ShortAnswer,
        NoAnswer,
        HugeAnswer
    }

    bytes32 private constant _MAGIC = bytes32(bytes4(0x1626ba7e));

    Mode private immutable _MODE;
    uint256 private _state;

    constructor(Mode mode) {
        _MODE = mode;
    }

    /// @dev Not `view`, so that one mode can try to write.
    function isValidSignature(bytes32, bytes calldata) external {
        Mode mode = _MODE;
        if (mode == Mode.Revert) revert("no");
        if (mode == Mode.WriteState) ++_state;
        if (mode == Mode.BurnGas) {
            assembly {
                invalid()
            }
        }
        if (mode == Mode.LoopForever) {
            uint256 rounds;
            while (true) ++rounds;
        }
        bytes32 answer = _MAGIC;
        if (mode == Mode.RevertWithMagic) {
            assembly {
                mstore(0, answer)
                revert(0, 32)
            }
        }
        if (mode == Mode.WrongMagic) answer = bytes32(bytes4(0xffffffff));
        if (mode == Mode.DirtyMagic) answer |= bytes32(uint256(1));
        if (mode == Mode.ShiftedMagic) answer >>= 224;
        // A megabyte of zeros. If the caller copied it, the caller would pay for it.
        if (mode == Mode.HugeAnswer) answer = 0;
        uint256 size = 32;
        if (mode == Mode.ShortAnswer) size = 31;
        if (mode == Mode.NoAnswer) size = 0;
        if (mode == Mode.HugeAnswer) size = 1 << 20;
        assembly {
            mstore(0, answer)
            return(0, size)
        }
    }
}
