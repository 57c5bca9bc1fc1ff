// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title NavMoveProof
/// @notice No product in the checks of a NAV's bounds overflows. A changed NAV within its bound counts as a move of
/// more than zero and at most the bound, and is not zero.
/// @dev Restates the lines of `NavPriceAdapter.postNav`, because they are not in a library. {DailyLimitProof} covers
/// the daily sum of moves.
contract NavMoveProof {
    uint256 private constant WAD = 1e18;

    function productsFit(uint256 lastNavWad, uint256 newNavWad, uint256 maxMoveWad) external pure {
        uint256 moveWad = _move(lastNavWad, newNavWad, maxMoveWad);
        assert(moveWad <= type(uint256).max / WAD);
        assert(maxMoveWad <= type(uint256).max / lastNavWad);
    }

    function countsAtMostTheBound(uint256 lastNavWad, uint256 newNavWad, uint256 maxMoveWad) external pure {
        uint256 moveWad = _move(lastNavWad, newNavWad, maxMoveWad);
        require(moveWad != 0 && moveWad * WAD <= maxMoveWad * lastNavWad);
        uint256 relativeMoveWad = Math.ceilDiv(moveWad * WAD, lastNavWad);
        assert(relativeMoveWad <= maxMoveWad);
        assert(relativeMoveWad != 0);
        assert(newNavWad != 0);
    }

    function _move(uint256 lastNavWad, uint256 newNavWad, uint256 maxMoveWad) private pure returns (uint256 moveWad) {
        require(lastNavWad != 0 && lastNavWad <= type(uint192).max && newNavWad <= type(uint192).max);
        require(maxMoveWad != 0 && maxMoveWad < WAD);
        return newNavWad > lastNavWad ? newNavWad - lastNavWad : lastNavWad - newNavWad;
    }
}
