// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAggregatorV3} from "../interfaces/IAggregatorV3.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title FeedReader
/// @notice Reads a Chainlink data feed: refuses an answer that is too old or has no valid time, and scales it to WAD.
/// @dev Scaling. An answer with up to 18 decimals is scaled exactly. With more decimals, the digits below 1e-18 are cut
/// off.
///
/// Assumptions. The feed's decimals, which are read once, never change. The aggregator behind a feed proxy may change.
///
/// Not checked. Whether the answer is right: a feed whose aggregator clamps its answers keeps serving the clamped one.
/// Whether a sequencer is up: on a rollup, a feed can lag behind an outage by up to `maxAgeSeconds`. `answeredInRound`
/// is deprecated and not read.
///
/// Liveness. When a feed reverts, is retired or stops updating, everything that reads it stops.
abstract contract FeedReader {
    /// @dev No known feed has more; a larger power of ten would soon exceed 256 bits.
    uint256 private constant MAX_DECIMALS = 36;
    uint256 private constant WAD_DECIMALS = 18;

    // solhint-disable immutable-vars-naming

    /// @notice The feed.
    IAggregatorV3 public immutable feed;

    /// @notice Age in seconds up to which, inclusive, an answer is served. Above 0.
    uint256 public immutable maxAgeSeconds;

    // solhint-enable immutable-vars-naming

    /// @dev Decimals of the answer, including `extraDecimals`.
    uint256 private immutable _ANSWER_DECIMALS;

    /// @notice The feed has more than 36 decimals.
    error UnsupportedFeedDecimals(uint8 decimals);

    /// @notice The maximum age is zero: only an answer of the same block could be served.
    error ZeroMaxAge();

    /// @notice The feed's answer is below what the adapter serves, or does not fit in 256 bits once scaled.
    error InvalidAnswer(int256 answer);

    /// @notice The answer has no time, or one in the future.
    /// @param updatedAt The feed's time, in seconds.
    error InvalidUpdateTime(uint256 updatedAt);

    /// @notice The answer is too old to be served.
    /// @param updatedAt The feed's time, in seconds.
    /// @param maxAgeSeconds The bound.
    error StaleAnswer(uint256 updatedAt, uint256 maxAgeSeconds);

    /// @notice Sets the feed and the bound, which never change.
    /// @param feed_ See {feed}. Its decimals are at most 36, else `UnsupportedFeedDecimals`.
    /// @param maxAgeSeconds_ See {maxAgeSeconds}. Should be slightly above the feed's heartbeat; `ZeroMaxAge` when
    /// zero.
    /// @param extraDecimals Decimals of the answer beyond those that the feed reports: 2 for percent, else 0.
    constructor(IAggregatorV3 feed_, uint256 maxAgeSeconds_, uint256 extraDecimals) {
        if (maxAgeSeconds_ == 0) revert ZeroMaxAge();
        uint8 decimals = feed_.decimals();
        if (decimals > MAX_DECIMALS) revert UnsupportedFeedDecimals(decimals);
        feed = feed_;
        maxAgeSeconds = maxAgeSeconds_;
        _ANSWER_DECIMALS = decimals + extraDecimals;
    }

    /// @dev Returns the last answer as the feed gives it and scaled to WAD, rounded down. Reverts with
    /// `InvalidUpdateTime`, `StaleAnswer`, or `InvalidAnswer` when it is negative or does not fit.
    function _readWad() internal view returns (int256 answer, uint256 answerWad) {
        uint256 updatedAt;
        (, answer,, updatedAt,) = feed.latestRoundData();
        // A validator can shift the timestamp by seconds, which is negligible against a feed's heartbeat.
        // forge-lint: disable-start(block-timestamp)
        if (updatedAt == 0 || updatedAt > block.timestamp) revert InvalidUpdateTime(updatedAt);
        if (block.timestamp - updatedAt > maxAgeSeconds) revert StaleAnswer(updatedAt, maxAgeSeconds);
        // forge-lint: disable-end(block-timestamp)
        if (answer < 0) revert InvalidAnswer(answer);
        // The answer was just checked not to be negative.
        // forge-lint: disable-next-line(unsafe-typecast)
        answerWad = uint256(answer);
        if (_ANSWER_DECIMALS > WAD_DECIMALS) {
            answerWad /= 10 ** (_ANSWER_DECIMALS - WAD_DECIMALS);
        } else {
            bool fits;
            (fits, answerWad) = Math.tryMul(answerWad, 10 ** (WAD_DECIMALS - _ANSWER_DECIMALS));
            if (!fits) revert InvalidAnswer(answer);
        }
    }
}
