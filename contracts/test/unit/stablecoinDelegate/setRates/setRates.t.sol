// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract SetRatesTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheCallerIsNotAnIssuerAdmin(address caller, uint256 which) public forEachDelegate {
        _assertOnlyIssuerAdmin(caller, _call(which, 1));
    }

    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheRateIsAboveTheMaximum(uint256 which, uint256 rate) public forEachDelegate {
        rate = bound(rate, MAX_RATE + 1, ALL);
        _assertReverts(issuer, _call(which, rate), abi.encodePacked(ICoreSwap.InvalidRate.selector));
    }

    function test_WhenTheFourRatesAreSetOneAfterTheOther() public forEachDelegate {
        vm.startPrank(issuer);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.RWADiscountRateSet(bill.id, 1);
        delegate.setRWADiscountRate(bill.id, 1);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.RedemptionFeeSet(bill.id, 2);
        delegate.setRWARedemptionFee(bill.id, 2);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinAcceptanceFeeSet(address(usdx.token), 3);
        delegate.setStablecoinAcceptanceFee(address(usdx.token), 3);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinRedemptionFeeSet(address(usdx.token), 4);
        delegate.setStablecoinRedemptionFee(address(usdx.token), 4);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        delegate.setRWADiscountRate(bill.id, MAX_RATE + 1);
        vm.stopPrank();
        assertEq(core.discountRates(ownID, bill.id), 1);
        assertEq(core.redemptionFees(ownID, bill.id), 2);
        assertEq(core.stablecoinAcceptanceFees(ownID, address(usdx.token)), 3);
        assertEq(core.stablecoinRedemptionFees(ownID, address(usdx.token)), 4);
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenAnyRateIsSet(uint256 which, uint256 rate) public forEachDelegate {
        rate = bound(rate, 0.1e18, MAX_RATE);
        which %= 4;
        _watchDelegate();
        _expectAnswer(address(core), _view(which), rate);
        address token = address(usdx.token);
        _expectEvent(address(delegate));
        if (which == 0) emit IStablecoinDelegateAdmin.RWADiscountRateSet(bill.id, rate);
        else if (which == 1) emit IStablecoinDelegateAdmin.RedemptionFeeSet(bill.id, rate);
        else if (which == 2) emit IStablecoinDelegateAdmin.StablecoinAcceptanceFeeSet(token, rate);
        else emit IStablecoinDelegateAdmin.StablecoinRedemptionFeeSet(token, rate);
        _expectEvent(address(core));
        if (which == 0) emit ICoreSwap.DiscountRateSet(ownID, bill.id, rate);
        else if (which == 1) emit ICoreSwap.RedemptionFeeSet(ownID, bill.id, rate);
        else if (which == 2) emit ICoreSwap.StablecoinAcceptanceFeeSet(ownID, token, rate);
        else emit ICoreSwap.StablecoinRedemptionFeeSet(ownID, token, rate);
        _assertDelegateEffects(issuer, _call(which, rate));
    }

    function _call(uint256 which, uint256 rate) private view returns (bytes memory) {
        which %= 4;
        if (which == 0) return abi.encodeCall(delegate.setRWADiscountRate, (bill.id, rate));
        if (which == 1) return abi.encodeCall(delegate.setRWARedemptionFee, (bill.id, rate));
        if (which == 2) return abi.encodeCall(delegate.setStablecoinAcceptanceFee, (address(usdx.token), rate));
        return abi.encodeCall(delegate.setStablecoinRedemptionFee, (address(usdx.token), rate));
    }

    function _view(uint256 which) private view returns (bytes memory) {
        if (which == 0) return abi.encodeCall(ICoreSwap.discountRates, (ownID, bill.id));
        if (which == 1) return abi.encodeCall(ICoreSwap.redemptionFees, (ownID, bill.id));
        address token = address(usdx.token);
        if (which == 2) return abi.encodeCall(ICoreSwap.stablecoinAcceptanceFees, (ownID, token));
        return abi.encodeCall(ICoreSwap.stablecoinRedemptionFees, (ownID, token));
    }
}
