// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @notice Makes random calls to the treasury delegate through CoreSwap, and keeps its own ledgers: credits granted and
/// consumed, and tokens paid out. A single call that breaks a property is counted in `violations` under that property.
contract TreasuryDelegateHandler is CommonBase, StdUtils {
    enum Property {
        ValueNeverFalls,
        WrongDaysRefused,
        PausedMovesNothing,
        MultiplierBounded,
        QuoteIsSwap
    }

    struct Party {
        address poster;
        address corrector;
        address admin;
    }

    CoreSwap public immutable CORE;
    TreasuryDelegate public immutable DELEGATE;
    Treasury public immutable TOKEN;
    bytes32 private immutable TRSY;
    bytes32 private immutable STABLECOIN;
    bytes32 private immutable RWA;
    Party private party;

    address[] public actors;
    mapping(address actor => uint256) public granted;
    mapping(address actor => uint256) public consumed;
    mapping(Property property => uint256) public violations;
    mapping(bytes4 call => uint256) public successes;

    constructor(
        CoreSwap core,
        TreasuryDelegate delegate,
        bytes32[3] memory ids,
        Party memory party_,
        address[] memory actors_
    ) {
        CORE = core;
        DELEGATE = delegate;
        TOKEN = Treasury(delegate.treasury());
        (TRSY, STABLECOIN, RWA) = (ids[0], ids[1], ids[2]);
        party = party_;
        actors = actors_;
    }

    function actorCount() external view returns (uint256) {
        return actors.length;
    }

    // ------------------------------------------------------------------------------------------------------ swaps

    function deposit(uint256 actorSeed, uint256 receiverSeed, uint256 amount, bool isRWA) external {
        (address from, address to) = (_actor(actorSeed), _actor(receiverSeed));
        amount = bound(amount, 1, amount % 3 == 0 ? 100 : 1e26);
        (uint256[] memory values, uint256[] memory merges) = _values();
        bool paused = DELEGATE.paused();
        ICoreSwap.SwapInputs memory leg =
            ICoreSwap.SwapInputs(isRWA ? 2 : 8, isRWA ? RWA : STABLECOIN, TRSY, TRSY, type(uint256).max, amount);
        if (_swap(from, to, leg)) {
            if (paused) ++violations[Property.PausedMovesNothing];
            granted[to] += amount;
            ++successes[this.deposit.selector];
            for (uint256 i = 0; i < actors.length; ++i) {
                if (actors[i] == to) values[i] += amount;
            }
        }
        _requireValues(values, merges);
    }

    function redeem(uint256 actorSeed, uint256 amount, bool isRWA) external {
        address user = _actor(actorSeed);
        uint256 most = _min(TOKEN.balanceOf(user), _credits(user));
        if (most == 0) return;
        amount = amount % 4 == 0 ? most : bound(amount, 1, most);
        ICoreSwap.SwapInputs memory leg =
            ICoreSwap.SwapInputs(isRWA ? 3 : 7, TRSY, isRWA ? RWA : STABLECOIN, TRSY, amount, 0);
        uint256 quoted = CORE.quoteSwap(user, leg).tokenOutAmt;
        uint256 value = amount + DELEGATE.getYieldAmount(user, amount, !isRWA);
        bool paused = DELEGATE.paused();
        if (!_swap(user, user, leg)) return;
        if (paused) ++violations[Property.PausedMovesNothing];
        if (quoted != value) ++violations[Property.QuoteIsSwap];
        consumed[user] += amount;
        ++successes[this.redeem.selector];
    }

    /// @notice Transfers tokens, which does not move credits.
    function transfer(uint256 fromSeed, uint256 toSeed, uint256 amount) external {
        (address from, address to) = (_actor(fromSeed), _actor(toSeed));
        (uint256[] memory values, uint256[] memory merges) = _values();
        amount = bound(amount, 0, TOKEN.balanceOf(from));
        vm.prank(from);
        TOKEN.transfer(to, amount);
        _requireValues(values, merges);
        ++successes[this.transfer.selector];
    }

    // ---------------------------------------------------------------------------------------------------- accrual

    function accrue(uint256 actorSeed, uint256 callerSeed, uint256 maxDays, uint256 maxRecords) external {
        (uint256[] memory values, uint256[] memory merges) = _values();
        bool paused = DELEGATE.paused();
        vm.prank(_actor(callerSeed));
        (bool success,) = address(DELEGATE)
            .call(
                abi.encodeCall(
                    DELEGATE.accrueInterest, (_actor(actorSeed), bound(maxDays, 1, 5), bound(maxRecords, 1, 3))
                )
            );
        if (success == paused) ++violations[Property.PausedMovesNothing];
        _requireValues(values, merges);
        if (success) ++successes[this.accrue.selector];
    }

    // ------------------------------------------------------------------------------------------------------ rates

    /// @notice Posts up to four of the missing days.
    function post(uint256 rate, uint256 count) external {
        (uint256[] memory values, uint256[] memory merges) = _values();
        count = bound(count, 1, 4);
        for (uint256 i = 0; i < count; ++i) {
            uint256 last = DELEGATE.lastRatePostingDay();
            uint256 next = last == 0 ? DELEGATE.getCurrentDay() - 1 : last + 1;
            if (next >= DELEGATE.getCurrentDay()) break;
            vm.prank(party.poster);
            DELEGATE.postDailyRate(next, bound(rate, 0, 0.2e18));
            ++successes[this.post.selector];
        }
        _requireValues(values, merges);
    }

    /// @notice Tries to post a day near the expected one, which must be refused.
    function postWrongDay(uint256 day) external {
        uint256 last = DELEGATE.lastRatePostingDay();
        if (last == 0) return;
        day = bound(day, last - 3, DELEGATE.getCurrentDay() + 2);
        if (day == last + 1 && day < DELEGATE.getCurrentDay()) return;
        vm.prank(party.poster);
        (bool success,) = address(DELEGATE).call(abi.encodeCall(DELEGATE.postDailyRate, (day, 0.05e18)));
        if (success) ++violations[Property.WrongDaysRefused];
        ++successes[this.postWrongDay.selector];
    }

    /// @notice Corrects a posted day. The value of days that are not accrued yet can fall or rise.
    function correct(uint256 day, uint256 rate) external {
        uint256 first = DELEGATE.firstRateDay();
        if (first == 0) return;
        day = bound(day, first, DELEGATE.lastRatePostingDay());
        vm.prank(party.corrector);
        DELEGATE.correctDailyRate(day, bound(rate, 0, 0.2e18));
        ++successes[this.correct.selector];
    }

    function setMultiplier(uint256 actorSeed, uint256 multiplier) external {
        address user = _actor(actorSeed);
        multiplier = bound(multiplier, 0.9e18, 11e18);
        vm.prank(party.admin);
        (bool success,) = address(DELEGATE).call(abi.encodeCall(DELEGATE.setUserYieldMultiplier, (user, multiplier)));
        if (!success) return;
        bool bounded = multiplier >= 1e18 && multiplier <= 10e18;
        if (!bounded || DELEGATE.yieldMultiplier(user) != multiplier) ++violations[Property.MultiplierBounded];
        ++successes[this.setMultiplier.selector];
    }

    // -------------------------------------------------------------------------------------------- time and pause

    function pass(uint256 elapsed) external {
        (uint256[] memory values, uint256[] memory merges) = _values();
        uint256 now_ = vm.getBlockTimestamp();
        // Every fourth time advances exactly to midnight, where days begin.
        vm.warp(elapsed % 4 == 0 ? (now_ / 1 days + 1) * 1 days : now_ + bound(elapsed, 1, 2 days));
        _requireValues(values, merges);
        ++successes[this.pass.selector];
    }

    function togglePause(uint256 seed) external {
        bool paused = DELEGATE.paused();
        // Rarely pauses, so that other calls succeed.
        if (!paused && seed % 4 != 0) return;
        vm.prank(party.admin);
        if (paused) DELEGATE.unpause();
        else DELEGATE.pause();
        ++successes[this.togglePause.selector];
    }

    // -------------------------------------------------------------------------------------------------- internals

    function _swap(address user, address to, ICoreSwap.SwapInputs memory leg) private returns (bool success) {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](1);
        legs[0] = leg;
        vm.prank(user);
        (success,) = address(CORE)
            .call(abi.encodeCall(CORE.swap, (user, to, legs, ICoreSwap.ApprovalPermit({deadline: 0, signature: ""}))));
        if (!success && !DELEGATE.paused()) ++violations[Property.QuoteIsSwap];
    }

    /// @dev Returns the current value of each account's credits in an RWA withdrawal, and how many of its records can
    /// merge meanwhile.
    function _values() private view returns (uint256[] memory values, uint256[] memory merges) {
        values = new uint256[](actors.length);
        merges = new uint256[](actors.length);
        for (uint256 i = 0; i < actors.length; ++i) {
            values[i] = _value(actors[i]);
            merges[i] = DELEGATE.getWithheldCredits(actors[i]).length + 1;
        }
    }

    /// @dev D3: no value fell by more than one unit per merge.
    function _requireValues(uint256[] memory values, uint256[] memory merges) private {
        for (uint256 i = 0; i < actors.length; ++i) {
            if (_value(actors[i]) + merges[i] < values[i]) ++violations[Property.ValueNeverFalls];
        }
    }

    function _value(address user) private view returns (uint256) {
        uint256 held = _credits(user);
        return held + DELEGATE.getYieldAmount(user, held, false);
    }

    function _credits(address user) private view returns (uint256) {
        return DELEGATE.credits(user) + DELEGATE.totalWithheldCredits(user);
    }

    function _actor(uint256 seed) private view returns (address) {
        return actors[seed % actors.length];
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
