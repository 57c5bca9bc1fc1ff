// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../interfaces/ICoreSwap.sol";
import {IStablecoinDelegate} from "../interfaces/IStablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "../interfaces/IStablecoinDelegateAdmin.sol";
import {DailyLimit} from "../libraries/DailyLimit.sol";
import {StablecoinDelegateStorage} from "../storage/StablecoinDelegateStorage.sol";
import {Administered} from "./Administered.sol";
import {Pausing} from "./Pausing.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

/// @title StablecoinDelegateAdmin
/// @notice Administration that all LPs share.
/// @dev Roles.
/// - `DEFAULT_ADMIN_ROLE`: upgrades, roles, the lists of custody accounts and cold storage, intake caps and issuer
///   admins. It is meant to be a timelock, so this contract adds no further delay.
/// - `PAUSE_ROLE`: the emergency cause of the pause; lowers intake caps.
/// - `CORE_SWAP_CONTRACT`: mirrors {coreSwap}, which settlements check the caller against. The role is its own role
///   admin, and CoreSwap has no way to grant it, so nobody can.
/// - Issuer admins, who are kept in a separate list: they choose the custody among the accounts listed for it and
///   manage whitelists, blacklist, rates, withdrawals, the LP cause of the pause and other issuer admins; they may
///   lower intake caps.
///
/// Except by an upgrade, none of them can spend a user's approvals: settlements take only from the user who swaps, and
/// only custodies pay, each of which agreed to by calling {acceptCustody}. Withdrawals go to cold storage that another
/// role lists. Nor can an issuer admin alone take what comes in: the administrator lists the accounts that may hold it.
/// The intake caps bound what the holder of a custody's key can draw by swapping in the same assets again and again.
/// That of a plain stablecoin's LP's own stablecoin has to be set first: see {BalanceSheetDelegate}.
///
/// The pause has two causes; only the role that sets a cause can clear it. `Unpaused` is emitted when the last one is
/// cleared.
abstract contract StablecoinDelegateAdmin is
    IStablecoinDelegate,
    IStablecoinDelegateAdmin,
    StablecoinDelegateStorage,
    Pausing,
    Administered,
    UUPSUpgradeable
{
    using EnumerableSet for EnumerableSet.AddressSet;

    /// @notice Executes settlements.
    bytes32 public constant CORE_SWAP_CONTRACT = keccak256("CORE_SWAP_CONTRACT");

    /// @notice Sets and clears the emergency cause of the pause.
    bytes32 public constant PAUSE_ROLE = keccak256("PAUSE_ROLE");

    /// @notice Allows issuer admins only.
    modifier onlyIssuerAdmin() {
        _checkIssuerAdmin();
        _;
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function acceptCustody() external {
        _setAccountFlag(msg.sender, CUSTODY_ACCEPTED, true);
        emit CustodyAccepted(msg.sender);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function revokeCustody() external {
        _setAccountFlag(msg.sender, CUSTODY_ACCEPTED, false);
        emit CustodyRevoked(msg.sender);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function setCustodyListing(address account, bool rwa, bool stablecoin) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _requireNonZero(account);
        _setAccountFlag(account, LISTED_RWA_CUSTODY, rwa);
        _setAccountFlag(account, LISTED_STABLECOIN_CUSTODY, stablecoin);
        emit CustodyListingSet(account, rwa, stablecoin);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function setIntakeCap(address asset, uint96 cap) public virtual {
        ForeignAsset storage record = _foreignAsset(asset);
        uint96 current = _intakeCap(asset, record);
        bool mayLower = _delegateStorage().issuerAdmins[msg.sender] || hasRole(PAUSE_ROLE, msg.sender);
        if (cap > current || !mayLower) _checkRole(DEFAULT_ADMIN_ROLE);
        // Until now, the sum leaked at the previous cap.
        (uint256 used,) = DailyLimit.leak(record.intakeUsed, record.intakeTime, current);
        // The sum only decreases here, and a timestamp fits in 40 bits.
        // forge-lint: disable-next-line(unsafe-typecast)
        (record.intakeUsed, record.intakeTime) = (uint96(used), uint40(block.timestamp));
        record.intakeCap = cap;
        emit IntakeCapSet(asset, cap);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function setRWACustodyAddress(address _balanceSheetCustodyAddress) external onlyIssuerAdmin {
        StablecoinDelegateState storage $ = _delegateStorage();
        _replaceCustody($.rwaCustody, _balanceSheetCustodyAddress, RWA_CUSTODY, LISTED_RWA_CUSTODY);
        $.rwaCustody = _balanceSheetCustodyAddress;
        $.isOneCustody = _balanceSheetCustodyAddress == $.stablecoinCustody;
        emit RWACustodyAddressSet(_balanceSheetCustodyAddress);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function setStablecoinCustodyAddress(address _stablecoinCustodyAddress) external onlyIssuerAdmin {
        StablecoinDelegateState storage $ = _delegateStorage();
        _replaceCustody($.stablecoinCustody, _stablecoinCustodyAddress, STABLECOIN_CUSTODY, LISTED_STABLECOIN_CUSTODY);
        $.stablecoinCustody = _stablecoinCustodyAddress;
        $.isOneCustody = _stablecoinCustodyAddress == $.rwaCustody;
        emit StablecoinCustodyAddressSet(_stablecoinCustodyAddress);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function addIssuerAdmin(address issuerAdmin) external {
        _checkMayAppoint();
        _addIssuerAdmin(issuerAdmin);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function removeIssuerAdmin(address issuerAdmin) external {
        _checkMayAppoint();
        if (issuerAdmin == msg.sender) revert CannotRemoveSelf();
        StablecoinDelegateState storage $ = _delegateStorage();
        if (!$.issuerAdmins[issuerAdmin]) revert InvalidIssuerAdmin();
        $.issuerAdmins[issuerAdmin] = false;
        emit IssuerAdminRemoved(issuerAdmin);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function addRWAColdStorageAddress(address coldStorageAddress) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _requireNonZero(coldStorageAddress);
        if (_delegateStorage().rwaColdStorage.add(coldStorageAddress)) {
            emit RWAColdStorageAddressAdded(coldStorageAddress);
        }
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function removeRWAColdStorageAddress(address coldStorageAddress) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (_delegateStorage().rwaColdStorage.remove(coldStorageAddress)) {
            emit RWAColdStorageAddressRemoved(coldStorageAddress);
        }
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function addStablecoinColdStorageAddress(address coldStorageAddress) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _requireNonZero(coldStorageAddress);
        if (_delegateStorage().stablecoinColdStorage.add(coldStorageAddress)) {
            emit StablecoinColdStorageAddressAdded(coldStorageAddress);
        }
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function removeStablecoinColdStorageAddress(address coldStorageAddress) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (_delegateStorage().stablecoinColdStorage.remove(coldStorageAddress)) {
            emit StablecoinColdStorageAddressRemoved(coldStorageAddress);
        }
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function setBlacklist(address account, bool isBlacklisted) external onlyIssuerAdmin {
        _requireNonZero(account);
        _setAccountFlag(account, BLACKLISTED, isBlacklisted);
        emit BlacklistUpdated(account, isBlacklisted);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function whitelistRWA(address rwa, bool accepted) external onlyIssuerAdmin {
        _requireNonZero(rwa);
        _foreignAsset(rwa).isListedRWA = accepted;
        emit RWAWhitelist(rwa, accepted);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function whitelistStablecoin(address stablecoin, bool accepted) external onlyIssuerAdmin {
        _requireNonZero(stablecoin);
        _foreignAsset(stablecoin).isListedStablecoin = accepted;
        emit StablecoinWhitelist(stablecoin, accepted);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function setRWADiscountRate(bytes32 rwaID, uint256 rate) external onlyIssuerAdmin {
        StablecoinDelegateState storage $ = _delegateStorage();
        emit RWADiscountRateSet(rwaID, rate);
        ICoreSwap($.coreSwap).setRWADiscountRate($.stablecoinID, rwaID, rate);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function setRWARedemptionFee(bytes32 rwaID, uint256 rate) external onlyIssuerAdmin {
        StablecoinDelegateState storage $ = _delegateStorage();
        emit RedemptionFeeSet(rwaID, rate);
        ICoreSwap($.coreSwap).setRWARedemptionFee($.stablecoinID, rwaID, rate);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function setStablecoinAcceptanceFee(address stablecoin, uint256 rate) external onlyIssuerAdmin {
        StablecoinDelegateState storage $ = _delegateStorage();
        emit StablecoinAcceptanceFeeSet(stablecoin, rate);
        ICoreSwap($.coreSwap).setStablecoinAcceptanceFee($.stablecoinID, stablecoin, rate);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function setStablecoinRedemptionFee(address stablecoin, uint256 rate) external onlyIssuerAdmin {
        StablecoinDelegateState storage $ = _delegateStorage();
        emit StablecoinRedemptionFeeSet(stablecoin, rate);
        ICoreSwap($.coreSwap).setStablecoinRedemptionFee($.stablecoinID, stablecoin, rate);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function setAutoLiquidityStablecoinID(bytes32 autoLiquidityStablecoinID) external onlyIssuerAdmin {
        StablecoinDelegateState storage $ = _delegateStorage();
        emit AutoLiquidityStablecoinIDSet(autoLiquidityStablecoinID);
        ICoreSwap($.coreSwap).setAutoLiquidityStablecoinID($.stablecoinID, autoLiquidityStablecoinID);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function withdrawStablecoin(address to, uint256 amount) external virtual;

    /// @inheritdoc IStablecoinDelegateAdmin
    function pause() external {
        if (hasRole(PAUSE_ROLE, msg.sender)) {
            _pause(EMERGENCY_PAUSE);
        } else {
            _checkMayPause();
            _pause(ISSUER_PAUSE);
        }
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function unpause() external {
        if (hasRole(PAUSE_ROLE, msg.sender)) {
            _unpause(EMERGENCY_PAUSE);
        } else {
            _checkMayPause();
            _unpause(ISSUER_PAUSE);
        }
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function pauseCore() external onlyIssuerAdmin {
        _pause(ISSUER_PAUSE);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function unpauseCore() external onlyIssuerAdmin {
        _unpause(ISSUER_PAUSE);
    }

    /// @inheritdoc IStablecoinDelegate
    function coreSwap() external view returns (address coreSwapAddress) {
        return _delegateStorage().coreSwap;
    }

    /// @inheritdoc IStablecoinDelegate
    function stablecoinID() external view returns (bytes32 id) {
        return _delegateStorage().stablecoinID;
    }

    /// @inheritdoc IStablecoinDelegate
    function stablecoinAddress() external view returns (address token) {
        return _delegateStorage().stablecoin;
    }

    /// @inheritdoc IStablecoinDelegate
    function balanceSheetCustodyAddress() external view returns (address account) {
        return _delegateStorage().rwaCustody;
    }

    /// @inheritdoc IStablecoinDelegate
    function stablecoinCustodyAddress() external view returns (address account) {
        return _delegateStorage().stablecoinCustody;
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function emergencyPaused() external view returns (bool isSet) {
        return _delegateStorage().pauseCauses & EMERGENCY_PAUSE != 0;
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function issuerPaused() external view returns (bool isSet) {
        return _delegateStorage().pauseCauses & ISSUER_PAUSE != 0;
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function custodyAccepted(address account) external view returns (bool accepted) {
        return _hasAccountFlags(account, CUSTODY_ACCEPTED);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function blacklist(address account) external view returns (bool listed) {
        return _hasAccountFlags(account, BLACKLISTED);
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function issuerAdmins(address account) external view returns (bool isAdmin) {
        return _delegateStorage().issuerAdmins[account];
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function rwaWhitelist(address rwa) external view returns (bool listed) {
        return _foreignAsset(rwa).isListedRWA;
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function stablecoinWhitelist(address stablecoin) external view returns (bool listed) {
        return _foreignAsset(stablecoin).isListedStablecoin;
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function intakeCap(address asset) external view returns (uint256 cap, uint256 available) {
        ForeignAsset storage record = _foreignAsset(asset);
        cap = _intakeCap(asset, record);
        (uint256 used,) = DailyLimit.leak(record.intakeUsed, record.intakeTime, cap);
        if (cap == UNCAPPED) used = 0;
        available = cap > used ? cap - used : 0;
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function custodyListing(address account) external view returns (bool rwa, bool stablecoin) {
        return (_hasAccountFlags(account, LISTED_RWA_CUSTODY), _hasAccountFlags(account, LISTED_STABLECOIN_CUSTODY));
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function getRWAColdStorageAddresses() external view returns (address[] memory addresses) {
        return _delegateStorage().rwaColdStorage.values();
    }

    /// @inheritdoc IStablecoinDelegateAdmin
    function getStablecoinColdStorageAddresses() external view returns (address[] memory addresses) {
        return _delegateStorage().stablecoinColdStorage.values();
    }

    /// @dev Sets the values that never change and grants the first roles. Reverts with `InvalidInitializationParams`
    /// when `coreAdmin` or `id` is zero, `InvalidIssuerAdmin` when `initialIssuerAdmin` is zero, `InvalidCoreSwap` when
    /// `coreSwapAddress` is not a contract, and `InvalidStablecoinAsset` when `token` is not a contract.
    function _initializeDelegate(
        address coreAdmin,
        address initialIssuerAdmin,
        address coreSwapAddress,
        bytes32 id,
        address token
    ) internal onlyInitializing {
        if (coreAdmin == address(0) || id == 0) revert InvalidInitializationParams();
        if (coreSwapAddress.code.length == 0) revert InvalidCoreSwap();
        if (token.code.length == 0) revert InvalidStablecoinAsset(token);

        _grantRole(DEFAULT_ADMIN_ROLE, coreAdmin);
        _grantRole(PAUSE_ROLE, coreAdmin);
        _setRoleAdmin(CORE_SWAP_CONTRACT, CORE_SWAP_CONTRACT);
        _grantRole(CORE_SWAP_CONTRACT, coreSwapAddress);

        StablecoinDelegateState storage $ = _delegateStorage();
        $.coreSwap = coreSwapAddress;
        $.stablecoinID = id;
        $.stablecoin = token;
        _addIssuerAdmin(initialIssuerAdmin);
    }

    /// @dev Stored beside {coreSwap}, which every settlement reads.
    function _setPauseCauses(uint8 causes) internal override {
        _delegateStorage().pauseCauses = causes;
        emit PauseCauseSet(msg.sender, causes & EMERGENCY_PAUSE != 0, causes & ISSUER_PAUSE != 0);
    }

    function _pauseCauses() internal view override returns (uint8 causes) {
        return _delegateStorage().pauseCauses;
    }

    /// @notice Allows only `DEFAULT_ADMIN_ROLE` to upgrade, to any implementation.
    function _authorizeUpgrade(address) internal view override {
        _checkRole(DEFAULT_ADMIN_ROLE);
    }

    /// @dev Returns the intake cap in force of an asset, whose record is given.
    function _intakeCap(address, ForeignAsset storage record) internal view virtual returns (uint96 cap) {
        return record.intakeCap;
    }

    /// @dev Returns whether stablecoins may be withdrawn to an address.
    function _isStablecoinColdStorage(address to) internal view returns (bool listed) {
        return _delegateStorage().stablecoinColdStorage.contains(to);
    }

    /// @notice Refuses callers that are not an issuer admin.
    function _checkIssuerAdmin() internal view {
        if (!_delegateStorage().issuerAdmins[msg.sender]) revert NotIssuerAdmin();
    }

    /// @dev Adds an issuer admin.
    function _addIssuerAdmin(address issuerAdmin) private {
        if (issuerAdmin == address(0)) revert InvalidIssuerAdmin();
        StablecoinDelegateState storage $ = _delegateStorage();
        if ($.issuerAdmins[issuerAdmin]) return;
        $.issuerAdmins[issuerAdmin] = true;
        emit IssuerAdminAdded(issuerAdmin);
    }

    /// @dev Refuses callers that are neither an issuer admin nor an administrator.
    function _checkMayAppoint() private view {
        if (!hasRole(DEFAULT_ADMIN_ROLE, msg.sender)) _checkIssuerAdmin();
    }

    /// @notice Refuses callers that neither are an issuer admin nor hold `PAUSE_ROLE`; the error names the role.
    function _checkMayPause() private view {
        if (!_delegateStorage().issuerAdmins[msg.sender]) _checkRole(PAUSE_ROLE);
    }

    /// @dev Moves a custody's flag from the previous account (zero when there was none) to the next. Refuses an account
    /// that did not agree to serve as custody or is not listed; the delegate itself needs neither consent nor listing.
    /// `flag` is `RWA_CUSTODY` or `STABLECOIN_CUSTODY`, and `listedFlag` is `LISTED_RWA_CUSTODY` or
    /// `LISTED_STABLECOIN_CUSTODY`.
    function _replaceCustody(address previous, address account, uint8 flag, uint8 listedFlag) private {
        _requireNonZero(account);
        if (account != address(this) && !_hasAccountFlags(account, CUSTODY_ACCEPTED | listedFlag)) {
            revert AddressNotAllowed();
        }
        _setAccountFlag(previous, flag, false);
        _setAccountFlag(account, flag, true);
    }

    /// @dev Refuses the zero address.
    function _requireNonZero(address account) private pure {
        if (account == address(0)) revert ZeroAddressNotAllowed();
    }
}
