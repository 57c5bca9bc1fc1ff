// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalanceSheetDelegate} from "../../src/BalanceSheetDelegate.sol";
import {ICoreSwap} from "../../src/interfaces/ICoreSwap.sol";
import {IPausable} from "../../src/interfaces/IPausable.sol";
import {IStablecoinDelegate} from "../../src/interfaces/IStablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "../../src/interfaces/IStablecoinDelegateAdmin.sol";
import {CoreSwapFixture} from "../helpers/CoreSwapFixture.sol";
import {CallbackToken} from "../mocks/CallbackToken.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// Who may be settled, in what, from where; and that nothing else moves.
contract DelegateSettlementTest is CoreSwapFixture {
    /* the caller */

    function test_D17_Settlement_ByAnyoneButCoreSwap_Reverts() public {
        address[4] memory callers = [stranger, admin, usdc.issuerAdmin, address(usdx.delegate)];
        for (uint256 c = 0; c < callers.length; ++c) {
            for (uint256 k = 0; k < 4; ++k) {
                vm.prank(callers[c]);
                (bool success, bytes memory reason) = address(usdc.delegate).call(_settlementCall(k, _params()));
                assertFalse(success);
                assertEq(reason, _unauthorized(callers[c], usdc.delegate.CORE_SWAP_CONTRACT()));
            }
        }
    }

    function test_D24_Settlement_WhenPausedByEitherCause_Reverts() public {
        for (uint256 cause = 0; cause < 2; ++cause) {
            address by = cause == 0 ? admin : usdc.issuerAdmin;
            vm.prank(by);
            usdc.delegate.pause();
            for (uint256 routeId = 1; routeId <= 8; ++routeId) {
                ICoreSwap.SwapInputs memory leg = _leg(routeId, 1_000e6, false);
                if (routeId == 1 || routeId == 5 || routeId == 7) leg.assetInAmt = 1_000e18;
                vm.expectRevert(IPausable.EnforcedPause.selector);
                _swap(leg);
            }
            vm.prank(by);
            usdc.delegate.unpause();
            _swap(_leg(1, 1_000e18, false));
        }
    }

    /* the parties */

    function test_Settlement_ForTheDelegateOrItsCustody_Reverts() public {
        address[2] memory notParties = [address(usdc.delegate), usdc.custody];
        for (uint256 k = 0; k < notParties.length; ++k) {
            vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
            vm.prank(notParties[k]);
            core.swap(notParties[k], receiver, _one(_leg(1, 1e18, false)), _noPermit());
            vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
            vm.prank(user);
            core.swap(user, notParties[k], _one(_leg(1, 1e18, false)), _noPermit());
        }
    }

    function test_Settlement_ForTheCustodyOfAnotherDelegate_Works() public {
        vm.prank(user);
        core.swap(user, usdx.custody, _one(_leg(1, 1_000e18, false)), _noPermit());
    }

    function test_Settlement_ForAnAccountOnTheBlacklist_Reverts() public {
        address[2] memory parties = [user, receiver];
        for (uint256 k = 0; k < parties.length; ++k) {
            vm.prank(usdc.issuerAdmin);
            usdc.delegate.setBlacklist(parties[k], true);
            vm.expectRevert(abi.encodeWithSelector(IStablecoinDelegateAdmin.AddressBlacklisted.selector, parties[k]));
            _swap(_leg(1, 1e18, false));
            vm.prank(usdc.issuerAdmin);
            usdc.delegate.setBlacklist(parties[k], false);
        }
        _swap(_leg(1, 1e18, false));
    }

    /* the assets */

    function test_Settlement_OfAnRWAThatIsNotListed_Reverts() public {
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistRWA(address(bond.token), false);
        for (uint256 routeId = 3; routeId <= 6; ++routeId) {
            ICoreSwap.SwapInputs memory leg = _leg(routeId, routeId == 5 ? 1_000e18 : 1_000e6, false);
            vm.expectRevert(IStablecoinDelegateAdmin.RWANotWhitelisted.selector);
            _swap(leg);
        }
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistRWA(address(bill.token), false);
        vm.expectRevert(IStablecoinDelegateAdmin.RWANotWhitelisted.selector);
        _swap(_leg(1, 1e18, false));
    }

    function test_Settlement_OfAForeignStablecoinThatIsNotListed_NamesIt() public {
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistStablecoin(address(usdx.token), false);
        bytes memory reason =
            abi.encodeWithSelector(IStablecoinDelegateAdmin.StablecoinNotWhitelisted.selector, address(usdx.token));
        vm.expectRevert(reason);
        _swap(_leg(7, 1e18, false));
        vm.expectRevert(reason);
        _swap(ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdc.id, 1_000e6, 0));
    }

    function test_Settlement_OfAnotherStablecoinAsOwn_Reverts() public {
        IStablecoinDelegate.DelegateParams memory params = _params();
        params.assetOutAddress = address(usdx.token);
        vm.startPrank(address(core));
        vm.expectRevert(
            abi.encodeWithSelector(IStablecoinDelegateAdmin.InvalidStablecoinAsset.selector, address(usdx.token))
        );
        usdc.delegate.deployStablecoin(params);
        vm.expectRevert(
            abi.encodeWithSelector(IStablecoinDelegateAdmin.InvalidStablecoinAsset.selector, address(bill.token))
        );
        usdc.delegate.receiveStablecoin(params);
        vm.stopPrank();
    }

    function test_ExchangeStablecoins_WithoutExactlyOneOwnSide_Reverts() public {
        IStablecoinDelegate.DelegateParams memory params = _params();
        address[2] memory sides = [address(usdx.token), address(usdc.token)];
        for (uint256 k = 0; k < sides.length; ++k) {
            params.assetInAddress = params.assetOutAddress = sides[k];
            vm.expectRevert(
                abi.encodeWithSelector(
                    IStablecoinDelegateAdmin.InvalidStablecoinExchange.selector, sides[k], sides[k], address(usdc.token)
                )
            );
            vm.prank(address(core));
            usdc.delegate.exchangeStablecoins(params);
        }
    }

    /* custody */

    function test_Settlement_WithoutCustody_NamesTheMissingOne() public {
        BalanceSheetDelegate bare = _deployDelegate(usdc.id, address(usdc.token), usdc.issuerAdmin);
        vm.startPrank(usdc.issuerAdmin);
        bare.whitelistRWA(address(bill.token), true);
        bare.whitelistRWA(address(bond.token), true);
        bare.whitelistStablecoin(address(usdx.token), true);
        vm.stopPrank();
        vm.prank(operator);
        core.setStablecoinAcceptance(usdc.id, address(bare), address(usdc.token), true, false);
        vm.startPrank(user);
        usdc.token.approve(address(bare), type(uint256).max);
        bill.token.approve(address(bare), type(uint256).max);
        vm.stopPrank();

        bytes4 noRWACustody = IStablecoinDelegateAdmin.SetRWACustodyAddress.selector;
        bytes4 noStablecoinCustody = IStablecoinDelegateAdmin.SetStablecoinCustodyAddress.selector;
        _expectRevert(_leg(1, 1_000e18, false), noRWACustody);
        _expectRevert(_leg(3, 1_000e6, false), noStablecoinCustody);
        _expectRevert(_leg(5, 1_000e18, false), noRWACustody);
        _expectRevert(_leg(7, 1_000e18, false), noStablecoinCustody);

        vm.prank(usdc.issuerAdmin);
        bare.setRWACustodyAddress(address(bare));
        bond.token.mint(address(bare), 1_000e6);
        _expectRevert(_leg(1, 1_000e18, false), noStablecoinCustody);
        _expectRevert(_leg(5, 1_000e18, false), noStablecoinCustody);
    }

    function test_Settlement_FromAnEmptyCustody_RevertsWhileDepositsStayOpen() public {
        vm.startPrank(usdc.custody);
        usdc.token.transfer(stranger, usdc.token.balanceOf(usdc.custody));
        vm.stopPrank();
        ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
        uint256 amountOut = core.quoteSwap(user, leg).tokenOutAmt;
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, usdc.custody, 0, amountOut)
        );
        _swap(leg);
        _swap(_leg(3, 1_000e6, false));
        _swap(leg);
    }

    function test_Settlement_WithoutTheUsersApproval_Reverts() public {
        vm.prank(user);
        bill.token.approve(address(usdc.delegate), 0);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(usdc.delegate), 0, 1e18)
        );
        _swap(_leg(1, 1e18, false));
    }

    /// A zero fee is not transferred, so that tokens which refuse zero transfers are no obstacle.
    function test_Settlement_OfAnExemptLeg_SendsTheVaultNothing() public {
        vm.prank(operator);
        core.setProtocolFeeExempt(usdc.id, true);
        vm.mockCallRevert(
            address(usdc.token),
            abi.encodeWithSignature("transferFrom(address,address,uint256)", usdc.custody, vault, 0),
            ""
        );
        vm.mockCallRevert(
            address(usdc.token), abi.encodeWithSignature("transferFrom(address,address,uint256)", user, vault, 0), ""
        );
        _swap(_leg(1, 1_000e18, false));
        _swap(_leg(3, 1_000e6, false));
        _swap(_leg(5, 1_000e18, false));
        _swap(_leg(7, 1_000e18, false));
        assertEq(usdc.token.balanceOf(vault), 0);
    }

    function test_S15_Reentrancy_IntoTheDelegate_Reverts() public {
        CallbackToken token = new CallbackToken(18);
        token.mint(user, 1e18);
        vm.prank(user);
        token.approve(address(usdc.delegate), 1e18);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistRWA(address(token), true);
        // The issuer admin itself is hostile here, and withdraws in the middle of a settlement.
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

    /* D26, S21: approvals of a user who swaps nothing */

    function test_D26_AdministratorsAndLPs_NeverSpendAUsersApprovals() public {
        bytes32 before = _holdings();
        vm.startPrank(usdc.issuerAdmin);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        usdc.delegate.setRWACustodyAddress(user);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        usdc.delegate.setStablecoinCustodyAddress(user);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        usdc.delegate.withdrawStablecoin(usdc.issuerAdmin, 1);
        vm.stopPrank();

        vm.startPrank(admin);
        usdc.delegate.addStablecoinColdStorageAddress(usdc.issuerAdmin);
        bytes32 settlementRole = usdc.delegate.CORE_SWAP_CONTRACT();
        vm.expectRevert(_unauthorized(admin, settlementRole));
        usdc.delegate.grantRole(settlementRole, admin);
        vm.stopPrank();

        vm.prank(usdc.issuerAdmin);
        usdc.delegate.withdrawStablecoin(usdc.issuerAdmin, 1_000e6);

        // The operator names the user as vault, changes every price and value, and calls for the user.
        vm.startPrank(operator);
        core.setCoreVault(user);
        core.setStablecoinUSDValue(usdc.id, 100 * WAD);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        core.swap(user, operator, _one(_leg(3, 1_000_000e6, false)), _noPermit());
        vm.stopPrank();
        assertEq(_holdings(), before);
    }

    function test_D26_ACustodyThatConsentedElsewhere_IsNotAllowedHere() public {
        assertTrue(usdc.delegate.custodyAccepted(usdc.custody));
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        vm.prank(usdx.issuerAdmin);
        usdx.delegate.setRWACustodyAddress(usdc.custody);
    }

    function _holdings() private view returns (bytes32) {
        return keccak256(
            abi.encode(
                usdc.token.balanceOf(user),
                usdx.token.balanceOf(user),
                bill.token.balanceOf(user),
                bond.token.balanceOf(user)
            )
        );
    }

    function _expectRevert(ICoreSwap.SwapInputs memory leg, bytes4 reason) private {
        vm.expectRevert(reason);
        _swap(leg);
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

    function _settlementCall(uint256 k, IStablecoinDelegate.DelegateParams memory params)
        private
        pure
        returns (bytes memory)
    {
        if (k == 0) return abi.encodeCall(IStablecoinDelegate.deployStablecoin, (params));
        if (k == 1) return abi.encodeCall(IStablecoinDelegate.receiveStablecoin, (params));
        if (k == 2) return abi.encodeCall(IStablecoinDelegate.exchangeRWAs, (params));
        return abi.encodeCall(IStablecoinDelegate.exchangeStablecoins, (params));
    }

    function _unauthorized(address account, bytes32 role) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role);
    }
}
