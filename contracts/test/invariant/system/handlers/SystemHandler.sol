// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SystemStore} from "../SystemStore.sol";
import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {Vm} from "forge-std/Vm.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {HostileToken} from "test/mocks/HostileToken.sol";
import {SettablePriceAdapter} from "test/mocks/SettablePriceAdapter.sol";

/// @title SystemHandler
/// @notice Shared by the handlers: draws legs that are likely to succeed, runs swaps and records their events in the
/// ledgers.
abstract contract SystemHandler is CommonBase, StdUtils {
    struct Call {
        address caller;
        address user;
        address receiver;
        ICoreSwap.SwapInputs[] legs;
        ICoreSwap.ApprovalPermit permit;
    }

    uint256 internal constant WAD = 1e18;
    uint256 internal constant INFINITE = type(uint256).max;

    CoreSwap internal immutable CORE;
    Treasury internal immutable TREASURY;
    TreasuryDelegate internal immutable DELEGATE;
    SystemStore internal immutable STORE;

    /// Lets time pass and redemptions happen between the calls that forge draws.
    modifier paced() {
        STORE.pace().next(uint256(keccak256(msg.data)));
        _;
    }

    constructor(CoreSwap core, TreasuryDelegate delegate, SystemStore store) {
        (CORE, DELEGATE, STORE) = (core, delegate, store);
        TREASURY = Treasury(delegate.treasury());
    }

    // ------------------------------------------------------------------------------------------------------- drawing

    function _user(uint256 seed) internal view returns (address) {
        return STORE.users(seed % STORE.userCount());
    }

    function _nextUser(uint256 seed) internal view returns (address) {
        return _user(seed % STORE.userCount() + 1);
    }

    /// Returns a leg between any two assets, of a size that its user can pay.
    function _drawLeg(address user, uint256 seed, uint256 amount)
        internal
        view
        returns (ICoreSwap.SwapInputs memory leg)
    {
        SystemStore.Asset memory assetIn = STORE.asset(seed);
        SystemStore.Asset memory assetOut = STORE.asset(seed >> 16);
        if (assetIn.id == assetOut.id) assetOut = STORE.asset((seed >> 16) + 1);
        // A user without anything to redeem deposits instead.
        if (assetIn.isTreasury && _redeemable(user) == 0) (assetIn, assetOut) = (assetOut, assetIn);
        return _legBetween(user, assetIn, assetOut, seed >> 32, amount);
    }

    function _legBetween(
        address user,
        SystemStore.Asset memory assetIn,
        SystemStore.Asset memory assetOut,
        uint256 seed,
        uint256 amount
    ) internal view returns (ICoreSwap.SwapInputs memory leg) {
        (leg.assetInID, leg.assetOutID) = (assetIn.id, assetOut.id);
        // The first five assets are the stablecoins, and the first of them is the treasury token.
        if (assetIn.isRWA && assetOut.isRWA) leg.stablecoinDelegateID = STORE.asset(seed % 5).id;
        else if (assetIn.isRWA) leg.stablecoinDelegateID = assetOut.id;
        else if (assetOut.isRWA || assetIn.isTreasury) leg.stablecoinDelegateID = assetIn.id;
        else leg.stablecoinDelegateID = assetOut.isTreasury || seed % 2 == 0 ? assetOut.id : assetIn.id;

        bool exactOut = (seed >> 8) % 2 == 1;
        leg.routeId = assetIn.isRWA ? (assetOut.isRWA ? 5 : 1) : (assetOut.isRWA ? 3 : 7);
        uint256 valueWad = bound(amount, 1e18, 1e23);
        if (assetIn.isTreasury) valueWad = bound(amount, 1, _redeemable(user));
        if (exactOut) {
            ++leg.routeId;
            leg.assetInAmt = INFINITE;
            leg.assetOutAmt = _sized(assetOut, assetIn.isTreasury ? valueWad / 2 : valueWad, seed >> 16);
        } else {
            leg.assetInAmt = _sized(assetIn, valueWad, assetIn.isTreasury ? 1 : seed >> 16);
        }
    }

    /// Converts a value to an amount of an asset; every eighth time it is dust.
    function _sized(SystemStore.Asset memory asset, uint256 valueWad, uint256 seed) private view returns (uint256) {
        uint256 amount = valueWad * 10 ** asset.decimals / _price(asset);
        if (seed % 8 == 0) amount = 1 + amount % 100;
        return amount == 0 ? 1 : amount;
    }

    function _price(SystemStore.Asset memory asset) internal view returns (uint256 priceWad) {
        return asset.isRWA ? _adapter(asset.id).getPrice() : CORE.stablecoinUSDValue(asset.id);
    }

    function _adapter(bytes32 rwaID) internal view returns (SettablePriceAdapter) {
        return SettablePriceAdapter(CORE.rwaPriceAdapters(rwaID));
    }

    function _credits(address user) internal view returns (uint256) {
        return DELEGATE.credits(user) + DELEGATE.totalWithheldCredits(user);
    }

    /// Returns what an account can redeem: the lesser of its tokens and its credits.
    function _redeemable(address user) internal view returns (uint256) {
        uint256 held = TREASURY.balanceOf(user);
        uint256 entitled = _credits(user);
        return held < entitled ? held : entitled;
    }

    // ------------------------------------------------------------------------------------------------------- swapping

    function _selfCall(address user, address receiver, ICoreSwap.SwapInputs memory leg)
        internal
        pure
        returns (Call memory call)
    {
        return Call({caller: user, user: user, receiver: receiver, legs: _one(leg), permit: _noPermit()});
    }

    /// Swaps, and records the events. Checks the properties of every swap, whoever authorized it.
    function _swap(Call memory call) internal returns (bool success, bytes memory reason) {
        (bool quoted, bytes memory answer) =
            address(CORE).staticcall(abi.encodeCall(CORE.quoteSwap, (call.user, call.legs[0])));
        vm.recordLogs();
        vm.prank(call.caller);
        (success, reason) =
            address(CORE).call(abi.encodeCall(CORE.swap, (call.user, call.receiver, call.legs, call.permit)));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (!success) {
            // No other check fails before the quote here: the system is not paused, and the parties are allowed.
            bool sameReason = quoted || keccak256(reason) == keccak256(answer);
            if (bytes4(reason) == IStablecoinDelegateAdmin.IntakeCapExceeded.selector) _checkRefusal(reason);
            if (call.legs.length == 1 && call.permit.signature.length == 0 && !sameReason) {
                STORE.report(SystemStore.Property.S2_QuoteRevertsAsSwap);
            }
            return (false, reason);
        }
        if (!quoted) STORE.report(SystemStore.Property.S2_QuoteRevertsAsSwap);
        ICoreSwap.SwapResolved memory quote = abi.decode(answer, (ICoreSwap.SwapResolved));
        _enter(call, logs, quote);
    }

    /// Checks that a swap refused by an intake cap exceeds what the cap leaves.
    function _checkRefusal(bytes memory reason) private {
        (, uint256 amount, uint256 available) = abi.decode(_withoutSelector(reason), (address, uint256, uint256));
        if (amount <= available) STORE.report(SystemStore.Property.D29_IntakeCapsHold);
    }

    function _withoutSelector(bytes memory reason) private pure returns (bytes memory arguments) {
        arguments = new bytes(reason.length - 4);
        for (uint256 i = 0; i < arguments.length; ++i) {
            arguments[i] = reason[i + 4];
        }
    }

    /// Checks that there is one event per leg, in order, with the leg's fields, and that the first leg's amounts equal
    /// its quote.
    function _enter(Call memory call, Vm.Log[] memory logs, ICoreSwap.SwapResolved memory quote) private {
        uint256 at;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != ICoreSwap.Swap.selector || logs[i].emitter != address(CORE)) continue;
            if (_enterDerived(logs[i])) continue;
            if (at == call.legs.length) {
                STORE.report(SystemStore.Property.S4_OneEventALeg);
                return;
            }
            ICoreSwap.SwapInputs memory leg = call.legs[at];
            (,,,, ICoreSwap.SwapResolved memory amounts) =
                abi.decode(logs[i].data, (address, address, uint256, bytes32, ICoreSwap.SwapResolved));
            if (at == 0 && keccak256(abi.encode(amounts)) != keccak256(abi.encode(quote))) {
                STORE.report(SystemStore.Property.S1_QuoteIsSwap);
            }
            bytes32 expected =
                keccak256(abi.encode(call.caller, call.receiver, leg.routeId, leg.stablecoinDelegateID, amounts));
            if (
                keccak256(logs[i].data) != expected || logs[i].topics[1] != bytes32(uint256(uint160(call.user)))
                    || logs[i].topics[2] != leg.assetInID || logs[i].topics[3] != leg.assetOutID
            ) STORE.report(SystemStore.Property.S4_OneEventALeg);
            _enterLeg(call, leg, amounts);
            ++at;
        }
        if (at != call.legs.length) STORE.report(SystemStore.Property.S4_OneEventALeg);
    }

    /// Records a leg that CoreSwap derived for a custody with a reserve. It spends that custody's allowance to
    /// CoreSwap.
    function _enterDerived(Vm.Log memory log) private returns (bool isDerived) {
        address custody = address(uint160(uint256(log.topics[1])));
        ICoreSwap.SwapInputs memory leg;
        address operator;
        address receiver;
        ICoreSwap.SwapResolved memory amounts;
        (operator, receiver, leg.routeId, leg.stablecoinDelegateID, amounts) =
            abi.decode(log.data, (address, address, uint256, bytes32, ICoreSwap.SwapResolved));
        if (operator != address(CORE)) return false;
        (leg.assetInID, leg.assetOutID) = (log.topics[2], log.topics[3]);
        bool isOfCustody = custody == STORE.reserveCustody() && receiver == custody;
        bool paysNoProtocolFee = amounts.issuerFeeAmt + amounts.spreadFeeAmt == 0;
        if (!isOfCustody || !paysNoProtocolFee) STORE.report(SystemStore.Property.S21_DerivedLegsAreAllowed);
        STORE.applyLeg(custody, receiver, leg, amounts);
        STORE.count("derived", true);
        STORE.spendAllowance(custody, address(CORE), leg.assetInID, amounts.tokenInAmt);
        return true;
    }

    function _enterLeg(Call memory call, ICoreSwap.SwapInputs memory leg, ICoreSwap.SwapResolved memory amounts)
        private
    {
        bytes32 hostileID = STORE.asset(STORE.assetCount() - 1).id;
        HostileToken hostile = STORE.hostile();
        if (leg.assetInID == hostileID && hostile.mode() == HostileToken.Mode.TakesFee) {
            STORE.report(SystemStore.Property.S22_WhatArrivesIsMeasured);
        }
        if (hostile.callsThatGotThrough() != 0) STORE.report(SystemStore.Property.S15_NoReentrancy);
        if (_isOutsideBand(leg.assetInID) || _isOutsideBand(leg.assetOutID) || _isOutsideBand(leg.stablecoinDelegateID))
        {
            STORE.report(SystemStore.Property.S16_GuardrailHolds);
        }
        STORE.applyLeg(call.user, call.receiver, leg, amounts);
        if (call.caller != call.user && call.permit.signature.length == 0) {
            STORE.spendAllowance(call.user, call.caller, leg.assetInID, amounts.tokenInAmt);
        }
    }

    /// The definition without division: |oracle - admin| * WAD > band * admin.
    function _isOutsideBand(bytes32 id) private view returns (bool) {
        if (!CORE.stablecoinGuardrailEnabled(id)) return false;
        uint256 oracle = SettablePriceAdapter(CORE.stablecoinPriceAdapters(id)).getPrice();
        uint256 admin = CORE.stablecoinUSDValue(id);
        uint256 distance = oracle > admin ? oracle - admin : admin - oracle;
        return distance * WAD > CORE.stablecoinGuardrailBands(id) * admin;
    }

    function _one(ICoreSwap.SwapInputs memory leg) internal pure returns (ICoreSwap.SwapInputs[] memory legs) {
        legs = new ICoreSwap.SwapInputs[](1);
        legs[0] = leg;
    }

    function _noPermit() internal pure returns (ICoreSwap.ApprovalPermit memory permit) {
        return ICoreSwap.ApprovalPermit({deadline: 0, signature: ""});
    }
}
