// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Names a CoreSwap and an ID, as registration asks, and fails in everything else: by burning all gas, or by
/// returning a large reason.
contract RevertingDelegate {
    address public immutable coreSwap;
    bytes32 public immutable stablecoinID;
    bool private immutable _burnsGas;

    constructor(address coreSwap_, bytes32 stablecoinID_, bool burnsGas) {
        coreSwap = coreSwap_;
        stablecoinID = stablecoinID_;
        _burnsGas = burnsGas;
    }

    fallback() external {
        bool burnsGas = _burnsGas;
        assembly {
            if burnsGas { invalid() }
            revert(0, 100000)
        }
    }
}
