// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapFixture} from "../../helpers/CoreSwapFixture.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// One stolen key posts the NAVs of two RWAs. SECURITY.md names this test.
contract StolenNavPosterTest is CoreSwapFixture {
    uint256 private constant BOUND = 0.05e18;
    uint256 private constant SMALL_RISE = 0.001e18;

    address private poster = makeAddr("poster of both NAVs");

    /// Raises the one NAV in small steps, lowers the other at once, and swaps the one for the other: a single leg gains
    /// both moves, e^(2·bound) / (1 - bound)^2 - 1 within 24 hours.
    function test_X6_NavPosterOfTwoRWAs_GainsBothMovesInOneLeg() public {
        NavPriceAdapter rising = _adapterOf(bill);
        NavPriceAdapter falling = _adapterOf(bond);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(5, bill.id, bond.id, usdc.id, 1_000_000e18, 0);
        uint256 honest = core.quoteSwap(user, leg).tokenOutAmt;

        _useUp(rising, falling);
        assertApproxEqAbs(core.quoteSwap(user, leg).tokenOutAmt * WAD / honest, 1.1066e18, 0.0002e18, "in one block");
        skip(1 days);
        _useUp(rising, falling);
        assertApproxEqAbs(core.quoteSwap(user, leg).tokenOutAmt * WAD / honest, 1.2246e18, 0.0003e18, "in 24 hours");
    }

    function _adapterOf(RWA memory rwa) private returns (NavPriceAdapter adapter) {
        adapter = new NavPriceAdapter(admin, poster, rwa.adapter.getPrice(), BOUND, BOUND, 0);
        vm.prank(operator);
        core.setRwaPriceAdapter(rwa.id, address(adapter));
    }

    function _useUp(NavPriceAdapter rising, NavPriceAdapter falling) private {
        vm.startPrank(poster);
        for (uint256 i; i < BOUND / SMALL_RISE; ++i) {
            rising.postNav(rising.navWad() + rising.navWad() * SMALL_RISE / WAD);
        }
        falling.postNav(falling.navWad() - falling.navWad() * BOUND / WAD);
        vm.stopPrank();
    }
}
