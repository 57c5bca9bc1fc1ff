// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Has the views that the registration of a yield-bearing stablecoin's delegate requires: a CoreSwap, an ID, a
/// token, and the yield of a zero amount. Every other call fails, by burning all gas or by returning a large reason.
contract RevertingDelegate {
    address public immutable coreSwap;
    bytes32 public immutable stablecoinID;
    address public immutable stablecoinAddress;
    bool private immutable _burnsGas;

    constructor(address coreSwap_, bytes32 stablecoinID_, address stablecoinAddress_, bool burnsGas) {
        coreSwap = coreSwap_;
        stablecoinID = stablecoinID_;
        stablecoinAddress = stablecoinAddress_;
        _burnsGas = burnsGas;
    }

    function getYieldAmount(address, uint256 redeemValue, bool) external view returns (uint256) {
        if (redeemValue != 0) _fail();
        return 0;
    }

    fallback() external {
        _fail();
    }

    function _fail() private view {
        bool burnsGas = _burnsGas;
        assembly {
            if burnsGas { invalid() }
            revert(0, 100000)
        }
    }
}
