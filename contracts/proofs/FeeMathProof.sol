// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeeMath} from "../src/libraries/FeeMath.sol";

/// @title FeeMathProof
/// @notice No fee is above the whole, and the parts are the whole, for all rates within their bounds and all amounts below
/// 2^128, from either end.
contract FeeMathProof {
    function splitGross(uint256 gross, FeeMath.Rates memory rates) external pure {
        _assumeBounds(gross, rates);
        FeeMath.Split memory split = FeeMath.splitGross(gross, rates);
        assert(split.gross == gross);
        assert(split.net <= gross);
        assert(split.issuerFee <= gross);
        assert(split.gross - split.net - split.issuerFee == split.spreadFee + split.lpFee);
    }

    function trySplitNet(uint256 net, FeeMath.Rates memory rates) external pure {
        _assumeBounds(net, rates);
        (bool fits, FeeMath.Split memory split) = FeeMath.trySplitNet(net, rates);
        if (!fits) return;
        assert(split.net == net);
        assert(split.gross >= net);
        assert(split.issuerFee <= split.gross);
        assert(split.gross - split.net - split.issuerFee == split.spreadFee + split.lpFee);
    }

    function _assumeBounds(uint256 amount, FeeMath.Rates memory rates) private pure {
        require(amount <= type(uint128).max);
        require(rates.issuerRate <= FeeMath.MAX_RATE);
        require(rates.firstRate <= FeeMath.MAX_RATE);
        require(rates.secondRate <= FeeMath.MAX_RATE);
        require(rates.takeRate <= FeeMath.WAD);
    }
}
