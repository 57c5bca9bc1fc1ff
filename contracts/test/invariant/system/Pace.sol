// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPace} from "./IPace.sol";
import {SwapHandler} from "./handlers/SwapHandler.sol";
import {YieldHandler} from "./handlers/YieldHandler.sol";

/// @title Pace
/// @notice Keeps a sequence going: time passes before every fourth call, and an account redeems before every third call.
/// With equal odds for all calls, a hundred of them would take less than a week, and few deposits would ever be redeemed.
/// When a redemption fails, or no account can redeem, another one is tried before the next call: in one sequence of some
/// hundreds, a quarter of the redemptions fail.
contract Pace is IPace {
    SwapHandler private immutable SWAPS;
    YieldHandler private immutable YIELDS;
    /// Number of calls so far, without those that this contract adds.
    uint256 public calls;
    bool private _isRedemptionDue;

    constructor(SwapHandler swaps, YieldHandler yields) {
        (SWAPS, YIELDS) = (swaps, yields);
    }

    function next(uint256 seed) external {
        uint256[4] memory d;
        for (uint256 i = 0; i < 4; ++i) {
            d[i] = uint256(keccak256(abi.encode(seed, i)));
        }
        ++calls;
        if (calls % 4 == 1) YIELDS.pass(d[0], d[1]);
        if (calls % 3 == 0) _isRedemptionDue = true;
        if (_isRedemptionDue) _isRedemptionDue = !SWAPS.redeem(d[0], d[1], d[2], d[3]);
    }
}
