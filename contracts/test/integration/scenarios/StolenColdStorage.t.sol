// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AutoLiquidityFixture} from "../../helpers/AutoLiquidityFixture.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// What an issuer admin and a listed cold storage of a plain stablecoin's LP take together.
contract StolenColdStorageTest is AutoLiquidityFixture {
    address private thief = makeAddr("thief");
    address private cold = makeAddr("cold");

    function setUp() public override {
        super.setUp();
        _admit(thief);
        vm.prank(admin);
        usdc.delegate.addStablecoinColdStorageAddress(cold);
        vm.prank(cold);
        usdc.token.approve(address(usdc.delegate), ALL);
        vm.startPrank(usdc.issuerAdmin);
        usdc.delegate.setRWARedemptionFee(bill.id, 0);
        usdc.delegate.setStablecoinAcceptanceFee(address(usdx.token), 0);
        usdc.delegate.setStablecoinRedemptionFee(address(usdx.token), 0);
        vm.stopPrank();
    }

    /// What the cold storage pays for the other assets comes back to it by the next withdrawal.
    function test_X6_ColdStorageWithAnIssuerAdmin_TakesAllAssetsOfThePlainLP() public {
        deal(address(bill.token), usdc.custody, 1_000_000e18);
        deal(address(usdx.token), usdc.custody, 500_000e18);
        deal(address(usdc.token), usdc.custody, 100_000e6);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setAutoLiquidityStablecoinID(0);
        for (uint256 round; round < 10; ++round) {
            uint256 paid = _withdraw();
            _swapAs(cold, cold, ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, paid, 0));
        }
        for (uint256 round; round < 5; ++round) {
            uint256 paid = _withdraw();
            _swapAs(cold, cold, ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdc.id, paid, 0));
        }
        _withdraw();
        assertGt(bill.token.balanceOf(cold), 1_000_000e18 * 9 / 10);
        assertGt(usdx.token.balanceOf(cold), 500_000e18 * 9 / 10);
        assertGt(usdc.token.balanceOf(cold), 100_000e6 * 9 / 10, "at the cost of the protocol fees");
    }

    /// The issuer admin cannot switch the cap off by making the delegate the stablecoin custody, too.
    function test_X6_D29_ColdStorageWithAnIssuerAdmin_BuysAtMostTwoOwnCapsADayOfTheDelegate() public {
        uint96 cap = 10_000e6;
        vm.prank(admin);
        usdc.delegate.setIntakeCap(address(usdc.token), cap);
        vm.startPrank(usdc.issuerAdmin);
        usdc.delegate.setAutoLiquidityStablecoinID(0);
        usdc.delegate.setRWACustodyAddress(address(usdc.delegate));
        usdc.delegate.setStablecoinCustodyAddress(address(usdc.delegate));
        vm.stopPrank();
        deal(address(bill.token), address(usdc.delegate), 1_000_000e18);
        deal(address(usdc.token), cold, 100_000e6);
        uint256 most = 2 * uint256(cap);
        uint256 paid;
        for (uint256 hour; hour < 24; ++hour) {
            for (uint256 round; round < 3; ++round) {
                paid += _buyFromTheDelegate(cap / 4);
            }
            skip(1 hours);
        }
        assertGe(paid, most * 8 / 10);
        // The fees of what was paid are not counted.
        assertLe(paid, most * 101 / 100);
    }

    /// @return paid What was paid for RWAs and withdrawn again; zero when the cap let nothing in.
    function _buyFromTheDelegate(uint256 amount) private returns (uint256 paid) {
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, amount, 0);
        vm.prank(cold);
        try core.swap(cold, cold, _one(leg), _noPermit()) {
            paid = amount;
        } catch (bytes memory reason) {
            assertEq(bytes4(reason), IStablecoinDelegateAdmin.IntakeCapExceeded.selector);
        }
        uint256 held = usdc.token.balanceOf(address(usdc.delegate));
        if (held == 0) return paid;
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.withdrawStablecoin(cold, held);
    }

    /// A prefund turns the reserve into the stablecoin, which stays in custody once auto-liquidity is off.
    function test_X6_ColdStorageWithAnIssuerAdmin_TakesTheReserveOfAutoLiquidity() public {
        uint256 amount = 50_800e6;
        assertLt(usdc.token.balanceOf(usdc.custody), amount / 10);
        deal(address(usdx.token), thief, 51_000e18);
        vm.startPrank(thief);
        usdx.token.approve(address(usdc.delegate), ALL);
        usdc.token.approve(address(usdc.delegate), ALL);
        vm.stopPrank();
        _swapAs(thief, thief, ICoreSwap.SwapInputs(8, usdx.id, usdc.id, usdc.id, ALL, amount));
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setAutoLiquidityStablecoinID(0);
        _swapAs(thief, thief, ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdc.id, amount, 0));
        _withdraw();
        assertGt(usdc.token.balanceOf(cold), amount * 9 / 10);
        assertGt(usdx.token.balanceOf(thief), 50_000e18, "the thief has its own money back");
        assertLt(treasury.balanceOf(usdc.custody), 1_000e18);
    }

    /// @return amount All that the custody has of the LP's stablecoin.
    function _withdraw() private returns (uint256 amount) {
        amount = usdc.token.balanceOf(usdc.custody);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.withdrawStablecoin(cold, amount);
    }
}
