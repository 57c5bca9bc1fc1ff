// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeeMath} from "../src/libraries/FeeMath.sol";

/// @title FeeMathProof
/// @notice For any amount, no step of a split needs more than 256 bits, falls below zero or favors the taker. No fee
/// exceeds the whole, and the parts add up to the whole, in both directions of the split.
/// @dev An asserted condition may be required afterwards. That does not narrow the proof, and spares the solver from
/// deriving it again. A witness is not an assumption of the proof. The check that assertions can be reached requires
/// it, to spare the solver the search.
contract FeeMathProof {
    /// The part never exceeds the whole, and neither the products nor their sum overflow.
    function partOf(uint256 whole, uint256 fraction) external pure {
        require(fraction != 0 && fraction <= FeeMath.WAD);
        uint256 multiple = whole / FeeMath.WAD;
        uint256 rest = whole % FeeMath.WAD;
        assert(multiple <= type(uint256).max / fraction);
        assert(rest <= type(uint256).max / fraction);
        assert(multiple * fraction <= whole - rest);
        assert(rest * fraction / FeeMath.WAD <= rest);
        require(multiple * fraction <= whole - rest && rest * fraction / FeeMath.WAD <= rest);
        assert(FeeMath.partOf(whole, fraction) == multiple * fraction + rest * fraction / FeeMath.WAD);
        assert(FeeMath.partOf(whole, fraction) <= whole);
    }

    function partOfNothing(uint256 whole) external pure {
        assert(FeeMath.partOf(whole, 0) == 0);
    }

    /// The whole is never below the part, and the part of that whole is at least the given one, unless it does not fit.
    function wholeOf(uint256 part, uint256 fraction) external pure {
        require(fraction != 0 && fraction <= FeeMath.WAD);
        uint256 whole = FeeMath.wholeOf(part, fraction);
        assert(part % fraction <= type(uint256).max / FeeMath.WAD);
        assert(whole >= part);
        assert(whole == type(uint256).max || FeeMath.partOf(whole, fraction) >= part);
    }

    function splitGross(uint256 gross, FeeMath.Rates memory rates) external pure {
        _assumeBounds(rates);
        (uint256 net, uint256 issuerFee, uint256 spreadFee, uint256 lpFee) = FeeMath.splitGross(gross, rates);
        assert(net <= gross);
        assert(issuerFee <= gross);
        assert(gross - net - issuerFee == spreadFee + lpFee);
    }

    function splitNet(uint256 net, FeeMath.Rates memory rates) external pure {
        _assumeBounds(rates);
        (uint256 gross, uint256 issuerFee, uint256 spreadFee, uint256 lpFee) = FeeMath.splitNet(net, rates);
        assert(gross >= net);
        assert(issuerFee <= gross);
        assert(gross - net - issuerFee == spreadFee + lpFee);
    }

    function _assumeBounds(FeeMath.Rates memory rates) private pure {
        require(rates.issuerRate <= FeeMath.MAX_RATE);
        require(rates.firstRate <= FeeMath.MAX_RATE);
        require(rates.secondRate <= FeeMath.MAX_RATE);
        require(rates.takeRate <= FeeMath.WAD);
        // Witness: rates.issuerRate == 0.001e18 && rates.firstRate == 0.002e18 && rates.secondRate == 0.003e18
    }
}
