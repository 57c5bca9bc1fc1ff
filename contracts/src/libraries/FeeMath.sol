// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ValueMath} from "./ValueMath.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title FeeMath
/// @notice Splits the gross value of a leg into net value and fees, starting from either end.
/// @dev All amounts are in units of the stablecoin that settles the leg. On every path
/// `gross = net + issuerFee + spreadFee + lpFee`, exactly. The protocol fee is taken first, the LP's rates on what
/// remains, one after the other. Every deduction rounds up, so that rounding never favors the taker; the protocol's
/// part of the LP's spread rounds down, so that it never exceeds the spread.
library FeeMath {
    /// @notice One, as a WAD fraction.
    uint256 internal constant WAD = 1e18;

    /// @notice Largest LP or issuer-paid rate. Below 1, so that a net value always has a finite gross value.
    uint256 internal constant MAX_RATE = 0.99e18;

    /// @notice Rates of one leg, all WAD fractions.
    /// @param issuerRate Protocol fee on the gross value, at most `MAX_RATE`.
    /// @param takeRate Protocol part of the LP's spread, at most `WAD`.
    /// @param firstRate The LP's rate, at most `MAX_RATE`.
    /// @param secondRate The LP's second rate, on what the first leaves (RWA to RWA only), at most `MAX_RATE`.
    struct Rates {
        uint256 issuerRate;
        uint256 takeRate;
        uint256 firstRate;
        uint256 secondRate;
    }

    /// @notice Splits a gross value: `gross = net + issuerFee + spreadFee + lpFee`. Fees round up, net therefore down.
    /// @param gross Value that comes in.
    /// @param rates Rates of the leg.
    /// @return net Value that goes out.
    /// @return issuerFee Protocol fee on the gross value.
    /// @return spreadFee Protocol part of the LP's spread.
    /// @return lpFee LP part of the spread.
    function splitGross(uint256 gross, Rates memory rates)
        internal
        pure
        returns (uint256 net, uint256 issuerFee, uint256 spreadFee, uint256 lpFee)
    {
        uint256 base = _less(gross, rates.issuerRate);
        net = _less(_less(base, rates.firstRate), rates.secondRate);
        // No deduction is more than what it is taken from.
        unchecked {
            issuerFee = gross - base;
            (spreadFee, lpFee) = _shareSpread(base - net, rates.takeRate);
        }
    }

    /// @notice Finds the gross value that leaves a net value, rounded up at every step, and splits it.
    /// @param net Value that goes out.
    /// @param rates Rates of the leg.
    /// @return fits False when the gross value needs more than 256 bits.
    /// @return gross Value that comes in; zero when it does not fit, like the fees.
    /// @return issuerFee Protocol fee on the gross value.
    /// @return spreadFee Protocol part of the LP's spread.
    /// @return lpFee LP part of the spread.
    function trySplitNet(uint256 net, Rates memory rates)
        internal
        pure
        returns (bool fits, uint256 gross, uint256 issuerFee, uint256 spreadFee, uint256 lpFee)
    {
        uint256 base;
        (fits, base) = _tryGrossUp(net, rates.secondRate);
        if (fits) (fits, base) = _tryGrossUp(base, rates.firstRate);
        if (fits) (fits, gross) = _tryGrossUp(base, rates.issuerRate);
        if (!fits) return (false, 0, 0, 0, 0);
        // Grossing up makes nothing less.
        unchecked {
            issuerFee = gross - base;
            (spreadFee, lpFee) = _shareSpread(base - net, rates.takeRate);
        }
    }

    /// @notice `amount - ⌈amount * rate / WAD⌉`, which is `⌊amount * (WAD - rate) / WAD⌋`.
    /// @param amount Amount before the deduction.
    /// @param rate WAD fraction, at most one.
    /// @return rest Amount after the deduction.
    function _less(uint256 amount, uint256 rate) private pure returns (uint256 rest) {
        if (rate == 0) return amount;
        unchecked {
            // A fraction takes 60 bits: up to here the product takes one word.
            if (amount <= type(uint128).max) return amount * (WAD - rate) / WAD;
            return Math.mulDiv(amount, WAD - rate, WAD);
        }
    }

    /// @notice `⌈rest * WAD / (WAD - rate)⌉`, an amount of which at least `rest` is left after the deduction.
    /// @param rest Amount after the deduction.
    /// @param rate WAD fraction below one.
    /// @return fits False when the result needs more than 256 bits.
    /// @return amount Amount before the deduction.
    function _tryGrossUp(uint256 rest, uint256 rate) private pure returns (bool fits, uint256 amount) {
        if (rate == 0) return (true, rest);
        return ValueMath.tryMulDiv(rest, WAD, WAD - rate, Math.Rounding.Ceil);
    }

    /// @notice Shares the LP's spread with the protocol.
    /// @param spread What the LP's rates leave out.
    /// @param takeRate Protocol part of the spread, WAD fraction, at most one.
    /// @return spreadFee Protocol part, rounded down.
    /// @return lpFee LP part, the rest.
    function _shareSpread(uint256 spread, uint256 takeRate) private pure returns (uint256 spreadFee, uint256 lpFee) {
        if (takeRate != 0) (, spreadFee) = ValueMath.tryMulDiv(spread, takeRate, WAD, Math.Rounding.Floor);
        // A part of at most one, rounded down.
        unchecked {
            lpFee = spread - spreadFee;
        }
    }
}
