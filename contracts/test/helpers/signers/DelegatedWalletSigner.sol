// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {OwnedWallet} from "../../mocks/OwnedWallet.sol";
import {DelegatedEOASigner} from "./DelegatedEOASigner.sol";

/// @title DelegatedWalletSigner
/// @notice Externally owned accounts that delegate to a wallet whose signing key is another one, so that only ERC-1271
/// can accept a signature. The wallet's own address is that of the account.
abstract contract DelegatedWalletSigner is DelegatedEOASigner {
    uint256 private _ownerKey;

    function _createImplementation() internal override returns (address implementation) {
        address owner;
        (owner, _ownerKey) = makeAddrAndKey("wallet owner");
        return address(new OwnedWallet(owner));
    }

    function _signAs(address account, bytes32 digest) internal view override returns (bytes memory signature) {
        return _ecdsa(_ownerKey, OwnedWallet(account).boundHash(digest));
    }
}
