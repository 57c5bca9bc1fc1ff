// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title OwnedWallet
/// @notice Minimal smart wallet, whose owner signs for it (ERC-1271) and executes calls through it. A signature is
/// bound to the wallet, so that two wallets of one owner never accept each other's signatures.
contract OwnedWallet is IERC1271 {
    error OnlyOwner();

    address private immutable _OWNER;

    constructor(address owner) {
        _OWNER = owner;
    }

    function execute(address target, bytes calldata data) external returns (bytes memory result) {
        if (msg.sender != _OWNER) revert OnlyOwner();
        return Address.functionCall(target, data);
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4 magicValue) {
        (address signer, ECDSA.RecoverError err,) = ECDSA.tryRecover(boundHash(hash), signature);
        if (err == ECDSA.RecoverError.NoError && signer == _OWNER) return IERC1271.isValidSignature.selector;
        return 0xffffffff;
    }

    /// @notice Returns what the owner signs for `hash`.
    function boundHash(bytes32 hash) public view returns (bytes32) {
        return keccak256(abi.encode(address(this), hash));
    }
}
