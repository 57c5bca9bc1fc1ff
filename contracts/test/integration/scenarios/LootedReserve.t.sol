// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AutoLiquidityFixture} from "../../helpers/AutoLiquidityFixture.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";

/// Thefts that leave treasury tokens without a reserve: what they cost, and what repairs them.
contract LootedReserveTest is AutoLiquidityFixture {
    address private thief = makeAddr("thief");

    function setUp() public override {
        super.setUp();
        _admit(thief);
    }

    /// Caps count units of the asset, not its value. Once the price is right again, the minted tokens are worth what
    /// others deposit, unless they are cancelled.
    function test_X6_OperatorOfCoreSwap_MintsAtAFalsePrice_AndRedeemsLaterDepositsUnlessCancelled() public {
        _mintAtAFalsePrice();
        skip(10 days);
        _deposit(alice, 1_000e18);
        uint256 snapshot = vm.snapshotState();
        uint256 before = cash.token.balanceOf(thief);
        _redeem(990e18);
        assertEq(cash.token.balanceOf(thief) - before, 990e18);

        vm.revertToState(snapshot);
        uint256 balance = treasury.balanceOf(thief);
        vm.startPrank(admin);
        treasury.grantRole(treasury.OPERATOR_ROLE(), admin);
        treasury.forceBurn(thief, balance);
        delegate.moveCredits(thief, address(0), ALL);
        vm.stopPrank();
        assertEq(treasury.balanceOf(thief), 0);
        assertEq(delegate.credits(thief) + delegate.totalWithheldCredits(thief), 0);
        vm.expectPartialRevert(IYieldBearingDelegate.InsufficientCredits.selector);
        this.redeem(990e18);
    }

    /// The custody that sweeps pays with its RWAs for what the thief loops through the stolen custody, at most two caps
    /// of the treasury delegate.
    function test_X6_CustodyOfTheTreasury_BuysTheRWAsOfALPThatSweepsIntoIt_WithinTwoCaps() public {
        uint96 cap = 100_000e6;
        _setIntakeCap(address(delegate), address(usdc.token), cap);
        deal(address(usdc.token), stablecoinCustody, 10_000e6);
        vm.prank(thief);
        usdc.token.approve(address(usdc.delegate), ALL);
        uint256 paid;
        for (uint256 loot = 10_000e6; loot != 0; loot = usdc.token.balanceOf(stablecoinCustody)) {
            vm.prank(stablecoinCustody);
            usdc.token.transfer(thief, loot);
            vm.prank(thief);
            core.swap(thief, thief, _one(ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, loot, 0)), _noPermit());
            paid += loot;
        }
        assertGt(paid, cap, "much more than the thief had");
        assertLe(paid, 2 * uint256(cap), "at most two caps");
        assertGt(bill.token.balanceOf(thief), 0);
    }

    /// Each payout of the stablecoin frees its cap. The thief pays itself, with tokens minted against another asset.
    function test_X6_CustodyOfTheTreasury_FreesTheCapOfSweepsWithAnotherStablecoin() public {
        uint96 cap = 100_000e6;
        _setIntakeCap(address(delegate), address(usdc.token), cap);
        deal(address(usdc.token), thief, 0);
        deal(address(usdc.token), stablecoinCustody, 99_000e6);
        deal(address(cash.token), stablecoinCustody, 110_000e18);
        vm.prank(thief);
        usdc.token.approve(address(usdc.delegate), ALL);
        uint256 paid;
        for (uint256 round; round < 4; ++round) {
            _takeFromCustody(usdc.token);
            uint256 loot = usdc.token.balanceOf(thief);
            _swapAs(thief, thief, ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, loot, 0));
            paid += loot;
            _takeFromCustody(cash.token);
            _swapAs(thief, thief, ICoreSwap.SwapInputs(7, cash.id, trsy, trsy, 100_000e18, 0));
            uint256 back = usdc.token.balanceOf(stablecoinCustody);
            _swapAs(thief, thief, ICoreSwap.SwapInputs(8, trsy, usdc.id, trsy, ALL, back));
        }
        assertGt(paid, 3 * uint256(cap), "more than two caps of the stablecoin");
    }

    /// Lets the test expect the error of a whole call.
    function redeem(uint256 amount) external {
        _redeem(amount);
    }

    function _takeFromCustody(TestToken token) private {
        uint256 amount = token.balanceOf(stablecoinCustody);
        vm.prank(stablecoinCustody);
        token.transfer(thief, amount);
    }

    function _mintAtAFalsePrice() private {
        _setIntakeCap(address(delegate), address(note.token), 1e18);
        note.adapter.setPrice(type(uint128).max);
        _swapAs(thief, thief, ICoreSwap.SwapInputs(1, note.id, trsy, trsy, 1e18, 0));
        note.adapter.setPrice(WAD);
        deal(address(cash.token), stablecoinCustody, 0);
    }

    function _redeem(uint256 amount) private {
        _swapAs(thief, thief, ICoreSwap.SwapInputs(8, trsy, cash.id, trsy, ALL, amount));
    }
}
