// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Administered} from "./components/Administered.sol";
import {Pausing} from "./components/Pausing.sol";
import {ITreasury} from "./interfaces/ITreasury.sol";
import {DailyLimit} from "./libraries/DailyLimit.sol";
import {TreasuryStorage} from "./storage/TreasuryStorage.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
import {ERC20Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
import {
    ERC20PermitUpgradeable
} from "@openzeppelin/contracts-upgradeable/token/ERC20/extensions/ERC20PermitUpgradeable.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title Treasury
/// @notice The treasury token: ERC-20 with ERC-2612 permit, compliance lists, bridge burn-and-mint, pause and forced
/// transfer, behind an ERC-1967 proxy (UUPS).
///
/// Compliance. Every balance change except a forced one goes through `_update`, which requires that the token is not
/// paused and that neither the sender nor the receiver is blacklisted. Every use of an allowance goes through
/// `_spendAllowance`, which requires the same of the spender. `approve` and `permit` stay open because an approval
/// moves nothing. The whitelist applies to `mint` only.
///
/// Ledger. An account's balance and its two list flags share one slot, which replaces OpenZeppelin's balance mapping,
/// so the compliance checks of a transfer read no further slot. A filter of the blacklist shares the slot of the pause,
/// so most spenders need no further slot either. Allowances, events and errors are OpenZeppelin's. A balance has 240
/// bits, so the supply is at most 2^240 - 1.
///
/// Roles. `DEFAULT_ADMIN_ROLE` upgrades and is the role admin of itself, `OPERATOR_ROLE`, `PAUSER_ROLE`,
/// `WHITELISTER_ROLE` and `BLACKLISTER_ROLE`. `OPERATOR_ROLE` adds and removes bridges, makes forced burns and
/// transfers, raises bridge limits, and is the role admin of `MINTER_ROLE` and `BRIDGE_ROLE`; the default admin can
/// manage those two only by holding or granting itself `OPERATOR_ROLE`. `PAUSER_ROLE` lowers bridge limits.
///
/// Not checked: that minted tokens are backed (the minter's duty), and that the bridges' burns and mints match across
/// chains. The amount that a bridge mints in a day is bounded only if the bridge has a limit.
contract Treasury is
    ITreasury,
    TreasuryStorage,
    Pausing,
    ERC20PermitUpgradeable,
    Administered,
    ReentrancyGuardTransient,
    UUPSUpgradeable
{
    /// @notice Adds and removes bridges and raises their limits, makes forced burns and transfers, and grants and
    /// revokes `MINTER_ROLE` and `BRIDGE_ROLE`.
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    /// @notice Mints to whitelisted accounts.
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");

    /// @notice Mints amounts that were burned on another chain.
    bytes32 public constant BRIDGE_ROLE = keccak256("BRIDGE_ROLE");

    /// @notice Pauses and unpauses.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// @notice Maintains the whitelist.
    bytes32 public constant WHITELISTER_ROLE = keccak256("WHITELISTER_ROLE");

    /// @notice Maintains the blacklist.
    bytes32 public constant BLACKLISTER_ROLE = keccak256("BLACKLISTER_ROLE");

    /// @dev The token's name, and the name of its EIP-712 domain.
    string private constant NAME = "Treasury";

    modifier nonZero(address account) {
        if (account == address(0)) revert ZeroAddress();
        _;
    }

    modifier nonZeroAmount(uint256 amount) {
        if (amount == 0) revert InvalidAmount();
        _;
    }

    /// @custom:oz-upgrades-unsafe-allow constructor
    constructor() {
        _disableInitializers();
    }

    /// @inheritdoc ITreasury
    /// @dev Does not call the parents' initializers: that of the permit would store the EIP-712 name, which is a
    /// constant here, and the others do nothing.
    /// @custom:oz-upgrades-unsafe-allow missing-initializer-call
    function initialize(string calldata name_, string calldata symbol_, address admin_)
        external
        initializer
        nonZero(admin_)
    {
        if (keccak256(bytes(name_)) != keccak256(bytes(NAME))) revert InvalidInitialization();
        __ERC20_init(name_, symbol_);

        _setRoleAdmin(MINTER_ROLE, OPERATOR_ROLE);
        _setRoleAdmin(BRIDGE_ROLE, OPERATOR_ROLE);
        _grantRole(DEFAULT_ADMIN_ROLE, admin_);
        _grantRole(OPERATOR_ROLE, admin_);
    }

    // ---------------------------------------------------------------------------------------- issuance and burning

    /// @inheritdoc ITreasury
    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) nonZero(to) nonZeroAmount(amount) {
        if (!whitelisted(to)) revert AccountNotWhitelisted(to);
        _mint(to, amount);
    }

    /// @inheritdoc ITreasury
    function bridgeMint(address to, uint256 amount) external onlyRole(BRIDGE_ROLE) nonZero(to) nonZeroAmount(amount) {
        _countBridgeMint(amount);
        emit BridgeMint(msg.sender, to, amount);
        _mint(to, amount);
    }

    /// @inheritdoc ITreasury
    function burn(uint256 amount) external nonZeroAmount(amount) {
        _burn(msg.sender, amount);
    }

    /// @inheritdoc ITreasury
    function burnFrom(address from, uint256 amount) external nonZero(from) nonZeroAmount(amount) {
        _spendAllowance(from, msg.sender, amount);
        if (hasRole(BRIDGE_ROLE, msg.sender)) emit BridgeBurn(msg.sender, from, amount);
        _burn(from, amount);
    }

    /// @inheritdoc ITreasury
    function forceBurn(address from, uint256 amount)
        external
        onlyRole(OPERATOR_ROLE)
        nonZero(from)
        nonZeroAmount(amount)
    {
        emit ForcedBurn(msg.sender, from, amount);
        _move(from, address(0), amount, 0);
    }

    /// @inheritdoc ITreasury
    function forceTransfer(address from, address to, uint256 amount)
        external
        onlyRole(OPERATOR_ROLE)
        nonZero(from)
        nonZero(to)
        nonZeroAmount(amount)
    {
        emit ForcedTransfer(msg.sender, from, to, amount);
        _move(from, to, amount, 0);
    }

    // ------------------------------------------------------------------------------------------- lists and bridges

    /// @inheritdoc ITreasury
    function addToWhitelist(address account) external onlyRole(WHITELISTER_ROLE) nonZero(account) {
        if (_setFlag(account, WHITELISTED_FLAG, true)) emit AddedToWhitelist(account);
    }

    /// @inheritdoc ITreasury
    function removeFromWhitelist(address account) external onlyRole(WHITELISTER_ROLE) nonZero(account) {
        if (_setFlag(account, WHITELISTED_FLAG, false)) emit RemovedFromWhitelist(account);
    }

    /// @inheritdoc ITreasury
    function addToBlacklist(address account) external onlyRole(BLACKLISTER_ROLE) {
        _addToBlacklist(account);
    }

    /// @inheritdoc ITreasury
    function removeFromBlacklist(address account) external onlyRole(BLACKLISTER_ROLE) {
        _removeFromBlacklist(account);
    }

    /// @inheritdoc ITreasury
    function addToBlacklistBatch(address[] calldata accounts) external onlyRole(BLACKLISTER_ROLE) {
        for (uint256 i; i < accounts.length; ++i) {
            _addToBlacklist(accounts[i]);
        }
    }

    /// @inheritdoc ITreasury
    function removeFromBlacklistBatch(address[] calldata accounts) external onlyRole(BLACKLISTER_ROLE) {
        for (uint256 i; i < accounts.length; ++i) {
            _removeFromBlacklist(accounts[i]);
        }
    }

    /// @inheritdoc ITreasury
    function addBridge(address bridge) external onlyRole(OPERATOR_ROLE) nonZero(bridge) {
        _grantRole(BRIDGE_ROLE, bridge);
    }

    /// @inheritdoc ITreasury
    function removeBridge(address bridge) external onlyRole(OPERATOR_ROLE) nonZero(bridge) {
        _revokeRole(BRIDGE_ROLE, bridge);
    }

    /// @inheritdoc ITreasury
    function setBridgeLimit(address bridge, uint96 perDay) external nonZero(bridge) {
        BridgeLimit storage limit = _treasuryStorage().bridgeLimits[bridge];
        uint96 current = limit.isSet ? limit.perDay : UNLIMITED;
        if (perDay > current || !hasRole(PAUSER_ROLE, msg.sender)) _checkRole(OPERATOR_ROLE);
        // Until now, the sum leaked at the previous limit.
        (uint256 used,) = DailyLimit.leak(limit.used, limit.usedAt, limit.perDay);
        // The sum only decreases here, and a timestamp fits in 40 bits.
        // forge-lint: disable-next-line(unsafe-typecast)
        (limit.used, limit.usedAt) = (uint96(used), uint40(block.timestamp));
        (limit.isSet, limit.perDay) = (perDay != UNLIMITED, perDay);
        emit BridgeLimitSet(bridge, perDay);
    }

    // ----------------------------------------------------------------------------------------- pause and upgrade

    /// @inheritdoc ITreasury
    function pause() external onlyRole(PAUSER_ROLE) {
        _pause(EMERGENCY_PAUSE);
    }

    /// @inheritdoc ITreasury
    function unpause() external onlyRole(PAUSER_ROLE) {
        _unpause(EMERGENCY_PAUSE);
    }

    /// @inheritdoc UUPSUpgradeable
    /// @dev The only function that runs code outside this contract (the new implementation's migration), and therefore
    /// the only one guarded against reentrancy.
    function upgradeToAndCall(address newImplementation, bytes memory data) public payable override nonReentrant {
        super.upgradeToAndCall(newImplementation, data);
    }

    // ------------------------------------------------------------------------------------------------------- views

    /// @inheritdoc ITreasury
    function whitelisted(address account) public view returns (bool) {
        return _hasFlag(account, WHITELISTED_FLAG);
    }

    /// @inheritdoc ITreasury
    function blacklisted(address account) public view returns (bool) {
        return _hasFlag(account, BLACKLISTED_FLAG);
    }

    /// @inheritdoc ITreasury
    function bridgeLimit(address bridge) external view returns (uint256 perDay, uint256 available) {
        BridgeLimit memory limit = _treasuryStorage().bridgeLimits[bridge];
        if (!limit.isSet) return (UNLIMITED, UNLIMITED);
        (uint256 used,) = DailyLimit.leak(limit.used, limit.usedAt, limit.perDay);
        return (limit.perDay, Math.saturatingSub(limit.perDay, used));
    }

    /// @inheritdoc ERC20Upgradeable
    function balanceOf(address account) public view override returns (uint256) {
        return _treasuryStorage().accounts[account] & BALANCE_MASK;
    }

    /// @inheritdoc ERC20Upgradeable
    function totalSupply() public view override returns (uint256) {
        return _treasuryStorage().totalSupply;
    }

    // --------------------------------------------------------------------------------------------------- internals

    /// @dev Enforces compliance on every mint, burn and transfer that is not forced.
    function _update(address from, address to, uint256 value) internal override {
        _requireNotPaused();
        _move(from, to, value, BLACKLISTED_FLAG);
    }

    /// @dev Enforces compliance on every spender in `transferFrom` and `burnFrom`, for both finite and infinite
    /// allowances.
    function _spendAllowance(address owner, address spender, uint256 value) internal override {
        _requireNotBlacklisted(spender);
        super._spendAllowance(owner, spender, value);
    }

    /// @dev Moves balances and supply and emits `Transfer`. A zero `from` mints and a zero `to` burns `value`, in the
    /// token's smallest unit. An account with any of `barringFlags` may be neither sender nor receiver; 0 allows every
    /// account.
    function _move(address from, address to, uint256 value, uint256 barringFlags) private {
        TreasuryLayout storage $ = _treasuryStorage();
        // Unchecked: the supply is bounded below, and no balance exceeds the supply.
        unchecked {
            if (from == address(0)) {
                uint256 supply = $.totalSupply;
                if (value > BALANCE_MASK - supply) revert InvalidAmount();
                $.totalSupply = supply + value;
            } else {
                uint256 sender = $.accounts[from];
                if (sender & barringFlags != 0) revert AccountBlacklisted(from);
                uint256 balance = sender & BALANCE_MASK;
                if (balance < value) revert ERC20InsufficientBalance(from, balance, value);
                $.accounts[from] = sender - value;
            }
            if (to == address(0)) {
                $.totalSupply -= value;
            } else {
                // Read after the sender is written, so that a self-transfer changes nothing.
                uint256 receiver = $.accounts[to];
                if (receiver & barringFlags != 0) revert AccountBlacklisted(to);
                $.accounts[to] = receiver + value;
            }
        }
        emit Transfer(from, to, value);
    }

    /// @dev Counts a mint by the calling bridge against the bridge's limit, if it has one.
    function _countBridgeMint(uint256 amount) private {
        BridgeLimit storage limit = _treasuryStorage().bridgeLimits[msg.sender];
        if (!limit.isSet) return;
        (uint256 used, uint256 time) = DailyLimit.leak(limit.used, limit.usedAt, limit.perDay);
        // The limit may have been lowered below the sum.
        uint256 available = Math.saturatingSub(limit.perDay, used);
        if (amount > available) revert BridgeLimitExceeded(msg.sender, amount, available);
        // The sum is at most the limit, which has 96 bits, and a timestamp fits in 40 bits.
        // forge-lint: disable-next-line(unsafe-typecast)
        (limit.used, limit.usedAt) = (uint96(used + amount), uint40(time));
    }

    function _addToBlacklist(address account) private nonZero(account) {
        _treasuryStorage().blacklistFilter |= _filterBit(account);
        if (_setFlag(account, BLACKLISTED_FLAG, true)) emit AddedToBlacklist(account);
    }

    function _removeFromBlacklist(address account) private nonZero(account) {
        if (!_setFlag(account, BLACKLISTED_FLAG, false)) revert AccountNotBlacklisted(account);
        emit RemovedFromBlacklist(account);
    }

    /// @dev Stored beside the blacklist's filter.
    function _setPauseCauses(uint8 causes) internal override {
        _treasuryStorage().pauseCauses = causes;
    }

    function _pauseCauses() internal view override returns (uint8 causes) {
        return _treasuryStorage().pauseCauses;
    }

    /// @dev Sets a list flag of an account, `WHITELISTED_FLAG` or `BLACKLISTED_FLAG`. Returns false when the flag
    /// already was `value`.
    function _setFlag(address account, uint256 flag, bool value) private returns (bool changed) {
        changed = _hasFlag(account, flag) != value;
        if (changed) _treasuryStorage().accounts[account] ^= flag;
    }

    function _hasFlag(address account, uint256 flag) private view returns (bool) {
        return _treasuryStorage().accounts[account] & flag != 0;
    }

    /// @dev For most accounts, the filter alone decides; it is in the slot of the pause.
    function _requireNotBlacklisted(address account) private view {
        if (_treasuryStorage().blacklistFilter & _filterBit(account) == 0) return;
        if (blacklisted(account)) revert AccountBlacklisted(account);
    }

    /// @dev An address is already a digest, so its remainder serves as the hash for the filter.
    function _filterBit(address account) private pure returns (uint248 bit) {
        // forge-lint: disable-next-line(unsafe-typecast,incorrect-shift)
        return uint248(1 << (uint160(account) % BLACKLIST_FILTER_WIDTH));
    }

    /// @dev Emits `BridgeAdded` whenever `BRIDGE_ROLE` is granted, so that listeners need to follow only one event.
    function _grantRole(bytes32 role, address account) internal override returns (bool granted) {
        granted = super._grantRole(role, account);
        if (granted && role == BRIDGE_ROLE) emit BridgeAdded(account);
    }

    /// @dev Emits `BridgeRemoved` whenever an account loses `BRIDGE_ROLE`, including by renunciation.
    function _revokeRole(bytes32 role, address account) internal override returns (bool revoked) {
        revoked = super._revokeRole(role, account);
        if (revoked && role == BRIDGE_ROLE) emit BridgeRemoved(account);
    }

    /// @inheritdoc UUPSUpgradeable
    // solhint-disable-next-line no-empty-blocks
    function _authorizeUpgrade(address) internal override onlyRole(DEFAULT_ADMIN_ROLE) {}

    /// @dev A constant, like the version, because reading it from storage would cost each permit over 2,000 gas.
    // solhint-disable-next-line func-name-mixedcase
    function _EIP712Name() internal pure override returns (string memory) {
        return NAME;
    }

    // solhint-disable-next-line func-name-mixedcase
    function _EIP712Version() internal pure override returns (string memory) {
        return "1";
    }
}
