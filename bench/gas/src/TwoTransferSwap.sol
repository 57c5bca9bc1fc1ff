// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title TwoTransferSwap
/// @notice The minimum for every swap whose liquidity is in a custody account, as for CoreSwap. It pulls one token from
/// the user and the other from the custody, without checks, prices or records. It is not a usable contract.
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
