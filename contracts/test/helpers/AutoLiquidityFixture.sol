// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegateFixture} from "./TreasuryDelegateFixture.sol";
import {Vm} from "forge-std/Vm.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @title AutoLiquidityFixture
/// @notice The custody of `usdc` keeps its reserve in the treasury token. It holds a buffer of `BUFFER` and treasury
/// tokens worth `RESERVE` with their credits, and has granted everything that derived legs need. Every rate is set.
abstract contract AutoLiquidityFixture is TreasuryDelegateFixture {
    /// Units of `usdc`, 6 decimals.
    uint256 internal constant BUFFER = 1_000e6;
    /// Units of the treasury token, 18 decimals.
    uint256 internal constant RESERVE = 50_000e18;

    function setUp() public virtual override {
        super.setUp();
        _setTreasuryRates();
        _admit(usdc.custody);
        _deposit(usdc.custody, RESERVE);
        _setBuffer(BUFFER);
        _allow(usdc.id, ALL);
        _allow(trsy, ALL);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setAutoLiquidityStablecoinID(trsy);
    }

    /// Sets the custody's balance of `usdc` to exactly `amount`.
    function _setBuffer(uint256 amount) internal {
        deal(address(usdc.token), usdc.custody, amount);
    }

    /// Sets the amount that the custody allows CoreSwap to swap for it.
    function _allow(bytes32 assetID, uint256 amount) internal {
        vm.startPrank(usdc.custody);
        core.adjustSwapInputAllowance(address(core), assetID, ALL, false);
        core.adjustSwapInputAllowance(address(core), assetID, amount, true);
        vm.stopPrank();
    }

    /// Returns the derived leg that prefunds `shortfall`.
    function _prefundLeg(uint256 shortfall) internal view returns (ICoreSwap.SwapInputs memory leg) {
        return ICoreSwap.SwapInputs(8, trsy, usdc.id, trsy, ALL, shortfall);
    }

    /// Returns the derived leg that sweeps `amount`.
    function _sweepLeg(uint256 amount) internal view returns (ICoreSwap.SwapInputs memory leg) {
        return ICoreSwap.SwapInputs(7, usdc.id, trsy, trsy, amount, 0);
    }

    /// Returns CoreSwap's quote for a leg of the custody, without the protocol's rates.
    function _quoteDerived(ICoreSwap.SwapInputs memory leg) internal returns (ICoreSwap.SwapResolved memory resolved) {
        vm.prank(operator);
        core.setProtocolFeeExempt(trsy, true);
        resolved = core.quoteSwap(usdc.custody, leg);
        vm.prank(operator);
        core.setProtocolFeeExempt(trsy, false);
    }

    /// Swaps as the user and returns the `Swap` events, in order.
    function _swapRecorded(ICoreSwap.SwapInputs memory leg) internal returns (Vm.Log[] memory swaps) {
        vm.recordLogs();
        _swap(leg);
        return _swapsOf(vm.getRecordedLogs());
    }

    function _swapsOf(Vm.Log[] memory logs) internal view returns (Vm.Log[] memory swaps) {
        uint256 count;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (_isSwap(logs[i])) ++count;
        }
        swaps = new Vm.Log[](count);
        count = 0;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (_isSwap(logs[i])) swaps[count++] = logs[i];
        }
    }

    /// Asserts every field of the event of a derived leg.
    function _assertDerived(Vm.Log memory log, ICoreSwap.SwapInputs memory leg, ICoreSwap.SwapResolved memory resolved)
        internal
        view
    {
        assertEq(log.topics[1], bytes32(uint256(uint160(usdc.custody))), "user");
        assertEq(log.topics[2], leg.assetInID, "asset in");
        assertEq(log.topics[3], leg.assetOutID, "asset out");
        bytes memory data = abi.encode(
            address(core),
            usdc.custody,
            leg.routeId,
            trsy,
            resolved.tokenInAmt,
            resolved.tokenOutAmt,
            resolved.issuerFeeAmt,
            resolved.spreadFeeAmt,
            resolved.lpFeeAmt
        );
        assertEq(log.data, data, "operator, receiver, route, delegate, amounts and fees");
        assertEq(resolved.issuerFeeAmt + resolved.spreadFeeAmt, 0, "a derived leg pays no protocol fee");
        assertGt(resolved.lpFeeAmt, 0, "the reserve's own rate applies");
    }

    function _isSwap(Vm.Log memory log) private view returns (bool) {
        return log.emitter == address(core) && log.topics[0] == ICoreSwap.Swap.selector;
    }
}
