// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapFixture} from "test/helpers/CoreSwapFixture.sol";

contract CoreSwapSwapAllowanceTest is CoreSwapFixture {
    uint256 private constant INFINITE = type(uint256).max;

    /// forge-config: default.fuzz.runs = 256
    function testFuzz_WhenAnOperatorSwapsOnAnAllowanceByAnyRoute_S13(uint256 routeSeed, uint256 amount, uint256 spare)
        public
    {
        uint256 routeId = bound(routeSeed, 1, 8);
        uint256 unit = routeId == 1 || routeId == 5 || routeId == 7 ? 1e18 : 1e6;
        ICoreSwap.SwapInputs memory leg = _leg(routeId, bound(amount, unit, 1_000_000 * unit), amount % 2 == 0);
        uint256 amountIn = core.quoteSwap(user, leg).tokenInAmt;
        spare = bound(spare, 0, INFINITE - 1 - amountIn);
        _allow(user, broker, leg.assetInID, amountIn + spare);
        vm.expectEmit(address(core));
        emit ICoreSwap.SwapInputAllowanceSpent(user, broker, leg.assetInID, amountIn, spare);
        _swapByBroker(_one(leg), receiver);
        assertEq(core.swapInputAllowances(user, broker, leg.assetInID), spare);
    }

    function test_RevertWhen_TheAllowanceIsOneUnitLessThanTheInput_S13() public {
        ICoreSwap.SwapInputs memory leg = _leg(2, 1_000e6, false);
        uint256 amountIn = core.quoteSwap(user, leg).tokenInAmt;
        _allow(user, broker, bill.id, amountIn - 1);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        _swapByBroker(_one(leg), receiver);
    }

    function test_GivenTheAllowanceIsInfinite_S13() public {
        _allow(user, broker, bill.id, INFINITE);
        vm.expectEmit(address(core));
        emit ICoreSwap.SwapInputAllowanceSpent(user, broker, bill.id, 1_000e18, INFINITE);
        _swapByBroker(_one(_leg(1, 1_000e18, false)), receiver);
        assertEq(core.swapInputAllowances(user, broker, bill.id), INFINITE);
    }

    function test_RevertGiven_AnInfiniteAllowanceOfAnotherUserOrForAnotherOperatorOrAsset_S13() public {
        _allow(stranger, broker, bill.id, INFINITE);
        _allow(user, stranger, bill.id, INFINITE);
        _allow(user, broker, bond.id, INFINITE);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        _swapByBroker(_one(_leg(1, 1e18, false)), receiver);
    }

    function test_RevertWhen_TheLegsTogetherSpendMoreThanTheAllowance_S13() public {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](2);
        legs[0] = legs[1] = _leg(1, 600e18, false);
        _allow(user, broker, bill.id, 1_200e18 - 1);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        _swapByBroker(legs, receiver);
        assertEq(core.swapInputAllowances(user, broker, bill.id), 1_200e18 - 1, "nothing was spent");
    }

    function test_WhenAnOperatorNamesItselfTheReceiver() public {
        ICoreSwap.SwapInputs memory leg = _leg(1, 1_000e18, false);
        uint256 amountOut = core.quoteSwap(user, leg).tokenOutAmt;
        _allow(user, broker, bill.id, 1_000e18);
        _swapByBroker(_one(leg), broker);
        assertEq(usdc.token.balanceOf(broker), amountOut);
    }

    function test_WhenTheUserSwapsItself() public {
        _allow(user, user, bill.id, 5);
        _swap(_leg(1, 1e18, false));
        assertEq(core.swapInputAllowances(user, user, bill.id), 5);
    }

    function test_GivenCoreSwapIsPaused() public {
        vm.prank(pauser);
        core.pause();
        _allow(user, broker, bill.id, 3);
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, bill.id, 2, false);
        assertEq(core.swapInputAllowances(user, broker, bill.id), 1);
    }

    function _allow(address owner, address spender, bytes32 assetInID, uint256 amount) private {
        vm.prank(owner);
        core.adjustSwapInputAllowance(spender, assetInID, amount, true);
    }

    function _swapByBroker(ICoreSwap.SwapInputs[] memory legs, address to) private {
        vm.prank(broker);
        core.swap(user, to, legs, _noPermit());
    }
}
