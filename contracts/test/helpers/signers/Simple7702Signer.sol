// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DelegatedEOASigner} from "./DelegatedEOASigner.sol";

// Artifact from the package.
string constant SIMPLE_7702_ACCOUNT = "node_modules/@account-abstraction/contracts/artifacts/Simple7702Account.json";

/// @title Simple7702Signer
/// @notice Accounts that delegate to the `Simple7702Account` of the ERC-4337 reference implementation, and sign with
/// their own key.
abstract contract Simple7702Signer is DelegatedEOASigner {
    function _createImplementation() internal override returns (address implementation) {
        return deployCode(SIMPLE_7702_ACCOUNT);
    }
}
