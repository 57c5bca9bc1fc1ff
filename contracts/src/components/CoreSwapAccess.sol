// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../interfaces/ICoreSwap.sol";
import {CoreSwapStorage} from "../storage/CoreSwapStorage.sol";
import {Administered} from "./Administered.sol";
import {Pausing} from "./Pausing.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";

/// @title CoreSwapAccess
/// @notice Who may do what: roles, pause, blacklist, upgrades, and the settings stored in the global slot.
abstract contract CoreSwapAccess is ICoreSwap, CoreSwapStorage, Pausing, Administered, UUPSUpgradeable {
    /// @notice Registers assets and sets every protocol parameter; pauses and unpauses.
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    /// @notice Bars accounts from swaps.
    bytes32 public constant BLACKLISTER_ROLE = keccak256("BLACKLISTER_ROLE");

    /// @notice Pauses but cannot unpause. Meant for monitoring that must act at once.
    bytes32 public constant EXTERNAL_PAUSER_ROLE = keccak256("EXTERNAL_PAUSER_ROLE");

    /// @notice Upper bound of `maxSwapLegs`, which limits the gas that one swap can use.
    uint256 internal constant LEG_LIMIT = 32;

    /// @notice `maxSwapLegs` after initialization.
    uint8 internal constant DEFAULT_MAX_SWAP_LEGS = 10;

    /// @notice Allows operators only. The check is a separate function because a copy in each setter would make the
    /// contract's code exceed the limit of EIP-170.
    modifier onlyOperator() {
        _checkOperator();
        _;
    }

    /// @inheritdoc ICoreSwap
    function pause() external {
        if (!hasRole(OPERATOR_ROLE, msg.sender)) _checkRole(EXTERNAL_PAUSER_ROLE);
        _pause(EMERGENCY_PAUSE);
    }

    /// @inheritdoc ICoreSwap
    function unpause() external onlyOperator {
        _unpause(EMERGENCY_PAUSE);
    }

    /// @inheritdoc ICoreSwap
    function setBlacklisted(address user, bool _blacklisted) external onlyRole(BLACKLISTER_ROLE) {
        _coreSwapStorage().blacklisted[user] = _blacklisted;
        emit UserBlacklistUpdated(user, _blacklisted);
    }

    /// @inheritdoc ICoreSwap
    function setCoreVault(address vault) external onlyOperator {
        _setCoreVault(vault);
    }

    /// @inheritdoc ICoreSwap
    function setMaxSwapLegs(uint256 newMaxSwapLegs) external onlyOperator {
        if (newMaxSwapLegs == 0 || newMaxSwapLegs > LEG_LIMIT) revert InvalidLegCount();
        CoreSwapState storage $ = _coreSwapStorage();
        emit MaxSwapLegsSet($.maxSwapLegs, newMaxSwapLegs);
        // forge-lint: disable-next-line(unsafe-typecast)
        $.maxSwapLegs = uint8(newMaxSwapLegs);
    }

    /// @inheritdoc ICoreSwap
    function blacklisted(address user) external view returns (bool listed) {
        return _coreSwapStorage().blacklisted[user];
    }

    /// @inheritdoc ICoreSwap
    function coreVault() external view returns (address vault) {
        return _coreSwapStorage().vault;
    }

    /// @inheritdoc ICoreSwap
    function maxSwapLegs() external view returns (uint256 legs) {
        return _coreSwapStorage().maxSwapLegs;
    }

    /// @dev Grants the first roles and sets the first global settings.
    function _initializeAccess(address admin, address operator, address vault) internal onlyInitializing {
        if (admin == address(0) || operator == address(0)) revert InvalidAdmin();
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(OPERATOR_ROLE, operator);
        _coreSwapStorage().maxSwapLegs = DEFAULT_MAX_SWAP_LEGS;
        _setCoreVault(vault);
    }

    /// @dev Stored beside the vault and the leg limit, which every swap reads.
    function _setPauseCauses(uint8 causes) internal override {
        _coreSwapStorage().pauseCauses = causes;
    }

    function _pauseCauses() internal view override returns (uint8 causes) {
        return _coreSwapStorage().pauseCauses;
    }

    /// @notice Refuses callers without `OPERATOR_ROLE`.
    function _checkOperator() internal view {
        _checkRole(OPERATOR_ROLE);
    }

    /// @dev Sets the account that receives protocol fees. Refuses zero, and CoreSwap, which could never pay tokens out.
    function _setCoreVault(address vault) private {
        if (vault == address(0) || vault == address(this)) revert InvalidVault();
        CoreSwapState storage $ = _coreSwapStorage();
        emit CoreVaultSet($.vault, vault);
        $.vault = vault;
    }

    /// @notice Allows only `DEFAULT_ADMIN_ROLE` to upgrade, to any implementation.
    function _authorizeUpgrade(address) internal view override {
        _checkRole(DEFAULT_ADMIN_ROLE);
    }
}
