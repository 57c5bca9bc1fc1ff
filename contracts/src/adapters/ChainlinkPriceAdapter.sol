// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAggregatorV3} from "../interfaces/IAggregatorV3.sol";
import {IPriceAdapter} from "../interfaces/IPriceAdapter.sol";
import {FeedReader} from "./FeedReader.sol";

/// @title ChainlinkPriceAdapter
/// @notice The USD price of one token from a Chainlink data feed: the NAV of an RWA, or the market price that guards a
/// stablecoin. No roles and no state: CoreSwap's operator replaces the adapter as a whole.
/// @dev Serves the last answer, scaled to WAD, when it is at most `maxAgeSeconds` old and above zero both before and
/// after scaling. Otherwise it reverts. See {FeedReader} for the assumptions and what is not checked. The feed is also
/// assumed to quote the token in question, in USD, per whole token.
contract ChainlinkPriceAdapter is IPriceAdapter, FeedReader {
    /// @notice Sets the feed and the bound, which never change.
    /// @param feed_ A feed of the token's USD price, at most 36 decimals.
    /// @param maxAgeSeconds_ Age up to which, inclusive, an answer is served. Above 0.
    constructor(IAggregatorV3 feed_, uint256 maxAgeSeconds_) FeedReader(feed_, maxAgeSeconds_, 0) {}

    /// @inheritdoc IPriceAdapter
    /// @dev Reverts with `InvalidUpdateTime`, `StaleAnswer` or `InvalidAnswer`.
    function getPrice() external view returns (uint256 priceWad) {
        int256 answer;
        (answer, priceWad) = _readWad();
        if (priceWad == 0) revert InvalidAnswer(answer);
    }
}
