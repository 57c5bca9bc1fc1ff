// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {YieldMath} from "../src/libraries/YieldMath.sol";

/// @title YieldMathProof
/// @notice Growth never falls. A blend lies between its parts and keeps their value. Credits are worth at least their
/// number, and splitting them gains nothing. The fewest credits for a value are worth that value.
/// @dev Two functions are beyond the checker and not proved: {YieldMath.dailyGrowth}, a loop over powers, and the
/// inverse of a value with a partial day. Tests compare both with their definitions.
contract YieldMathProof {
    function nextIndex(uint256 indexE36, uint256 growthWad) external pure {
        require(indexE36 <= type(uint128).max && growthWad <= YieldMath.WAD);
        assert(YieldMath.nextIndex(indexE36, growthWad) >= indexE36);
    }

    function grow(uint256 multiplierE36, uint256 fromIndexE36, uint256 toIndexE36) external pure {
        require(multiplierE36 <= type(uint128).max && toIndexE36 <= type(uint128).max);
        require(fromIndexE36 != 0 && fromIndexE36 <= toIndexE36);
        assert(YieldMath.grow(multiplierE36, fromIndexE36, toIndexE36) >= multiplierE36);
    }

    function blend(uint256 creditsA, uint256 multiplierA, uint256 creditsB, uint256 multiplierB) external pure {
        require(creditsA <= type(uint112).max && creditsB <= type(uint112).max && creditsA + creditsB != 0);
        require(multiplierA <= type(uint128).max && multiplierB <= type(uint128).max);
        uint256 blended = YieldMath.blend(creditsA, multiplierA, creditsB, multiplierB);
        assert(blended >= (multiplierA < multiplierB ? multiplierA : multiplierB));
        assert(blended <= (multiplierA < multiplierB ? multiplierB : multiplierA));
    }

    /// A move of credits keeps their value: the blend takes at most a unit of the multiplier from each credit.
    function blendKeepsValue(uint256 creditsA, uint256 multiplierA, uint256 creditsB, uint256 multiplierB)
        external
        pure
    {
        require(creditsA <= type(uint112).max && creditsB <= type(uint112).max && creditsA + creditsB != 0);
        require(multiplierA <= type(uint128).max && multiplierB <= type(uint128).max);
        uint256 sum = creditsA + creditsB;
        uint256 value = creditsA * multiplierA + creditsB * multiplierB;
        uint256 blended = YieldMath.blend(creditsA, multiplierA, creditsB, multiplierB);
        assert(blended * sum <= value);
        assert(value - blended * sum < sum);
    }

    function valueOf(uint256 credits, uint256 multiplierE36, uint256 partialWeight) external pure {
        require(credits <= type(uint112).max && partialWeight <= 7 days * YieldMath.WAD);
        require(multiplierE36 >= YieldMath.E36 && multiplierE36 <= type(uint128).max);
        assert(YieldMath.valueOf(credits, multiplierE36, partialWeight) >= credits);
    }

    function creditsFor(uint256 value, uint256 multiplierE36) external pure {
        require(value <= type(uint112).max);
        require(multiplierE36 >= YieldMath.E36 && multiplierE36 <= type(uint128).max);
        uint256 credits = YieldMath.creditsFor(value, multiplierE36, 0);
        assert(credits <= value);
        assert(YieldMath.valueOf(credits, multiplierE36, 0) >= value);
    }

    /// Without a partial day, splitting a redemption never pays more, and costs at most a unit.
    function splitValue(uint256 creditsA, uint256 creditsB, uint256 multiplierE36) external pure {
        require(creditsA <= type(uint112).max && creditsB <= type(uint112).max);
        require(multiplierE36 >= YieldMath.E36 && multiplierE36 <= type(uint128).max);
        uint256 apart = YieldMath.valueOf(creditsA, multiplierE36, 0) + YieldMath.valueOf(creditsB, multiplierE36, 0);
        uint256 together = YieldMath.valueOf(creditsA + creditsB, multiplierE36, 0);
        assert(apart <= together);
        assert(together - apart <= 1);
    }
}
