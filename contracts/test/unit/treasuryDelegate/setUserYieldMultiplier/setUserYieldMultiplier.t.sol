// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract SetUserYieldMultiplierTest is DelegateTest {
    uint256 private constant AMOUNT = 1_000e18;

    function testFuzz_RevertWhen_TheCallerIsNotTheDefaultAdmin(address caller) public {
        _assertOnlyRole(0x00, caller, abi.encodeCall(delegate.setUserYieldMultiplier, (alice, WAD)));
    }

    function test_RevertWhen_AnIssuerAdminOrAPosterOrAnOperatorCalls() public {
        address[3] memory callers = [issuer, poster, corrector];
        for (uint256 i = 0; i < callers.length; ++i) {
            _assertReverts(
                callers[i],
                abi.encodeCall(delegate.setUserYieldMultiplier, (alice, WAD)),
                _unauthorized(callers[i], 0x00)
            );
        }
    }

    function test_RevertWhen_TheMultiplierIsOutOfBoundsOrTheUserHasNoMainCredits_D22() public {
        _deposit(alice, AMOUNT);
        // Withheld credits have no multiplier to set.
        _assertMultiplierReverts(alice, WAD);
        _assertMultiplierReverts(stranger, WAD);
        _goToDayAndPost(DAY_ZERO + 2);
        _setMultiplier(alice, WAD);
        uint256[4] memory refused = [uint256(0), WAD - 1, 10e18 + 1, ALL];
        for (uint256 i = 0; i < refused.length; ++i) {
            _assertMultiplierReverts(alice, refused[i]);
        }
    }

    function test_RevertWhen_AnAdministratorCallsInTheMiddleOfASettlement_S15() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _assertAdministratorCannotReenter(abi.encodeCall(delegate.setUserYieldMultiplier, (alice, 10e18)));
    }

    function test_WhenThereIsSomethingToAccrueAndToMerge_D22() public {
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

    function test_WhenDaysFollow_D22() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _setMultiplier(alice, 10e18);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(alice);
        // The ratio of two rounded indices, rounded down.
        uint256 twoDays = E36 * (WAD + GROWTH) / WAD * (WAD + GROWTH) / WAD;
        assertEq(delegate.yieldMultiplier(alice), 10 * E36 * (twoDays * (WAD + GROWTH) / WAD) / twoDays / WAD);
    }

    function test_WhenThereIsNothingToAccrueAndAllIsWatched_D22() public {
        _deposit(alice, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
        _watchDelegate();
        _watchYield();
        _expectDelegateAnswer(abi.encodeCall(delegate.yieldMultiplier, (alice)), abi.encode(1.5e18));
        _expectEvent(address(delegate));
        emit ITreasuryDelegate.YieldMultiplierUpdated(alice, WAD + GROWTH, 1.5e18, admin);
        _assertDelegateEffects(admin, abi.encodeCall(delegate.setUserYieldMultiplier, (alice, 1.5e18)));
    }

    /// The remedy for a wrong rate that was accrued before its correction, which leaves no time for others to act in
    /// between.
    function test_GivenTheDelegateIsPaused_D24() public {
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
}
