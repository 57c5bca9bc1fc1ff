// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../../src/interfaces/ICoreSwap.sol";
import {ITreasuryDelegate} from "../../src/interfaces/ITreasuryDelegate.sol";
import {SystemFixture} from "./system/SystemFixture.sol";
import {SystemStore} from "./system/SystemStore.sol";
import {AdminHandler} from "./system/handlers/AdminHandler.sol";
import {SwapHandler} from "./system/handlers/SwapHandler.sol";
import {TokenHandler} from "./system/handlers/TokenHandler.sol";
import {YieldHandler} from "./system/handlers/YieldHandler.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {console} from "forge-std/console.sol";

/// @notice What no sequence of calls on the whole system may break: CoreSwap, the treasury token and its delegate, and
/// the LPs of four plain stablecoins. The scenarios below run the same bodies with and without fees, with rates in time
/// and late.
abstract contract SystemInvariants is SystemFixture {
    SwapHandler internal swaps;
    YieldHandler internal yields;
    TokenHandler internal tokens;
    AdminHandler internal administration;

    /// @dev The scenario.
    function _hasFees() internal pure virtual returns (bool);
    function _postsInTime() internal pure virtual returns (bool);

    function setUp() public override {
        super.setUp();
        if (_hasFees()) _setTreasuryRates();
        else _clearRates();
        swaps = new SwapHandler(core, delegate, store, broker, listed);
        yields = new YieldHandler(core, delegate, store, [poster, corrector, admin], _postsInTime());
        tokens = new TokenHandler(core, delegate, store, bridge, admin);
        administration =
            new AdminHandler(core, delegate, store, [operator, admin, coldStorage], _hasFees());
        targetContract(address(swaps));
        targetContract(address(yields));
        targetContract(address(tokens));
        targetContract(address(administration));
    }

    /// @dev Half of all calls fail at most, so that sequences get somewhere. `-vv` shows what the last one did.
    function afterInvariant() public view {
        (string[] memory names, SystemStore.Statistics[] memory each, SystemStore.Statistics memory total) =
            store.statistics();
        for (uint256 i = 0; i < names.length; ++i) {
            console.log("%s: %d calls, %d failed", names[i], each[i].calls, each[i].failures);
        }
        console.log("all: %d calls, %d failed", total.calls, total.failures);
        if (total.calls >= 50) assertLt(total.failures * 2, total.calls, "more than half of the calls failed");
    }

    // -------------------------------------------------------------------------------------------------------- ledgers

    /// Every balance follows from the events and the settlement table: parties, custodies and the vault move by exactly
    /// that, CoreSwap and the delegates hold nothing that was not given to them, administrators move nothing of a user's.
    function invariant_S3_S4_S5_S22_D16_D17_D26_BalancesAreTheLedgers() public view {
        for (uint256 i = 0; i < store.assetCount(); ++i) {
            address token = store.asset(i).token;
            for (uint256 k = 0; k < store.accountCount(); ++k) {
                address account = store.accounts(k);
                assertEq(IERC20(token).balanceOf(account), store.balances(token, account));
            }
        }
    }

    function invariant_S3_CoreSwapApprovesNothing() public view {
        for (uint256 i = 0; i < store.assetCount(); ++i) {
            IERC20 token = IERC20(store.asset(i).token);
            assertEq(token.allowance(address(core), address(delegate)), 0);
            for (uint256 k = 0; k < lps.length; ++k) {
                assertEq(token.allowance(address(core), address(lps[k].delegate)), 0);
            }
        }
    }

    function invariant_T2_SupplyIsMintsLessBurns() public view {
        assertEq(treasury.totalSupply(), store.supply());
    }

    function invariant_D14_D15_CreditsAreGrantedLessConsumed() public view {
        for (uint256 i = 0; i < store.userCount(); ++i) {
            _assertCredits(store.users(i));
        }
        _assertCredits(vault);
        assertEq(store.violations(SystemStore.Property.D15_RedeemableIsLimited), 0);
    }

    function invariant_S13_AllowancesFallByTheRealisedInput() public view {
        for (uint256 i = 0; i < store.userCount(); ++i) {
            for (uint256 k = 0; k < store.assetCount(); ++k) {
                (address who, bytes32 id) = (store.users(i), store.asset(k).id);
                assertEq(core.swapInputAllowances(who, broker, id), store.allowances(who, broker, id));
            }
        }
    }

    function invariant_S11_S12_SignaturesServeOnceAndOneUser() public view {
        for (uint256 i = 0; i < store.userCount(); ++i) {
            assertEq(core.nonces(store.users(i)), store.nonces(store.users(i)));
        }
        assertEq(store.violations(SystemStore.Property.S11_SignatureServesOnce), 0);
        assertEq(store.violations(SystemStore.Property.S12_SignatureIsOneWallets), 0);
    }

    // ---------------------------------------------------------------------------------------------------------- yield

    function invariant_D1_D2_QueuesAreOrderedBoundedAndSummedUp() public view {
        for (uint256 i = 0; i < store.userCount(); ++i) {
            address who = store.users(i);
            ITreasuryDelegate.WithheldCredits[] memory queue = delegate.getWithheldCredits(who);
            assertLe(queue.length, 64);
            uint256 sum;
            for (uint256 k = 0; k < queue.length; ++k) {
                assertGt(queue[k].credits, 0);
                sum += queue[k].credits;
                if (k == 0) continue;
                assertGe(queue[k].releaseTimestamp / 1 days, queue[k - 1].releaseTimestamp / 1 days);
            }
            assertEq(delegate.totalWithheldCredits(who), sum);
        }
    }

    function invariant_D4_D22_FrontiersAndMultipliersAreInBounds() public view {
        assertEq(store.violations(SystemStore.Property.D4_WrongDaysRefused), 0);
        assertLt(delegate.lastRatePostingDay(), _today());
        for (uint256 i = 0; i < store.userCount(); ++i) {
            assertGe(delegate.yieldMultiplier(store.users(i)), WAD);
            assertLe(delegate.lastAccrualDay(store.users(i)), delegate.lastRatePostingDay());
        }
    }

    // ----------------------------------------------------------------------------------------------------- single calls

    function invariant_S1_S2_QuoteIsSwap() public view {
        assertEq(store.violations(SystemStore.Property.S1_QuoteIsSwap), 0);
        assertEq(store.violations(SystemStore.Property.S2_QuoteRevertsAsSwap), 0);
    }

    function invariant_S4_OneEventALegWithItsFields() public view {
        assertEq(store.violations(SystemStore.Property.S4_OneEventALeg), 0);
    }

    function invariant_S15_S22_HostileTokensGainNothing() public view {
        assertEq(store.violations(SystemStore.Property.S15_NoReentrancy), 0);
        assertEq(store.violations(SystemStore.Property.S22_WhatArrivesIsMeasured), 0);
    }

    function invariant_S16_NothingSettlesOutsideTheBand() public view {
        assertEq(store.violations(SystemStore.Property.S16_GuardrailHolds), 0);
    }

    function invariant_S17_KindsAreForLife() public view {
        assertEq(store.violations(SystemStore.Property.S17_KindsAreForLife), 0);
        for (uint256 i = 0; i < store.assetCount(); ++i) {
            SystemStore.Asset memory asset = store.asset(i);
            if (asset.isRWA) {
                (bool accepted,,,, address token) = core.rwaInfo(asset.id);
                assertTrue(accepted);
                assertEq(token, asset.token);
            } else {
                (bool accepted, bool yieldBearing,,, address token) = core.stablecoinInfo(asset.id);
                assertTrue(accepted);
                assertEq(token, asset.token);
                assertEq(yieldBearing, asset.isTreasury);
            }
        }
    }

    function invariant_S18_TheBlacklistedTakesNoPart() public view {
        assertEq(store.violations(SystemStore.Property.S18_BlacklistedTakesNoPart), 0);
    }

    function invariant_S20_DonationsChangeNoQuote() public view {
        assertEq(store.violations(SystemStore.Property.S20_DonationsChangeNothing), 0);
    }

    function invariant_D24_PausedNothingMoves() public view {
        assertEq(store.violations(SystemStore.Property.D24_PausedMovesNothing), 0);
    }

    function invariant_D26_AdministratorsTakeNothing() public view {
        assertEq(store.violations(SystemStore.Property.D26_AdministratorsTakeNothing), 0);
    }

    function _assertCredits(address who) private view {
        uint256 held = delegate.credits(who) + delegate.totalWithheldCredits(who);
        assertEq(held, store.granted(who) - store.consumed(who));
    }

    function _clearRates() private {
        _setProtocolRates(0, 0, 0);
        uint256[6] memory none;
        _setRates(usdc, usdx, none);
        _setRates(usdx, usdc, none);
    }
}

/// @notice Every fee, rates posted whenever the poster comes to it.
contract SystemWithFeesAndLateRatesInvariantsTest is SystemInvariants {
    function _hasFees() internal pure override returns (bool) {
        return true;
    }

    function _postsInTime() internal pure override returns (bool) {
        return false;
    }
}

/// @notice No fees, a rate for every day on the day after.
contract SystemWithoutFeesInvariantsTest is SystemInvariants {
    function _hasFees() internal pure override returns (bool) {
        return false;
    }

    function _postsInTime() internal pure override returns (bool) {
        return true;
    }
}
