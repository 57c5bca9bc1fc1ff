// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

/// Tests the four rates that an LP sets through its delegate. Each has the same rules and its own storage.
contract CoreSwapSetLPRatesTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotTheRegisteredDelegateOfTheStablecoin(address caller, uint256 which)
        public
    {
        vm.assume(caller != address(usdc.delegate));
        _assertRevert(caller, address(core), _call(which, 1), ICoreSwap.NotStablecoinDelegate.selector);
    }

    function test_RevertWhen_AnOperatorOrAnIssuerAdminOrTheDelegateOfAnotherStablecoinCalls() public {
        address[3] memory callers = [operator, usdc.issuerAdmin, address(usdx.delegate)];
        for (uint256 k = 0; k < callers.length; ++k) {
            vm.startPrank(callers[k]);
            vm.expectRevert(ICoreSwap.NotStablecoinDelegate.selector);
            core.setRWADiscountRate(usdc.id, bill.id, 1);
            vm.expectRevert(ICoreSwap.NotStablecoinDelegate.selector);
            core.setRWARedemptionFee(usdc.id, bill.id, 1);
            vm.expectRevert(ICoreSwap.NotStablecoinDelegate.selector);
            core.setStablecoinAcceptanceFee(usdc.id, address(usdx.token), 1);
            vm.expectRevert(ICoreSwap.NotStablecoinDelegate.selector);
            core.setStablecoinRedemptionFee(usdc.id, address(usdx.token), 1);
            vm.stopPrank();
        }
    }

    function testFuzz_RevertWhen_TheRateIsAboveTheMaximum(uint256 which, uint256 rate) public {
        bytes memory data = _call(which, bound(rate, MAX_RATE + 1, type(uint256).max));
        _assertRevert(address(usdc.delegate), address(core), data, ICoreSwap.InvalidRate.selector);
    }

    function test_RevertWhen_TheRateIsOneAboveTheMaximum() public {
        vm.startPrank(address(usdc.delegate));
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setRWADiscountRate(usdc.id, bill.id, MAX_RATE + 1);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setRWARedemptionFee(usdc.id, bill.id, MAX_RATE + 1);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setStablecoinAcceptanceFee(usdc.id, address(usdx.token), MAX_RATE + 1);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setStablecoinRedemptionFee(usdc.id, address(usdx.token), MAX_RATE + 1);
        vm.stopPrank();
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenTheRateIsAtMostTheMaximum(uint256 which, uint256 rate) public {
        rate = bound(rate, 0, MAX_RATE);
        (bytes memory data, uint256 before) = _view(which);
        vm.assume(rate != before);
        _watchCore();
        _expectAnswer(address(core), data, rate);
        _expectEvent(address(core));
        which %= 4;
        if (which == 0) emit ICoreSwap.DiscountRateSet(usdc.id, bill.id, rate);
        else if (which == 1) emit ICoreSwap.RedemptionFeeSet(usdc.id, bill.id, rate);
        else if (which == 2) emit ICoreSwap.StablecoinAcceptanceFeeSet(usdc.id, address(usdx.token), rate);
        else emit ICoreSwap.StablecoinRedemptionFeeSet(usdc.id, address(usdx.token), rate);
        _assertEffects(address(usdc.delegate), address(core), _call(which, rate));
    }

    function test_WhenTheFourRatesAreSetOneAfterTheOther() public {
        vm.startPrank(address(usdc.delegate));
        vm.expectEmit(address(core));
        emit ICoreSwap.DiscountRateSet(usdc.id, bill.id, 11);
        core.setRWADiscountRate(usdc.id, bill.id, 11);
        vm.expectEmit(address(core));
        emit ICoreSwap.RedemptionFeeSet(usdc.id, bill.id, 12);
        core.setRWARedemptionFee(usdc.id, bill.id, 12);
        vm.expectEmit(address(core));
        emit ICoreSwap.StablecoinAcceptanceFeeSet(usdc.id, address(usdx.token), 13);
        core.setStablecoinAcceptanceFee(usdc.id, address(usdx.token), 13);
        vm.expectEmit(address(core));
        emit ICoreSwap.StablecoinRedemptionFeeSet(usdc.id, address(usdx.token), MAX_RATE);
        core.setStablecoinRedemptionFee(usdc.id, address(usdx.token), MAX_RATE);
        vm.stopPrank();
        assertEq(core.discountRates(usdc.id, bill.id), 11);
        assertEq(core.redemptionFees(usdc.id, bill.id), 12);
        assertEq(core.stablecoinAcceptanceFees(usdc.id, address(usdx.token)), 13);
        assertEq(core.stablecoinRedemptionFees(usdc.id, address(usdx.token)), MAX_RATE);
        assertEq(core.discountRates(usdx.id, bill.id), 0.0031e18);
    }

    /// A rate that was set while the ID had another token must not apply to the new token.
    function test_WhenTheRWAIsRegisteredAnewAfterItsRateWasSet() public {
        TestToken former = new TestToken("Former", "FORMER", 18);
        former.mint(user, 1_000e18);
        _approve(user, former);
        vm.prank(operator);
        core.setRWAAcceptance(_id("LATE"), address(0), address(former), false);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWADiscountRate(_id("LATE"), 0.001e18);
        RWA memory late = _addRWA("LATE", 18, WAD);
        _uncap(address(usdc.delegate), address(late.token));
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistRWA(address(late.token), true);
        late.token.mint(user, 1_000e18);
        _approve(user, late.token);
        _swap(ICoreSwap.SwapInputs(1, late.id, usdc.id, usdc.id, 1_000e18, 0));
        assertEq(late.token.balanceOf(usdc.custody), 1_000e18);
        assertEq(former.balanceOf(user), 1_000e18);
    }

    function test_WhenTheRWAIsRegisteredAfterItsRateWasSet() public {
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWADiscountRate(_id("LATE"), 0.001e18);
        RWA memory late = _addRWA("LATE", 18, WAD);
        _uncap(address(usdc.delegate), address(late.token));
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistRWA(address(late.token), true);
        late.token.mint(user, 1_000e18);
        _approve(user, late.token);
        _swap(ICoreSwap.SwapInputs(1, late.id, usdc.id, usdc.id, 1_000e18, 0));
        assertEq(late.token.balanceOf(usdc.custody), 1_000e18);
        assertEq(core.discountRates(usdc.id, late.id), 0.001e18);
    }

    function _call(uint256 which, uint256 rate) private view returns (bytes memory) {
        which %= 4;
        if (which == 0) return abi.encodeCall(ICoreSwap.setRWADiscountRate, (usdc.id, bill.id, rate));
        if (which == 1) return abi.encodeCall(ICoreSwap.setRWARedemptionFee, (usdc.id, bill.id, rate));
        address token = address(usdx.token);
        if (which == 2) return abi.encodeCall(ICoreSwap.setStablecoinAcceptanceFee, (usdc.id, token, rate));
        return abi.encodeCall(ICoreSwap.setStablecoinRedemptionFee, (usdc.id, token, rate));
    }

    /// Returns the view of a rate, and the value that the fixture set.
    function _view(uint256 which) private view returns (bytes memory data, uint256 before) {
        which %= 4;
        if (which == 0) return (abi.encodeCall(ICoreSwap.discountRates, (usdc.id, bill.id)), 0.0011e18);
        if (which == 1) return (abi.encodeCall(ICoreSwap.redemptionFees, (usdc.id, bill.id)), 0.0013e18);
        address token = address(usdx.token);
        if (which == 2) return (abi.encodeCall(ICoreSwap.stablecoinAcceptanceFees, (usdc.id, token)), 0.0023e18);
        return (abi.encodeCall(ICoreSwap.stablecoinRedemptionFees, (usdc.id, token)), 0.0029e18);
    }
}
