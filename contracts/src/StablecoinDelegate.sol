// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StablecoinDelegateAdmin} from "./components/StablecoinDelegateAdmin.sol";
import {IStablecoinDelegate} from "./interfaces/IStablecoinDelegate.sol";
import {DailyLimit} from "./libraries/DailyLimit.sol";
import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title StablecoinDelegate
/// @notice The settlement logic that all LPs share: what may be settled and for whom, and how foreign assets are taken
/// in and paid out. Each kind of LP defines how its own stablecoin is taken in and paid out.
/// @dev
/// | leg | in | out |
/// |---|---|---|
/// | `deployStablecoin` | RWA: user to RWA custody | own stablecoin to the receiver, fee to the vault |
/// | `receiveStablecoin` | own stablecoin from the user, fee to the vault | RWA: RWA custody to the receiver |
/// | `exchangeRWAs` | RWA: user to RWA custody | RWA: RWA custody to the receiver; fee to the vault |
/// | `exchangeStablecoins`, own out | foreign: user to stablecoin custody | own to the receiver, fee to the vault |
/// | `exchangeStablecoins`, own in | own from the user, fee to the vault | foreign: stablecoin custody to the receiver |
///
/// Incoming amounts are measured: unless the balance of the custody grows by exactly the amount, the settlement returns
/// false. This rules out fee-on-transfer tokens and self-transfers. Payouts are made in full or revert.
///
/// Foreign assets that are taken in count against their intake cap, and payouts of the same asset are subtracted. A
/// custody that repeatedly swaps in the same foreign tokens can therefore not draw more than the cap. The own
/// stablecoin counts only where {BalanceSheetDelegate} says so.
abstract contract StablecoinDelegate is StablecoinDelegateAdmin, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @inheritdoc IStablecoinDelegate
    function deployStablecoin(DelegateParams memory params) external nonReentrant returns (bool success) {
        _checkSettlement(params);
        _requireOwnStablecoin(params.assetOutAddress);
        success = _takeInCapped(params, _requireRWA(params.assetInAddress), _rwaCustody(), params.assetInAmount);
        if (!success) return false;
        _payOwnStablecoin(params, true);
        if (params.protocolFeeAmt != 0) _payProtocolFee(params.assetOutAddress, params.vault, params.protocolFeeAmt);
    }

    /// @inheritdoc IStablecoinDelegate
    function receiveStablecoin(DelegateParams memory params) external nonReentrant returns (bool success) {
        _checkSettlement(params);
        _requireOwnStablecoin(params.assetInAddress);
        ForeignAsset storage rwa = _requireRWA(params.assetOutAddress);
        success = _takeOwnStablecoin(params, false);
        if (!success) return false;
        _payOutForeign(params, rwa, _rwaCustody());
    }

    /// @inheritdoc IStablecoinDelegate
    function exchangeRWAs(DelegateParams memory params) external nonReentrant returns (bool success) {
        _checkSettlement(params);
        ForeignAsset storage rwaIn = _requireRWA(params.assetInAddress);
        ForeignAsset storage rwaOut = _requireRWA(params.assetOutAddress);
        address custody = _rwaCustody();
        success = _takeInCapped(params, rwaIn, custody, params.assetInAmount);
        if (!success) return false;
        _payOutForeign(params, rwaOut, custody);
        if (params.protocolFeeAmt != 0) {
            _payProtocolFee(_delegateStorage().stablecoin, params.vault, params.protocolFeeAmt);
        }
    }

    /// @inheritdoc IStablecoinDelegate
    function exchangeStablecoins(DelegateParams memory params) external nonReentrant returns (bool success) {
        _checkSettlement(params);
        address own = _delegateStorage().stablecoin;
        bool isOwnIn = params.assetInAddress == own;
        if (isOwnIn == (params.assetOutAddress == own)) {
            revert InvalidStablecoinExchange(params.assetInAddress, params.assetOutAddress, own);
        }
        if (isOwnIn) {
            ForeignAsset storage foreign = _requireForeignStablecoin(params.assetOutAddress);
            success = _takeOwnStablecoin(params, true);
            if (!success) return false;
            _payOutForeign(params, foreign, _stablecoinCustody());
        } else {
            success = _takeInCapped(
                params, _requireForeignStablecoin(params.assetInAddress), _stablecoinCustody(), params.assetInAmount
            );
            if (!success) return false;
            _payOwnStablecoin(params, false);
            if (params.protocolFeeAmt != 0) _payProtocolFee(own, params.vault, params.protocolFeeAmt);
        }
    }

    /// @inheritdoc StablecoinDelegateAdmin
    function withdrawStablecoin(address to, uint256 amount)
        external
        override
        onlyIssuerAdmin
        whenNotPaused
        nonReentrant
    {
        if (!_isStablecoinColdStorage(to)) revert AddressNotAllowed();
        _payOut(_delegateStorage().stablecoin, _stablecoinCustody(), to, amount);
        emit StablecoinWithdrawn(to, amount);
    }

    /// @dev Takes `assetInAmount` of the delegate's own stablecoin from the user; the protocol fee, which is part of
    /// it, goes to the vault. `stablecoinWithdrawal` is true when the user is paid in a stablecoin, false when in an
    /// RWA. Returns false when the amount taken in is not exactly the amount asked for.
    function _takeOwnStablecoin(DelegateParams memory params, bool stablecoinWithdrawal)
        internal
        virtual
        returns (bool success);

    /// @dev Pays `assetOutAmount` of the delegate's own stablecoin to the receiver. `isRWA` is true when an RWA came
    /// in, false when a stablecoin did.
    function _payOwnStablecoin(DelegateParams memory params, bool isRWA) internal virtual;

    /// @dev Pays the protocol fee of a leg in which the delegate's own stablecoin does not come in. `amount` is in
    /// units of that stablecoin and above zero.
    function _payProtocolFee(address token, address vault, uint256 amount) internal virtual;

    /// @dev Moves tokens from the user, who approved this delegate, to a custody. Returns true when the balance of the
    /// custody grew by exactly `amount`, which is in units of the token.
    function _takeIn(address token, address from, address custody, uint256 amount) internal returns (bool success) {
        uint256 balanceBefore = IERC20(token).balanceOf(custody);
        IERC20(token).safeTransferFrom(from, custody, amount);
        uint256 balanceAfter = IERC20(token).balanceOf(custody);
        unchecked {
            return balanceAfter >= balanceBefore && balanceAfter - balanceBefore == amount;
        }
    }

    /// @dev Pays tokens out of a custody, in full or not at all. A custody other than the delegate must have approved
    /// the delegate. `amount` is in units of the token.
    function _payOut(address token, address custody, address to, uint256 amount) internal {
        if (custody == address(this)) IERC20(token).safeTransfer(to, amount);
        else IERC20(token).safeTransferFrom(custody, to, amount);
    }

    /// @dev Takes `amount` of the asset in and counts it against the asset's cap (`IntakeCapExceeded`). Returns false
    /// when the custody's balance did not grow by exactly the amount.
    function _takeInCapped(DelegateParams memory params, ForeignAsset storage asset, address custody, uint256 amount)
        internal
        returns (bool success)
    {
        address token = params.assetInAddress;
        (uint256 used, uint256 time, uint256 cap) = (asset.intakeUsed, asset.intakeTime, asset.intakeCap);
        if (cap != UNCAPPED) {
            (used, time) = DailyLimit.leak(used, time, cap);
            // The cap may have been lowered below the sum.
            uint256 available = Math.saturatingSub(cap, used);
            if (amount > available) revert IntakeCapExceeded(token, amount, available);
            unchecked {
                _setIntake(asset, used + amount, time);
            }
        }
        return _takeIn(token, params.user, custody, amount);
    }

    /// @dev Pays a foreign asset to the receiver, which frees room under the asset's cap.
    function _payOutForeign(DelegateParams memory params, ForeignAsset storage asset, address custody) private {
        uint256 amount = params.assetOutAmount;
        (uint256 used, uint256 time, uint256 cap) = (asset.intakeUsed, asset.intakeTime, asset.intakeCap);
        if (cap != UNCAPPED && used != 0) {
            (used, time) = DailyLimit.leak(used, time, cap);
            _setIntake(asset, Math.saturatingSub(used, amount), time);
        }
        _payOut(params.assetOutAddress, custody, params.receiver, amount);
    }

    /// @dev Neither conversion truncates: the sum is at most the cap, which has 96 bits, and a timestamp fits in 40
    /// bits.
    function _setIntake(ForeignAsset storage asset, uint256 used, uint256 time) private {
        // forge-lint: disable-next-line(unsafe-typecast)
        (asset.intakeUsed, asset.intakeTime) = (uint96(used), uint40(time));
    }

    /// @dev Returns the RWA custody, which must be set.
    function _rwaCustody() private view returns (address custody) {
        custody = _delegateStorage().rwaCustody;
        if (custody == address(0)) revert SetRWACustodyAddress();
    }

    /// @dev Returns the stablecoin custody, which must be set.
    function _stablecoinCustody() internal view returns (address custody) {
        StablecoinDelegateState storage $ = _delegateStorage();
        bool isOneCustody;
        (custody, isOneCustody) = ($.rwaCustody, $.isOneCustody);
        if (!isOneCustody) custody = $.stablecoinCustody;
        if (custody == address(0)) revert SetStablecoinCustodyAddress();
    }

    /// @dev Checks what every settlement requires: CoreSwap as the caller, no pause, and parties that are allowed.
    function _checkSettlement(DelegateParams memory params) private view {
        if (msg.sender != _delegateStorage().coreSwap) {
            revert AccessControlUnauthorizedAccount(msg.sender, CORE_SWAP_CONTRACT);
        }
        _requireNotPaused();
        _checkParty(params.user);
        _checkParty(params.receiver);
    }

    /// @dev Refuses the delegate and its custody accounts, whose approvals are not a user's, and blacklisted accounts.
    function _checkParty(address account) private view {
        uint8 flags = _delegateStorage().accountFlags[account];
        if (account == address(this) || flags & (RWA_CUSTODY | STABLECOIN_CUSTODY) != 0) revert AddressNotAllowed();
        if (flags & BLACKLISTED != 0) revert AddressBlacklisted(account);
    }

    /// @dev Refuses any stablecoin but the delegate's own.
    function _requireOwnStablecoin(address token) private view {
        if (token != _delegateStorage().stablecoin) revert InvalidStablecoinAsset(token);
    }

    /// @dev Returns the record of an RWA; refuses one that this LP does not deal in.
    function _requireRWA(address rwa) private view returns (ForeignAsset storage asset) {
        asset = _foreignAsset(rwa);
        if (!asset.isListedRWA) revert RWANotWhitelisted();
    }

    /// @dev Returns the record of a foreign stablecoin; refuses one that this LP does not deal in.
    function _requireForeignStablecoin(address token) private view returns (ForeignAsset storage asset) {
        asset = _foreignAsset(token);
        if (!asset.isListedStablecoin) revert StablecoinNotWhitelisted(token);
    }
}
