// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Pace} from "./system/Pace.sol";
import {SystemFixture} from "./system/SystemFixture.sol";
import {SystemStore} from "./system/SystemStore.sol";
import {AdminHandler} from "./system/handlers/AdminHandler.sol";
import {OfficeHandler} from "./system/handlers/OfficeHandler.sol";
import {SwapHandler} from "./system/handlers/SwapHandler.sol";
import {TokenHandler} from "./system/handlers/TokenHandler.sol";
import {YieldHandler} from "./system/handlers/YieldHandler.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {StdInvariant} from "forge-std/StdInvariant.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
// solhint-disable-next-line no-console
import {console} from "forge-std/console.sol";

/// @notice Invariants of the whole system under any sequence of calls: CoreSwap, the treasury token and its delegate,
/// and the LPs of four plain stablecoins. The scenarios below run the same checks with and without fees, with rates in
/// time and late, and with and without a reserve that derived legs use. Ledgers are cumulative, so that checks at every
/// twentieth call miss nothing.
abstract contract SystemInvariants is StdInvariant, SystemFixture {
    SwapHandler internal swaps;
    YieldHandler internal yields;
    TokenHandler internal tokens;
    AdminHandler internal administration;
    OfficeHandler internal offices;

    /// @dev The scenario.
    function _hasFees() internal pure virtual returns (bool);
    function _postsInTime() internal pure virtual returns (bool);
    function _hasReserve() internal pure virtual returns (bool);

    function setUp() public override {
        super.setUp();
        if (_hasFees()) _setTreasuryRates();
        else _clearRates();
        if (_hasReserve()) _openReserve();
        swaps = new SwapHandler(core, delegate, store, broker, listed);
        yields = new YieldHandler(core, delegate, store, [poster, corrector, admin], _postsInTime());
        tokens = new TokenHandler(core, delegate, store, bridge, admin);
        administration = new AdminHandler(core, delegate, store, [operator, admin, coldStorage], _hasFees());
        offices = new OfficeHandler(
            core,
            delegate,
            store,
            OfficeHandler.Offices({
                operator: operator,
                admin: admin,
                custodies: otherCustodies,
                vaults: [vault, otherVault],
                replacedID: lps[3].id,
                delegates: [address(lps[3].delegate), address(otherDelegate)]
            })
        );
        store.setPace(new Pace(swaps, yields));
        _depositForAll();
        targetContract(address(offices));
        targetContract(address(swaps));
        targetContract(address(yields));
        targetContract(address(tokens));
        targetContract(address(administration));
    }

    /// @dev At most a third of all calls fail, and time steps and redemptions are at least a fifth each, so that
    /// sequences make progress. `-vv` shows the calls of the last sequence.
    function afterInvariant() public view {
        (string[] memory names, SystemStore.Statistics[] memory each, SystemStore.Statistics memory total) =
            store.statistics();
        for (uint256 i = 0; i < names.length; ++i) {
            // solhint-disable-next-line no-console
            console.log("%s: %d calls, %d failed", names[i], each[i].calls, each[i].failures);
        }
        // solhint-disable-next-line no-console
        console.log("all: %d calls, %d failed", total.calls, total.failures);
        uint256 drawn = store.pace().calls();
        if (drawn < 50) return;
        assertLt(total.failures * 3, total.calls, "more than a third of the calls failed");
        SystemStore.Statistics memory redemptions = store.statisticsOf("redeem");
        assertGe((redemptions.calls - redemptions.failures) * 5, drawn, "redemptions");
        assertGe(store.statisticsOf("pass").calls * 5, drawn, "time steps");
    }

    /// Every call of the handlers succeeds, most of the time, so that no invariant holds only because a call never
    /// runs.
    function test_Handlers_ReachEveryCall() public {
        uint256 seed = 1;
        for (uint256 i = 0; i < 12; ++i) {
            for (uint256 k = 0; k < 5; ++k) {
                uint256[4] memory draw;
                for (uint256 d = 0; d < 4; ++d) {
                    seed = uint256(keccak256(abi.encode(seed)));
                    draw[d] = seed;
                }
                _call(k, draw);
            }
        }
        (string[] memory names, SystemStore.Statistics[] memory each,) = store.statistics();
        assertEq(names.length, _hasReserve() ? 32 : 31, "every call was tried, and derived legs ran");
        for (uint256 i = 0; i < names.length; ++i) {
            assertLt(each[i].failures * 2, each[i].calls, names[i]);
        }
    }

    function _call(uint256 group, uint256[4] memory d) private {
        if (group == 0) {
            swaps.swap(d[0], d[1], d[2], d[3]);
            swaps.deposit(d[1], d[0], d[2], d[3]);
            swaps.redeem(d[2], d[0], d[1], d[3]);
            swaps.swapAtTheBound(d[0], d[2], d[3]);
            swaps.swapThatMustFail(d[3], d[0], d[1], d[2]);
        } else if (group == 1) {
            swaps.swapBatch(d[0], d[1], d[2], d[3]);
            swaps.swapByAllowance(d[0], d[1], d[2], d[3]);
            swaps.swapBySignature(d[0], d[1], d[2], d[3]);
            tokens.transfer(d[0], d[1], d[2]);
            tokens.cross(d[0], d[1], d[2] % 2 == 0);
        } else if (group == 2) {
            yields.pass(d[0], d[1]);
            yields.post(d[0], d[1], d[2]);
            yields.correct(d[0], d[1]);
            yields.accrue(d[0], d[1], d[2], d[3]);
            yields.setMultiplier(d[0], d[1]);
        } else if (group == 3) {
            offices.changeCustody(d[0], d[1] % 2 == 0, d[2]);
            offices.changeDelegate();
            offices.changeVault();
            offices.setIntakeCap(d[0], d[1], d[2], d[3]);
            offices.setTreasuryTerms(d[0], d[1], d[2]);
            offices.recover(d[0], d[1], d[2], d[3] % 4 == 0);
        } else {
            administration.movePrice(d[0], d[1]);
            administration.guard(d[0], d[1], d[2] % 2 == 0);
            administration.setRates(d[0], d[1], d[2], d[3]);
            administration.withdraw(d[0], d[1], d[2]);
            administration.misuse(d[0], d[1], d[2], d[3], d[0]);
            tokens.donate(d[0], d[1], d[2], d[3], d[0]);
            tokens.setHostileMode(d[0]);
        }
    }

    /// @dev One function, because forge runs all sequences again for each invariant function.
    function invariant_T2_D1_D2_D4_D14_D15_D16_D17_D22_D24_D26_D29_D30_S1_S2_S3_S4_S5_S11_S12_S13_S15_S16_S17_S18_S20_S21_S22_SystemHolds()
        public
        view
    {
        for (uint256 i = 0; i <= uint256(type(SystemStore.Property).max); ++i) {
            assertEq(store.violations(SystemStore.Property(i)), 0, store.propertyName(SystemStore.Property(i)));
        }
        assertEq(treasury.totalSupply(), store.supply(), "T2");
        _checkBalances();
        _checkApprovals();
        _checkCredits();
        _checkAllowances();
        _checkNonces();
        _checkQueues();
        _checkFrontiers();
        _checkKinds();
    }

    /// S3, S4, S5, S22, D16, D17, D26: every balance follows from the events and the settlement table. The balances of
    /// parties, custodies and the vault change by exactly that, CoreSwap holds only gifts, and administrators do not
    /// move any tokens of users.
    function _checkBalances() private view {
        for (uint256 i = 0; i < store.assetCount(); ++i) {
            address token = store.asset(i).token;
            for (uint256 k = 0; k < store.accountCount(); ++k) {
                address account = store.accounts(k);
                assertEq(IERC20(token).balanceOf(account), store.balances(token, account));
            }
        }
    }

    /// S3.
    function _checkApprovals() private view {
        for (uint256 i = 0; i < store.assetCount(); ++i) {
            IERC20 token = IERC20(store.asset(i).token);
            assertEq(token.allowance(address(core), address(delegate)), 0);
            for (uint256 k = 0; k < lps.length; ++k) {
                assertEq(token.allowance(address(core), address(lps[k].delegate)), 0);
            }
        }
    }

    /// D14, D15.
    function _checkCredits() private view {
        for (uint256 i = 0; i < store.userCount(); ++i) {
            _assertCredits(store.users(i));
        }
        _assertCredits(vault);
        _assertCredits(otherVault);
        _assertCredits(usdc.custody);
    }

    /// S13, S21.
    function _checkAllowances() private view {
        for (uint256 i = 0; i < store.userCount(); ++i) {
            for (uint256 k = 0; k < store.assetCount(); ++k) {
                (address who, bytes32 id) = (store.users(i), store.asset(k).id);
                assertEq(core.swapInputAllowances(who, broker, id), store.allowances(who, broker, id));
            }
        }
        bytes32[2] memory derived = [trsy, usdc.id];
        for (uint256 k = 0; k < derived.length; ++k) {
            assertEq(
                core.swapInputAllowances(usdc.custody, address(core), derived[k]),
                store.allowances(usdc.custody, address(core), derived[k])
            );
        }
    }

    /// S11, S12.
    function _checkNonces() private view {
        for (uint256 i = 0; i < store.userCount(); ++i) {
            assertEq(core.nonces(store.users(i)), store.nonces(store.users(i)));
        }
    }

    /// D1, D2.
    function _checkQueues() private view {
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

    /// D4, D22.
    function _checkFrontiers() private view {
        assertLt(delegate.lastRatePostingDay(), _today());
        for (uint256 i = 0; i < store.userCount(); ++i) {
            assertGe(delegate.yieldMultiplier(store.users(i)), WAD);
            assertLe(delegate.lastAccrualDay(store.users(i)), delegate.lastRatePostingDay());
        }
    }

    /// S17.
    function _checkKinds() private view {
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

    /// Deposits for every user, so that each can redeem from the beginning.
    function _depositForAll() private {
        for (uint256 i = 0; i < store.userCount(); ++i) {
            address who = store.users(i);
            ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(8, lps[2].id, trsy, trsy, ALL, 1e22);
            ICoreSwap.SwapResolved memory amounts = core.quoteSwap(who, leg);
            _swapAs(who, who, leg);
            store.applyLeg(who, who, leg, amounts);
        }
    }

    function _assertCredits(address who) private view {
        uint256 held = delegate.credits(who) + delegate.totalWithheldCredits(who);
        assertEq(held, store.granted(who) - store.consumed(who));
    }

    /// The custody of `usdc` has no buffer and keeps its reserve in the treasury token. Payouts are redeemed before
    /// they are paid, and receipts are deposited afterwards.
    function _openReserve() private {
        address custody = usdc.custody;
        vm.prank(admin);
        treasury.addToWhitelist(custody);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(8, lps[2].id, trsy, trsy, ALL, 1e24);
        ICoreSwap.SwapResolved memory amounts = core.quoteSwap(custody, leg);
        _swapAs(custody, custody, leg);
        store.applyLeg(custody, custody, leg, amounts);
        store.setReserveCustody(custody);
        uint256 buffer = usdc.token.balanceOf(custody);
        vm.startPrank(custody);
        usdc.token.transfer(coldStorage, buffer);
        core.adjustSwapInputAllowance(address(core), trsy, ALL, true);
        // Sweeps continue until this allowance is spent, and then fail without an effect on the swap.
        core.adjustSwapInputAllowance(address(core), usdc.id, 100_000e6, true);
        vm.stopPrank();
        store.move(address(usdc.token), custody, coldStorage, buffer);
        store.setAllowance(custody, address(core), trsy, ALL);
        store.setAllowance(custody, address(core), usdc.id, 100_000e6);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setAutoLiquidityStablecoinID(trsy);
    }

    function _clearRates() private {
        _setProtocolRates(0, 0, 0);
        uint256[6] memory none;
        _setRates(usdc, usdx, none);
        _setRates(usdx, usdc, none);
    }
}

/// @notice All fees, and rates that are posted at random times.
/// forge-config: default.invariant.check-interval = 20
/// forge-config: ci.invariant.check-interval = 20
/// forge-config: ci.invariant.runs = 160
contract SystemWithFeesAndLateRatesInvariantsTest is SystemInvariants {
    function _hasFees() internal pure override returns (bool) {
        return true;
    }

    function _postsInTime() internal pure override returns (bool) {
        return false;
    }

    function _hasReserve() internal pure override returns (bool) {
        return false;
    }
}

/// @notice No fees, and each day's rate posted on the next day.
/// forge-config: default.invariant.check-interval = 20
/// forge-config: ci.invariant.check-interval = 20
/// forge-config: ci.invariant.runs = 160
contract SystemWithoutFeesInvariantsTest is SystemInvariants {
    function _hasFees() internal pure override returns (bool) {
        return false;
    }

    function _postsInTime() internal pure override returns (bool) {
        return true;
    }

    function _hasReserve() internal pure override returns (bool) {
        return false;
    }
}

/// @notice All fees, and a custody with its whole reserve in the treasury token.
/// forge-config: default.invariant.check-interval = 20
/// forge-config: ci.invariant.check-interval = 20
/// forge-config: ci.invariant.runs = 160
contract SystemWithAutoLiquidityInvariantsTest is SystemInvariants {
    function _hasFees() internal pure override returns (bool) {
        return true;
    }

    function _postsInTime() internal pure override returns (bool) {
        return true;
    }

    function _hasReserve() internal pure override returns (bool) {
        return true;
    }
}
