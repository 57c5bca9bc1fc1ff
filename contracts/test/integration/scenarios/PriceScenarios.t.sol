// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapFixture} from "../../helpers/CoreSwapFixture.sol";
import {FeeOnTransferToken} from "../../mocks/FeeOnTransferToken.sol";
import {TestToken} from "script/local/TestToken.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// Tests RWA adapters that revert, return zero, are stale or are not contracts, and tokens that take a fee.
contract PriceScenariosTest is CoreSwapFixture {
    function test_Scenario_AnAdapterThatReverts_StopsItsLegsAloneAndWithItsError() public {
        bytes memory reason = abi.encodeWithSignature("Error(string)", "feed down");
        vm.mockCallRevert(address(bill.adapter), abi.encodeWithSignature("getPrice()"), reason);
        _expectStopped(bill, reason);
        _swap(_leg(3, 1_000e6, false));
        vm.clearMockedCalls();
        _swap(_leg(1, 1_000e18, false));
    }

    function test_Scenario_AnAdapterThatAnswersZero_IsRefused() public {
        bill.adapter.setPrice(0);
        _expectStopped(bill, abi.encodePacked(ICoreSwap.InvalidPrice.selector));
        bill.adapter.setPrice(1);
        core.quoteSwap(user, _leg(1, 1e32, false));
    }

    function test_Scenario_AnAdapterThatIsNoContractOrAnswersTooLittle_IsRefused() public {
        vm.prank(operator);
        core.setRwaPriceAdapter(bill.id, stranger);
        _expectStopped(bill, "");
        vm.prank(operator);
        core.setRwaPriceAdapter(bill.id, address(bill.adapter));
        vm.mockCall(address(bill.adapter), abi.encodeWithSignature("getPrice()"), hex"01");
        _expectStopped(bill, "");
    }

    function test_Scenario_AStaleNAV_StopsTheRWAUntilTheNextPost() public {
        vm.warp(1_000 days);
        NavPriceAdapter nav = new NavPriceAdapter(admin, operator, 1.05e18, 0.02e18, 0.04e18, 2 days);
        vm.prank(operator);
        core.setRwaPriceAdapter(bill.id, address(nav));
        _swap(_leg(1, 1_000e18, false));

        vm.warp(1_002 days + 1);
        (bool success, bytes memory reason) = address(nav).staticcall(abi.encodeCall(nav.getPrice, ()));
        assertFalse(success);
        assertEq(bytes4(reason), NavPriceAdapter.StaleNav.selector);
        _expectStopped(bill, reason);
        vm.prank(operator);
        nav.postNav(1.06e18);
        _swap(_leg(1, 1_000e18, false));
    }

    /* a fee-on-transfer token comes in on every possible route */

    function test_S22_Scenario_ATokenThatTakesAFee_IsNeverTakenIn() public {
        TestToken taking = new FeeOnTransferToken(18);
        vm.etch(address(bill.token), address(taking).code);
        uint256 before = bill.token.balanceOf(usdc.custody);
        for (uint256 routeId = 1; routeId <= 2; ++routeId) {
            vm.expectRevert(ICoreSwap.FailedToDeployStablecoin.selector);
            _swap(_leg(routeId, routeId == 1 ? 1_000e18 : 1_000e6, false));
            vm.expectRevert(ICoreSwap.FailedToDeployRWA.selector);
            _swap(_leg(routeId + 4, routeId == 1 ? 1_000e18 : 1e6, false));
        }
        assertEq(bill.token.balanceOf(usdc.custody), before);
    }

    /// Asserts that quotes and swaps revert with the reason on every route that takes the RWA in or pays it out.
    function _expectStopped(RWA memory rwa, bytes memory reason) private {
        for (uint256 routeId = 1; routeId <= 6; ++routeId) {
            bool takesIn = routeId <= 2 || routeId >= 5;
            ICoreSwap.SwapInputs memory leg = _leg(routeId, routeId % 2 == 1 ? 1_000e18 : 1_000e6, false);
            if (!takesIn) leg.assetOutID = rwa.id;
            vm.expectRevert(reason);
            core.quoteSwap(user, leg);
            vm.expectRevert(reason);
            _swap(leg);
        }
    }
}
