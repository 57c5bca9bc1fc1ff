// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {
    AccessControlEnumerableUpgradeable
} from "@openzeppelin/contracts-upgradeable/access/extensions/AccessControlEnumerableUpgradeable.sol";

/// @title Administered
/// @notice Roles of which the administrator's never ends: an administrator is replaced by granting the role to the next
/// one, seeing that one use it, and then revoking it from the former.
abstract contract Administered is AccessControlEnumerableUpgradeable {
    /// @notice The last holder of `DEFAULT_ADMIN_ROLE` cannot lose it.
    error LastAdministrator();

    /// @dev Renouncing comes here, too.
    function _revokeRole(bytes32 role, address account) internal virtual override returns (bool revoked) {
        revoked = super._revokeRole(role, account);
        if (revoked && role == DEFAULT_ADMIN_ROLE && getRoleMemberCount(role) == 0) revert LastAdministrator();
    }
}
