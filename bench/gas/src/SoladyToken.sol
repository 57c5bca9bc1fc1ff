// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable} from "solady/auth/Ownable.sol";
import {ERC20} from "solady/tokens/ERC20.sol";
import {UUPSUpgradeable} from "solady/utils/UUPSUpgradeable.sol";

/// @title SoladyToken
/// @notice Solady's ERC-20, written in assembly, with an owner who mints, without lists or a pause.
contract SoladyToken is ERC20, Ownable, UUPSUpgradeable {
    function initialize(address owner_) external {
        _initializeOwner(owner_);
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function name() public pure override returns (string memory) {
        return "Solady";
    }

    function symbol() public pure override returns (string memory) {
        return "SOL";
    }

    function _authorizeUpgrade(address) internal override onlyOwner {}

    /// @dev As solady recommends for a constant name, so that `permit` does not hash a string.
    function _constantNameHash() internal pure override returns (bytes32) {
        return keccak256("Solady");
    }

    function _guardInitializeOwner() internal pure override returns (bool) {
        return true;
    }
}
