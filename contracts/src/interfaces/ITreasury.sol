// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title ITreasury
/// @notice The treasury token beyond ERC-20, ERC-2612, access control, pause and UUPS.
/// Amounts are in the token's smallest unit (18 decimals). Nothing here divides, so nothing rounds.
interface ITreasury {
    /// @notice `account` may receive primary issuance from now on.
    /// @param account The account.
    event AddedToWhitelist(address indexed account);

    /// @notice `account` may no longer receive primary issuance.
    /// @param account The account.
    event RemovedFromWhitelist(address indexed account);

    /// @notice `account` can no longer send, receive or spend.
    /// @param account The account.
    event AddedToBlacklist(address indexed account);

    /// @notice `account` can send, receive and spend again.
    /// @param account The account.
    event RemovedFromBlacklist(address indexed account);

    /// @notice `bridge` minted `amount` that was burned on another chain. Directly precedes the `Transfer` of the mint.
    /// @param bridge The bridge.
    /// @param to Account that receives.
    /// @param amount Amount in the token's smallest unit.
    event BridgeMint(address indexed bridge, address indexed to, uint256 amount);

    /// @notice `bridge` burned `amount` that will be minted on another chain. Directly precedes the `Transfer` of the
    /// burn.
    /// @param bridge The bridge.
    /// @param from Account that loses the tokens.
    /// @param amount Amount in the token's smallest unit.
    event BridgeBurn(address indexed bridge, address indexed from, uint256 amount);

    /// @notice `bridge` gained `BRIDGE_ROLE`, whichever function granted it.
    /// @param bridge The bridge.
    event BridgeAdded(address indexed bridge);

    /// @notice `bridge` lost `BRIDGE_ROLE`, whichever function revoked it.
    /// @param bridge The bridge.
    event BridgeRemoved(address indexed bridge);

    /// @notice The daily mint limit of `bridge` changed.
    /// @param bridge The bridge.
    /// @param perDay Amount in the token's smallest unit; 2^96-1 means no limit.
    event BridgeLimitSet(address indexed bridge, uint256 perDay);

    /// @notice `operator` burned `amount` of `from` without approval. Directly precedes the `Transfer`.
    /// @param operator Caller.
    /// @param from Account that loses the tokens.
    /// @param amount Amount in the token's smallest unit.
    event ForcedBurn(address indexed operator, address indexed from, uint256 amount);

    /// @notice `operator` moved `amount` from `from` to `to` without approval. Directly precedes the `Transfer`.
    /// @param operator Caller.
    /// @param from Account that loses the tokens.
    /// @param to Account that receives.
    /// @param amount Amount in the token's smallest unit.
    event ForcedTransfer(address indexed operator, address indexed from, address indexed to, uint256 amount);

    /// @notice A sender, receiver or spender is blacklisted.
    error AccountBlacklisted(address account);

    /// @notice The account to remove from the blacklist is not on it.
    error AccountNotBlacklisted(address account);

    /// @notice The receiver of a `mint` is not whitelisted.
    error AccountNotWhitelisted(address account);

    /// @notice The mint exceeds what the bridge's limit allows now.
    /// @param bridge The bridge.
    /// @param amount Amount to mint, in the token's smallest unit.
    /// @param available Amount that it may mint now.
    error BridgeLimitExceeded(address bridge, uint256 amount, uint256 available);

    /// @notice The amount is zero, or a mint would take the supply past 2^240 - 1.
    error InvalidAmount();

    /// @notice An address argument is zero where the function needs an account.
    error ZeroAddress();

    /// @notice Initializes the token, once per proxy.
    /// @dev `admin_` receives `DEFAULT_ADMIN_ROLE` and `OPERATOR_ROLE`, so it can manage every role from the start. It
    /// may renounce `OPERATOR_ROLE` after granting it to another account.
    /// @param name_ The ERC-20 name, also the name of the EIP-712 domain: "Treasury", else
    /// `InvalidInitialization`.
    /// @param symbol_ The ERC-20 symbol.
    /// @param admin_ The first administrator; `ZeroAddress` when zero.
    function initialize(string calldata name_, string calldata symbol_, address admin_) external;

    /// @notice Mints `amount` to a whitelisted account. Needs `MINTER_ROLE`.
    /// @dev Reverts with `ZeroAddress`, `AccountNotWhitelisted`, `InvalidAmount`, `EnforcedPause`,
    /// `AccountBlacklisted`.
    /// @param to Account that receives.
    /// @param amount Amount in the token's smallest unit.
    function mint(address to, uint256 amount) external;

    /// @notice Mints `amount` that was burned on another chain. Needs `BRIDGE_ROLE`; the whitelist is not checked.
    /// @dev Reverts with `ZeroAddress`, `InvalidAmount`, `BridgeLimitExceeded`, `EnforcedPause`, `AccountBlacklisted`.
    /// @param to Account that receives.
    /// @param amount Amount in the token's smallest unit.
    function bridgeMint(address to, uint256 amount) external;

