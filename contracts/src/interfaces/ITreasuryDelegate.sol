// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IYieldBearingDelegate} from "./IYieldBearingDelegate.sol";

/// @title ITreasuryDelegate
/// @notice Rates and credits of the treasury token. Credits entitle their holder to redemption and earn yield. Deposits
/// create one credit per token deposited. Credits are not transferable and are counted in token units.
/// @dev A day is numbered by the whole periods of 86,400 s since the Unix epoch. Rates are APY, WAD fractions.
/// Multipliers in this interface are WAD, rounded down from scale 1e36.
interface ITreasuryDelegate is IYieldBearingDelegate {
    /// @notice Credits of one day's deposits that have not merged into main credits yet: the account's own deposits of
    /// one token, or all deposits that others made for the account.
    /// @param tokenAddress Token that came in; for others' deposits, the token of the first one; for protocol fees, the
    /// treasury token.
    /// @param credits Credits, in token units.
    /// @param releaseTimestamp Unix time from which the credits can merge: 24 hours after the last deposit.
    /// @param earningStartTimestamp Unix time from which they can earn. Whole days that begin then or later are paid.
    /// @param isRWA True when `tokenAddress` is an RWA.
    struct WithheldCredits {
        address tokenAddress;
        uint256 credits;
        uint256 releaseTimestamp;
        uint256 earningStartTimestamp;
        bool isRWA;
    }

    /// @notice A day's rate was posted.
    /// @param dayNumber The day.
    /// @param rate Net APY, WAD.
    /// @param poster Caller.
    event DailyRatePosted(uint256 indexed dayNumber, uint256 rate, address indexed poster);

    /// @notice A posted rate was corrected.
    /// @param dayNumber The day.
    /// @param oldRate Previous net APY, WAD.
    /// @param newRate New net APY, WAD.
    /// @param corrector Caller.
    event DailyRateCorrected(uint256 indexed dayNumber, uint256 oldRate, uint256 newRate, address indexed corrector);

    /// @notice The first rate was posted. Earlier days never earn.
    /// @param dayNumber Day of the first rate.
    event FirstRatePosted(uint256 dayNumber);

    /// @notice The main credits of an account accrued one or more whole days.
    /// @param user The account.
    /// @param fromDay First day accrued.
    /// @param toDay Last day accrued.
    /// @param daysAccrued Number of days.
    /// @param multiplierAfter Value of a main credit, WAD, rounded down.
    event InterestAccrued(
        address indexed user, uint256 fromDay, uint256 toDay, uint256 daysAccrued, uint256 multiplierAfter
    );

    /// @notice Credits were redeemed.
    /// @param user The account.
    /// @param creditsRedeemed Credits consumed, which is also the number of tokens burned.
    /// @param yieldAmount Yield on top of them, in token units.
    /// @param effectiveValue Their sum.
    event YieldClaimed(address indexed user, uint256 creditsRedeemed, uint256 yieldAmount, uint256 effectiveValue);

    /// @notice A deposit or a protocol fee created credits.
    /// @param user Account that received them.
    /// @param amount Credits.
    /// @param depositDay The current day.
    event PendingCreditsAdded(address indexed user, uint256 amount, uint256 depositDay);

    /// @notice A withheld record merged into main credits.
    /// @param user The account.
    /// @param pendingAmount Credits of the record.
    /// @param newCredits Main credits after the merge.
    event PendingCreditsMerged(address indexed user, uint256 pendingAmount, uint256 newCredits);

    /// @notice Withheld credits left an account: consumed by a redemption, which also emits `YieldClaimed`, or taken by
    /// {moveCredits}, which also emits `CreditsMoved`.
    /// @param user The account.
    /// @param amount Credits that left.
    /// @param remainingWithheld Withheld credits left.
    event WithheldCreditsReduced(address indexed user, uint256 amount, uint256 remainingWithheld);

