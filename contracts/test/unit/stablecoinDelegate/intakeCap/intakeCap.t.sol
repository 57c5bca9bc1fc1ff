// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

/// Tests how intake of a foreign asset counts in each of the four settlements, and what makes room again.
contract IntakeCapTest is DelegateTest {
    uint96 private constant CAP = 1_000e18;
    /// Longer than any sum needs to leak completely.
    uint256 private constant DAYS = 4;

    function setUp() public override {
        super.setUp();
        _cap(address(bond.token), CAP);
        _cap(address(note.token), CAP);
        _cap(address(cash.token), CAP);
    }

    function test_RevertWhen_MoreComesInThanTheCap_D29() public {
        _assertExceeds(_rwaIn(CAP + 1), address(note.token), CAP + 1, CAP);
        _assertExceeds(_stablecoinIn(CAP + 1), address(cash.token), CAP + 1, CAP);
        _assertExceeds(_rwaForRWA(CAP + 1), address(note.token), CAP + 1, CAP);
    }

    function test_RevertWhen_TheCapIsZero_D29() public {
        _cap(address(note.token), 0);
        _assertExceeds(_rwaIn(1), address(note.token), 1, 0);
        vm.warp(vm.getBlockTimestamp() + DAYS * 1 days);
        _assertExceeds(_rwaIn(1), address(note.token), 1, 0);
    }

    function test_RevertWhen_ItWasLoweredBelowWhatCameIn_D29() public {
        _swapAs(alice, alice, _rwaIn(CAP / 2));
        vm.prank(issuer);
        delegate.setIntakeCap(address(note.token), CAP / 4);
        _assertExceeds(_rwaIn(1), address(note.token), 1, 0);
        _assertAvailable(address(note.token), 0);
    }

    function test_WhenTheCapComesInAtOnce() public {
        _swapAs(alice, alice, _rwaIn(CAP));
        _assertAvailable(address(note.token), 0);
        _assertExceeds(_rwaIn(1), address(note.token), 1, 0);
        _assertAvailable(address(cash.token), CAP);
        _swapAs(alice, alice, _stablecoinIn(CAP));
    }

    function test_WhenTimePasses_D29() public {
        _swapAs(alice, alice, _rwaIn(CAP));
        vm.warp(vm.getBlockTimestamp() + 6 hours);
        _assertAvailable(address(note.token), CAP / 4);
        _assertExceeds(_rwaIn(CAP / 4 + 1), address(note.token), CAP / 4 + 1, CAP / 4);
        _swapAs(alice, alice, _rwaIn(CAP / 4));
        vm.warp(vm.getBlockTimestamp() + 1 days);
        _assertAvailable(address(note.token), CAP);
        vm.warp(vm.getBlockTimestamp() + 1 days);
        _assertAvailable(address(note.token), CAP);
    }

    function test_WhenTheSameAssetIsPaidOut() public {
        _swapAs(alice, alice, _rwaIn(CAP));
        _swapAs(alice, alice, ICoreSwap.SwapInputs(4, trsy, note.id, trsy, ALL, CAP / 2));
        _assertAvailable(address(note.token), CAP / 2);
        _swapAs(alice, alice, _stablecoinIn(CAP));
        _swapAs(alice, alice, ICoreSwap.SwapInputs(8, trsy, cash.id, trsy, ALL, CAP));
        _assertAvailable(address(cash.token), CAP);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(6, bond.id, note.id, trsy, ALL, CAP));
        _assertAvailable(address(note.token), CAP);
        // The smallest sum.
        _swapAs(alice, alice, _rwaIn(1));
        _assertAvailable(address(note.token), CAP - 1);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(4, trsy, note.id, trsy, ALL, 1));
        _assertAvailable(address(note.token), CAP);
    }

    function test_WhenAnotherAssetIsPaidOut_D29() public {
        _swapAs(alice, alice, _rwaIn(CAP));
        _swapAs(alice, alice, ICoreSwap.SwapInputs(8, trsy, cash.id, trsy, ALL, CAP));
        _assertAvailable(address(note.token), 0);
    }

    /// A small cap also leaks while the asset is taken in and paid out in turn.
    function test_WhenASmallSumChangesOften() public {
        _cap(address(note.token), 100);
        _swapAs(alice, alice, _rwaIn(100));
        uint256 start = vm.getBlockTimestamp();
        for (uint256 i = 1; i <= 20; ++i) {
            vm.warp(start + i * 5 minutes);
            _swapAs(alice, alice, ICoreSwap.SwapInputs(4, trsy, note.id, trsy, ALL, 1));
            _swapAs(alice, alice, _rwaIn(1));
        }
        (, uint256 available) = delegate.intakeCap(address(note.token));
        assertGt(available, 3, "100 minutes of 1,440, less a unit for each leak");
    }

    /// A payout counts what has leaked so far, in whole units. The leak of the rest starts anew.
    function test_WhenASmallSumIsPaidOutOf() public {
        _cap(address(note.token), 100);
        _swapAs(alice, alice, _rwaIn(100));
        uint256 start = vm.getBlockTimestamp();
        vm.warp(start + 15 minutes);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(4, trsy, note.id, trsy, ALL, 1));
        _assertAvailable(address(note.token), 2);
        vm.warp(start + 29 minutes);
        _assertAvailable(address(note.token), 2);
    }

    function test_WhenTheCapIsRaisedAfterADayAtZero_D29() public {
        _swapAs(alice, alice, _rwaIn(CAP));
        _cap(address(note.token), 0);
        vm.warp(vm.getBlockTimestamp() + DAYS * 1 days);
        _cap(address(note.token), CAP);
        _assertAvailable(address(note.token), 0);
    }

    function test_WhenItIsUnlimited() public {
        _swapAs(alice, alice, _rwaIn(CAP));
        _uncap(address(delegate), address(note.token));
        vm.record();
        (uint256 cap, uint256 available) = delegate.intakeCap(address(note.token));
        (bytes32[] memory read,) = vm.accesses(address(delegate));
        vm.record();
        _swapAs(alice, alice, _rwaIn(CAP + 1));
        _swapAs(alice, alice, ICoreSwap.SwapInputs(4, trsy, note.id, trsy, ALL, CAP));
        (, bytes32[] memory written) = vm.accesses(address(delegate));
        for (uint256 i = 0; i < written.length; ++i) {
            for (uint256 k = 0; k < read.length; ++k) {
                assertNotEq(written[i], read[k], "the sum is not kept");
            }
        }
        assertEq(cap, type(uint96).max);
        assertEq(available, cap);
    }

    function test_WhenProtocolFeesAreMinted() public {
        _setTreasuryRates();
        vm.prank(operator);
        core.setIssuerPaidProtocolFeeRate(trsy, 0.5e18);
        _swapAs(alice, alice, _rwaIn(CAP));
        assertGt(treasury.balanceOf(vault), 0);
        _assertAvailable(address(cash.token), CAP);
    }

    function test_WhenALegIsQuoted() public view {
        assertEq(core.quoteSwap(alice, _rwaIn(2 * CAP)).tokenInAmt, 2 * CAP);
    }

    /// Within any 24 hours, at most twice the cap comes in, whatever the order of intake and payout.
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenAnythingComesIn_D29(uint256[12] memory amounts, uint256[12] memory waits) public {
        uint256[12] memory times;
        for (uint256 i = 0; i < amounts.length; ++i) {
            vm.warp(vm.getBlockTimestamp() + bound(waits[i], 0, 8 hours));
            (, uint256 available) = delegate.intakeCap(address(note.token));
            amounts[i] = bound(amounts[i], 0, available);
            if (amounts[i] != 0) _swapAs(alice, alice, _rwaIn(amounts[i]));
            times[i] = vm.getBlockTimestamp();
            uint256 sum;
            for (uint256 k = 0; k <= i; ++k) {
                if (times[k] + 1 days >= times[i]) sum += amounts[k];
            }
            assertLe(sum, 2 * uint256(CAP));
        }
    }

    function _cap(address asset, uint96 cap) private {
        _setIntakeCap(address(delegate), asset, cap);
    }

    function _rwaIn(uint256 amount) private view returns (ICoreSwap.SwapInputs memory leg) {
        return ICoreSwap.SwapInputs(1, note.id, trsy, trsy, amount, 0);
    }

    function _stablecoinIn(uint256 amount) private view returns (ICoreSwap.SwapInputs memory leg) {
        return ICoreSwap.SwapInputs(7, cash.id, trsy, trsy, amount, 0);
    }

    function _rwaForRWA(uint256 amount) private view returns (ICoreSwap.SwapInputs memory leg) {
        return ICoreSwap.SwapInputs(5, note.id, bond.id, trsy, amount, 0);
    }

    function _assertExceeds(ICoreSwap.SwapInputs memory leg, address asset, uint256 amount, uint256 available) private {
        bytes4 selector = IStablecoinDelegateAdmin.IntakeCapExceeded.selector;
        vm.expectRevert(abi.encodeWithSelector(selector, asset, amount, available));
        _swapAs(alice, alice, leg);
    }

    function _assertAvailable(address asset, uint256 expected) private view {
        (, uint256 available) = delegate.intakeCap(asset);
        assertEq(available, expected);
    }
}
