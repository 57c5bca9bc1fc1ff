// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalanceSheetDelegate} from "../../src/BalanceSheetDelegate.sol";
import {ICoreSwap} from "../../src/interfaces/ICoreSwap.sol";
import {IPausable} from "../../src/interfaces/IPausable.sol";
import {IStablecoinDelegateAdmin} from "../../src/interfaces/IStablecoinDelegateAdmin.sol";
import {CoreSwapFixture} from "../helpers/CoreSwapFixture.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";

/// Administration of a stablecoin delegate, function by function.
contract DelegateAdministrationTest is CoreSwapFixture {
    BalanceSheetDelegate private delegate;
    address private issuer;
    address private second = makeAddr("second issuer admin");
    address private cold = makeAddr("cold storage");

    function setUp() public override {
        super.setUp();
        delegate = usdc.delegate;
        issuer = usdc.issuerAdmin;
    }

    /* initialize */

    function test_Initialize_SetsIdentityAndRoles() public view {
        assertEq(delegate.coreSwap(), address(core));
        assertEq(delegate.stablecoinID(), usdc.id);
        assertEq(delegate.stablecoinAddress(), address(usdc.token));
        assertTrue(delegate.issuerAdmins(issuer));
        assertTrue(delegate.hasRole(delegate.DEFAULT_ADMIN_ROLE(), admin));
        assertTrue(delegate.hasRole(delegate.PAUSE_ROLE(), admin));
        assertTrue(delegate.hasRole(delegate.CORE_SWAP_CONTRACT(), address(core)));
        assertEq(delegate.getRoleMemberCount(delegate.CORE_SWAP_CONTRACT()), 1);
    }

    function test_Initialize_TwiceOrOnTheImplementation_Reverts() public {
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        delegate.initialize(admin, issuer, address(core), usdc.id, address(usdc.token));
        BalanceSheetDelegate implementation = new BalanceSheetDelegate();
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        implementation.initialize(admin, issuer, address(core), usdc.id, address(usdc.token));
    }

    function test_Initialize_WithAWrongParameter_NamesIt() public {
        bytes4 invalid = IStablecoinDelegateAdmin.InvalidInitializationParams.selector;
        address token = address(usdc.token);
        _expectInitializeReverts(address(0), issuer, address(core), usdc.id, token, abi.encodePacked(invalid));
        _expectInitializeReverts(admin, issuer, address(core), 0, token, abi.encodePacked(invalid));
        _expectInitializeReverts(
            admin,
            address(0),
            address(core),
            usdc.id,
            token,
            abi.encodePacked(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector)
        );
        _expectInitializeReverts(
            admin, issuer, stranger, usdc.id, token, abi.encodePacked(IStablecoinDelegateAdmin.InvalidCoreSwap.selector)
        );
        _expectInitializeReverts(
            admin,
            issuer,
            address(core),
            usdc.id,
            stranger,
            abi.encodeWithSelector(IStablecoinDelegateAdmin.InvalidStablecoinAsset.selector, stranger)
        );
    }

    /* who may call */

    function test_IssuerFunctions_ByAnyoneElse_Revert() public {
        bytes[] memory calls = new bytes[](14);
        calls[0] = abi.encodeCall(delegate.addIssuerAdmin, (stranger));
        calls[1] = abi.encodeCall(delegate.removeIssuerAdmin, (issuer));
        calls[2] = abi.encodeCall(delegate.setRWACustodyAddress, (usdc.custody));
        calls[3] = abi.encodeCall(delegate.setStablecoinCustodyAddress, (usdc.custody));
        calls[4] = abi.encodeCall(delegate.setBlacklist, (user, true));
        calls[5] = abi.encodeCall(delegate.setRWADiscountRate, (bill.id, 0));
        calls[6] = abi.encodeCall(delegate.setRWARedemptionFee, (bill.id, 0));
        calls[7] = abi.encodeCall(delegate.setStablecoinAcceptanceFee, (address(usdx.token), 0));
        calls[8] = abi.encodeCall(delegate.setStablecoinRedemptionFee, (address(usdx.token), 0));
        calls[9] = abi.encodeCall(delegate.whitelistRWA, (address(bill.token), false));
        calls[10] = abi.encodeCall(delegate.whitelistStablecoin, (address(usdx.token), false));
        calls[11] = abi.encodeCall(delegate.withdrawStablecoin, (cold, 1));
        calls[12] = abi.encodeCall(delegate.pauseCore, ());
        calls[13] = abi.encodeCall(delegate.unpauseCore, ());
        address[4] memory callers = [stranger, admin, operator, address(core)];
        for (uint256 c = 0; c < callers.length; ++c) {
            for (uint256 k = 0; k < calls.length; ++k) {
                vm.prank(callers[c]);
                (bool success, bytes memory reason) = address(delegate).call(calls[k]);
                assertFalse(success);
                assertEq(reason, abi.encodePacked(IStablecoinDelegateAdmin.NotIssuerAdmin.selector));
            }
        }
    }

    function test_AdminFunctions_ByTheIssuerAdmin_Revert() public {
        bytes[] memory calls = new bytes[](5);
        calls[0] = abi.encodeCall(delegate.addRWAColdStorageAddress, (cold));
        calls[1] = abi.encodeCall(delegate.removeRWAColdStorageAddress, (cold));
        calls[2] = abi.encodeCall(delegate.addStablecoinColdStorageAddress, (cold));
        calls[3] = abi.encodeCall(delegate.removeStablecoinColdStorageAddress, (cold));
        calls[4] = abi.encodeCall(delegate.upgradeToAndCall, (address(new BalanceSheetDelegate()), ""));
        for (uint256 k = 0; k < calls.length; ++k) {
            vm.prank(issuer);
            (bool success, bytes memory reason) = address(delegate).call(calls[k]);
            assertFalse(success);
            assertEq(reason, _unauthorized(issuer, 0x00));
        }
    }

    function test_CoreSwapRole_CannotBeGrantedOrRevoked() public {
        bytes32 role = delegate.CORE_SWAP_CONTRACT();
        vm.startPrank(admin);
        vm.expectRevert(_unauthorized(admin, role));
        delegate.grantRole(role, stranger);
        vm.expectRevert(_unauthorized(admin, role));
        delegate.revokeRole(role, address(core));
        vm.stopPrank();
        assertEq(delegate.getRoleAdmin(role), role);
    }

    /* issuer admins */

    function test_IssuerAdmins_AddTwiceAndRemoveAnother() public {
        vm.prank(issuer);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.IssuerAdminAdded(second);
        delegate.addIssuerAdmin(second);
        vm.recordLogs();
        vm.prank(issuer);
        delegate.addIssuerAdmin(second);
        assertEq(vm.getRecordedLogs().length, 0, "adding twice does nothing");

        vm.prank(second);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.IssuerAdminRemoved(issuer);
        delegate.removeIssuerAdmin(issuer);
        assertFalse(delegate.issuerAdmins(issuer));
        assertTrue(delegate.issuerAdmins(second));
    }

    function test_IssuerAdmins_NoZeroNoSelfNoStranger() public {
        vm.startPrank(issuer);
        vm.expectRevert(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector);
        delegate.addIssuerAdmin(address(0));
        vm.expectRevert(IStablecoinDelegateAdmin.CannotRemoveSelf.selector);
        delegate.removeIssuerAdmin(issuer);
        vm.expectRevert(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector);
        delegate.removeIssuerAdmin(stranger);
        vm.stopPrank();
    }

    /* custody */

    function test_Custody_TakesEffectOnlyWithConsent() public {
        vm.startPrank(issuer);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        delegate.setRWACustodyAddress(stranger);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        delegate.setStablecoinCustodyAddress(stranger);
        vm.stopPrank();

        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.CustodyAccepted(stranger);
        vm.prank(stranger);
        delegate.acceptCustody();
        assertTrue(delegate.custodyAccepted(stranger));

        vm.startPrank(issuer);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.RWACustodyAddressSet(stranger);
        delegate.setRWACustodyAddress(stranger);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinCustodyAddressSet(stranger);
        delegate.setStablecoinCustodyAddress(stranger);
        vm.stopPrank();
        assertEq(delegate.balanceSheetCustodyAddress(), stranger);
        assertEq(delegate.stablecoinCustodyAddress(), stranger);
    }

    function test_Custody_OfTheDelegateItself_NeedsNoConsent() public {
        vm.startPrank(issuer);
        delegate.setRWACustodyAddress(address(delegate));
        delegate.setStablecoinCustodyAddress(address(delegate));
        vm.stopPrank();
        assertEq(delegate.balanceSheetCustodyAddress(), address(delegate));
    }

    /* zero addresses */

    function test_ZeroAddresses_Revert() public {
        bytes4 reason = IStablecoinDelegateAdmin.ZeroAddressNotAllowed.selector;
        vm.startPrank(issuer);
        vm.expectRevert(reason);
        delegate.setRWACustodyAddress(address(0));
        vm.expectRevert(reason);
        delegate.setStablecoinCustodyAddress(address(0));
        vm.expectRevert(reason);
        delegate.setBlacklist(address(0), true);
        vm.expectRevert(reason);
        delegate.whitelistRWA(address(0), true);
        vm.expectRevert(reason);
        delegate.whitelistStablecoin(address(0), true);
        vm.stopPrank();
        vm.startPrank(admin);
        vm.expectRevert(reason);
        delegate.addRWAColdStorageAddress(address(0));
        vm.expectRevert(reason);
        delegate.addStablecoinColdStorageAddress(address(0));
        vm.stopPrank();
    }

    /* lists */

    function test_Lists_SetReadAndEmit() public {
        vm.startPrank(issuer);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.BlacklistUpdated(stranger, true);
        delegate.setBlacklist(stranger, true);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.RWAWhitelist(stranger, true);
        delegate.whitelistRWA(stranger, true);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinWhitelist(cold, true);
        delegate.whitelistStablecoin(cold, true);
        vm.stopPrank();
        assertTrue(delegate.blacklist(stranger));
        assertTrue(delegate.rwaWhitelist(stranger));
        assertFalse(delegate.stablecoinWhitelist(stranger));
        assertTrue(delegate.stablecoinWhitelist(cold));
    }

    function test_ColdStorage_ListsOnceAndTakesOff() public {
        vm.startPrank(admin);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.RWAColdStorageAddressAdded(cold);
        delegate.addRWAColdStorageAddress(cold);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinColdStorageAddressAdded(stranger);
        delegate.addStablecoinColdStorageAddress(stranger);
        assertEq(delegate.getRWAColdStorageAddresses(), _single(cold));
        assertEq(delegate.getStablecoinColdStorageAddresses(), _single(stranger));

        vm.recordLogs();
        delegate.addRWAColdStorageAddress(cold);
        delegate.addStablecoinColdStorageAddress(stranger);
        delegate.removeRWAColdStorageAddress(stranger);
        delegate.removeStablecoinColdStorageAddress(cold);
        assertEq(vm.getRecordedLogs().length, 0, "what changes nothing is no event");

        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.RWAColdStorageAddressRemoved(cold);
        delegate.removeRWAColdStorageAddress(cold);
        vm.expectEmit(address(delegate));
        emit IStablecoinDelegateAdmin.StablecoinColdStorageAddressRemoved(stranger);
        delegate.removeStablecoinColdStorageAddress(stranger);
        vm.stopPrank();
        assertEq(delegate.getRWAColdStorageAddresses().length, 0);
        assertEq(delegate.getStablecoinColdStorageAddresses().length, 0);
    }

    /* rates */

    function test_Rates_AreForwardedToCoreSwapAndEmitted() public {
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
        assertEq(core.discountRates(usdc.id, bill.id), 1);
        assertEq(core.redemptionFees(usdc.id, bill.id), 2);
        assertEq(core.stablecoinAcceptanceFees(usdc.id, address(usdx.token)), 3);
        assertEq(core.stablecoinRedemptionFees(usdc.id, address(usdx.token)), 4);
    }

    /* withdrawals */

    function test_WithdrawStablecoin_GoesToColdStorageAlone() public {
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

    function test_WithdrawStablecoin_FromTheDelegateAsCustody() public {
        vm.prank(admin);
        usdx.delegate.addStablecoinColdStorageAddress(cold);
        vm.prank(usdx.issuerAdmin);
        usdx.delegate.withdrawStablecoin(cold, 5e18);
        assertEq(usdx.token.balanceOf(cold), 5e18);
    }

    function test_WithdrawStablecoin_WhenPaused_Reverts() public {
        vm.startPrank(admin);
        delegate.addStablecoinColdStorageAddress(cold);
        delegate.pause();
        vm.stopPrank();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        vm.prank(issuer);
        delegate.withdrawStablecoin(cold, 1);
    }

    /* pause */

    function test_Pause_ByAnyoneElse_NamesThePauseRole() public {
        bytes memory reason = _unauthorized(stranger, delegate.PAUSE_ROLE());
        vm.startPrank(stranger);
        vm.expectRevert(reason);
        delegate.pause();
        vm.expectRevert(reason);
        delegate.unpause();
        vm.stopPrank();
    }

    function test_Pause_HasTwoCauses_EachClearedByItsOwner() public {
        vm.expectEmit(address(delegate));
        emit IPausable.Paused(admin);
        vm.prank(admin);
        delegate.pause();
        assertTrue(delegate.emergencyPaused());
        assertFalse(delegate.issuerPaused());

        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(issuer);
        delegate.unpause();
        vm.prank(issuer);
        delegate.pauseCore();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        vm.prank(issuer);
        delegate.pause();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        vm.prank(admin);
        delegate.pause();

        vm.recordLogs();
        vm.prank(admin);
        delegate.unpause();
        assertEq(vm.getRecordedLogs().length, 0, "still paused by the other cause");
        assertTrue(delegate.paused());
        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(admin);
        delegate.unpause();

        vm.expectEmit(address(delegate));
        emit IPausable.Unpaused(issuer);
        vm.prank(issuer);
        delegate.unpauseCore();
        assertFalse(delegate.paused());
    }

    function test_Pause_ByTheIssuerAdmin_IsTheSameCauseByBothNames() public {
        vm.startPrank(issuer);
        delegate.pause();
        assertTrue(delegate.issuerPaused());
        delegate.unpauseCore();
        delegate.pauseCore();
        delegate.unpause();
        vm.stopPrank();
        assertFalse(delegate.paused());
    }

    function test_Pause_OfBothCausesLiftedInTheOtherOrder() public {
        vm.prank(issuer);
        delegate.pause();
        vm.prank(admin);
        delegate.pause();
        vm.recordLogs();
        vm.prank(issuer);
        delegate.unpause();
        assertEq(vm.getRecordedLogs().length, 0);
        vm.expectEmit(address(delegate));
        emit IPausable.Unpaused(admin);
        vm.prank(admin);
        delegate.unpause();
    }

    /* upgrade */

    function test_Upgrade_ByTheAdmin_KeepsTheState() public {
        address implementation = address(new BalanceSheetDelegate());
        vm.prank(admin);
        delegate.upgradeToAndCall(implementation, "");
        assertEq(delegate.stablecoinID(), usdc.id);
        assertEq(delegate.stablecoinCustodyAddress(), usdc.custody);
        _swap(_leg(1, 1_000e18, false));
    }

    function _expectInitializeReverts(
        address admin_,
        address issuer_,
        address core_,
        bytes32 id,
        address token,
        bytes memory reason
    ) private {
        BalanceSheetDelegate implementation = new BalanceSheetDelegate();
        vm.expectRevert(reason);
        new ERC1967Proxy(
            address(implementation),
            abi.encodeCall(BalanceSheetDelegate.initialize, (admin_, issuer_, core_, id, token))
        );
    }

    function _single(address account) private pure returns (address[] memory accounts) {
        accounts = new address[](1);
        accounts[0] = account;
    }

    function _unauthorized(address account, bytes32 role) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role);
    }
}
