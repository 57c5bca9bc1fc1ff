// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRWARiskDelegate} from "src/interfaces/IRWARiskDelegate.sol";

/// @title CapRiskDelegate
/// @notice Risk control with one running cap on what comes in and one on what goes out. Only CoreSwap can change their
/// use.
contract CapRiskDelegate is IRWARiskDelegate {
    error OnlyCoreSwap();

    address private immutable _CORE_SWAP;
    uint256 public capIn;
    uint256 public capOut;
    address public lastUser;
    address public lastReceiver;

    constructor(address coreSwap, uint256 capIn_, uint256 capOut_) {
        _CORE_SWAP = coreSwap;
        (capIn, capOut) = (capIn_, capOut_);
    }

    modifier onlyCoreSwap() {
        if (msg.sender != _CORE_SWAP) revert OnlyCoreSwap();
        _;
    }

    function checkRWAIn(address user, uint256 amount) external onlyCoreSwap returns (bool valid) {
        if (amount > capIn) return false;
        capIn -= amount;
        lastUser = user;
        return true;
    }

    function checkRWAOut(address receiver, uint256 amount) external onlyCoreSwap returns (bool valid) {
        if (amount > capOut) return false;
        capOut -= amount;
        lastReceiver = receiver;
        return true;
    }
}
