// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import {
    ERC20PermitUpgradeable
} from "@openzeppelin/contracts-upgradeable/token/ERC20/extensions/ERC20PermitUpgradeable.sol";
import {PausableUpgradeable} from "@openzeppelin/contracts-upgradeable/utils/PausableUpgradeable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// @title OpenZeppelinToken
/// @notice OpenZeppelin's upgradeable ERC-20 with permit and an owner who mints, without lists or a pause.
contract OpenZeppelinToken is ERC20PermitUpgradeable, OwnableUpgradeable, UUPSUpgradeable {
    constructor() {
        _disableInitializers();
    }

    function initialize(string calldata name_, string calldata symbol_, address owner_) external initializer {
        __ERC20_init(name_, symbol_);
        __ERC20Permit_init(name_);
        __Ownable_init(owner_);
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function _authorizeUpgrade(address) internal override onlyOwner {}
}

/// @title RegulatedOpenZeppelinToken
/// @notice Adds the features of a regulated token in OpenZeppelin's usual form: a pause and a mapping of blocked
/// accounts, both checked whenever a balance changes.
contract RegulatedOpenZeppelinToken is OpenZeppelinToken, PausableUpgradeable {
    mapping(address account => bool isBlocked) private _blocked;

    error Blocked(address account);

    function setBlocked(address account, bool isBlocked) external onlyOwner {
        _blocked[account] = isBlocked;
    }

    function _update(address from, address to, uint256 amount) internal override whenNotPaused {
        if (_blocked[from]) revert Blocked(from);
        if (_blocked[to]) revert Blocked(to);
        super._update(from, to, amount);
    }
}
