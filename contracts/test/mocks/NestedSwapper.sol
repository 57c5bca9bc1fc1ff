// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @title NestedSwapper
/// @notice Swaps inside a call to another contract. It takes the token in from its caller, is itself the user of the
/// swap, and names the receiver. It returns what it does not spend to the caller.
contract NestedSwapper {
    using SafeERC20 for IERC20;

    ICoreSwap private immutable _CORE_SWAP;

    constructor(ICoreSwap coreSwap) {
        _CORE_SWAP = coreSwap;
    }

    /// @notice Swaps one leg with tokens of the caller, who approved this contract for `amountInMax`.
    function swapFor(
        IERC20 tokenIn,
        uint256 amountInMax,
        address delegate,
        address receiver,
        ICoreSwap.SwapInputs calldata leg
    ) external {
        tokenIn.safeTransferFrom(msg.sender, address(this), amountInMax);
        tokenIn.forceApprove(delegate, amountInMax);
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](1);
        legs[0] = leg;
        _CORE_SWAP.swap(address(this), receiver, legs, ICoreSwap.ApprovalPermit({deadline: 0, signature: ""}));
        tokenIn.forceApprove(delegate, 0);
        uint256 rest = tokenIn.balanceOf(address(this));
        if (rest != 0) tokenIn.safeTransfer(msg.sender, rest);
    }
}
