// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract GetAmountForTargetValueTest is DelegateTest {
    uint256 private constant AMOUNT = 1_000_000e18;

    function test_WhenTheTargetIsWithinTheCredits_D11() public {
        _depositAndMerge();
        _deposit(alice, 5e18);
        uint256[6] memory targets = [uint256(0), 1, 5e18, 5e18 + 1, 77e18, AMOUNT];
        for (uint256 i = 0; i < targets.length; ++i) {
            uint256 n = delegate.getAmountForTargetValue(alice, targets[i], true);
            assertGe(n + delegate.getYieldAmount(alice, n, true), targets[i]);
            if (n != 0) assertLt(n - 1 + delegate.getYieldAmount(alice, n - 1, true), targets[i]);
        }
        assertEq(delegate.getAmountForTargetValue(alice, 5e18, true), 5e18, "withheld credits are worth themselves");
    }

    function test_RevertWhen_TheTargetIsBeyondTheCredits_D11() public {
        _depositAndMerge();
        uint256 all = _value(alice);
        assertEq(delegate.getAmountForTargetValue(alice, all, false), AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, AMOUNT + 1, AMOUNT));
        delegate.getAmountForTargetValue(alice, all + 1, false);
        vm.expectRevert(abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, 7e18, 0));
        delegate.getAmountForTargetValue(stranger, 7e18, true);
        vm.expectPartialRevert(IYieldBearingDelegate.InsufficientCredits.selector);
        delegate.getAmountForTargetValue(alice, ALL, true);
    }

    function _depositAndMerge() private {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
    }
}
