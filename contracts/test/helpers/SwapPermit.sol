// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwap} from "src/CoreSwap.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @title SwapPermit
/// @notice The EIP-712 digest of a permit of swaps, written out by hand.
library SwapPermit {
    string private constant LEG_TYPE =
        "SwapInputs(uint256 routeId,bytes32 assetInID,bytes32 assetOutID,bytes32 stablecoinDelegateID,uint256 assetInAmt,uint256 assetOutAmt)";
    string private constant SWAP_TYPE =
        "Swap(address user,address operator,address receiver,SwapInputs[] inputs,uint256 nonce,uint256 deadline)";

    function digest(
        CoreSwap core,
        address user,
        address operator,
        address receiver,
        ICoreSwap.SwapInputs[] memory legs,
        uint256 nonce,
        uint256 deadline
    ) internal view returns (bytes32 hash) {
        bytes memory hashes;
        for (uint256 i = 0; i < legs.length; ++i) {
            hashes = abi.encodePacked(hashes, keccak256(abi.encode(keccak256(bytes(LEG_TYPE)), legs[i])));
        }
        bytes32 typeHash = keccak256(abi.encodePacked(SWAP_TYPE, LEG_TYPE));
        bytes32 swap = keccak256(abi.encode(typeHash, user, operator, receiver, keccak256(hashes), nonce, deadline));
        return keccak256(abi.encodePacked(hex"1901", core.DOMAIN_SEPARATOR(), swap));
    }
}
