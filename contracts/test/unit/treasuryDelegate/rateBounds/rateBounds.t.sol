// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract RateBoundsTest is DelegateTest {
    function testFuzz_RevertWhen_TheManagementFeeIsSetByAnyoneButAnIssuerAdmin(address caller) public {
        _assertOnlyIssuerAdmin(caller, abi.encodeCall(delegate.setManagementFee, (0)));
    }

    function testFuzz_RevertWhen_TheCapOrTheWindowIsSetByAnyoneButTheAdministrator(address caller) public {
        _assertOnlyRole(delegate.DEFAULT_ADMIN_ROLE(), caller, abi.encodeCall(delegate.setMaxDailyRate, (0)));
        _assertOnlyRole(delegate.DEFAULT_ADMIN_ROLE(), caller, abi.encodeCall(delegate.setMaxFallbackRateSeconds, (0)));
    }

    function test_RevertWhen_TheManagementFeeIsAboveFivePercentOrTheCallerIsTheAdmin() public {
        bytes memory data = abi.encodeCall(delegate.setManagementFee, (0.05e18 + 1));
        _assertReverts(
            issuer, data, abi.encodeWithSelector(ITreasuryDelegate.ManagementFeeTooHigh.selector, 0.05e18 + 1)
        );
        _assertReverts(admin, data, abi.encodePacked(IStablecoinDelegateAdmin.NotIssuerAdmin.selector));
    }

    function test_RevertWhen_TheCapIsAboveOneOrTheCallerIsNoAdministrator() public {
        bytes memory data = abi.encodeCall(delegate.setMaxDailyRate, (1e18 + 1));
        _assertReverts(admin, data, abi.encodePacked(ITreasuryDelegate.InvalidRate.selector));
        _assertUnauthorized(data, delegate.DEFAULT_ADMIN_ROLE(), [stranger, issuer, corrector]);
    }

    function test_WhenTheWindowIsAnyNumberOfSeconds() public {
        uint256[3] memory allowed = [uint256(0), 1 days, 7 days];
        uint256 old = 3 days;
        for (uint256 i = 0; i < allowed.length; ++i) {
            vm.expectEmit(address(delegate));
            emit ITreasuryDelegate.MaxFallbackRateSecondsUpdated(old, allowed[i]);
            vm.prank(admin);
            delegate.setMaxFallbackRateSeconds(allowed[i]);
            assertEq(delegate.maxFallbackRateSeconds(), allowed[i]);
            old = allowed[i];
        }
        uint256[4] memory refused = [uint256(1), 1 days - 1, 7 days + 1, ALL];
        for (uint256 i = 0; i < refused.length; ++i) {
            bytes memory data = abi.encodeCall(delegate.setMaxFallbackRateSeconds, (refused[i]));
            _assertReverts(admin, data, abi.encodePacked(ITreasuryDelegate.InvalidFallbackRateWindow.selector));
            _assertUnauthorized(data, delegate.DEFAULT_ADMIN_ROLE(), [stranger, issuer, corrector]);
        }
    }

    function test_WhenTheManagementFeeChanges() public {
        _post(DAY_ZERO - 1, RATE);
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.ManagementFeeUpdated(FEE, 0.05e18);
        vm.prank(issuer);
        delegate.setManagementFee(0.05e18);
        assertEq(delegate.managementFee(), 0.05e18);
        assertEq(delegate.dailyRates(DAY_ZERO - 1), RATE - FEE);
        _goToDay(DAY_ZERO + 1);
        _post(DAY_ZERO, 0.06e18);
        assertEq(delegate.dailyRates(DAY_ZERO), 0.01e18);
    }

    function test_WhenTheCapChanges() public {
        vm.expectEmit(address(delegate));
        emit ITreasuryDelegate.MaxDailyRateUpdated(0.2e18, 1e18);
        vm.prank(admin);
        delegate.setMaxDailyRate(1e18);
        assertEq(delegate.maxDailyRate(), 1e18);
        _post(DAY_ZERO - 1, 1e18);
        vm.prank(admin);
        delegate.setMaxDailyRate(0.01e18);
        _goToDay(DAY_ZERO + 1);
        _assertPostReverts(
            DAY_ZERO, RATE, abi.encodeWithSelector(ITreasuryDelegate.RateTooHigh.selector, RATE, 0.01e18)
        );
    }

    function test_WhenTheManagementFeeChangesAndAllIsWatched() public {
        _expectBound(abi.encodeCall(delegate.managementFee, ()), 0.05e18);
        emit ITreasuryDelegate.ManagementFeeUpdated(FEE, 0.05e18);
        _assertDelegateEffects(issuer, abi.encodeCall(delegate.setManagementFee, (0.05e18)));
    }

    function test_WhenTheCapChangesAndAllIsWatched() public {
        _expectBound(abi.encodeCall(delegate.maxDailyRate, ()), 1e18);
        emit ITreasuryDelegate.MaxDailyRateUpdated(0.2e18, 1e18);
        _assertDelegateEffects(admin, abi.encodeCall(delegate.setMaxDailyRate, (1e18)));
    }

    function test_WhenTheWindowChangesAndAllIsWatched() public {
        _expectBound(abi.encodeCall(delegate.maxFallbackRateSeconds, ()), 7 days);
        emit ITreasuryDelegate.MaxFallbackRateSecondsUpdated(3 days, 7 days);
        _assertDelegateEffects(admin, abi.encodeCall(delegate.setMaxFallbackRateSeconds, (7 days)));
    }

    function _expectBound(bytes memory data, uint256 value) private {
        _watchDelegate();
        _watchYield();
        _expectDelegateAnswer(data, abi.encode(value));
        _expectEvent(address(delegate));
    }

    function _assertPostReverts(uint256 day, uint256 rate, bytes memory expected) private {
        _assertReverts(poster, abi.encodeCall(delegate.postDailyRate, (day, rate)), expected);
    }

    function _assertUnauthorized(bytes memory data, bytes32 role, address[3] memory callers) private {
        for (uint256 i = 0; i < callers.length; ++i) {
            _assertReverts(
                callers[i],
                data,
                abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, callers[i], role)
            );
        }
    }
}
