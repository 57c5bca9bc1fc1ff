// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";

/// @title ManyAssetsHandler
/// @notice A stranger deposits dust of many assets for holders, who deposit for themselves every other day, while rates
/// are up to `MAX_LATE_DAYS` days late.
contract ManyAssetsHandler is CommonBase, StdUtils {
    struct Asset {
        bytes32 id;
        bool isRWA;
    }

    struct OwnDeposit {
        uint256 time;
        uint256 amount;
    }

    uint256 private constant MAX_LATE_DAYS = 30;
    uint256 private constant DAYS_BETWEEN_OWN_DEPOSITS = 2;

    CoreSwap private immutable CORE;
    TreasuryDelegate private immutable DELEGATE;
    bytes32 private immutable TRSY;
    address private immutable STRANGER;
    address private immutable POSTER;
    Asset[] private _assets;
    address[2] private _holders;
    mapping(address holder => OwnDeposit) private _lastOwn;

    uint256 public refusedOwn;
    uint256 public delayedOwn;
    uint256 public refusedOthers;
    uint256 public longestQueue;
    uint256 public mostLateDays;
    mapping(bytes4 call => uint256) public successes;

    constructor(
        TreasuryDelegate delegate,
        Asset[] memory assets,
        address[2] memory holders,
        address stranger,
        address poster
    ) {
        DELEGATE = delegate;
        CORE = CoreSwap(delegate.coreSwap());
        TRSY = delegate.stablecoinID();
        (_holders, STRANGER, POSTER) = (holders, stranger, poster);
        for (uint256 i = 0; i < assets.length; ++i) {
            _assets.push(assets[i]);
        }
    }

    /// @notice Deposits dust of up to eight assets for a holder, one after the other.
    function depositByStranger(uint256 holderSeed, uint256 assetSeed, uint256 count) external {
        address holder = _holders[holderSeed % 2];
        for (count = bound(count, 1, 8); count != 0; --count) {
            if (!_deposit(STRANGER, holder, assetSeed % _assets.length + count, 1_000)) ++refusedOthers;
        }
        _checkDelay(holder);
        ++successes[this.depositByStranger.selector];
    }

    /// @notice Makes the holder's own deposit, which always gets a place.
    function depositOwn(uint256 holderSeed, uint256 assetSeed, uint256 amount) external {
        address holder = _holders[holderSeed % 2];
        if (vm.getBlockTimestamp() < _lastOwn[holder].time + DAYS_BETWEEN_OWN_DEPOSITS * 1 days) return;
        amount = bound(amount, 1e18, 1e24);
        if (!_deposit(holder, holder, assetSeed, amount)) ++refusedOwn;
        _lastOwn[holder] = OwnDeposit(vm.getBlockTimestamp(), amount);
        _checkDelay(holder);
        ++successes[this.depositOwn.selector];
    }

    function redeem(uint256 holderSeed, uint256 amount) external {
        address holder = _holders[holderSeed % 2];
        uint256 held = DELEGATE.credits(holder) + DELEGATE.totalWithheldCredits(holder);
        if (held == 0) return;
        amount = bound(amount, 1, held);
        // Redemptions use withheld credits first, newest first.
        if (amount != 0) delete _lastOwn[holder].amount;
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(7, TRSY, _assets[0].id, TRSY, amount, 0);
        if (_swap(holder, holder, leg)) ++successes[this.redeem.selector];
    }

    /// @notice Lets up to three days pass, and posts the rates that would be too late by then.
    function pass(uint256 elapsed, uint256 rate) external {
        vm.warp(vm.getBlockTimestamp() + bound(elapsed, 1 hours, 3 days));
        while (_lateDays() > MAX_LATE_DAYS) _post(rate);
        ++successes[this.pass.selector];
    }

    /// @notice Posts up to three of the missing days, rarely.
    function post(uint256 rate, uint256 count) external {
        if (rate % 16 != 0) return;
        for (count = bound(count, 1, 3); count != 0 && _lateDays() != 0; --count) {
            _post(rate);
        }
        ++successes[this.post.selector];
    }

    /// Checks that the holder's last deposit is released after its own 24 hours, with everything that merges before it.
    function _checkDelay(address holder) private {
        ITreasuryDelegate.WithheldCredits[] memory queue = DELEGATE.getWithheldCredits(holder);
        if (queue.length > longestQueue) longestQueue = queue.length;
        OwnDeposit memory own = _lastOwn[holder];
        if (own.amount == 0 || vm.getBlockTimestamp() >= own.time + 1 days) return;
        for (uint256 i = 0; i < queue.length && queue[i].releaseTimestamp <= own.time + 1 days; ++i) {
            if (queue[i].releaseTimestamp == own.time + 1 days && queue[i].credits >= own.amount) return;
        }
        ++delayedOwn;
    }

    /// Returns the number of finished days without a rate.
    function _lateDays() private returns (uint256 lateDays) {
        lateDays = DELEGATE.getCurrentDay() - _nextDay();
        if (lateDays > mostLateDays) mostLateDays = lateDays;
    }

    function _post(uint256 rate) private {
        uint256 day = _nextDay();
        vm.prank(POSTER);
        DELEGATE.postDailyRate(day, bound(rate, 0, 0.2e18));
    }

    function _nextDay() private view returns (uint256 dayNumber) {
        uint256 last = DELEGATE.lastRatePostingDay();
        // The fixture starts on day 20,000, the first that can be posted.
        return last == 0 ? 20_000 : last + 1;
    }

    function _deposit(address from, address to, uint256 assetSeed, uint256 amount) private returns (bool success) {
        Asset memory asset = _assets[assetSeed % _assets.length];
        return
            _swap(from, to, ICoreSwap.SwapInputs(asset.isRWA ? 2 : 8, asset.id, TRSY, TRSY, type(uint256).max, amount));
    }

    function _swap(address user, address to, ICoreSwap.SwapInputs memory leg) private returns (bool success) {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](1);
        legs[0] = leg;
        ICoreSwap.ApprovalPermit memory none;
        vm.prank(user);
        (success,) = address(CORE).call(abi.encodeCall(CORE.swap, (user, to, legs, none)));
    }
}