    /// @notice Main credits left an account: consumed by a redemption, which also emits `YieldClaimed`, or taken by
    /// {moveCredits}, which also emits `CreditsMoved`.
    /// @param user The account.
    /// @param amount Credits that left.
    /// @param remainingCredits Main credits left.
    event MainCreditsReduced(address indexed user, uint256 amount, uint256 remainingCredits);

    /// @notice The administrator moved or cancelled credits.
    /// @param from Account that lost them.
    /// @param to Account that received them, or zero when they were cancelled.
    /// @param withheldCredits Withheld credits among them.
    /// @param mainCredits Main credits among them.
    event CreditsMoved(address indexed from, address indexed to, uint256 withheldCredits, uint256 mainCredits);

    /// @notice The management fee changed, for rates posted or corrected from now on.
    /// @param oldFee Previous APY, WAD.
    /// @param newFee New APY, WAD.
    event ManagementFeeUpdated(uint256 oldFee, uint256 newFee);

    /// @notice The cap of posted rates changed.
    /// @param oldRate Previous gross APY, WAD.
    /// @param newRate New gross APY, WAD.
    event MaxDailyRateUpdated(uint256 oldRate, uint256 newRate);

    /// @notice The fallback window changed.
    /// @param oldWindow Previous window, in seconds.
    /// @param newWindow New window, in seconds.
    event MaxFallbackRateSecondsUpdated(uint256 oldWindow, uint256 newWindow);

    /// @notice An administrator set an account's multiplier.
    /// @param user The account.
    /// @param oldMultiplier Previous multiplier, fully accrued, WAD.
    /// @param newMultiplier New multiplier, WAD.
    /// @param admin Caller.
    event YieldMultiplierUpdated(
        address indexed user, uint256 oldMultiplier, uint256 newMultiplier, address indexed admin
    );

    /// @notice The day is before the first posted day, so it cannot be corrected.
    /// @param dayNumber Day given.
    /// @param firstRateDay First posted day, zero before any post.
    error CannotCorrectBeforeFirstRate(uint256 dayNumber, uint256 firstRateDay);

    /// @notice The day has not started.
    /// @param dayNumber Day given.
    /// @param currentDay The current day.
    error CannotPostFutureRate(uint256 dayNumber, uint256 currentDay);

    /// @notice The day has not ended.
    /// @param dayNumber Day given.
    /// @param currentDay The current day.
    error CannotPostRateForUnfinishedDay(uint256 dayNumber, uint256 currentDay);

    /// @notice The fallback window is neither zero nor 1 to 7 days.
    error InvalidFallbackRateWindow();

    /// @notice `maxDays` is zero.
    error InvalidMaxDays();

    /// @notice `maxRecords` is zero.
    error InvalidMaxRecords();

    /// @notice The cap of posted rates is above 100 %.
    error InvalidRate();

    /// @notice Never thrown. Part of the published interface because an earlier method of finding the tokens for a
    /// target value used it.
    /// @param feeTarget Never given.
    /// @param feePlusRedemptionTarget Never given.
    /// @param totalTarget Never given.
    error InvalidTargetValues(uint256 feeTarget, uint256 feePlusRedemptionTarget, uint256 totalTarget);

    /// @notice The multiplier is not within 1e18 … 10e18, or the account has no main credits.
    /// @param multiplier Multiplier given, WAD.
    error InvalidYieldMultiplier(uint256 multiplier);

    /// @notice The management fee is above 5 % APY.
    /// @param fee Fee given, WAD.
    error ManagementFeeTooHigh(uint256 fee);

    /// @notice The day is not the next expected one.
    /// @param dayNumber Day given.
    /// @param expectedDay Day expected; before the first post, the earliest allowed.
    error MustPostSequentially(uint256 dayNumber, uint256 expectedDay);

    /// @notice The queue position is not occupied. Never thrown: callers cannot choose positions. Part of the published
    /// interface.
    error OutOfBounds();

