// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPriceAdapter} from "../interfaces/IPriceAdapter.sol";
import {DailyLimit} from "../libraries/DailyLimit.sol";
import {AccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/AccessControlEnumerable.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title NavPriceAdapter
/// @notice The net asset value (NAV) of one RWA, posted by its administrator of record. Not upgradeable: CoreSwap's
/// operator replaces the adapter as a whole.
/// @dev `DEFAULT_ADMIN_ROLE` manages the posters and nothing else; no role can lift a bound.
///
/// A post may move the NAV by at most `maxMovePerPostWad` of its last value, in either direction. The bound catches
/// mistakes and limits what can be gained by sandwiching one post. The relative moves of all posts add up, whatever
/// their direction, and the sum leaks `maxMovePerDayWad` per 86,400 s. The moves of a stolen poster key can therefore
/// add up to one daily bound at once, and to two within any 24 hours. A true move beyond the bounds takes several days
/// or a new adapter.
///
/// A NAV older than `maxAgeSeconds` is refused, so that the swaps of an RWA stop when its poster stops posting, rather
/// than settle at an outdated value. Zero means no limit, for assets whose NAV is determined irregularly.
contract NavPriceAdapter is IPriceAdapter, AccessControlEnumerable {
    uint256 private constant WAD = 1e18;

    /// @notice Posts the NAV.
    bytes32 public constant NAV_POSTER_ROLE = keccak256("NAV_POSTER_ROLE");

    // solhint-disable immutable-vars-naming

    /// @notice Largest relative move of one post, inclusive. WAD fraction of the NAV before it, above 0 and below 1e18.
    uint256 public immutable maxMovePerPostWad;

    /// @notice Largest sum of relative moves at once, inclusive; the sum recovers within a day. WAD fraction, at least
    /// {maxMovePerPostWad} and below 1e18.
    uint256 public immutable maxMovePerDayWad;

    /// @notice Age in seconds up to which, inclusive, a NAV is served. 0 means no limit.
    uint256 public immutable maxAgeSeconds;

    // solhint-enable immutable-vars-naming

    /// @notice Last NAV posted: USD per whole token, WAD. Served by {getPrice} unless it is too old.
    uint192 public navWad;

    /// @notice Block timestamp of the last post, in seconds.
    uint64 public postedAt;

    /// @dev Sum of relative moves at `_movedAt`, WAD; it leaks {maxMovePerDayWad} a day.
    uint64 private _movedWad;

    /// @dev Time of `_movedWad`, in seconds since the epoch.
    uint64 private _movedAt;

    /// @notice A NAV was posted.
    /// @param navWad USD per whole token, WAD.
    /// @param poster Account that posted it.
    event NavPosted(uint256 navWad, address indexed poster);

    /// @notice The administrator or the poster is the zero address.
    error ZeroAddress();

    /// @notice The NAV is zero or at least 2^192.
    error InvalidNav(uint256 navWad);

    /// @notice A bound is zero, or 1e18 or more, or the daily bound is below that of a post.
    error InvalidMaxMove(uint256 maxMoveWad);

    /// @notice The NAV given is too far from the last one.
    /// @param lastNavWad The current NAV.
    /// @param navWad The NAV given.
    /// @param maxMovePerPostWad The bound.
    error NavMoveTooLarge(uint256 lastNavWad, uint256 navWad, uint256 maxMovePerPostWad);

    /// @notice Recent moves of the NAV leave too little room for the move given.
    /// @param moveWad Relative move of the NAV given, WAD fraction, rounded up.
    /// @param availableWad Largest move now, WAD fraction.
    error NavDailyMoveTooLarge(uint256 moveWad, uint256 availableWad);

    /// @notice The last NAV is too old to be served.
    /// @param postedAt Time of the post, in seconds.
    /// @param maxAgeSeconds The bound.
    error StaleNav(uint256 postedAt, uint256 maxAgeSeconds);

    /// @notice Posts the first NAV and sets the bounds, which never change.
    /// @param admin Receives `DEFAULT_ADMIN_ROLE`.
    /// @param poster Receives `NAV_POSTER_ROLE`.
    /// @param initialNavWad USD per whole token, WAD.
    /// @param maxMovePerPostWad_ See {maxMovePerPostWad}.
    /// @param maxMovePerDayWad_ See {maxMovePerDayWad}.
    /// @param maxAgeSeconds_ See {maxAgeSeconds}.
    constructor(
        address admin,
        address poster,
        uint256 initialNavWad,
        uint256 maxMovePerPostWad_,
        uint256 maxMovePerDayWad_,
        uint256 maxAgeSeconds_
    ) {
        if (admin == address(0) || poster == address(0)) revert ZeroAddress();
        if (maxMovePerPostWad_ == 0 || maxMovePerPostWad_ >= WAD) revert InvalidMaxMove(maxMovePerPostWad_);
        if (maxMovePerDayWad_ < maxMovePerPostWad_ || maxMovePerDayWad_ >= WAD) {
            revert InvalidMaxMove(maxMovePerDayWad_);
        }
        maxMovePerPostWad = maxMovePerPostWad_;
        maxMovePerDayWad = maxMovePerDayWad_;
        maxAgeSeconds = maxAgeSeconds_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(NAV_POSTER_ROLE, poster);
        _post(initialNavWad);
    }

    /// @notice Posts a NAV. Needs `NAV_POSTER_ROLE`. Posting the current value again renews its age and does not count
    /// as a move.
    /// @param newNavWad USD per whole token, WAD; `InvalidNav`, or beyond a bound `NavMoveTooLarge` or
    /// `NavDailyMoveTooLarge`.
    function postNav(uint256 newNavWad) external onlyRole(NAV_POSTER_ROLE) {
        uint256 lastNavWad = navWad;
        _post(newNavWad);
        uint256 moveWad = newNavWad > lastNavWad ? newNavWad - lastNavWad : lastNavWad - newNavWad;
        // Neither product overflows: a posted NAV is below 2^192 and a WAD fraction below 2^60.
        if (moveWad * WAD > maxMovePerPostWad * lastNavWad) {
            revert NavMoveTooLarge(lastNavWad, newNavWad, maxMovePerPostWad);
        }
        if (moveWad != 0) _countMove(Math.ceilDiv(moveWad * WAD, lastNavWad));
    }

    /// @notice Returns how far all further posts in this second may move the NAV together.
    /// @return availableWad Sum of relative moves, WAD fraction.
    function availableMoveWad() external view returns (uint256 availableWad) {
        (uint256 movedWad,) = DailyLimit.leak(_movedWad, _movedAt, maxMovePerDayWad);
        return maxMovePerDayWad - movedWad;
    }

    /// @inheritdoc IPriceAdapter
    /// @dev Reverts with `StaleNav`; the NAV itself was checked when it was posted.
    function getPrice() external view returns (uint256 priceWad) {
        // A validator can shift the timestamp by seconds, which is negligible against the age of a NAV.
        // forge-lint: disable-next-line(block-timestamp)
        if (maxAgeSeconds != 0 && block.timestamp - postedAt > maxAgeSeconds) revert StaleNav(postedAt, maxAgeSeconds);
        return navWad;
    }

    /// @dev Adds a relative move, a WAD fraction of the NAV before it, to the sum.
    function _countMove(uint256 relativeMoveWad) private {
        (uint256 movedWad, uint256 time) = DailyLimit.leak(_movedWad, _movedAt, maxMovePerDayWad);
        uint256 availableWad = maxMovePerDayWad - movedWad;
        if (relativeMoveWad > availableWad) revert NavDailyMoveTooLarge(relativeMoveWad, availableWad);
        // The sum is at most the bound, below 2^60, and a timestamp fits in 64 bits.
        // forge-lint: disable-next-line(unsafe-typecast)
        (_movedWad, _movedAt) = (uint64(movedWad + relativeMoveWad), uint64(time));
    }

    /// @dev Stores a NAV in USD per whole token, WAD; the caller has checked who posts it.
    function _post(uint256 newNavWad) private {
        if (newNavWad == 0 || newNavWad > type(uint192).max) revert InvalidNav(newNavWad);
        // Neither conversion truncates: the NAV was just checked, and a timestamp fits in 64 bits.
        // forge-lint: disable-next-line(unsafe-typecast)
        navWad = uint192(newNavWad);
        postedAt = uint64(block.timestamp);
        emit NavPosted(newNavWad, msg.sender);
    }
}
