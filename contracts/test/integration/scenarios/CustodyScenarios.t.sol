// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DelegateTest} from "../../helpers/DelegateTest.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";

/// Tests an issuer admin who names others as custody, and queues that others fill.
contract CustodyScenariosTest is DelegateTest {
    uint256 private constant AMOUNT = 1_000e18;
    uint256 private constant MAX_RECORDS = 64;

    /* an issuer admin names a user as custody, to be paid from the user's approvals */

    function test_Scenario_AnIssuerAdminNamingAUserAsCustody_IsRefused() public forEachDelegate {
        bytes memory refused = abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        address[4] memory victims = [user, alice, vault, address(core)];
        for (uint256 i = 0; i < victims.length; ++i) {
            _assertReverts(issuer, abi.encodeCall(delegate.setRWACustodyAddress, (victims[i])), refused);
            _assertReverts(issuer, abi.encodeCall(delegate.setStablecoinCustodyAddress, (victims[i])), refused);
        }
    }

    /// Consent must be the account's own call: neither the issuer admin's consent nor consent to another delegate
    /// counts.
    function test_Scenario_ConsentOfTheAttacker_IsNotTheUsers() public forEachDelegate {
        vm.prank(issuer);
        delegate.acceptCustody();
        assertFalse(delegate.custodyAccepted(alice));
        vm.prank(alice);
        usdx.delegate.acceptCustody();
        bytes memory refused = abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        _assertReverts(issuer, abi.encodeCall(delegate.setRWACustodyAddress, (alice)), refused);
    }

    /// Consent outlives custody. An account that continues as a user has to withdraw it first.
    function test_Scenario_AFormerCustodyNamedAgain_IsRefusedOnceItRevoked() public {
        address former = usdc.custody;
        vm.startPrank(usdc.issuerAdmin);
        usdc.delegate.setAutoLiquidityStablecoinID(0);
        usdc.delegate.setStablecoinCustodyAddress(address(usdc.delegate));
        usdc.delegate.setRWACustodyAddress(address(usdc.delegate));
        vm.stopPrank();
        vm.startPrank(former);
        usdc.delegate.revokeCustody();
        usdc.token.approve(address(usdc.delegate), type(uint256).max);
        vm.stopPrank();
        vm.startPrank(usdc.issuerAdmin);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        usdc.delegate.setStablecoinCustodyAddress(former);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        usdc.delegate.setRWACustodyAddress(former);
        vm.stopPrank();
    }

    /* the queues of others are filled with dust: rates in time, every accepted asset, every day */

    function test_Scenario_DailyDustInEveryAsset_NeverBlocksAUserTheVaultOrACustody() public {
        vm.prank(admin);
        treasury.addToWhitelist(usdc.custody);
        address[3] memory victims = [alice, vault, usdc.custody];
        for (uint256 day = DAY_ZERO; day < DAY_ZERO + 12; ++day) {
            _goToDayAndPost(day);
            for (uint256 v = 0; v < victims.length; ++v) {
                _sendDust(victims[v]);
                assertLt(delegate.getWithheldCredits(victims[v]).length, MAX_RECORDS / 2);
            }
            _deposit(alice, AMOUNT);
            _redeem(alice, AMOUNT);
        }
        _setTreasuryRates();
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, usdc.id, trsy, trsy, 1_000e6, 0));
        assertGt(treasury.balanceOf(vault), 0);
    }

    /// Without rates for two months, a queue fills up. Its owner frees places by redeeming the dust.
    function test_Scenario_AFullQueue_IsFreedByItsOwner() public {
        uint256 day = DAY_ZERO;
        while (delegate.getWithheldCredits(alice).length < MAX_RECORDS) {
            _goToDay(day++);
            _swapAs(bob, alice, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1));
        }
        _goToDay(day);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, AMOUNT);
        vm.expectRevert(ITreasuryDelegate.QueueFull.selector);
        _swapAs(alice, alice, leg);
        assertEq(_redeem(alice, 1), 1);
        _swapAs(alice, alice, leg);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT + MAX_RECORDS - 1);
    }

    function _sendDust(address victim) private {
        TestToken[6] memory tokens = _foreignTokens();
        bytes32[6] memory ids = [usdc.id, usdx.id, cash.id, bill.id, bond.id, note.id];
        for (uint256 i = 0; i < tokens.length; ++i) {
            _swapAs(bob, victim, ICoreSwap.SwapInputs(i < 3 ? 8 : 2, ids[i], trsy, trsy, ALL, 1));
        }
    }
}
