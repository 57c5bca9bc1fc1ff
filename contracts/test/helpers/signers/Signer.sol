// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "../BaseTest.sol";

/// @title Signer
/// @notice The kind of account whose signatures a test checks: how two such accounts are created, and how one signs.
abstract contract Signer is BaseTest {
    /// Deploys an account and its twin. They have the same owners, so the owners do not determine whose signature it
    /// is.
    function _createAccounts() internal virtual returns (address account, address twin);

    /// Signs a digest so that ECDSA or the account's own check accepts it for exactly this account.
    function _signAs(address account, bytes32 digest) internal view virtual returns (bytes memory signature);

    function _ecdsa(uint256 key, bytes32 digest) internal pure returns (bytes memory signature) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
