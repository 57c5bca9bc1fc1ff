// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwap} from "../../src/CoreSwap.sol";
import {ICoreSwap} from "../../src/interfaces/ICoreSwap.sol";
import {IPausable} from "../../src/interfaces/IPausable.sol";
import {CoreSwapFixture} from "../helpers/CoreSwapFixture.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";

/// Roles, pause, blacklist, global settings, rates and upgrades of CoreSwap.
contract AdministrationTest is CoreSwapFixture {
    /* initialize */

    function test_Initialize_SetsRolesVaultAndDefaults() public view {
        assertTrue(core.hasRole(core.DEFAULT_ADMIN_ROLE(), admin));
        assertTrue(core.hasRole(core.OPERATOR_ROLE(), operator));
        assertEq(core.getRoleMemberCount(core.DEFAULT_ADMIN_ROLE()), 1);
        assertEq(core.getRoleMemberCount(core.OPERATOR_ROLE()), 1);
        assertEq(core.coreVault(), vault);
        assertEq(core.maxSwapLegs(), 10);
        assertFalse(core.paused());
    }

    function test_Initialize_Twice_Reverts() public {
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        core.initialize(admin, operator, vault);
    }

    function test_Initialize_OnTheImplementation_Reverts() public {
        CoreSwap implementation = new CoreSwap();
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        implementation.initialize(admin, operator, vault);
    }

    function test_Initialize_WithZeroAdmin_Reverts() public {
        _expectInitializeReverts(address(0), operator, vault, ICoreSwap.InvalidAdmin.selector);
    }

    function test_Initialize_WithZeroOperator_Reverts() public {
        _expectInitializeReverts(admin, address(0), vault, ICoreSwap.InvalidAdmin.selector);
    }

    function test_Initialize_WithZeroVault_Reverts() public {
        _expectInitializeReverts(admin, operator, address(0), ICoreSwap.InvalidVault.selector);
    }

    /* roles */

    function test_OperatorFunctions_ByAnyoneElse_Revert() public {
        bytes[] memory calls = new bytes[](12);
        calls[0] = abi.encodeCall(ICoreSwap.configureStablecoinGuardrail, (usdc.id, address(1), 1, true));
        calls[1] = abi.encodeCall(ICoreSwap.setIssuerPaidProtocolFeeRate, (usdc.id, 0));
        calls[2] = abi.encodeCall(ICoreSwap.setMaxSwapLegs, (1));
        calls[3] = abi.encodeCall(ICoreSwap.setCoreVault, (stranger));
        calls[4] = abi.encodeCall(ICoreSwap.setProtocolFeeExempt, (usdc.id, true));
        calls[5] = abi.encodeCall(ICoreSwap.setRWAAcceptance, (bill.id, address(0), address(bill.token), false));
        calls[6] = abi.encodeCall(ICoreSwap.setRwaPriceAdapter, (bill.id, address(0)));
        calls[7] = abi.encodeCall(ICoreSwap.setRwaWhitelistAdapter, (bill.id, address(0)));
        calls[8] = abi.encodeCall(ICoreSwap.setSpreadProtocolTakeRate, (0));
        calls[9] = abi.encodeCall(
            ICoreSwap.setStablecoinAcceptance, (usdc.id, address(usdc.delegate), address(usdc.token), false, false)
        );
        calls[10] = abi.encodeCall(ICoreSwap.setStablecoinUSDValue, (usdc.id, 1));
        calls[11] = abi.encodeCall(ICoreSwap.unpause, ());
        address[4] memory callers = [stranger, admin, blacklister, pauser];
        for (uint256 c = 0; c < callers.length; ++c) {
            for (uint256 k = 0; k < calls.length; ++k) {
                vm.prank(callers[c]);
                (bool success, bytes memory reason) = address(core).call(calls[k]);
                assertFalse(success);
                assertEq(reason, _unauthorized(callers[c], core.OPERATOR_ROLE()));
            }
        }
    }

    function test_SetBlacklisted_ByAnyoneButTheBlacklister_Reverts() public {
        vm.expectRevert(_unauthorized(operator, core.BLACKLISTER_ROLE()));
        vm.prank(operator);
        core.setBlacklisted(user, true);
    }

    function test_SetBlacklisted_ListsAndUnlists() public {
        vm.startPrank(blacklister);
        vm.expectEmit(address(core));
        emit ICoreSwap.UserBlacklistUpdated(user, true);
        core.setBlacklisted(user, true);
        assertTrue(core.blacklisted(user));
        core.setBlacklisted(user, false);
        assertFalse(core.blacklisted(user));
        vm.stopPrank();
    }

    /* pause */

    function test_Pause_ByOperatorAndByExternalPauser() public {
        address[2] memory callers = [operator, pauser];
        for (uint256 k = 0; k < 2; ++k) {
            vm.expectEmit(address(core));
            emit IPausable.Paused(callers[k]);
            vm.prank(callers[k]);
            core.pause();
            assertTrue(core.paused());
            vm.expectEmit(address(core));
            emit IPausable.Unpaused(operator);
            vm.prank(operator);
            core.unpause();
            assertFalse(core.paused());
        }
    }

    function test_Pause_ByAnyoneElse_NamesTheExternalPauser() public {
        vm.expectRevert(_unauthorized(admin, core.EXTERNAL_PAUSER_ROLE()));
        vm.prank(admin);
        core.pause();
    }

    function test_Pause_WhenPaused_Reverts() public {
        vm.startPrank(operator);
        core.pause();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        core.pause();
        vm.stopPrank();
    }

    function test_Unpause_WhenNotPaused_Reverts() public {
        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(operator);
        core.unpause();
    }

    /* global settings */

    function test_SetCoreVault_EmitsOldAndNew() public {
        vm.expectEmit(address(core));
        emit ICoreSwap.CoreVaultSet(vault, stranger);
        vm.prank(operator);
        core.setCoreVault(stranger);
        assertEq(core.coreVault(), stranger);
    }

    function test_SetCoreVault_ToZeroOrItself_Reverts() public {
        vm.startPrank(operator);
        vm.expectRevert(ICoreSwap.InvalidVault.selector);
        core.setCoreVault(address(0));
        vm.expectRevert(ICoreSwap.InvalidVault.selector);
        core.setCoreVault(address(core));
        vm.stopPrank();
    }

    function test_SetMaxSwapLegs_TakesOneToThirtyTwo() public {
        vm.startPrank(operator);
        core.setMaxSwapLegs(1);
        assertEq(core.maxSwapLegs(), 1);
        core.setMaxSwapLegs(32);
        assertEq(core.maxSwapLegs(), 32);
        vm.expectRevert(ICoreSwap.InvalidLegCount.selector);
        core.setMaxSwapLegs(0);
        vm.expectRevert(ICoreSwap.InvalidLegCount.selector);
        core.setMaxSwapLegs(33);
        vm.stopPrank();
    }

    /* protocol rates */

    function test_SetIssuerPaidProtocolFeeRate_UpToTheMaximum() public {
        vm.startPrank(operator);
        vm.expectEmit(address(core));
        emit ICoreSwap.IssuerPaidProtocolFeeRateSet(usdc.id, 0.0007e18, MAX_RATE);
        core.setIssuerPaidProtocolFeeRate(usdc.id, MAX_RATE);
        assertEq(core.issuerPaidProtocolFeeRates(usdc.id), MAX_RATE);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setIssuerPaidProtocolFeeRate(usdc.id, MAX_RATE + 1);
        vm.stopPrank();
    }

    function test_SetSpreadProtocolTakeRate_UpToOne() public {
        vm.startPrank(operator);
        vm.expectEmit(address(core));
        emit ICoreSwap.SpreadProtocolTakeRateSet(0.2e18, WAD);
        core.setSpreadProtocolTakeRate(WAD);
        assertEq(core.spreadProtocolTakeRate(), WAD);
        vm.expectRevert(ICoreSwap.InvalidRate.selector);
        core.setSpreadProtocolTakeRate(WAD + 1);
        vm.stopPrank();
    }

    function test_SetProtocolFeeExempt_TakesBothProtocolFeesOff() public {
        vm.expectEmit(address(core));
        emit ICoreSwap.ProtocolFeeExemptSet(usdc.id, true);
        vm.prank(operator);
        core.setProtocolFeeExempt(usdc.id, true);
        assertTrue(core.protocolFeeExempt(usdc.id));
        ICoreSwap.SwapResolved memory q = core.quoteSwap(user, _leg(1, 1_000e18, false));
        assertEq(q.issuerFeeAmt, 0);
        assertEq(q.spreadFeeAmt, 0);
        assertGt(q.lpFeeAmt, 0);
    }

    /* LP rates */

    function test_LPRates_OnlyByTheRegisteredDelegate() public {
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

    function test_LPRates_AboveTheMaximum_Revert() public {
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

    function test_LPRates_AreKeptApartAndEmitted() public {
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

    /* upgrade */

    function test_Upgrade_ByAnyoneButTheAdmin_Reverts() public {
        address implementation = address(new CoreSwap());
        vm.expectRevert(_unauthorized(operator, core.DEFAULT_ADMIN_ROLE()));
        vm.prank(operator);
        core.upgradeToAndCall(implementation, "");
    }

    function test_Upgrade_ByTheAdmin_KeepsTheState() public {
        ICoreSwap.SwapInputs memory leg = _leg(5, 1_000e18, false);
        bytes32 before = keccak256(abi.encode(core.quoteSwap(user, leg)));
        address implementation = address(new CoreSwap());
        vm.prank(admin);
        core.upgradeToAndCall(implementation, "");
        assertEq(keccak256(abi.encode(core.quoteSwap(user, leg))), before);
        assertEq(core.coreVault(), vault);
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        core.initialize(admin, operator, vault);
    }

    function _expectInitializeReverts(address admin_, address operator_, address vault_, bytes4 reason) private {
        CoreSwap implementation = new CoreSwap();
        vm.expectRevert(reason);
        new ERC1967Proxy(address(implementation), abi.encodeCall(CoreSwap.initialize, (admin_, operator_, vault_)));
    }

    function _unauthorized(address account, bytes32 role) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role);
    }
}
