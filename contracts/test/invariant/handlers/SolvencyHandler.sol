// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {Vm} from "forge-std/Vm.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @title SolvencyHandler
/// @notice Changes everything that can change about the treasury token and its backing, except prices and yield: every
/// posted rate is zero. Custodies are honest: each hands over its whole balance to its successor.
contract SolvencyHandler is CommonBase, StdUtils {
    struct Asset {
        bytes32 id;
        address token;
        uint8 decimals;
        bool isRWA;
        uint256 priceWad;
    }

    /// The LP of a plain stablecoin, whose custody keeps its reserve in the treasury token.
    struct PlainLP {
        bytes32 id;
        uint8 decimals;
    }

    struct Party {
        address operator;
        address admin;
        address issuer;
        address poster;
    }

    struct Statistics {
        uint256 calls;
        uint256 successes;
    }

    uint256 private constant WAD = 1e18;
    uint256 private constant INFINITE = type(uint256).max;

    CoreSwap private immutable CORE;
    TreasuryDelegate private immutable DELEGATE;
    Treasury private immutable TREASURY;
    bytes32 private immutable TRSY;
    PlainLP private _plainLP;
    Party private _party;
    Asset[] private _assets;
    address[] private _users;
    /// Accounts that can be custody, including the current ones.
    address[] private _custodies;
    mapping(string call => Statistics) public statistics;
    /// Number of calls so far, without those that `paced` adds.
    uint256 public calls;

    /// Lets time pass before every fourth call, and lets an account redeem before every fourth call.
    modifier paced() {
        uint256 seed = uint256(keccak256(msg.data));
        ++calls;
        if (calls % 4 == 1) _pass(seed, seed >> 64);
        if (calls % 4 == 3) _redeem(seed, seed >> 64, seed >> 128, seed >> 192, seed % 2 == 0);
        _;
    }

    constructor(
        TreasuryDelegate delegate,
        PlainLP memory plainLP,
        Party memory party,
        Asset[] memory assets,
        address[] memory users,
        address[] memory custodies
    ) {
        DELEGATE = delegate;
        CORE = CoreSwap(delegate.coreSwap());
        TREASURY = Treasury(delegate.treasury());
        TRSY = delegate.stablecoinID();
        (_plainLP, _party, _users, _custodies) = (plainLP, party, users, custodies);
        for (uint256 i = 0; i < assets.length; ++i) {
            _assets.push(assets[i]);
        }
    }

    // ---------------------------------------------------------------------------------------------------------- swaps

    function deposit(uint256 userSeed, uint256 receiverSeed, uint256 assetSeed, uint256 amount, bool exactOut)
        external
        paced
    {
        Asset memory asset = _asset(assetSeed);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(asset.isRWA ? 1 : 7, asset.id, TRSY, TRSY, 0, 0);
        _size(leg, exactOut, _amountOf(asset, _valueOf(amount)), _valueOf(amount));
        _count("deposit", _swap(_user(userSeed), _user(receiverSeed), leg));
    }

    function redeem(uint256 userSeed, uint256 receiverSeed, uint256 assetSeed, uint256 amount, bool exactOut) external {
        _redeem(userSeed, receiverSeed, assetSeed, amount, exactOut);
    }

    /// @notice Swaps one RWA of the treasury's custody for another.
    function exchange(uint256 userSeed, uint256 inSeed, uint256 outSeed, uint256 amount) external paced {
        Asset memory assetIn = _rwa(inSeed);
        Asset memory assetOut = _rwa(outSeed);
        if (assetIn.id == assetOut.id || _held(assetOut) == 0) return;
        uint256 most = _held(assetOut) * assetOut.priceWad / 10 ** assetOut.decimals;
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(5, assetIn.id, assetOut.id, TRSY, 0, 0);
        leg.assetInAmt = _amountOf(assetIn, bound(amount, 0, most)) + 1;
        _count("exchange", _swap(_user(userSeed), _user(userSeed), leg));
    }

    /// @notice Swaps at the plain LP. By derived legs, its custody redeems what it lacks and deposits what it receives.
    function swapAtPlainLP(uint256 userSeed, uint256 assetSeed, uint256 amount, bool takesRWA) external paced {
        Asset memory rwa = _rwa(assetSeed);
        (bytes32 plain, uint256 value) = (_plainLP.id, bound(amount, 1e15, 10_000e18));
        ICoreSwap.SwapInputs memory leg;
        if (takesRWA) {
            leg = ICoreSwap.SwapInputs(1, rwa.id, plain, plain, _amountOf(rwa, value), 0);
        } else {
            leg = ICoreSwap.SwapInputs(3, plain, rwa.id, plain, value / 10 ** (18 - _plainLP.decimals), 0);
        }
        _count("swapAtPlainLP", _swap(_user(userSeed), _user(userSeed), leg));
    }

    // ----------------------------------------------------------------------------------------- tokens, credits, time

    function transfer(uint256 fromSeed, uint256 toSeed, uint256 amount) external paced {
        address from = _user(fromSeed);
        uint256 held = TREASURY.balanceOf(from);
        vm.prank(from);
        TREASURY.transfer(_user(toSeed), bound(amount, 0, held));
        _count("transfer", true);
    }

    /// @notice Recovers a user's tokens and credits to another account, or burns and cancels them.
    function recover(uint256 fromSeed, uint256 toSeed, uint256 amount, bool cancels) external paced {
        (address from, uint256 most) = _redeemer(fromSeed);
        address to = _user(toSeed);
        if (most == 0 || from == to) return;
        amount = bound(amount, 1, most);
        vm.startPrank(_party.admin);
        if (cancels) TREASURY.forceBurn(from, amount);
        else TREASURY.forceTransfer(from, to, amount);
        DELEGATE.moveCredits(from, cancels ? address(0) : to, amount);
        vm.stopPrank();
        _count("recover", true);
    }

    /// @notice Lets up to two days pass and posts some of the missing days, each with a rate of zero.
    function pass(uint256 elapsed, uint256 posts) external {
        _pass(elapsed, posts);
    }

    function _pass(uint256 elapsed, uint256 posts) private {
        vm.warp(vm.getBlockTimestamp() + bound(elapsed, 1, 2 days));
        uint256 last = DELEGATE.lastRatePostingDay();
        uint256 next = last == 0 ? DELEGATE.getCurrentDay() - 1 : last + 1;
        for (posts = bound(posts, 0, 3); posts != 0 && next < DELEGATE.getCurrentDay(); --posts) {
            vm.prank(_party.poster);
            DELEGATE.postDailyRate(next++, 0);
        }
        _count("pass", true);
    }

    // ------------------------------------------------------------------------------------------------------- settings

    function setRates(uint256 assetSeed, uint256 rate, uint256 protocolRate) external paced {
        Asset memory asset = _asset(assetSeed);
        rate = bound(rate, 0, 0.03e18);
        vm.startPrank(_party.issuer);
        if (asset.isRWA) {
            DELEGATE.setRWADiscountRate(asset.id, rate);
            DELEGATE.setRWARedemptionFee(asset.id, rate / 2);
        } else {
            DELEGATE.setStablecoinAcceptanceFee(asset.token, rate);
            DELEGATE.setStablecoinRedemptionFee(asset.token, rate / 2);
        }
        DELEGATE.setManagementFee(bound(protocolRate, 0, 0.05e18));
        vm.stopPrank();
        vm.startPrank(_party.operator);
        CORE.setIssuerPaidProtocolFeeRate(TRSY, bound(protocolRate, 0, 0.01e18));
        CORE.setProtocolFeeExempt(TRSY, protocolRate % 4 == 0);
        CORE.setSpreadProtocolTakeRate(bound(protocolRate, 0, WAD));
        vm.stopPrank();
        _count("setRates", true);
    }

    /// @notice Replaces a custody, which hands over everything. Both kinds of custody can end at one account.
    function changeCustody(uint256 custodySeed, bool isRWA) external paced {
        address next = _custodies[custodySeed % _custodies.length];
        address previous = isRWA ? DELEGATE.balanceSheetCustodyAddress() : DELEGATE.stablecoinCustodyAddress();
        vm.prank(_party.issuer);
        if (isRWA) DELEGATE.setRWACustodyAddress(next);
        else DELEGATE.setStablecoinCustodyAddress(next);
        for (uint256 i = 0; i < _assets.length; ++i) {
            if (_assets[i].isRWA != isRWA || previous == next) continue;
            IERC20 token = IERC20(_assets[i].token);
            uint256 held = token.balanceOf(previous);
            vm.prank(previous);
            token.transfer(next, held);
        }
        _count("changeCustody", true);
    }

    // -------------------------------------------------------------------------------------------------------- reading

    /// @notice Returns the USD value, scale 1e36, of all accepted assets in the treasury's custodies.
    function custodyValue() external view returns (uint256 usdE36) {
        for (uint256 i = 0; i < _assets.length; ++i) {
            Asset storage asset = _assets[i];
            for (uint256 k = 0; k < _custodies.length; ++k) {
                uint256 held = IERC20(asset.token).balanceOf(_custodies[k]);
                usdE36 += held * 10 ** (18 - asset.decimals) * asset.priceWad;
            }
        }
    }

    // -------------------------------------------------------------------------------------------------------- drawing

    /// Redeems some or all of what a user can redeem, for the first asset, starting from a random one, that custody can
    /// pay.
    function _redeem(uint256 userSeed, uint256 receiverSeed, uint256 assetSeed, uint256 amount, bool exactOut) private {
        (address user, uint256 most) = _redeemer(userSeed);
        if (most == 0) return;
        ICoreSwap.SwapInputs memory leg;
        bool isBacked;
        for (uint256 i = 0; i < _assets.length && !isBacked; ++i) {
            Asset memory asset = _asset(assetSeed % _assets.length + i);
            uint256 backed = _held(asset) * asset.priceWad / 10 ** asset.decimals;
            if (backed == 0) continue;
            uint256 value = bound(amount, 1, most < backed ? most : backed);
            uint256 amountOut = _amountOf(asset, value / 2);
            leg = ICoreSwap.SwapInputs(asset.isRWA ? 3 : 7, TRSY, asset.id, TRSY, 0, 0);
            _size(leg, exactOut && amountOut != 0, value, amountOut);
            (isBacked,) = address(CORE).staticcall(abi.encodeCall(CORE.quoteSwap, (user, leg)));
        }
        if (isBacked) _count("redeem", _swap(user, _user(receiverSeed), leg));
    }

    function _user(uint256 seed) private view returns (address) {
        return _users[seed % _users.length];
    }

    /// Returns the first user, starting from `seed`, who can redeem, and the lesser of its tokens and credits.
    function _redeemer(uint256 seed) private view returns (address user, uint256 most) {
        for (uint256 i = 0; i < _users.length && most == 0; ++i) {
            user = _user(seed % _users.length + i);
            uint256 held = TREASURY.balanceOf(user);
            uint256 entitled = DELEGATE.credits(user) + DELEGATE.totalWithheldCredits(user);
            most = held < entitled ? held : entitled;
        }
    }

    function _asset(uint256 seed) private view returns (Asset memory) {
        return _assets[seed % _assets.length];
    }

    function _rwa(uint256 seed) private view returns (Asset memory asset) {
        for (uint256 i = 0; !asset.isRWA; ++i) {
            asset = _asset(seed % _assets.length + i);
        }
    }

    /// Returns the current custody's balance of an asset.
    function _held(Asset memory asset) private view returns (uint256) {
        address custody = asset.isRWA ? DELEGATE.balanceSheetCustodyAddress() : DELEGATE.stablecoinCustodyAddress();
        return IERC20(asset.token).balanceOf(custody);
    }

    function _valueOf(uint256 seed) private pure returns (uint256 usdWad) {
        return bound(seed, 1, seed % 4 == 0 ? 1e18 : 1e23);
    }

    /// Converts a value to units of an asset, rounded down.
    function _amountOf(Asset memory asset, uint256 usdWad) private pure returns (uint256) {
        return usdWad * 10 ** asset.decimals / asset.priceWad;
    }

    function _size(ICoreSwap.SwapInputs memory leg, bool exactOut, uint256 amountIn, uint256 amountOut) private pure {
        if (exactOut) {
            ++leg.routeId;
            (leg.assetInAmt, leg.assetOutAmt) = (INFINITE, amountOut);
        } else {
            leg.assetInAmt = amountIn == 0 ? 1 : amountIn;
        }
    }

    // ------------------------------------------------------------------------------------------------------- swapping

    function _swap(address user, address receiver, ICoreSwap.SwapInputs memory leg) private returns (bool success) {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](1);
        legs[0] = leg;
        ICoreSwap.ApprovalPermit memory none;
        vm.recordLogs();
        vm.prank(user);
        (success,) = address(CORE).call(abi.encodeCall(CORE.swap, (user, receiver, legs, none)));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (success) _countDerived(logs);
    }

    /// The operator of a derived leg is CoreSwap itself.
    function _countDerived(Vm.Log[] memory logs) private {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != ICoreSwap.Swap.selector || logs[i].emitter != address(CORE)) continue;
            if (abi.decode(logs[i].data, (address)) == address(CORE)) _count("derived", true);
        }
    }

    function _count(string memory call, bool success) private {
        ++statistics[call].calls;
        if (success) ++statistics[call].successes;
    }
}
