// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title YieldMath
/// @notice The arithmetic of credits: a year's rate as a day's growth, growth as a cumulative index, the value of
/// credits, and the credits needed for a value.
/// @dev Rates and a day's growth are WAD fractions. The index and multipliers have scale 1e36, so that a year of daily
/// rounding costs no token unit. Everything rounds down, in favor of the reserve, except {creditsFor}, which rounds up
/// for the same reason. Products that may exceed 256 bits are computed in 512.
library YieldMath {
    /// @notice One, as a WAD fraction.
    uint256 internal constant WAD = 1e18;

    /// @notice One, at the scale of index and multipliers.
    uint256 internal constant E36 = 1e36;

    /// @notice Days that a year's rate compounds over.
    uint256 internal constant DAYS_PER_YEAR = 365;

    /// @notice Returns the largest daily growth `g` whose compounding over a year stays within the rate:
    /// `P((WAD + g) * WAD) <= (WAD + rate) * WAD`, with `P` as in {powYear}.
    /// @dev Newton's method on the convex `x^365`, from the right of its root: `(1 + g)^365 >= 1 + 365g` (Bernoulli),
    /// so the root is at most `rate / 365`. Steps round down, and `P` is never above the true power, so steps of more
    /// than one unit stay on the right. The successor of the first `x` that passes does not pass: either it was tried,
    /// or it lies a whole unit right of the root, where the excess of 365e-18 is larger than the rounding of `P` at
    /// 1e-36.
    /// @param rateWad APY, WAD, at most 1e18.
    /// @return growthWad `g`, WAD fraction.
    function dailyGrowth(uint256 rateWad) internal pure returns (uint256 growthWad) {
        uint256 target = (WAD + rateWad) * WAD;
        uint256 x = WAD + rateWad / DAYS_PER_YEAR;
        uint256 power = powYear(x * WAD);
        while (power > target) {
            // (x^365 - target) / (365 * x^364)
            x -= Math.max((power - target) * x / (DAYS_PER_YEAR * power), 1);
            power = powYear(x * WAD);
        }
        return x - WAD;
    }

    /// @notice `P(x)`: `x^365` by squaring, starting from the exponent's lowest bit, every product divided by 1e36 and
    /// rounded down.
    /// @param x Base, scale 1e36, at most 1.003e36 (a rate of 1e18 over 365 days).
    /// @return power Power, scale 1e36.
    function powYear(uint256 x) internal pure returns (uint256 power) {
        power = E36;
        for (uint256 exponent = DAYS_PER_YEAR; exponent != 0; exponent >>= 1) {
            if (exponent & 1 == 1) power = power * x / E36;
            x = x * x / E36;
        }
    }

    /// @notice Returns the cumulative growth after one more day, rounded down.
    /// @param indexE36 Index through the day before.
    /// @param growthWad Growth of the day.
    /// @return next Index through the day.
    function nextIndex(uint256 indexE36, uint256 growthWad) internal pure returns (uint256 next) {
        return indexE36 * (WAD + growthWad) / WAD;
    }

    /// @notice Grows a multiplier from one day's index to another's, rounded down.
    /// @param multiplierE36 Multiplier through the earlier day.
    /// @param fromIndexE36 Index through the earlier day.
    /// @param toIndexE36 Index through the later day.
    /// @return grown Multiplier through the later day.
    function grow(uint256 multiplierE36, uint256 fromIndexE36, uint256 toIndexE36)
        internal
        pure
        returns (uint256 grown)
    {
        return Math.mulDiv(multiplierE36, toIndexE36, fromIndexE36);
    }

    /// @notice Blends two amounts of credits: the average of their multipliers, weighted by the amounts, rounded down.
    /// @dev `⌊(c*M + n*m) / (c + n)⌋`, computed as the smaller multiplier plus the other's share of the difference,
    /// which is the same number and needs no sum of 512-bit products.
    /// @param creditsA First amount.
    /// @param multiplierA Its multiplier, scale 1e36.
    /// @param creditsB Second amount; the two are not both zero.
    /// @param multiplierB Its multiplier, scale 1e36.
    /// @return blended Multiplier of the sum, scale 1e36.
    function blend(uint256 creditsA, uint256 multiplierA, uint256 creditsB, uint256 multiplierB)
        internal
        pure
        returns (uint256 blended)
    {
        uint256 sum = creditsA + creditsB;
        return multiplierA < multiplierB
            ? multiplierA + Math.mulDiv(creditsB, multiplierB - multiplierA, sum)
            : multiplierB + Math.mulDiv(creditsA, multiplierA - multiplierB, sum);
    }

    /// @notice Returns the value of main credits, rounded down: `v + ⌊v * partialWeight / (1 days * WAD)⌋` with
    /// `v = ⌊credits * multiplier / 1e36⌋`.
    /// @param mainCredits Credits redeemed.
    /// @param multiplierE36 Their multiplier.
    /// @param partialWeight A day's growth (WAD) times the seconds it is paid for; zero for none.
    /// @return value In token units.
    function valueOf(uint256 mainCredits, uint256 multiplierE36, uint256 partialWeight)
        internal
        pure
        returns (uint256 value)
    {
        value = Math.mulDiv(mainCredits, multiplierE36, E36);
        if (partialWeight != 0) value += Math.mulDiv(value, partialWeight, 1 days * WAD);
    }

    /// @notice Returns the fewest main credits worth at least `value`; the inverse of {valueOf}, rounded up.
    /// @dev `v + ⌊vN/D⌋ >= t` is `v >= ⌈tD/(D+N)⌉`, and `⌊cM/E⌋ >= v` is `c >= ⌈vE/M⌉`. The result is at most `value`.
    /// @param value Value wanted, in token units.
    /// @param multiplierE36 Multiplier of the credits, at least 1e36.
    /// @param partialWeight As in {valueOf}.
    /// @return mainCredits Credits.
    function creditsFor(uint256 value, uint256 multiplierE36, uint256 partialWeight)
        internal
        pure
        returns (uint256 mainCredits)
    {
        uint256 dayWeight = 1 days * WAD;
        uint256 withoutPartial = Math.mulDiv(value, dayWeight, dayWeight + partialWeight, Math.Rounding.Ceil);
        return Math.mulDiv(withoutPartial, E36, multiplierE36, Math.Rounding.Ceil);
    }
}