    /// @notice The queue is empty. Never thrown: records are only taken from queues that have some. Part of the
    /// published interface.
    error QueueEmpty();

    /// @notice The account's queue holds 64 records, and the deposit cannot join any of them.
    error QueueFull();

    /// @notice The day's rate is already posted.
    error RateAlreadyPosted(uint256 dayNumber);

    /// @notice The gross rate is above the cap.
    /// @param rate Rate given, WAD.
    /// @param maxRate Cap, WAD.
    error RateTooHigh(uint256 rate, uint256 maxRate);

    /// @notice Posts the rate of a finished day. The first post may be for the day before initialization or any later
    /// day; each further post is for the day after the last posted one. `RATE_POSTER_ROLE` only; works while paused.
    /// @dev Checked in this order: `CannotPostFutureRate`, `CannotPostRateForUnfinishedDay`, `RateAlreadyPosted`,
    /// `MustPostSequentially`, `RateTooHigh`.
    /// @param dayNumber The day.
    /// @param grossRate Gross APY, WAD. The rate less the management fee, at least zero, is stored.
    function postDailyRate(uint256 dayNumber, uint256 grossRate) external;

    /// @notice Corrects the rate of a posted day, with the current management fee, for all credits that have not
    /// accrued that day. Gas grows with the number of days from that day to the last posted one. `OPERATOR_ROLE` only;
    /// works while paused.
    /// @dev Accounts that accrued before keep what they have; {setUserYieldMultiplier} is the remedy. Correcting the last
    /// posted day also changes what stablecoin redemptions of any account are paid for the time since. Checked in this
    /// order: `CannotCorrectBeforeFirstRate`, `MustPostSequentially` (not posted yet), `RateTooHigh`.
    /// @param dayNumber The day.
    /// @param grossRate Gross APY, WAD.
    function correctDailyRate(uint256 dayNumber, uint256 grossRate) external;

    /// @notice Sets the management fee, an APY that is deducted from gross rates posted or corrected from now on.
    /// Issuer admins only.
    /// @param fee WAD, at most 5 % (`ManagementFeeTooHigh`).
    function setManagementFee(uint256 fee) external;

    /// @notice Sets the cap of gross rates. `DEFAULT_ADMIN_ROLE` only.
    /// @param maxRate WAD, at most 100 % (`InvalidRate`).
    function setMaxDailyRate(uint256 maxRate) external;

    /// @notice Sets the longest time for which a stablecoin withdrawal is paid the last posted rate while no posted day
    /// covers it. `DEFAULT_ADMIN_ROLE` only.
    /// @param maxSeconds Zero, or 1 to 7 days (`InvalidFallbackRateWindow`).
    function setMaxFallbackRateSeconds(uint256 maxSeconds) external;

    /// @notice Sets the multiplier of an account's main credits, after accruing and merging it in full.
    /// `DEFAULT_ADMIN_ROLE` only; works while paused.
    /// @param user Account with main credits.
    /// @param newMultiplier WAD, 1e18 … 10e18 (`InvalidYieldMultiplier`).
    function setUserYieldMultiplier(address user, uint256 newMultiplier) external;

    /// @notice Moves credits from one account to another, or cancels them. `DEFAULT_ADMIN_ROLE` only; works while
    /// paused and for blacklisted accounts. Meant to follow a forced transfer or burn of the tokens, which leaves the
    /// credits behind.
    /// @dev Both accounts accrue and merge in full first. The credits that a redemption would consume leave: withheld
    /// credits from the back of the queue, then main credits. Withheld credits become records at the end of the queue
    /// of `to` (`QueueFull` at 64) that keep their order, token, kind and earning start and are released in 24 hours;
    /// main credits are blended as in a merge.
    /// @param from Account that loses them.
    /// @param to Account that receives them, other than `from` (`AddressNotAllowed`); zero cancels them.
    /// @param amount Credits (`InsufficientCredits`); 2^256-1 for all.
    function moveCredits(address from, address to, uint256 amount) external;

