// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ERC4626PriceAdapter} from "src/adapters/ERC4626PriceAdapter.sol";
import {ERC4626PriceAdapterFixture} from "test/helpers/ERC4626PriceAdapterFixture.sol";
import {SettableVault} from "test/mocks/SettableVault.sol";

contract ERC4626PriceAdapterCheckpointTest is ERC4626PriceAdapterFixture {
    function testFuzz_RevertGiven_TheLastCheckpointIsLessThanADayOld(uint256 ageSeconds) public {
        uint256 takenAt = block.timestamp;
        adapter.checkpoint();
        vm.warp(takenAt + bound(ageSeconds, 0, 1 days - 1));
        vm.expectRevert(abi.encodeWithSelector(ERC4626PriceAdapter.CheckpointTooEarly.selector, takenAt + 1 days));
        adapter.checkpoint();
        vm.warp(takenAt + 1 days);
        adapter.checkpoint();
    }

    function test_RevertGiven_TheVaultReverts() public {
        vm.mockCallRevert(address(vault), abi.encodeWithSelector(SettableVault.convertToAssets.selector), "closed");
        vm.expectRevert("closed");
        adapter.checkpoint();
    }

    function testFuzz_GivenTheRateIsWithinTheBound(uint256 rateWad, address caller) public {
        rateWad = bound(rateWad, REFERENCE_WAD - MAX_MOVE_WAD, REFERENCE_WAD + MAX_MOVE_WAD);
        _setRate(rateWad);
        uint256 takenAt = block.timestamp;
        vm.expectEmit(address(adapter));
        emit ERC4626PriceAdapter.Checkpointed(rateWad, rateWad);
        vm.prank(caller);
        adapter.checkpoint();
        assertEq(adapter.checkpointedAt(), takenAt, "time");
        assertEq(adapter.referenceRateWad(), REFERENCE_WAD, "in force at once");
        vm.warp(takenAt + 1 days - 1);
        assertEq(adapter.referenceRateWad(), REFERENCE_WAD, "in force too early");
        vm.warp(takenAt + 1 days);
        assertEq(adapter.referenceRateWad(), rateWad, "in force too late");
    }

    function testFuzz_GivenTheRateIsAboveTheBound(uint256 rateWad) public {
        rateWad = bound(rateWad, REFERENCE_WAD + MAX_MOVE_WAD + 1, 1e30);
        _checkCut(rateWad, REFERENCE_WAD + MAX_MOVE_WAD);
    }

    function testFuzz_GivenTheRateIsBelowTheBound(uint256 rateWad) public {
        rateWad = bound(rateWad, 0, REFERENCE_WAD - MAX_MOVE_WAD - 1);
        _checkCut(rateWad, REFERENCE_WAD - MAX_MOVE_WAD);
    }

    function test_GivenTheLargestMoveIsNotAWholeNumberOfUnits() public {
        adapter = _deployAdapter(ONE_USD, BOUND_WAD, REFERENCE_WAD + 1);
        _setRate(2 * REFERENCE_WAD);
        adapter.checkpoint();
        vm.warp(block.timestamp + 1 days);
        assertEq(adapter.referenceRateWad(), REFERENCE_WAD + 1 + MAX_MOVE_WAD);
    }

    function test_GivenAnEarlierCheckpointIsInForce() public {
        _setRate(REFERENCE_WAD + 1);
        adapter.checkpoint();
        vm.warp(block.timestamp + 1 days);
        _setRate(REFERENCE_WAD + 2);
        adapter.checkpoint();
        assertEq(adapter.referenceRateWad(), REFERENCE_WAD + 1, "the earlier one at first");
        vm.warp(block.timestamp + 1 days);
        assertEq(adapter.referenceRateWad(), REFERENCE_WAD + 2, "the later one after a day");
    }

    function test_RevertGiven_TheNextReferenceTakesMoreThan96Bits() public {
        _setRate(type(uint96).max);
        adapter = _deployAdapter(ONE_USD, BOUND_WAD, type(uint96).max);
        _setRate(uint256(type(uint96).max) + 1);
        vm.expectRevert(abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 96, 2 ** 96));
        adapter.checkpoint();
    }

    function test_GivenNobodyTookACheckpointForALongTime() public {
        adapter.checkpoint();
        vm.warp(block.timestamp + 1_000 days);
        _setRate(2 * REFERENCE_WAD);
        adapter.checkpoint();
        vm.warp(block.timestamp + 1_000 days);
        assertEq(adapter.referenceRateWad(), REFERENCE_WAD + MAX_MOVE_WAD);
    }

    function test_GivenTheRateLeftTheBoundForGood() public {
        // Five percent at a bound of one percent: 1.01^4 reaches 1.05 / 1.01, and the fourth checkpoint takes effect a
        // day later.
        uint256 rateWad = REFERENCE_WAD * 105 / 100;
        _setRate(rateWad);
        for (uint256 day = 0; day < 4; ++day) {
            _expectMoveTooLarge(rateWad);
            adapter.getPrice();
            adapter.checkpoint();
            vm.warp(block.timestamp + 1 days);
        }
        assertEq(adapter.getPrice(), rateWad);
    }

    /// @dev The donor raises the rate to the largest served value, each time that a larger one is served.
    /// forge-config: default.fuzz.runs = 256
    function testFuzz_GivenADonorPushesTheRateAndTakesCheckpointsAsOftenAsPossible(uint256 daysCount) public {
        daysCount = bound(daysCount, 1, 60);
        uint256 highest = REFERENCE_WAD + MAX_MOVE_WAD;
        for (uint256 day = 0; day < daysCount; ++day) {
            // The greatest price at any time of this day is (1 + bound)^(day + 1) times the first reference.
            uint256 served = adapter.referenceRateWad() * (WAD + BOUND_WAD) / WAD;
            assertLe(served, highest, "grew by more than a bound a day");
            _setRate(served);
            assertEq(adapter.getPrice(), served, "most that is served");
            adapter.checkpoint();
            _setRate(served + 1);
            _expectMoveTooLarge(served + 1);
            adapter.getPrice();
            highest = highest * (WAD + BOUND_WAD) / WAD + 1;
            vm.warp(block.timestamp + 1 days);
        }
    }

    function test_GivenADonorPushesTheRateAndTakesTheCheckpointInOneTransaction() public {
        uint256 rateWad = REFERENCE_WAD + MAX_MOVE_WAD;
        _setRate(rateWad);
        adapter.checkpoint();
        assertEq(adapter.referenceRateWad(), REFERENCE_WAD, "reference");
        assertEq(adapter.getPrice(), rateWad, "price at the bound");
        _setRate(rateWad + 1);
        _expectMoveTooLarge(rateWad + 1);
        adapter.getPrice();
    }

    function _checkCut(uint256 rateWad, uint256 expectedWad) private {
        _setRate(rateWad);
        vm.expectEmit(address(adapter));
        emit ERC4626PriceAdapter.Checkpointed(expectedWad, rateWad);
        adapter.checkpoint();
        assertEq(adapter.referenceRateWad(), REFERENCE_WAD, "in force at once");
        vm.warp(block.timestamp + 1 days);
        assertEq(adapter.referenceRateWad(), expectedWad, "reference");
    }
}
