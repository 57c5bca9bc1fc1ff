// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {
    AccessControlEnumerableUpgradeable
} from "@openzeppelin/contracts-upgradeable/access/extensions/AccessControlEnumerableUpgradeable.sol";
import {
    ERC20PermitUpgradeable
} from "@openzeppelin/contracts-upgradeable/token/ERC20/extensions/ERC20PermitUpgradeable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// @notice Successors of the treasury token that an upgrade must refuse. Each breaks one rule of upgrades, and keeps
/// the token's other namespaces unchanged.
abstract contract UnsafeVersion is ERC20PermitUpgradeable, AccessControlEnumerableUpgradeable, UUPSUpgradeable {
    struct BridgeLimit {
        bool isSet;
        uint96 perDay;
        uint96 used;
        uint40 usedAt;
    }

    // solhint-disable-next-line no-empty-blocks
    function _authorizeUpgrade(address) internal view override onlyRole(DEFAULT_ADMIN_ROLE) {}
}

/// @notice Its namespace has its members in another order: the supply would be read out of a mapping's slot.
contract ReorderedTreasury is UnsafeVersion {
    /// @custom:storage-location erc7201:coreswap.storage.Treasury
    struct TreasuryLayout {
        uint256 totalSupply;
        mapping(address account => uint256) accounts;
        uint8 pauseCauses;
        uint248 blacklistFilter;
        mapping(address bridge => BridgeLimit) bridgeLimits;
    }
}

/// @notice Its namespace lacks a member.
contract ShortenedTreasury is UnsafeVersion {
    /// @custom:storage-location erc7201:coreswap.storage.Treasury
    struct TreasuryLayout {
        mapping(address account => uint256) accounts;
        uint8 pauseCauses;
        uint248 blacklistFilter;
        mapping(address bridge => BridgeLimit) bridgeLimits;
    }
}

/// @notice It runs foreign code on the proxy's storage.
contract DelegatingTreasury is UnsafeVersion {
    /// @custom:storage-location erc7201:coreswap.storage.Treasury
    struct TreasuryLayout {
        mapping(address account => uint256) accounts;
        uint256 totalSupply;
        uint8 pauseCauses;
        uint248 blacklistFilter;
        mapping(address bridge => BridgeLimit) bridgeLimits;
    }

    function run(address target, bytes calldata data) external {
        // forge-lint: disable-next-line(unchecked-call)
        (bool success,) = target.delegatecall(data);
        require(success, "failed");
    }
}
