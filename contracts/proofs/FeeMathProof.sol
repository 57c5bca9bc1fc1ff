// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeeMath} from "../src/libraries/FeeMath.sol";

/// @title FeeMathProof
/// @notice No fee is above the whole, and the parts are the whole, for all rates within their bounds and all amounts below
/// 2^128, from either end.
contract FeeMathProof {
    function splitGross(uint256 gross, FeeMath.Rates memory rates) external pure {
        _assumeBounds(gross, rates);
        (uint256 net, uint256 issuerFee, uint256 spreadFee, uint256 lpFee) = FeeMath.splitGross(gross, rates);
        assert(net <= gross);
        assert(issuerFee <= gross);
        assert(gross - net - issuerFee == spreadFee + lpFee);
    }

    function splitNet(uint256 net, FeeMath.Rates memory rates) external pure {
        _assumeBounds(net, rates);
        (uint256 gross, uint256 issuerFee, uint256 spreadFee, uint256 lpFee) = FeeMath.splitNet(net, rates);
        assert(gross >= net);
        assert(issuerFee <= gross);
        assert(gross - net - issuerFee == spreadFee + lpFee);
    }

    /// No product of a part needs more than 256 bits, of any amount. That the two add up to the part of the whole is beyond
    /// the checker; the tests compare it with 512-bit products.
    function partFits(uint256 whole, uint256 fraction) external pure {
        require(fraction != 0 && fraction <= FeeMath.WAD);
        assert(whole / FeeMath.WAD <= type(uint256).max / fraction);
        assert(whole % FeeMath.WAD <= type(uint256).max / fraction);
    }

    function _assumeBounds(uint256 amount, FeeMath.Rates memory rates) private pure {
        require(amount <= type(uint128).max);
        require(rates.issuerRate <= FeeMath.MAX_RATE);
        require(rates.firstRate <= FeeMath.MAX_RATE);
        require(rates.secondRate <= FeeMath.MAX_RATE);
        require(rates.takeRate <= FeeMath.WAD);
    }
}
