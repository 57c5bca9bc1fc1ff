// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAggregatorV3} from "src/interfaces/IAggregatorV3.sol";

/// @title SettableFeed
/// @notice Chainlink data feed that anyone may set.
contract SettableFeed is IAggregatorV3 {
    uint8 public immutable decimals;
    int256 private _answer;
    uint256 private _updatedAt;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    /// @notice Sets the last round.
    function set(int256 answer, uint256 updatedAt) external {
        (_answer, _updatedAt) = (answer, updatedAt);
    }

    /// @dev The other fields have values that no adapter may mistake for the answer or its time.
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (7, _answer, 1, _updatedAt, 7);
    }
}
