// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapFixture} from "../../helpers/CoreSwapFixture.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// Tests for fees on the wrong base, charged twice or paid in the wrong asset, and for dust. The amounts are calculated
/// by hand; all prices and values are one dollar.
contract FeeScenariosTest is CoreSwapFixture {
    uint256 private constant GROSS = 1_000_000e6;

    function setUp() public override {
        super.setUp();
        bill.adapter.setPrice(WAD);
        bond.adapter.setPrice(WAD);
        vm.prank(operator);
        core.setStablecoinUSDValue(usdx.id, WAD);
    }

    /* the LP fee is of gross less protocol fee */

    function test_S5_Scenario_TheLPFee_IsOfGrossMinusTheProtocolFee() public {
        _setProtocolRates(0.1e18, 0, 0);
        _setRates(usdc, usdx, [uint256(0.1e18), 0, 0, 0, 0, 0]);
        ICoreSwap.SwapResolved memory quote = core.quoteSwap(user, _leg(1, 1_000_000e18, false));
        assertEq(quote.issuerFeeAmt, 100_000e6);
        assertEq(quote.lpFeeAmt, 90_000e6, "a tenth of 900,000, not of 1,000,000");
        assertEq(quote.tokenOutAmt, 810_000e6);
        assertEq(quote.spreadFeeAmt, 0);
    }

    function test_S5_Scenario_TheTakeRate_IsOfTheSpreadAlone() public {
        _setProtocolRates(0.1e18, 0, 0.5e18);
        _setRates(usdc, usdx, [uint256(0.1e18), 0, 0, 0, 0, 0]);
        ICoreSwap.SwapResolved memory quote = core.quoteSwap(user, _leg(1, 1_000_000e18, false));
        assertEq(quote.issuerFeeAmt, 100_000e6);
        assertEq(quote.spreadFeeAmt, 45_000e6);
        assertEq(quote.lpFeeAmt, 45_000e6);
        assertEq(quote.tokenOutAmt, 810_000e6);
    }

    /* the redemption fee stays with the LP in its stablecoin */

    function test_S22_Scenario_TheRedemptionFee_IsKeptAndNotSwappedIntoTheRWA() public {
        _setProtocolRates(0.01e18, 0, 0.25e18);
        _setRates(usdc, usdx, [uint256(0), 0, 0, 0.02e18, 0, 0]);
        uint256 custodyBefore = usdc.token.balanceOf(usdc.custody);
        uint256 rwaBefore = bond.token.balanceOf(usdc.custody);
        _swap(_leg(3, GROSS, false));

        // The issuer pays a protocol fee of 10,000. The spread is 19,800 of 990,000, a quarter of which goes to the
        // protocol.
        assertEq(usdc.token.balanceOf(vault), 10_000e6 + 4_950e6);
        assertEq(bond.token.balanceOf(receiver), 970_200e6, "the RWA of the net value alone");
        assertEq(rwaBefore - bond.token.balanceOf(usdc.custody), 970_200e6);
        assertEq(usdc.token.balanceOf(usdc.custody) - custodyBefore, 970_200e6 + 14_850e6, "net and LP fee");
    }

    /* RWA to RWA, exact output: the fee on the in side is charged once */

    function test_S6_Scenario_TheInSideFee_IsChargedOnceOnExactOutput() public {
        _setProtocolRates(0, 0, 0);
        _setRates(usdc, usdx, [uint256(0.2e18), 0, 0, 0.5e18, 0, 0]);
        ICoreSwap.SwapResolved memory quote = core.quoteSwap(user, _leg(6, 400_000e6, false));
        // 400,000 / 0.5 = 800,000; 800,000 / 0.8 = 1,000,000.
        assertEq(quote.tokenInAmt, 1_000_000e18);
        assertEq(quote.lpFeeAmt, 600_000e6);
        assertEq(core.quoteSwap(user, _leg(5, 1_000_000e18, false)).tokenOutAmt, 400_000e6);
    }

    function testFuzz_S6_Scenario_ExactOutputIsTheInverseOfExactInput_BetweenRWAs(uint256 d1, uint256 d2, uint256 out)
        public
    {
        _setRates(usdc, usdx, [bound(d1, 0, 0.9e18), 0, 0, bound(d2, 0, 0.9e18), 0, 0]);
        out = bound(out, 1, 1e15);
        uint256 amountIn = core.quoteSwap(user, _leg(6, out, false)).tokenInAmt;
        uint256 back = core.quoteSwap(user, _leg(5, amountIn, false)).tokenOutAmt;
        assertGe(back, out, "what was paid for");
        // One unit for each of the three roundings of the amount in.
        assertLe(back - out, 3, "and nothing is charged twice");
    }

    /* dust */

    /// forge-config: default.fuzz.runs = 1000
    function testFuzz_S7_Scenario_DustCycles_NeverGain(uint256 amount, uint256 cycles) public {
        _setProtocolRates(0, 0, 0);
        _setRates(usdc, usdx, [uint256(0), 0, 0, 0, 0, 0]);
        bill.adapter.setPrice(1.0437e18);
        amount = bound(amount, 1e12, 1e13);
        address trader = makeAddr("trader");
        bill.token.mint(trader, amount);
        _approve(trader, bill.token);
        _approve(trader, usdc.token);
        for (uint256 i = 0; i < bound(cycles, 1, 20); ++i) {
            uint256 held = bill.token.balanceOf(trader);
            ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(1, bill.id, usdc.id, usdc.id, held, 0);
            (bool quotable,) = address(core).staticcall(abi.encodeCall(ICoreSwap.quoteSwap, (trader, leg)));
            if (!quotable) break;
            vm.startPrank(trader);
            core.swap(trader, trader, _one(leg), _noPermit());
            uint256 paid = usdc.token.balanceOf(trader);
            leg = ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, paid, 0);
            core.swap(trader, trader, _one(leg), _noPermit());
            vm.stopPrank();
            assertLe(bill.token.balanceOf(trader), held);
        }
    }

    function test_S6_Scenario_OneUnit_NeverBuysMoreThanItIsWorth() public {
        _setProtocolRates(0, 0, 0);
        _setRates(usdc, usdx, [uint256(0), 0, 0, 0, 0, 0]);
        bond.adapter.setPrice(0.6e18);
        // A unit of 6 decimals at 0.6 dollars costs a whole unit of the stablecoin, and sells for zero.
        assertEq(core.quoteSwap(user, _leg(4, 1, false)).tokenInAmt, 1);
        vm.expectRevert(ICoreSwap.InsufficientStablecoinOutput.selector);
        core.quoteSwap(user, ICoreSwap.SwapInputs(1, bond.id, usdc.id, usdc.id, 1, 0));
    }
}
