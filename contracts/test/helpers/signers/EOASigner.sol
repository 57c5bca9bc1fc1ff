// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Signer} from "./Signer.sol";

/// @title EOASigner
/// @notice Externally owned accounts, with one key each.
abstract contract EOASigner is Signer {
    mapping(address account => uint256) private _keys;

    function _createAccounts() internal virtual override returns (address account, address twin) {
        uint256 key;
        (account, key) = makeAddrAndKey("signer");
        _keys[account] = key;
        (twin, key) = makeAddrAndKey("signer's twin");
        _keys[twin] = key;
    }

    function _signAs(address account, bytes32 digest) internal view virtual override returns (bytes memory signature) {
        return _ecdsa(_keys[account], digest);
    }

    function _keyOf(address account) internal view returns (uint256 key) {
        return _keys[account];
    }
}
