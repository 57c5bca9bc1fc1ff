// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IAggregatorV3
/// @notice The part of a Chainlink data feed (`AggregatorV3Interface`) that the adapters read.
interface IAggregatorV3 {
    /// @notice Returns the decimals of every answer.
    /// @return count Number of decimals.
    function decimals() external view returns (uint8 count);

    /// @notice Returns the last round.
    /// @return roundId Number of the round.
    /// @return answer The value, with `decimals()` decimals.
    /// @return startedAt When the round started, in seconds.
    /// @return updatedAt When the answer was computed, in seconds; 0 while the round is not complete.
    /// @return answeredInRound Deprecated.
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}
