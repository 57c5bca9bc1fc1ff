// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title TestToken
/// @notice ERC-20 with any number of decimals that anyone may mint, for development nodes and tests.
contract TestToken is ERC20 {
    uint8 private immutable _DECIMALS;

    /// @notice Sets name, symbol and decimals, which never change.
    /// @param name_ Name.
    /// @param symbol_ Symbol.
    /// @param decimals_ Decimals.
    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_) {
        _DECIMALS = decimals_;
    }

    /// @notice Mints tokens to any account. Anyone may call.
    /// @param to Account that receives the tokens.
    /// @param amount Amount in token units.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @notice Decimals of the token.
    /// @return The number.
    function decimals() public view override returns (uint8) {
        return _DECIMALS;
    }
}
