// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SystemStore} from "../SystemStore.sol";
import {SystemHandler} from "./SystemHandler.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {OwnedWallet} from "test/mocks/OwnedWallet.sol";

/// @notice Swaps of one or several legs, authorized in every way: by the user, by a standing allowance, and by the
/// signature of an EOA or of a wallet's owner. Also makes attempts that must always fail.
contract SwapHandler is SystemHandler {
    bytes32 private constant LEG_TYPEHASH = keccak256(
        "SwapInputs(uint256 routeId,bytes32 assetInID,bytes32 assetOutID,bytes32 stablecoinDelegateID,uint256 assetInAmt,uint256 assetOutAmt)"
    );
    bytes32 private constant SWAP_TYPEHASH = keccak256(
        "Swap(address user,address operator,address receiver,SwapInputs[] inputs,uint256 nonce,uint256 deadline)SwapInputs(uint256 routeId,bytes32 assetInID,bytes32 assetOutID,bytes32 stablecoinDelegateID,uint256 assetInAmt,uint256 assetOutAmt)"
    );
    address private immutable BROKER;
    address private immutable LISTED;

    constructor(CoreSwap core, TreasuryDelegate delegate, SystemStore store, address broker, address listed)
        SystemHandler(core, delegate, store)
    {
        (BROKER, LISTED) = (broker, listed);
    }

    function swap(uint256 userSeed, uint256 receiverSeed, uint256 legSeed, uint256 amount) external paced {
        address user = _user(userSeed);
        (bool success,) = _swap(_selfCall(user, _user(receiverSeed), _drawLeg(user, legSeed, amount)));
        STORE.count("swap", success);
    }

    /// @notice Deposits into the treasury token, for oneself or for another.
    function deposit(uint256 userSeed, uint256 receiverSeed, uint256 legSeed, uint256 amount) external paced {
        _deposit(_user(userSeed), _user(receiverSeed), legSeed, amount);
    }

    function _deposit(address user, address receiver, uint256 legSeed, uint256 amount) private {
        SystemStore.Asset memory source = STORE.asset(1 + legSeed % (STORE.assetCount() - 1));
        ICoreSwap.SwapInputs memory leg = _legBetween(user, source, STORE.asset(0), legSeed >> 8, amount);
        (bool success,) = _swap(_selfCall(user, receiver, leg));
        STORE.count("deposit", success);
    }

    /// @notice Redeems a part or all of what can be redeemed, for the first asset, starting from a random one, for
    /// which that works. Deposits first when no account can redeem a whole token. {Pace} calls it, too.
    function redeem(uint256 userSeed, uint256 receiverSeed, uint256 legSeed, uint256 amount)
        external
        returns (bool success)
    {
        address user = _redeemer(userSeed);
        if (_redeemable(user) < WAD) _deposit(user, user, legSeed, amount);
        if (_redeemable(user) == 0) return false;
        for (uint256 i = 0; i < STORE.assetCount() - 1 && !success; ++i) {
            SystemStore.Asset memory target = STORE.asset(1 + (legSeed % 16 + i) % (STORE.assetCount() - 1));
            ICoreSwap.SwapInputs memory leg = _legBetween(user, STORE.asset(0), target, legSeed >> 8, amount);
            if (amount % 4 == 0 && leg.routeId % 2 == 1) leg.assetInAmt = _redeemable(user);
            (success,) = _swap(_selfCall(user, _user(receiverSeed), leg));
        }
        STORE.count("redeem", success);
    }

    /// @notice Swaps with a bound that equals the quote, or swaps a leg that is not valid on any route.
    function swapAtTheBound(uint256 userSeed, uint256 legSeed, uint256 amount) external paced {
        address user = _user(userSeed);
        ICoreSwap.SwapInputs memory leg = _drawLeg(user, legSeed, amount);
        if (legSeed % 16 == 0) leg.stablecoinDelegateID = leg.assetOutID ^ bytes32(uint256(1));
        try CORE.quoteSwap(user, leg) returns (ICoreSwap.SwapResolved memory quote) {
            (leg.assetInAmt, leg.assetOutAmt) = (quote.tokenInAmt, quote.tokenOutAmt);
            // solhint-disable-next-line no-empty-blocks
        } catch {
            // The swap has to fail with the same reason, which is checked where it runs.
        }
        (bool success,) = _swap(_selfCall(user, user, leg));
        STORE.count("swapAtTheBound", success);
    }

    function swapBatch(uint256 userSeed, uint256 receiverSeed, uint256 legSeed, uint256 amount) external paced {
        address user = _user(userSeed);
        Call memory call = _selfCall(user, _user(receiverSeed), _drawLeg(user, legSeed, amount));
        ICoreSwap.SwapInputs memory first = call.legs[0];
        call.legs = new ICoreSwap.SwapInputs[](2 + legSeed % 3);
        call.legs[0] = first;
        for (uint256 i = 1; i < call.legs.length; ++i) {
            // Redeeming a third of the redeemable amount leaves enough for the legs that follow.
            call.legs[i] = _drawLeg(user, uint256(keccak256(abi.encode(legSeed, i))), amount / (i + 1));
        }
        (bool success,) = _swap(call);
        STORE.count("swapBatch", success);
    }

    /// @notice Lets a broker swap with a standing allowance, which is sometimes one unit too small.
    function swapByAllowance(uint256 userSeed, uint256 receiverSeed, uint256 legSeed, uint256 amount) external paced {
        address user = _user(userSeed);
        Call memory call = _selfCall(user, _user(receiverSeed), _drawLeg(user, legSeed, amount));
        call.caller = BROKER;
        try CORE.quoteSwap(user, call.legs[0]) returns (ICoreSwap.SwapResolved memory quote) {
            _setAllowance(user, call.legs[0].assetInID, quote.tokenInAmt, legSeed);
            // solhint-disable-next-line no-empty-blocks
        } catch {
            // The swap has to fail with the same reason, which is checked where it runs.
        }
        (bool success,) = _swap(call);
        STORE.count("swapByAllowance", success);
    }

    /// @notice Lets a broker swap with a signature of the user. Then tries the signature again, for another receiver,
    /// for another user and, if the user is a wallet, for its twin.
    function swapBySignature(uint256 userSeed, uint256 receiverSeed, uint256 legSeed, uint256 amount) external paced {
        address user = _user(userSeed);
        Call memory call = _selfCall(user, _user(receiverSeed), _drawLeg(user, legSeed, amount));
        call.caller = BROKER;
        call.permit = _sign(call);

        address other = _nextUser(userSeed);
        (call.user, other) = (other, call.user);
        _mustFail(
            call,
            user.code.length == 0
                ? SystemStore.Property.S11_SignatureServesOnce
                : SystemStore.Property.S12_SignatureIsOneWallets
        );
        (call.user, other) = (other, call.user);
        (call.receiver, other) = (other, call.receiver);
        if (call.receiver != other) _mustFail(call, SystemStore.Property.S11_SignatureServesOnce);
        (call.receiver, other) = (other, call.receiver);
        (bool success,) = _swap(call);
        if (success) {
            STORE.useNonce(user);
            _mustFail(call, SystemStore.Property.S11_SignatureServesOnce);
        }
        STORE.count("swapBySignature", success);
    }

    /// @notice Tries swaps by accounts that may not swap, and swaps of more than there is.
    function swapThatMustFail(uint256 kind, uint256 userSeed, uint256 legSeed, uint256 amount) external paced {
        if (kind % 2 == 0) _swapOfTheListed(userSeed, legSeed, amount);
        else _redeemTooMuch(userSeed, legSeed);
        STORE.count("swapThatMustFail", true);
    }

    /// @dev Lets the blacklisted account try to take part as user, receiver and operator.
    function _swapOfTheListed(uint256 userSeed, uint256 legSeed, uint256 amount) private {
        address user = _user(userSeed);
        ICoreSwap.SwapInputs memory leg = _drawLeg(user, legSeed, amount);
        _mustFail(_selfCall(LISTED, user, leg), SystemStore.Property.S18_BlacklistedTakesNoPart);
        _mustFail(_selfCall(user, LISTED, leg), SystemStore.Property.S18_BlacklistedTakesNoPart);
        Call memory call = _selfCall(user, user, leg);
        call.caller = LISTED;
        vm.prank(user);
        CORE.adjustSwapInputAllowance(LISTED, leg.assetInID, INFINITE, true);
        _mustFail(call, SystemStore.Property.S18_BlacklistedTakesNoPart);
        vm.prank(user);
        CORE.adjustSwapInputAllowance(LISTED, leg.assetInID, INFINITE, false);
    }

    /// @dev Tries to redeem one token more than there are tokens or credits.
    function _redeemTooMuch(uint256 userSeed, uint256 assetSeed) private {
        address user = _user(userSeed);
        bytes32 treasury = STORE.asset(0).id;
        bytes32 stablecoin = STORE.asset(1 + assetSeed % 4).id;
        ICoreSwap.SwapInputs memory leg =
            ICoreSwap.SwapInputs(7, treasury, stablecoin, treasury, _redeemable(user) + 1, 0);
        _mustFail(_selfCall(user, user, leg), SystemStore.Property.D15_RedeemableIsLimited);
    }

    function _mustFail(Call memory call, SystemStore.Property property) private {
        vm.prank(call.caller);
        (bool success,) =
            address(CORE).call(abi.encodeCall(CORE.swap, (call.user, call.receiver, call.legs, call.permit)));
        if (success) STORE.report(property);
    }

    /// Returns the first user, starting from a random one, who can redeem a whole token, or else that random one. Less
    /// than that buys nothing of most assets.
    function _redeemer(uint256 seed) private view returns (address user) {
        for (uint256 i = 0; i < STORE.userCount(); ++i) {
            user = _user(seed % STORE.userCount() + i);
            if (_redeemable(user) >= WAD) return user;
        }
        return _user(seed);
    }

    function _setAllowance(address user, bytes32 id, uint256 amountIn, uint256 seed) private {
        uint256 wanted = seed % 4 == 0 ? INFINITE : (seed % 16 == 1 ? amountIn - 1 : amountIn + seed % 1_000);
        vm.startPrank(user);
        CORE.adjustSwapInputAllowance(BROKER, id, INFINITE, false);
        CORE.adjustSwapInputAllowance(BROKER, id, wanted, true);
        vm.stopPrank();
        STORE.setAllowance(user, BROKER, id, wanted);
    }

    function _sign(Call memory call) private view returns (ICoreSwap.ApprovalPermit memory permit) {
        permit.deadline = vm.getBlockTimestamp() + 1 hours;
        bytes memory hashes;
        for (uint256 i = 0; i < call.legs.length; ++i) {
            hashes = abi.encodePacked(hashes, keccak256(abi.encode(LEG_TYPEHASH, call.legs[i])));
        }
        bytes32 structHash = keccak256(
            abi.encode(
                SWAP_TYPEHASH,
                call.user,
                call.caller,
                call.receiver,
                keccak256(hashes),
                STORE.nonces(call.user),
                permit.deadline
            )
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", CORE.DOMAIN_SEPARATOR(), structHash));
        if (call.user.code.length != 0) digest = OwnedWallet(call.user).boundHash(digest);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(STORE.keyOf(call.user), digest);
        permit.signature = abi.encodePacked(r, s, v);
    }
}
