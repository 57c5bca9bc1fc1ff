// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20, ERC4626, IERC20} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// @title TestVault
/// @notice OpenZeppelin's ERC-4626 vault, whose share has the given number of decimals more than the asset.
contract TestVault is ERC4626 {
    uint8 private immutable _OFFSET;

    constructor(IERC20 asset_, uint8 offset) ERC4626(asset_) ERC20("Vault", "VLT") {
        _OFFSET = offset;
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return _OFFSET;
    }
}
