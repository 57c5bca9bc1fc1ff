// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAggregatorV3} from "../interfaces/IAggregatorV3.sol";
import {FeedReader} from "./FeedReader.sol";

/// @title TBillRateAdapter
/// @notice The 3-month T-bill rate as a WAD APY, from a Chainlink-style feed. The rate poster reads it and posts it as
/// the gross rate of a day. No roles and no state.
/// @dev Serves the last answer when it is at most `maxAgeSeconds` old and the rate lies within `minRateWad` and
/// `maxRateWad`, both inclusive. Bills are quoted on business days only, so the age has to span a long weekend. The
/// bounds catch a feed in another unit or a misplaced decimal point. A rate of zero is served when `minRateWad` allows
/// it, because bills have yielded zero before; a negative rate never is, because the delegate cannot post one.
///
/// Assumptions. The feed's answer is an effective annual yield. A bank-discount or bond-equivalent quote is not
/// converted: it needs a feed that does so. See {FeedReader} for the other assumptions and what is not checked.
contract TBillRateAdapter is FeedReader {
    uint256 private constant WAD = 1e18;

    // solhint-disable immutable-vars-naming

    /// @notice Lowest rate served: APY, WAD (4.5 % is 4.5e16).
    uint256 public immutable minRateWad;

    /// @notice Highest rate served: APY, WAD. At most 1e18, the highest cap that the delegate allows.
    uint256 public immutable maxRateWad;

    // solhint-enable immutable-vars-naming

    /// @notice The bounds given are out of order, or the upper one is above 1e18.
    /// @param minRateWad The lower bound given.
    /// @param maxRateWad The upper bound given.
    error InvalidRateBounds(uint256 minRateWad, uint256 maxRateWad);

    /// @notice The rate is outside the bounds.
    /// @param rateWad The feed's answer: APY, WAD.
    /// @param minRateWad The lower bound.
    /// @param maxRateWad The upper bound.
    error RateOutOfBounds(uint256 rateWad, uint256 minRateWad, uint256 maxRateWad);

    /// @notice Sets the feed, its unit and the bounds, which never change.
    /// @param feed_ A feed of the rate, at most 36 decimals.
    /// @param answersInPercent True when an answer of one means 1 %, false when it means 100 %.
    /// @param maxAgeSeconds_ Age up to which, inclusive, an answer is served. Above 0.
    /// @param minRateWad_ See {minRateWad}. At most `maxRateWad_`, else `InvalidRateBounds`.
    /// @param maxRateWad_ See {maxRateWad}. At most 1e18, else `InvalidRateBounds`.
    constructor(
        IAggregatorV3 feed_,
        bool answersInPercent,
        uint256 maxAgeSeconds_,
        uint256 minRateWad_,
        uint256 maxRateWad_
    ) FeedReader(feed_, maxAgeSeconds_, answersInPercent ? 2 : 0) {
        if (minRateWad_ > maxRateWad_ || maxRateWad_ > WAD) {
            revert InvalidRateBounds(minRateWad_, maxRateWad_);
        }
        minRateWad = minRateWad_;
        maxRateWad = maxRateWad_;
    }

    /// @notice Returns the 3-month T-bill rate.
    /// @dev Reverts with `InvalidUpdateTime`, `StaleAnswer`, `InvalidAnswer` (negative, or beyond 256 bits) or
    /// `RateOutOfBounds`.
    /// @return rateWad APY, WAD, floor.
    function getRate() external view returns (uint256 rateWad) {
        (, rateWad) = _readWad();
        if (rateWad < minRateWad || rateWad > maxRateWad) revert RateOutOfBounds(rateWad, minRateWad, maxRateWad);
    }
}
