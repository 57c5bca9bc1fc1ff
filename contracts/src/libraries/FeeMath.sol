// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title FeeMath
/// @notice Splits the gross value of a leg into net value and fees, starting from either end.
/// @dev All amounts are in units of the stablecoin that settles the leg. On every path
/// `gross = net + issuerFee + spreadFee + lpFee`, exactly. The protocol fee is taken first, then the LP's rates on what
/// remains, one after the other. Every deduction rounds up, so that rounding never favors the taker; the protocol's
/// part of the LP's spread rounds down, so that it never exceeds the spread. Every step accepts any 256-bit value
/// without a wider product, because a rate is applied separately to the multiples of WAD in an amount and to the
/// remainder.
library FeeMath {
    /// @notice One, as a WAD fraction.
    uint256 internal constant WAD = 1e18;

    /// @notice Largest LP or issuer-paid rate. Below 1, so that a net value always has a finite gross value.
    uint256 internal constant MAX_RATE = 0.99e18;

    /// @notice Rates of one leg, all WAD fractions.
    /// @param issuerRate Protocol fee on the gross value, at most `MAX_RATE`.
    /// @param takeRate Protocol part of the LP's spread, at most `WAD`.
    /// @param firstRate The LP's rate, at most `MAX_RATE`.
    /// @param secondRate The LP's second rate, on what the first rate leaves (RWA to RWA only), at most `MAX_RATE`.
    struct Rates {
        uint256 issuerRate;
        uint256 takeRate;
        uint256 firstRate;
        uint256 secondRate;
    }

    /// @notice Splits a gross value: `gross = net + issuerFee + spreadFee + lpFee`. Fees round up, so the net value
    /// rounds down.
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
        uint256 base = partOf(gross, WAD - rates.issuerRate);
        net = partOf(partOf(base, WAD - rates.firstRate), WAD - rates.secondRate);
        (issuerFee, spreadFee, lpFee) = _fees(gross, base, net, rates.takeRate);
    }

    /// @notice Finds the gross value that leaves a net value, and splits it; the mirror of {splitGross}, rounded up.
    /// @param net Value that goes out.
    /// @param rates Rates of the leg.
    /// @return gross Value that comes in; 2^256 - 1 when it does not fit.
    /// @return issuerFee Protocol fee on the gross value.
    /// @return spreadFee Protocol part of the LP's spread.
    /// @return lpFee LP part of the spread.
    function splitNet(uint256 net, Rates memory rates)
        internal
        pure
        returns (uint256 gross, uint256 issuerFee, uint256 spreadFee, uint256 lpFee)
    {
        uint256 base = wholeOf(wholeOf(net, WAD - rates.secondRate), WAD - rates.firstRate);
        gross = wholeOf(base, WAD - rates.issuerRate);
        (issuerFee, spreadFee, lpFee) = _fees(gross, base, net, rates.takeRate);
    }

    /// @dev Computes the fees from the values of a leg: `base` is the value after the protocol fee, `takeRate` the
    /// protocol's part of the LP's spread, a WAD fraction. `spreadFee` is rounded down; `lpFee` is the rest.
    function _fees(uint256 gross, uint256 base, uint256 net, uint256 takeRate)
        private
        pure
        returns (uint256 issuerFee, uint256 spreadFee, uint256 lpFee)
    {
        issuerFee = gross - base;
        spreadFee = partOf(base - net, takeRate);
        lpFee = base - net - spreadFee;
    }

    /// @notice `⌊whole * fraction / WAD⌋`. A deduction that rounds up is `whole` less `partOf` the fraction that it
    /// leaves.
    /// @param whole Amount.
    /// @param fraction WAD fraction, at most one.
    /// @return part Part of the amount.
    function partOf(uint256 whole, uint256 fraction) internal pure returns (uint256 part) {
        // At most `whole`.
        unchecked {
            return whole / WAD * fraction + whole % WAD * fraction / WAD;
        }
    }

    /// @notice `⌈part * WAD / fraction⌉`: the least amount whose {partOf} is at least `part`.
    /// @param part Part of the amount.
    /// @param fraction WAD fraction, above zero and at most one.
    /// @return whole Amount; 2^256 - 1 when it does not fit.
    function wholeOf(uint256 part, uint256 fraction) internal pure returns (uint256 whole) {
        return
            Math.saturatingAdd(Math.saturatingMul(part / fraction, WAD), Math.ceilDiv(part % fraction * WAD, fraction));
    }
}
