// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegateFixture} from "../helpers/TreasuryDelegateFixture.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @notice D25, measured in whole transactions through the proxies: accrual costs the same for a day and for years, and
/// a full queue does not block settlement.
/// forge-config: default.isolate = true
contract TreasuryDelegateGasTest is TreasuryDelegateFixture {
    uint256 private constant AMOUNT = 1_000e18;

    function test_D25_Gas_AccrualOfAYear_IsWithinATenthOfADay() public {
        _deposit(alice, AMOUNT);
        _deposit(bob, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
        _accrueAll(bob);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(alice);
        uint256 oneDay = _gas("accrual of one day");

        _goToDayAndPost(DAY_ZERO + 2 + 365);
        (uint256 daysAccrued,,,) = delegate.accrueInterest(bob, ALL, ALL);
        uint256 year = _gas("accrual of 365 days");
        assertEq(daysAccrued, 365);
        assertLe(year * 10, oneDay * 11);
        assertGe(year * 10, oneDay * 9);
    }

    function test_D25_Gas_FullQueue_SettlesUnderThreeMillion() public {
        _fill(alice);
        _postAll();
        uint256 snapshot = vm.snapshotState();
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 64 * AMOUNT, 0));
        _assertGas("redemption that merges 64 records", 3_000_000);
        assertEq(delegate.credits(alice) + delegate.totalWithheldCredits(alice), 0);

        vm.revertToState(snapshot);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, cash.id, trsy, trsy, AMOUNT, 0));
        _assertGas("deposit that merges 63 records", 3_000_000);
    }

    function test_D25_Gas_FullQueueNotMerged_SettlesUnderThreeMillion() public {
        _fill(alice);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 64 * AMOUNT, 0));
        _assertGas("redemption that consumes 64 records", 3_000_000);
        assertEq(delegate.getWithheldCredits(alice).length, 0);
    }

    function test_Gas_Settlements() public {
        _deposit(alice, 10 * AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(alice);
        _goToDayAndPost(DAY_ZERO + 3);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, AMOUNT, 0));
        _assertGas("redemption for a stablecoin", 200_000);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, cash.id, trsy, trsy, AMOUNT, 0));
        _assertGas("deposit of a stablecoin, new record", 240_000);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, cash.id, trsy, trsy, AMOUNT, 0));
        _assertGas("deposit of a stablecoin, same day", 180_000);
    }

    function test_Gas_CorrectionOfAYear_FitsABlock() public {
        _goToDayAndPost(DAY_ZERO + 365);
        vm.prank(corrector);
        delegate.correctDailyRate(DAY_ZERO, RATE - 1);
        _assertGas("correction 365 days back", 365 * 7_000);
    }

    function _fill(address account) private {
        for (uint256 i = 0; i < 64; ++i) {
            _goToDay(DAY_ZERO + i);
            _deposit(account, AMOUNT);
        }
        _goToDay(DAY_ZERO + 66);
        assertEq(delegate.getWithheldCredits(account).length, 64);
    }

    function _gas(string memory what) private returns (uint256 gasUsed) {
        return vm.snapshotGasLastCall("TreasuryDelegate", what);
    }

    function _assertGas(string memory what, uint256 bar) private {
        assertLe(_gas(what), bar, what);
    }
}
