// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DailyLoop} from "../src/DailyLoop.sol";
import {TwoTransferSwap} from "../src/TwoTransferSwap.sol";
import {PeerTest} from "./PeerTest.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

contract PlainToken is ERC20("Plain", "PLN") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// @notice Measures the minimum for a swap of two OpenZeppelin tokens, and the cost of accrual by a loop over the days.
contract FloorsTest is PeerTest {
    address private immutable USER = makeAddr("user");
    address private immutable CUSTODY = makeAddr("custody");
    address private immutable RECEIVER = makeAddr("receiver");

    function test_TwoTransfers() public {
        TwoTransferSwap floor = new TwoTransferSwap();
        PlainToken tokenIn = new PlainToken();
        PlainToken tokenOut = new PlainToken();
        tokenIn.mint(USER, 1e24);
        tokenIn.mint(CUSTODY, 1);
        tokenOut.mint(CUSTODY, 1e24);
        tokenOut.mint(RECEIVER, 1);
        vm.prank(USER);
        tokenIn.approve(address(floor), type(uint256).max);
        vm.prank(CUSTODY);
        tokenOut.approve(address(floor), type(uint256).max);
        vm.prank(USER);
        floor.swap(tokenIn, 1_000e18, tokenOut, 1_043.7e18, CUSTODY, RECEIVER);
        _record("floor", "two transfers");
    }

    function test_AccrualByDailyLoop() public {
        uint256[2] memory spans = [uint256(1), 365];
        string[2] memory names = ["accrual, 1 day", "accrual, 365 days"];
        for (uint256 i = 0; i < spans.length; ++i) {
            DailyLoop ledger = new DailyLoop();
            for (uint256 day = 0; day <= spans[i]; ++day) {
                ledger.post(day, 120_601_478_394_943);
            }
            ledger.accrue(1);
            ledger.accrue(1 + spans[i]);
            _record("daily loop", names[i]);
        }
    }
}
