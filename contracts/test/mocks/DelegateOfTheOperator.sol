// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegate} from "src/interfaces/IStablecoinDelegate.sol";

/// @title DelegateOfTheOperator
/// @notice A delegate that a hostile operator registers for the stablecoin of another LP. It names that LP's custody as
/// its own, agrees to any USD value, and settles without moving a token.
contract DelegateOfTheOperator {
    address public immutable coreSwap;
    bytes32 public immutable stablecoinID;
    address public immutable stablecoinAddress;
    address public immutable stablecoinCustodyAddress;

    constructor(address core, bytes32 id, address token, address custody) {
        (coreSwap, stablecoinID, stablecoinAddress, stablecoinCustodyAddress) = (core, id, token, custody);
    }

    /// Turns auto-liquidity on, at the USD value in force.
    function agree(bytes32 reserveID) external {
        ICoreSwap(coreSwap).setAutoLiquidityStablecoinID(stablecoinID, reserveID);
    }

    function deployStablecoin(IStablecoinDelegate.DelegateParams calldata) external pure returns (bool) {
        return true;
    }

    function receiveStablecoin(IStablecoinDelegate.DelegateParams calldata) external pure returns (bool) {
        return true;
    }
}
