// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StablecoinDelegate} from "./StablecoinDelegate.sol";
import {StablecoinDelegateAdmin} from "./components/StablecoinDelegateAdmin.sol";
import {TreasuryDelegateCredits} from "./components/TreasuryDelegateCredits.sol";
import {TreasuryDelegateRates} from "./components/TreasuryDelegateRates.sol";
import {ITreasury} from "./interfaces/ITreasury.sol";
import {ITreasuryDelegate} from "./interfaces/ITreasuryDelegate.sol";
import {CreditQueue} from "./libraries/CreditQueue.sol";
import {TreasuryDelegateLibrary} from "./libraries/TreasuryDelegateLibrary.sol";

/// @title TreasuryDelegate
/// @notice The LP of the treasury token: deposits mint it with one credit per token; redemptions burn it, consume its
/// credits, and pay the principal and the accrued yield.
/// @dev What it is. Balances of the treasury token stay constant; yield accrues on credits. Deposits create credits and
/// redemptions consume them, one credit per token. Tokens can be transferred freely, but credits cannot, so an account
/// can redeem the lesser of its balance and its credits. The custody accounts hold the deposited assets and pay
/// redemptions.
///
/// Days. A rate is posted for each day, in order, after the day has ended. Only whole days are paid, starting with the
/// first day that begins after the deposit. Credits are withheld for 24 hours; those redeemed before they merge are
/// paid 1:1. Accrual stops at the first day without a posted rate and catches up later, without loss to accounts that
/// wait. A stablecoin withdrawal is also paid for the time since the last accrued day, at the last posted rate and for
/// at most the fallback window; an RWA withdrawal is not.
///
/// All rounding favors the reserve. Nothing can be gained by splitting accrual or redemptions.
///
/// Roles, beyond those of {StablecoinDelegateAdmin}.
/// - `RATE_POSTER_ROLE`: posts rates within the cap. It determines what the reserve owes.
/// - `OPERATOR_ROLE`: corrects rates.
/// - Issuer admins: set the management fee, at most 5 % APY.
/// - `DEFAULT_ADMIN_ROLE`: sets the cap of rates, the fallback window and an account's multiplier, between 1 and 10;
///   moves and cancels credits.
///
/// Assumptions. The token is the treasury token of this system: it mints and burns exactly and makes no external calls.
/// This contract holds its `MINTER_ROLE`; the vault, the custody and the receivers of deposits are on its whitelist;
/// users have approved this contract for what they redeem.
///
/// Not checked. Whether the custody holds what the credits are worth: yield is a claim on the reserve, paid in full or
/// not at all while the reserve lasts. Whether a rate is right: an account that accrues before a correction keeps the
/// uncorrected rate.
///
/// Liveness. Late rates delay merging. Redemptions revert while the custody that has to pay them is empty; deposits
/// stay open and refill it. The pause stops settlement and accrual; rates, administration and views keep working.
/// @custom:oz-upgrades-unsafe-allow external-library-linking
contract TreasuryDelegate is StablecoinDelegate, TreasuryDelegateRates, TreasuryDelegateCredits {
    /// @notice Locks the implementation; only proxies are initialized.
    /// @custom:oz-upgrades-unsafe-allow constructor
    constructor() {
        _disableInitializers();
    }

    /// @notice Initializes the proxy.
    /// @param coreAdmin Receives `DEFAULT_ADMIN_ROLE`, `OPERATOR_ROLE` and `PAUSE_ROLE`; `InvalidInitializationParams`
    /// when zero.
    /// @param initialIssuerAdmin First issuer admin; `InvalidIssuerAdmin` when zero.
    /// @param _coreSwap CoreSwap contract; `InvalidCoreSwap` when it is not a contract.
    /// @param _stablecoinID Asset ID of the treasury token; `InvalidInitializationParams` when zero.
    /// @param _stablecoinAddress The treasury token; `InvalidStablecoinAsset` when it is not a contract.
    /// @param initialRate Gross APY returned for days that are not posted, WAD; `RateTooHigh` above 20 %.
    /// @param initialManagementFee APY, WAD; `ManagementFeeTooHigh` above 5 %.
    /// @param ratePoster Receives `RATE_POSTER_ROLE`; `InvalidInitializationParams` when zero.
    function initialize(
        address coreAdmin,
        address initialIssuerAdmin,
        address _coreSwap,
        bytes32 _stablecoinID,
        address _stablecoinAddress,
        uint256 initialRate,
        uint256 initialManagementFee,
        address ratePoster
    ) external initializer {
        if (ratePoster == address(0)) revert InvalidInitializationParams();
        _initializeDelegate(coreAdmin, initialIssuerAdmin, _coreSwap, _stablecoinID, _stablecoinAddress);
        TreasuryDelegateLibrary.initializeRates(_yieldStorage(), initialRate, initialManagementFee);
        _grantRole(OPERATOR_ROLE, coreAdmin);
        _grantRole(RATE_POSTER_ROLE, ratePoster);
    }

    /// @inheritdoc ITreasuryDelegate
    function accrueInterest(address user, uint256 maxDays, uint256 maxRecords)
        external
        whenNotPaused
        nonReentrant
        returns (uint256 daysAccrued, uint256 recordsMerged, bool dailyAccrualComplete, bool creditsFullyMerged)
    {
        if (maxDays == 0) revert InvalidMaxDays();
        if (maxRecords == 0) revert InvalidMaxRecords();
        CreditQueue.Position memory position;
        (position, daysAccrued, recordsMerged, dailyAccrualComplete) = _accrue(user, maxDays, maxRecords);
        CreditQueue.save(_account(user), position);
        creditsFullyMerged = !_hasEligibleRecord(user, position);
    }

    /// @inheritdoc ITreasuryDelegate
    function batchAccrueInterest(address[] calldata users) external whenNotPaused nonReentrant {
        for (uint256 i = 0; i < users.length; ++i) {
            _accrueAndSave(users[i]);
        }
    }

    /// @inheritdoc ITreasuryDelegate
    function setUserYieldMultiplier(address user, uint256 newMultiplier)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
        nonReentrant
    {
        _accrueAndSave(user);
        TreasuryDelegateLibrary.setMultiplier(_account(user), user, newMultiplier);
    }

    /// @inheritdoc ITreasuryDelegate
    function moveCredits(address from, address to, uint256 amount) external onlyRole(DEFAULT_ADMIN_ROLE) nonReentrant {
        if (from == to) revert AddressNotAllowed();
        _accrueAndSave(from);
        if (to != address(0)) _accrueAndSave(to);
        TreasuryDelegateLibrary.moveCredits(_yieldStorage(), from, to, amount);
    }

    /// @inheritdoc StablecoinDelegateAdmin
    function setIntakeCap(address asset, uint96 cap) public override {
        // It is burned when it comes in, so a cap would bound nothing.
        if (asset == _delegateStorage().stablecoin) revert AddressNotAllowed();
        super.setIntakeCap(asset, cap);
    }

    /// @inheritdoc ITreasuryDelegate
    function treasury() external view returns (address token) {
        return _delegateStorage().stablecoin;
    }

    /// @dev Consumes the user's credits, burns the tokens, which the user approved for this contract, and mints the
    /// protocol fee to the vault. Always returns true: a burn is exact or reverts.
    function _takeOwnStablecoin(DelegateParams memory params, bool stablecoinWithdrawal)
        internal
        override
        returns (bool success)
    {
        _redeemCredits(params.user, params.assetInAmount, stablecoinWithdrawal);
        ITreasury(params.assetInAddress).burnFrom(params.user, params.assetInAmount);
        if (params.protocolFeeAmt != 0) _payProtocolFee(params.assetInAddress, params.vault, params.protocolFeeAmt);
        return true;
    }

    /// @dev Mints a deposit with its credits to the receiver, who is on the token's whitelist.
    function _payOwnStablecoin(DelegateParams memory params, bool isRWA) internal override {
        bool isOthers = params.user != params.receiver;
        _addCredits(params.receiver, params.assetInAddress, params.assetOutAmount, isRWA, isOthers, false);
        ITreasury(params.assetOutAddress).mint(params.receiver, params.assetOutAmount);
    }

    /// @dev Mints a protocol fee with its credits to the vault, which is on the token's whitelist. `amount` is above
    /// zero.
    function _payProtocolFee(address token, address vault, uint256 amount) internal override {
        _addCredits(vault, token, amount, false, false, true);
        ITreasury(token).mint(vault, amount);
    }
}