    /// @notice Applies posted rates to an account's main credits, then merges its eligible records, from the front of the queue.
    /// Anyone may call, for anyone; not while paused.
    /// @dev Splitting the work into several calls gives the same value to within one unit per merge.
    /// @param user The account.
    /// @param maxDays Most days to apply, not zero (`InvalidMaxDays`); 2^256-1 for all.
    /// @param maxRecords Most records to merge, not zero (`InvalidMaxRecords`); 2^256-1 for all.
    /// @return daysAccrued Days applied.
    /// @return recordsMerged Records merged; zero while days are left.
    /// @return dailyAccrualComplete True when no posted day is left to apply.
    /// @return creditsFullyMerged True when the next record, if there is one, is not eligible yet.
    function accrueInterest(address user, uint256 maxDays, uint256 maxRecords)
        external
        returns (uint256 daysAccrued, uint256 recordsMerged, bool dailyAccrualComplete, bool creditsFullyMerged);

    /// @notice Accrues and merges several accounts in full, one after the other.
    /// @param users The accounts.
    function batchAccrueInterest(address[] calldata users) external;

    /// @notice Returns the rate of a day.
    /// @param dayNumber The day.
    /// @return rate Net APY, WAD; for a day that is not posted, the initial rate less the current fee.
    /// @return posted True when the day is posted.
    function getDailyRate(uint256 dayNumber) external view returns (uint256 rate, bool posted);

    /// @notice Returns the current day.
    /// @return currentDay Day number.
    function getCurrentDay() external view returns (uint256 currentDay);

    /// @notice Returns the stored rate of a day.
    /// @param day The day.
    /// @return rate Net APY, WAD; zero when the day is not posted.
    function dailyRates(uint256 day) external view returns (uint256 rate);

    /// @notice Returns whether a day's rate is posted.
    /// @param day The day.
    /// @return posted True from {firstRateDay} to {lastRatePostingDay}.
    function ratePosted(uint256 day) external view returns (bool posted);

    /// @notice Returns the first posted day.
    /// @return day Zero before any post.
    function firstRateDay() external view returns (uint256 day);

    /// @notice Returns the last posted day.
    /// @return day Zero before any post.
    function lastRatePostingDay() external view returns (uint256 day);

    /// @notice Returns the management fee.
    /// @return fee APY, WAD.
    function managementFee() external view returns (uint256 fee);

    /// @notice Returns the cap of gross rates.
    /// @return rate APY, WAD.
    function maxDailyRate() external view returns (uint256 rate);

    /// @notice Returns the fallback window.
    /// @return window Seconds.
    function maxFallbackRateSeconds() external view returns (uint256 window);

    /// @notice Returns the account's main credits, as stored.
    /// @param user The account.
    /// @return amount Credits, in token units.
    function credits(address user) external view returns (uint256 amount);

    /// @notice Returns the account's withheld credits, as stored.
    /// @param user The account.
    /// @return amount Sum of the queue, in token units.
    function totalWithheldCredits(address user) external view returns (uint256 amount);

    /// @notice Returns the value of the account's main credits, as stored.
    /// @param user The account.
    /// @return multiplier WAD, rounded down; 1e18 without main credits.
    function yieldMultiplier(address user) external view returns (uint256 multiplier);

    /// @notice Returns the last day included in the stored multiplier.
    /// @param user The account.
    /// @return day Zero without main credits.
    function lastAccrualDay(address user) external view returns (uint256 day);

    /// @notice Returns the account's queue, as stored, from front to back: in the order in which the records joined it.
    /// @param user The account.
    /// @return withheld The records.
    function getWithheldCredits(address user) external view returns (WithheldCredits[] memory withheld);

    /// @notice Returns the treasury token.
    /// @return token The same as {IStablecoinDelegate.stablecoinAddress}.
    function treasury() external view returns (address token);
}
