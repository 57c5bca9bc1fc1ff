// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegateFixture} from "../../helpers/TreasuryDelegateFixture.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";

/// Attacks that audits found in similar systems. The tests of D27 cover queues filled by others, and those of
/// `initialize` cover its bounds.
contract TreasuryDelegateScenariosTest is TreasuryDelegateFixture {
    uint256 private constant AMOUNT = 1_000_000e18;

    /* a daily loop of deposits and redemptions that earns more than holding */

    function test_D19_DailyRWALoop_PaidInAnRWA_EarnsNothing() public {
        (uint256 looped, uint256 held) = _loopFor30Days(true, false);
        assertEq(looped, AMOUNT);
        assertGt(held, AMOUNT);
    }

    function test_D19_DailyRWALoop_PaidInStablecoins_EarnsNoMoreThanHolding() public {
        (uint256 looped, uint256 held) = _loopFor30Days(true, true);
        assertLe(looped, held);
    }

    function test_D19_DailyStablecoinLoop_EarnsNoMoreThanHolding() public {
        (uint256 looped, uint256 held) = _loopFor30Days(false, true);
        assertLe(looped, held);
    }

    /* treasury tokens sold to another LP, which would keep the credits behind */

    function test_TokensWithoutCredits_AreNotTakenByAnotherLP() public {
        _deposit(alice, AMOUNT);
        vm.prank(alice);
        treasury.transfer(bob, AMOUNT);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistStablecoin(address(treasury), true);
        vm.startPrank(bob);
        treasury.approve(address(usdc.delegate), ALL);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.InvalidStablecoinDelegateID.selector, usdc.id, trsy));
        core.swap(bob, bob, _one(ICoreSwap.SwapInputs(7, trsy, usdc.id, usdc.id, AMOUNT, 0)), _noPermit());
        vm.expectRevert(abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, AMOUNT, 0));
        core.swap(bob, bob, _one(ICoreSwap.SwapInputs(7, trsy, usdc.id, trsy, AMOUNT, 0)), _noPermit());
        vm.stopPrank();
    }

    /* deposits from custody, which would mint tokens that nothing backs */

    function test_CustodyAccounts_AreNeitherUsersNorReceiversOfTheirDelegate() public {
        address[3] memory accounts = [rwaCustody, stablecoinCustody, address(delegate)];
        uint256[3] memory routes = [uint256(1), 5, 7];
        for (uint256 i = 0; i < accounts.length; ++i) {
            vm.prank(admin);
            treasury.addToWhitelist(accounts[i]);
            for (uint256 k = 0; k < routes.length; ++k) {
                ICoreSwap.SwapInputs memory leg = _legOf(routes[k]);
                vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
                _swapAs(accounts[i], alice, leg);
                vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
                _swapAs(alice, accounts[i], leg);
            }
        }
        assertEq(treasury.totalSupply(), 0);
    }

    function test_CustodyAccounts_CannotBeReceiversOfRedemptions() public {
        _deposit(alice, AMOUNT);
        address[2] memory accounts = [rwaCustody, stablecoinCustody];
        for (uint256 i = 0; i < accounts.length; ++i) {
            vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
            _swapAs(alice, accounts[i], _legOf(3));
        }
    }

    /* the settlement role granted to someone else */

    function test_SettlementRole_CannotBeGivenOrTaken() public {
        bytes32 role = delegate.CORE_SWAP_CONTRACT();
        address[3] memory callers = [admin, issuer, corrector];
        for (uint256 i = 0; i < callers.length; ++i) {
            bytes memory expected =
                abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, callers[i], role);
            _assertReverts(callers[i], abi.encodeCall(delegate.grantRole, (role, callers[i])), expected);
            _assertReverts(callers[i], abi.encodeCall(delegate.revokeRole, (role, address(core))), expected);
        }
        assertEq(delegate.getRoleMemberCount(role), 1);
    }

    /* yield lost when rates are late at the time of merging */

    function test_D7_MergingForAnother_WhileRatesAreLate_CostsThemNothing() public {
        _deposit(alice, AMOUNT);
        _deposit(bob, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _goToDay(DAY_ZERO + 12);
        // Ten rates are missing. A stranger merges Alice's credits now, and again after every late post.
        for (uint256 day = DAY_ZERO + 2; day < DAY_ZERO + 12; ++day) {
            vm.prank(stranger);
            delegate.accrueInterest(alice, ALL, ALL);
            _post(day, RATE);
        }
        assertApproxEqAbs(_value(alice), _value(bob), 1);
        assertApproxEqAbs(_redeem(alice, AMOUNT), _redeem(bob, AMOUNT), 1);
    }

    function test_D7_ARecordOfTheGap_MergesOnceItsDaysArePosted() public {
        _deposit(alice, 1e18);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
        _goToDay(DAY_ZERO + 4);
        // The rates of days 2 and 3 are missing; the new credits earn from day 5 on.
        _deposit(alice, AMOUNT);
        _goToDay(DAY_ZERO + 7);
        _accrueAll(alice);
        assertEq(delegate.totalWithheldCredits(alice), AMOUNT, "not before day 4 is posted");
        _postAll();
        _accrueAll(alice);
        assertEq(delegate.totalWithheldCredits(alice), 0);
        uint256 twoDays = (WAD + GROWTH) * (WAD + GROWTH) / WAD;
        assertApproxEqAbs(_value(alice) - AMOUNT * twoDays / WAD, 1e18 * (WAD + 6 * GROWTH) / WAD, 1e12);
    }

    /* dust, and the first depositor */

    function test_FirstDepositorAndDonations_ChangeNobodysPrice() public {
        _deposit(bob, 1);
        cash.token.mint(stablecoinCustody, 1e30);
        vm.prank(bob);
        treasury.transfer(address(delegate), 1);
        _deposit(alice, AMOUNT);
        assertEq(treasury.balanceOf(alice), AMOUNT);
        assertEq(_redeem(alice, AMOUNT), AMOUNT);
    }

    function test_D20_DustRedemptions_RoundAgainstTheTaker() public {
        _deposit(alice, 1_000);
        _goToDayAndPost(DAY_ZERO + 2);
        uint256 paid;
        for (uint256 i = 0; i < 100; ++i) {
            paid += _redeem(alice, 10);
        }
        assertEq(paid, 1_000);
    }

    /// For 30 days, Bob deposits everything in the last second of a day and redeems it 24 hours later, while Alice
    /// holds. Both are paid in the kind of asset that Bob chose.
    function _loopFor30Days(bool rwaIn, bool stablecoinOut) private returns (uint256 looped, uint256 held) {
        vm.warp((DAY_ZERO + 1) * 1 days - 1);
        if (rwaIn) _depositRWA(alice, AMOUNT);
        else _deposit(alice, AMOUNT);
        looped = AMOUNT;
        for (uint256 i = 0; i < 30; ++i) {
            if (rwaIn) _depositRWA(bob, looped);
            else _deposit(bob, looped);
            vm.warp(vm.getBlockTimestamp() + 24 hours);
            _postAll();
            looped = stablecoinOut ? _redeem(bob, looped) : _redeemForRWA(bob, looped);
        }
        held = stablecoinOut ? _redeem(alice, AMOUNT) : _redeemForRWA(alice, AMOUNT);
    }

    function _legOf(uint256 routeId) private view returns (ICoreSwap.SwapInputs memory leg) {
        if (routeId == 1) return ICoreSwap.SwapInputs(1, note.id, trsy, trsy, 1e18, 0);
        if (routeId == 3) return ICoreSwap.SwapInputs(3, trsy, note.id, trsy, 1e18, 0);
        if (routeId == 5) return ICoreSwap.SwapInputs(5, note.id, bill.id, trsy, 1e18, 0);
        return ICoreSwap.SwapInputs(7, cash.id, trsy, trsy, 1e18, 0);
    }

    /* a gift of dust that changes what a redemption takes */

    /// The dust is redeemed first, at one to one, so a bound without any slippage no longer holds.
    function test_Gift_MakesARedemptionWithoutSlippageRevert() public {
        _deposit(alice, 1_000e18);
        _goToDayAndPost(DAY_ZERO + 400);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(3, trsy, note.id, trsy, 500e18, 0);
        leg.assetOutAmt = core.quoteSwap(alice, leg).tokenOutAmt;
        deal(address(cash.token), bob, 1e18);
        vm.prank(bob);
        core.swap(bob, alice, _one(ICoreSwap.SwapInputs(7, cash.id, trsy, trsy, 1_000, 0)), _noPermit());
        vm.expectRevert(ICoreSwap.InsufficientRWAOutput.selector);
        vm.prank(alice);
        core.swap(alice, alice, _one(leg), _noPermit());
        leg.assetOutAmt = leg.assetOutAmt * 9_999 / 10_000;
        _swapAs(alice, alice, leg);
    }
}
