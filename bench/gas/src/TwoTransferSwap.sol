// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title TwoTransferSwap
/// @notice The floor under every two-token swap: it pulls one token, pays another, and checks, prices and records
/// nothing. Not a usable contract.
contract TwoTransferSwap {
    error TransferFailed();

    function swap(IERC20 tokenIn, uint256 amountIn, IERC20 tokenOut, uint256 amountOut, address receiver) external {
        if (!tokenIn.transferFrom(msg.sender, address(this), amountIn)) revert TransferFailed();
        if (!tokenOut.transfer(receiver, amountOut)) revert TransferFailed();
    }
}