    /// @notice Burns `amount` of the caller's tokens.
    /// @dev Reverts with `InvalidAmount`, `EnforcedPause`, `AccountBlacklisted`, `ERC20InsufficientBalance`.
    /// @param amount Amount in the token's smallest unit.
    function burn(uint256 amount) external;

    /// @notice Burns `amount` of `from`'s tokens out of the caller's allowance.
    /// @dev A caller with `BRIDGE_ROLE` needs the allowance too, and its burns emit `BridgeBurn`. Reverts like `burn`,
    /// and with `ZeroAddress` and `ERC20InsufficientAllowance`.
    /// @param from Account that loses the tokens.
    /// @param amount Amount in the token's smallest unit.
    function burnFrom(address from, uint256 amount) external;

    /// @notice Burns `amount` of `from`'s tokens. Needs `OPERATOR_ROLE`.
    /// @dev Bypasses allowances, the pause and the blacklist, but never balances.
    /// Reverts with `ZeroAddress`, `InvalidAmount`, `ERC20InsufficientBalance`.
    /// @param from Account that loses the tokens.
    /// @param amount Amount in the token's smallest unit.
    function forceBurn(address from, uint256 amount) external;

    /// @notice Moves `amount` of `from`'s tokens to `to`. Needs `OPERATOR_ROLE`.
    /// @dev Bypasses allowances, the pause and the blacklist, but never balances.
    /// Reverts with `ZeroAddress`, `InvalidAmount`, `ERC20InsufficientBalance`.
    /// @param from Account that loses the tokens.
    /// @param to Account that receives.
    /// @param amount Amount in the token's smallest unit.
    function forceTransfer(address from, address to, uint256 amount) external;

    /// @notice Lets `account` receive `mint`. Needs `WHITELISTER_ROLE`. No effect when it is already listed.
    /// @param account The account.
    function addToWhitelist(address account) external;

    /// @notice Stops `account` from receiving `mint`. Needs `WHITELISTER_ROLE`. No effect when it is not listed.
    /// @param account The account.
    function removeFromWhitelist(address account) external;

    /// @notice Blocks `account`. Needs `BLACKLISTER_ROLE`. No effect when it is already listed.
    /// @param account The account.
    function addToBlacklist(address account) external;

    /// @notice Unblocks `account`. Needs `BLACKLISTER_ROLE`; `AccountNotBlacklisted` when it is not listed.
    /// @param account The account.
    function removeFromBlacklist(address account) external;

    /// @notice Does what `addToBlacklist` does for each account in turn; if one fails, none is listed.
    /// @param accounts The accounts, in order; duplicates count.
    function addToBlacklistBatch(address[] calldata accounts) external;

    /// @notice Does what `removeFromBlacklist` does for each account in turn; if one fails, none is removed.
    /// @param accounts The accounts, in order; duplicates count.
    function removeFromBlacklistBatch(address[] calldata accounts) external;

    /// @notice Grants `BRIDGE_ROLE` to `bridge`. Needs `OPERATOR_ROLE`. No effect when it already has the role.
    /// @param bridge The bridge.
    function addBridge(address bridge) external;

    /// @notice Revokes `BRIDGE_ROLE` from `bridge`. Needs `OPERATOR_ROLE`. No effect when it lacks the role.
    /// @param bridge The bridge.
    function removeBridge(address bridge) external;

    /// @notice Sets the daily mint limit of `bridge`. Needs `OPERATOR_ROLE`; `PAUSER_ROLE` may lower it. Takes effect
    /// at once.
    /// @dev The minted amount leaks `perDay` per 86,400 s, so at most one limit can be minted at once and at most two
    /// within any 24 hours. Burns free no room. A bridge whose limit was never set has no limit.
    /// @param bridge The bridge; `ZeroAddress` when zero.
    /// @param perDay Amount in the token's smallest unit; 2^96-1 means no limit.
    function setBridgeLimit(address bridge, uint96 perDay) external;

    /// @notice Stops transfers, mints and burns; forced calls, approvals, lists and roles keep working. Needs
    /// `PAUSER_ROLE`.
    function pause() external;

    /// @notice Ends the pause. Needs `PAUSER_ROLE`.
    function unpause() external;

    /// @notice Returns how much `bridge` may mint.
    /// @param bridge The bridge.
    /// @return perDay Amount per day in the token's smallest unit; 2^96-1 means no limit.
    /// @return available Amount that it may mint now.
    function bridgeLimit(address bridge) external view returns (uint256 perDay, uint256 available);

    /// @notice Returns whether `account` may receive `mint`.
    /// @param account The account.
    /// @return listed True when it is on the list.
    function whitelisted(address account) external view returns (bool listed);

    /// @notice Returns whether `account` is barred from sending, receiving and spending.
    /// @param account The account.
    /// @return listed True when it is on the list.
    function blacklisted(address account) external view returns (bool listed);
}
