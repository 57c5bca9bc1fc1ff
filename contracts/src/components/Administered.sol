// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {
    AccessControlEnumerableUpgradeable
} from "@openzeppelin/contracts-upgradeable/access/extensions/AccessControlEnumerableUpgradeable.sol";

/// @title Administered
/// @notice Access control with at least one administrator at all times. To replace an administrator, grant the role to
/// the new one, check that the new one can use it, and then revoke it from the old one.
abstract contract Administered is AccessControlEnumerableUpgradeable {
    /// @notice The last holder of `DEFAULT_ADMIN_ROLE` cannot lose it.
    error LastAdministrator();

    /// @dev Also runs when a role is renounced.
    function _revokeRole(bytes32 role, address account) internal virtual override returns (bool revoked) {
        revoked = super._revokeRole(role, account);
        if (revoked && role == DEFAULT_ADMIN_ROLE && getRoleMemberCount(role) == 0) revert LastAdministrator();
    }
}
