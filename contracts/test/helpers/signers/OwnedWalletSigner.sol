// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {OwnedWallet} from "../../mocks/OwnedWallet.sol";
import {Signer} from "./Signer.sol";

/// @title OwnedWalletSigner
/// @notice Two wallets of one owner.
abstract contract OwnedWalletSigner is Signer {
    uint256 private _ownerKey;

    function _createAccounts() internal override returns (address account, address twin) {
        address owner;
        (owner, _ownerKey) = makeAddrAndKey("wallet owner");
        return (address(new OwnedWallet(owner)), address(new OwnedWallet(owner)));
    }

    function _signAs(address account, bytes32 digest) internal view override returns (bytes memory signature) {
        return _ecdsa(_ownerKey, OwnedWallet(account).boundHash(digest));
    }
}
