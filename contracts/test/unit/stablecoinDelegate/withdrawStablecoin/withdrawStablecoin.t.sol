// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {IStablecoinDelegate} from "src/interfaces/IStablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";
import {CallbackToken} from "test/mocks/CallbackToken.sol";

contract WithdrawStablecoinTest is DelegateTest {
    uint256 private constant AMOUNT = 1_000e18;

    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheCallerIsNotAnIssuerAdmin(address caller) public forEachDelegate {
        _prepare();
        _assertOnlyIssuerAdmin(caller, _call(1));
    }

    function test_RevertGiven_TheDelegateIsPaused() public forEachDelegate {
        _prepare();
        address[2] memory pausers = [admin, issuer];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(pausers[i]);
            delegate.pause();
            _assertReverts(issuer, _call(1), abi.encodePacked(IPausable.EnforcedPause.selector));
            vm.prank(pausers[i]);
            delegate.unpause();
        }
        vm.startPrank(admin);
        delegate.addStablecoinColdStorageAddress(cold);
        delegate.pause();
        vm.stopPrank();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        vm.prank(issuer);
        delegate.withdrawStablecoin(cold, 1);
    }

    function test_RevertGiven_NoStablecoinCustodyIsSet() public {
        delegate = _deployTreasuryDelegate(RATE, FEE);
        vm.prank(admin);
        delegate.addStablecoinColdStorageAddress(cold);
        _assertReverts(
            issuer, _call(1), abi.encodePacked(IStablecoinDelegateAdmin.SetStablecoinCustodyAddress.selector)
        );
    }

    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheAddressIsNotStablecoinColdStorage(address to) public forEachDelegate {
        _prepare();
        vm.assume(to != cold);
        vm.prank(admin);
        delegate.addRWAColdStorageAddress(stranger);
        bytes memory refused = abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        _assertReverts(issuer, abi.encodeCall(delegate.withdrawStablecoin, (to, 1)), refused);
        _assertReverts(issuer, abi.encodeCall(delegate.withdrawStablecoin, (stranger, 1)), refused);
    }

    function test_RevertWhen_TheCustodyHoldsLess() public forEachDelegate {
        _prepare();
        uint256 balance = ownToken.balanceOf(stablecoinCustody);
        vm.prank(stablecoinCustody);
        ownToken.approve(address(delegate), balance + 1);
        bytes memory reason = abi.encodeWithSelector(
            IERC20Errors.ERC20InsufficientBalance.selector, stablecoinCustody, balance, balance + 1
        );
        _assertReverts(issuer, _call(balance + 1), reason);
    }

    function test_RevertWhen_ATokenWithdrawsInTheMiddleOfASettlement_S15() public {
        CallbackToken token = new CallbackToken(18);
        token.mint(user, 1e18);
        vm.prank(user);
        token.approve(address(usdc.delegate), 1e18);
        _uncap(address(usdc.delegate), address(token));
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistRWA(address(token), true);
        // Here the issuer admin is hostile, and withdraws during a settlement.
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.addIssuerAdmin(address(token));
        vm.prank(admin);
        usdc.delegate.addStablecoinColdStorageAddress(address(token));
        token.setCallback(
            address(usdc.delegate), abi.encodeCall(IStablecoinDelegateAdmin.withdrawStablecoin, (address(token), 1))
        );
        IStablecoinDelegate.DelegateParams memory params = _params();
        params.assetInAddress = address(token);
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        vm.prank(address(core));
        usdc.delegate.deployStablecoin(params);
    }

    function test_WhenColdStorageIsListedLate() public {
        delegate = TreasuryDelegate(address(usdc.delegate));
        issuer = usdc.issuerAdmin;
        vm.startPrank(issuer);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        delegate.withdrawStablecoin(cold, 5e6);
        vm.stopPrank();
        vm.startPrank(admin);
        delegate.addRWAColdStorageAddress(cold);
        vm.stopPrank();
        vm.prank(issuer);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        delegate.withdrawStablecoin(cold, 5e6);

        vm.prank(admin);
        delegate.addStablecoinColdStorageAddress(cold);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinWithdrawn(cold, 5e6);
        vm.prank(issuer);
        delegate.withdrawStablecoin(cold, 5e6);
        assertEq(usdc.token.balanceOf(cold), 5e6);
    }

    function test_GivenTheDelegateIsTheCustody() public {
        vm.prank(admin);
        usdx.delegate.addStablecoinColdStorageAddress(cold);
        vm.prank(usdx.issuerAdmin);
        usdx.delegate.withdrawStablecoin(cold, 5e18);
        assertEq(usdx.token.balanceOf(cold), 5e18);
    }

    function test_WhenTheStablecoinIsTheTreasuryToken() public {
        _deposit(alice, AMOUNT);
        vm.prank(alice);
        treasury.transfer(stablecoinCustody, AMOUNT);
        vm.prank(stablecoinCustody);
        treasury.approve(address(delegate), AMOUNT);
        bytes memory data = abi.encodeCall(delegate.withdrawStablecoin, (cold, AMOUNT));
        _assertReverts(issuer, data, abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector));
        vm.prank(admin);
        delegate.addStablecoinColdStorageAddress(cold);
        _assertReverts(admin, data, abi.encodePacked(IStablecoinDelegateAdmin.NotIssuerAdmin.selector));
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinWithdrawn(cold, AMOUNT);
        vm.prank(issuer);
        delegate.withdrawStablecoin(cold, AMOUNT);
        assertEq(treasury.balanceOf(cold), AMOUNT);
    }

    function test_WhenTheCustodyPays() public forEachDelegate {
        _prepare();
        vm.prank(stablecoinCustody);
        ownToken.approve(address(delegate), 50);
        _watchDelegate();
        _expectTokens(ownToken, stablecoinCustody, ownToken.balanceOf(stablecoinCustody) - 40);
        _expectTokens(ownToken, cold, 40);
        bytes memory allowance = abi.encodeCall(ownToken.allowance, (stablecoinCustody, address(delegate)));
        _expectAnswer(address(ownToken), allowance, 10);
        _expectEvent(address(ownToken));
        emit IERC20.Transfer(stablecoinCustody, cold, 40);
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinWithdrawn(cold, 40);
        _assertDelegateEffects(issuer, _call(40));
    }

    /// Lists cold storage, and funds the custody with treasury tokens.
    function _prepare() private {
        vm.prank(admin);
        delegate.addStablecoinColdStorageAddress(cold);
        if (ownToken.balanceOf(stablecoinCustody) != 0) return;
        _deposit(alice, 1e18);
        vm.prank(alice);
        treasury.transfer(stablecoinCustody, 1e18);
    }

    function _call(uint256 amount) private view returns (bytes memory) {
        return abi.encodeCall(delegate.withdrawStablecoin, (cold, amount));
    }

    function _params() private view returns (IStablecoinDelegate.DelegateParams memory params) {
        return IStablecoinDelegate.DelegateParams({
            user: user,
            receiver: receiver,
            vault: vault,
            protocolFeeAmt: 1,
            lpFeeAmt: 0,
            assetInAddress: address(bill.token),
            assetInAmount: 1e18,
            assetOutAddress: address(usdc.token),
            assetOutAmount: 1e6
        });
    }
}
