// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EOASigner} from "./EOASigner.sol";

/// @title DelegatedEOASigner
/// @notice Externally owned accounts that delegate to code (EIP-7702). Runs on the Prague EVM only.
abstract contract DelegatedEOASigner is EOASigner {
    /// The code that the accounts delegate to.
    function _createImplementation() internal virtual returns (address implementation);

    function _createAccounts() internal override returns (address account, address twin) {
        (account, twin) = super._createAccounts();
        address implementation = _createImplementation();
        _delegate(account, implementation);
        _delegate(twin, implementation);
    }

    function _delegate(address account, address implementation) internal {
        vm.signAndAttachDelegation(implementation, _keyOf(account));
        // The authorization is sent with the next call, whatever that is.
        (bool success,) = makeAddr("anyone").call("");
        assertTrue(success, "call that carries the authorization");
        assertEq(account.code, abi.encodePacked(hex"ef0100", implementation), "delegation");
    }
}
