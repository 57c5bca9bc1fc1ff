// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Reenterer
/// @notice Takes the place of any contract that CoreSwap or a delegate calls: price adapter, whitelist adapter, risk
/// delegate, delegate or wallet. On every call, it makes its own call first and reverts with the error of that call if
/// it fails. Then it returns one word.
contract Reenterer {
    address public immutable coreSwap;
    bytes32 public immutable stablecoinID;
    address public immutable stablecoinAddress;

    address private _target;
    bytes private _data;
    bytes32 private _answer;

    constructor(address coreSwap_, bytes32 stablecoinID_, address stablecoinAddress_) {
        (coreSwap, stablecoinID, stablecoinAddress) = (coreSwap_, stablecoinID_, stablecoinAddress_);
    }

    /// It has no yield when it serves as the delegate of a plain stablecoin.
    function getYieldAmount(address, uint256, bool) external pure {
        revert();
    }

    function setCall(address target, bytes calldata data, bytes32 answer) external {
        (_target, _data, _answer) = (target, data, answer);
    }

    fallback(bytes calldata) external returns (bytes memory) {
        if (_target != address(0)) {
            (bool success, bytes memory reason) = _target.call(_data);
            if (!success) {
                assembly {
                    revert(add(reason, 0x20), mload(reason))
                }
            }
        }
        return abi.encode(_answer);
    }
}
