// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title TwoTransferSwap
/// @notice The floor under every swap whose liquidity lies in a custody account, as it does for CoreSwap: it pulls one token
/// from the user and the other from the custody, and checks, prices and records nothing. Not a usable contract.
contract TwoTransferSwap {
    error TransferFailed();

    function swap(
        IERC20 tokenIn,
        uint256 amountIn,
        IERC20 tokenOut,
        uint256 amountOut,
        address custody,
        address receiver
    ) external {
        if (!tokenIn.transferFrom(msg.sender, custody, amountIn)) revert TransferFailed();
        if (!tokenOut.transferFrom(custody, receiver, amountOut)) revert TransferFailed();
    }
}
