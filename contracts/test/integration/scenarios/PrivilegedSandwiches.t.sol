// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DelegateTest} from "../../helpers/DelegateTest.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// A user with large capital acts around an honest call of a privileged account, which everybody sees a day before.
/// SECURITY.md names these tests.
contract PrivilegedSandwichesTest is DelegateTest {
    uint256 private constant CREDITS = 1_000e18;
    uint256 private constant CAPITAL = 1_000_000e18;
    uint256 private constant NEW_MULTIPLIER = 1.05e18;

    address private lp = makeAddr("holder of treasury tokens");

    function setUp() public override {
        super.setUp();
        _admit(lp);
        _deposit(alice, CREDITS);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(alice);
    }

    /// The administrator schedules a multiplier that makes up for 5 % of 1,000 tokens. Until it is set, the account
    /// deposits a million, which merge and get the same multiplier.
    function test_X6_AUserWhoSeesANewMultiplier_DepositsAndGainsOnTheDeposit() public {
        _deposit(alice, CAPITAL);
        _goToDayAndPost(DAY_ZERO + 5);
        uint256 before = _value(alice);
        _setMultiplier();
        assertGt(_value(alice) - before, CAPITAL / 21, "a thousand times what was to be made up");
    }

    /// What helps: the delegate's blacklist, which an issuer admin sets at once, before the call is scheduled.
    function test_X6_AUserWhoIsBarredBeforeANewMultiplier_GainsNothingMore() public {
        vm.prank(issuer);
        delegate.setBlacklist(alice, true);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, CAPITAL);
        bytes memory refused = abi.encodeWithSelector(IStablecoinDelegateAdmin.AddressBlacklisted.selector, alice);
        vm.expectRevert(refused);
        _swapAs(alice, alice, leg);
        vm.expectRevert(refused);
        _swapAs(bob, alice, leg);

        _goToDayAndPost(DAY_ZERO + 5);
        uint256 before = _value(alice);
        _setMultiplier();
        assertLt(_value(alice) - before, CREDITS / 19);
    }

    /// Redeems for a stablecoin before the operator raises its USD value by 1 %, and deposits it again afterwards.
    function test_X6_AUserWhoSeesANewUSDValue_GainsItsMove() public {
        _deposit(lp, CAPITAL);
        uint256 paid = _redeem(lp, CAPITAL);
        vm.prank(operator);
        core.setStablecoinUSDValue(cash.id, 1.01e18);
        _swapAs(lp, lp, ICoreSwap.SwapInputs(7, cash.id, trsy, trsy, paid, 0));
        assertEq(treasury.balanceOf(lp), CAPITAL * 101 / 100);
    }

    function _setMultiplier() private {
        vm.prank(admin);
        delegate.setUserYieldMultiplier(alice, NEW_MULTIPLIER);
    }
}
