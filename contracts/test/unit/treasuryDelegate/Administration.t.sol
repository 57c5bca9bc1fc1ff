// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../../../src/interfaces/ICoreSwap.sol";
import {IPausable} from "../../../src/interfaces/IPausable.sol";
import {IStablecoinDelegateAdmin} from "../../../src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasuryDelegate} from "../../../src/interfaces/ITreasuryDelegate.sol";
import {TreasuryDelegateFixture} from "../../helpers/TreasuryDelegateFixture.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";

/// Multipliers set by hand, the pause and its two causes, withdrawals, and what no administrator can do. The rest of the
/// administration is that of every delegate.
contract TreasuryDelegateAdministrationTest is TreasuryDelegateFixture {
    uint256 private constant AMOUNT = 1_000e18;

    /* setUserYieldMultiplier */

    function test_D22_SetUserYieldMultiplier_AccruesAndMergesFirst() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
        _goToDayAndPost(DAY_ZERO + 3);
        uint256 accrued = (WAD + GROWTH) * (WAD + GROWTH) / WAD;
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.InterestAccrued(alice, DAY_ZERO + 2, DAY_ZERO + 2, 1, accrued);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.YieldMultiplierUpdated(alice, accrued, 1.5e18, admin);
        _setMultiplier(alice, 1.5e18);
        assertEq(delegate.yieldMultiplier(alice), 1.5e18);
        assertEq(delegate.lastAccrualDay(alice), DAY_ZERO + 2);
        assertEq(delegate.credits(alice), AMOUNT);
        assertEq(_redeemForRWA(alice, AMOUNT), 1.5e18 * AMOUNT / WAD);
    }

    function test_D22_SetUserYieldMultiplier_GrowsOnFromWhatWasSet() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _setMultiplier(alice, 10e18);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(alice);
        // The ratio of two rounded indices, rounded down.
        uint256 twoDays = E36 * (WAD + GROWTH) / WAD * (WAD + GROWTH) / WAD;
        assertEq(delegate.yieldMultiplier(alice), 10 * E36 * (twoDays * (WAD + GROWTH) / WAD) / twoDays / WAD);
    }

    function test_D22_SetUserYieldMultiplier_OutOfBoundsOrWithoutCredits_Reverts() public {
        _deposit(alice, AMOUNT);
        uint256[4] memory refused = [uint256(0), WAD - 1, 10e18 + 1, ALL];
        for (uint256 i = 0; i < refused.length; ++i) {
            _assertMultiplierReverts(alice, refused[i]);
        }
        // Withheld credits have no multiplier to set.
        _assertMultiplierReverts(alice, WAD);
        _assertMultiplierReverts(stranger, WAD);
        _goToDayAndPost(DAY_ZERO + 2);
        _setMultiplier(alice, WAD);
    }

    function test_SetUserYieldMultiplier_ByAnyoneButTheAdmin_Reverts() public {
        address[3] memory callers = [issuer, poster, corrector];
        for (uint256 i = 0; i < callers.length; ++i) {
            _assertReverts(
                callers[i],
                abi.encodeCall(delegate.setUserYieldMultiplier, (alice, WAD)),
                _unauthorized(callers[i], 0x00)
            );
        }
    }

    /// The remedy of a wrong rate that was accrued before its correction, without letting anyone act in between.
    function test_D24_Administration_WorksWhilePaused() public {
        _deposit(alice, AMOUNT);
        _goToDay(DAY_ZERO + 3);
        _post(DAY_ZERO, RATE);
        _post(DAY_ZERO + 1, 0.2e18);
        _accrueAll(alice);
        vm.prank(admin);
        delegate.pause();
        vm.prank(corrector);
        delegate.correctDailyRate(DAY_ZERO + 1, RATE);
        _setMultiplier(alice, WAD + GROWTH);
        _post(DAY_ZERO + 2, RATE);
        vm.prank(admin);
        delegate.unpause();
        _accrueAll(alice);
        assertEq(delegate.yieldMultiplier(alice), (WAD + GROWTH) * (WAD + GROWTH) / WAD);
    }

    /* pause */

    function test_Pause_HasTwoCausesAndNobodyClearsTheOthers() public {
        vm.prank(admin);
        delegate.pause();
        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(issuer);
        delegate.unpause();
        vm.prank(issuer);
        delegate.pauseCore();
        vm.prank(admin);
        delegate.unpause();
        assertTrue(delegate.paused());
        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(admin);
        delegate.unpause();
        vm.prank(issuer);
        delegate.unpauseCore();
        assertFalse(delegate.paused());
    }

    function test_Pause_ByAnyoneElse_NamesPauseRole() public {
        address[3] memory callers = [stranger, poster, corrector];
        for (uint256 i = 0; i < callers.length; ++i) {
            bytes memory expected = _unauthorized(callers[i], delegate.PAUSE_ROLE());
            _assertReverts(callers[i], abi.encodeCall(delegate.pause, ()), expected);
            _assertReverts(callers[i], abi.encodeCall(delegate.unpause, ()), expected);
        }
    }

    /* withdrawStablecoin */

    function test_WithdrawStablecoin_MovesTreasuryTokensOfTheCustodyToColdStorage() public {
        address cold = makeAddr("cold storage");
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

    /* D26 */

    function test_D26_AdministratorsAndLPs_NeverSpendAUsersApprovals() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        uint256 tokens = treasury.balanceOf(alice);
        uint256 notes = note.token.balanceOf(alice);
        uint256 cashBefore = cash.token.balanceOf(alice);

        bytes memory notAllowed = abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        _assertReverts(issuer, abi.encodeCall(delegate.setRWACustodyAddress, (alice)), notAllowed);
        _assertReverts(issuer, abi.encodeCall(delegate.setStablecoinCustodyAddress, (alice)), notAllowed);
        _assertReverts(issuer, abi.encodeCall(delegate.withdrawStablecoin, (issuer, 1)), notAllowed);
        bytes32 role = delegate.CORE_SWAP_CONTRACT();
        _assertReverts(admin, abi.encodeCall(delegate.grantRole, (role, admin)), _unauthorized(admin, role));
        vm.startPrank(operator);
        core.setCoreVault(alice);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        core.swap(alice, operator, _one(ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 1e18, 0)), _noPermit());
        vm.stopPrank();
        _setMultiplier(alice, WAD);
        vm.prank(corrector);
        delegate.correctDailyRate(DAY_ZERO, 0);

        assertEq(treasury.balanceOf(alice), tokens);
        assertEq(note.token.balanceOf(alice), notes);
        assertEq(cash.token.balanceOf(alice), cashBefore);
        assertEq(delegate.credits(alice), AMOUNT);
    }

    function _setMultiplier(address account, uint256 multiplier) private {
        vm.prank(admin);
        delegate.setUserYieldMultiplier(account, multiplier);
    }

    function _assertMultiplierReverts(address account, uint256 multiplier) private {
        _assertReverts(
            admin,
            abi.encodeCall(delegate.setUserYieldMultiplier, (account, multiplier)),
            abi.encodeWithSelector(ITreasuryDelegate.InvalidYieldMultiplier.selector, multiplier)
        );
    }

    function _unauthorized(address account, bytes32 role) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role);
    }
}
