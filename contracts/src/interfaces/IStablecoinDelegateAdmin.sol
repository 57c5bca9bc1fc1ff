// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IStablecoinDelegateAdmin
/// @notice Administration of a stablecoin delegate: custody, lists, the LP's rates and the pause.
/// @dev "Issuer admin" is the LP's own administrator. Rates are WAD fractions; the bounds are CoreSwap's.
interface IStablecoinDelegateAdmin {
    /// @notice An account agreed to serve as custody of this delegate.
    /// @param account The account.
    event CustodyAccepted(address indexed account);

    /// @notice An account withdrew its consent to serve as custody.
    /// @param account The account.
    event CustodyRevoked(address indexed account);

    /// @notice A cause of the pause was set or cleared.
    /// @param account Caller.
    /// @param emergency True while the emergency cause is set.
    /// @param issuer True while the LP cause is set.
    event PauseCauseSet(address indexed account, bool emergency, bool issuer);

    /// @notice The listing of an account as a possible custody changed.
    /// @param account The account.
    /// @param rwa True when it may be RWA custody.
    /// @param stablecoin True when it may be stablecoin custody.
    event CustodyListingSet(address indexed account, bool rwa, bool stablecoin);

    /// @notice The intake cap of an asset changed.
    /// @param asset The token.
    /// @param cap Units of the asset per day; 2^96-1 means no cap.
    event IntakeCapSet(address indexed asset, uint256 cap);

    /// @notice An issuer admin was added.
    /// @param issuerAdmin The account.
    event IssuerAdminAdded(address indexed issuerAdmin);

    /// @notice An issuer admin was removed.
    /// @param issuerAdmin The account.
    event IssuerAdminRemoved(address indexed issuerAdmin);

    /// @notice The delegate's blacklist changed.
    /// @param account The account.
    /// @param blacklisted True when listed.
    event BlacklistUpdated(address indexed account, bool blacklisted);

    /// @notice An RWA cold-storage address was added.
    /// @param coldStorageAddress The address.
    event RWAColdStorageAddressAdded(address indexed coldStorageAddress);

    /// @notice An RWA cold-storage address was removed.
    /// @param coldStorageAddress The address.
    event RWAColdStorageAddressRemoved(address indexed coldStorageAddress);

    /// @notice A stablecoin cold-storage address was added.
    /// @param coldStorageAddress The address.
    event StablecoinColdStorageAddressAdded(address indexed coldStorageAddress);

    /// @notice A stablecoin cold-storage address was removed.
    /// @param coldStorageAddress The address.
    event StablecoinColdStorageAddressRemoved(address indexed coldStorageAddress);

    /// @notice The RWA custody changed.
    /// @param balanceSheetCustodyAddress The new custody account.
    event RWACustodyAddressSet(address indexed balanceSheetCustodyAddress);

    /// @notice The stablecoin custody changed.
    /// @param stablecoinCustodyAddress The new custody account.
    event StablecoinCustodyAddressSet(address indexed stablecoinCustodyAddress);

    /// @notice The LP's discount on an RWA taken in changed.
    /// @param rwaID Asset ID of the RWA.
    /// @param rate WAD fraction.
    event RWADiscountRateSet(bytes32 indexed rwaID, uint256 indexed rate);

    /// @notice The LP's fee on an RWA paid out changed.
    /// @param rwaID Asset ID of the RWA.
    /// @param rate WAD fraction.
    event RedemptionFeeSet(bytes32 indexed rwaID, uint256 indexed rate);

    /// @notice The LP's fee on a foreign stablecoin taken in changed.
    /// @param stablecoin The foreign token.
    /// @param rate WAD fraction.
    event StablecoinAcceptanceFeeSet(address indexed stablecoin, uint256 indexed rate);

    /// @notice The LP's fee on a foreign stablecoin paid out changed.
    /// @param stablecoin The foreign token.
    /// @param rate WAD fraction.
    event StablecoinRedemptionFeeSet(address indexed stablecoin, uint256 indexed rate);

    /// @notice The yield-bearing stablecoin in which the custody keeps its reserve was set.
    /// @param autoLiquidityStablecoinID Asset ID, zero for none.
    event AutoLiquidityStablecoinIDSet(bytes32 indexed autoLiquidityStablecoinID);

    /// @notice The list of RWAs that this LP deals in changed.
    /// @param rwa The RWA token.
    /// @param accepted True when listed.
    event RWAWhitelist(address indexed rwa, bool accepted);

    /// @notice The list of foreign stablecoins that this LP deals in changed.
    /// @param stablecoin The foreign token.
    /// @param accepted True when listed.
    event StablecoinWhitelist(address indexed stablecoin, bool accepted);

    /// @notice Stablecoins left the custody for cold storage.
    /// @param to Registered cold-storage address.
    /// @param amount Amount in units of the stablecoin.
    event StablecoinWithdrawn(address indexed to, uint256 amount);

    /// @notice The account is on the delegate's blacklist.
    error AddressBlacklisted(address account);

    /// @notice The address is not allowed in this role: a custody without consent or listing, a withdrawal to anything
    /// but registered cold storage, a leg whose user or receiver is the delegate or one of its custody accounts, or an
    /// intake cap for the treasury token at its own LP.
    error AddressNotAllowed();

    /// @notice An issuer admin cannot remove itself.
    error CannotRemoveSelf();

    /// @notice The CoreSwap given is not a contract.
    error InvalidCoreSwap();

    /// @notice An initialization parameter is zero or out of bounds.
    error InvalidInitializationParams();

    /// @notice More of an asset would come in than its cap allows now.
    /// @param asset The token.
    /// @param amount Amount that would come in, in units of the asset.
    /// @param available Amount that may come in now, in units of the asset.
    error IntakeCapExceeded(address asset, uint256 amount, uint256 available);

    /// @notice The issuer admin to add is zero, or the account to remove is not an issuer admin.
    error InvalidIssuerAdmin();

    /// @notice The asset on the LP's side of the leg is not the delegate's stablecoin.
    /// @param asset The token given.
    error InvalidStablecoinAsset(address asset);

    /// @notice Not exactly one side of the exchange is the delegate's stablecoin.
    /// @param assetIn Token in.
    /// @param assetOut Token out.
    /// @param issuerStablecoin The delegate's stablecoin.
    error InvalidStablecoinExchange(address assetIn, address assetOut, address issuerStablecoin);

    /// @notice The caller is not an issuer admin.
    error NotIssuerAdmin();

    /// @notice This LP does not deal in the RWA.
    error RWANotWhitelisted();

    /// @notice The leg needs the RWA custody, which is not set.
    error SetRWACustodyAddress();

    /// @notice The leg needs the stablecoin custody, which is not set.
    error SetStablecoinCustodyAddress();

    /// @notice This LP does not deal in the foreign stablecoin.
    error StablecoinNotWhitelisted(address stablecoin);

    /// @notice The zero address is not allowed here.
    error ZeroAddressNotAllowed();

    /// @notice Agrees that the caller may be named as custody of this delegate. Without this consent, an issuer admin
    /// could name a user as custody and take what that user approved for swaps. The consent holds until
    /// {revokeCustody}, even after a change of custody.
    function acceptCustody() external;

    /// @notice Withdraws the caller's consent, after which no issuer admin can name it as custody. A former custody
    /// that wants to swap as a user should call this before it approves anything. The current custody stays in place
    /// until it is replaced; it can pay only what it approves.
    function revokeCustody() external;

    /// @notice Sets which custodies an account may be named as. `DEFAULT_ADMIN_ROLE` only. Removing an account from a
    /// list only prevents naming it again; the current custody stays in place until it is replaced. The delegate itself
    /// needs no listing.
    /// @param account The account; `ZeroAddressNotAllowed` when zero.
    /// @param rwa True when it may be RWA custody.
    /// @param stablecoin True when it may be stablecoin custody.
    function setCustodyListing(address account, bool rwa, bool stablecoin) external;

    /// @notice Sets how much of a foreign asset may come in within a day, net of what is paid out of the same asset; or
    /// how much of a plain stablecoin's LP's own stablecoin may come in for RWAs, gross (see {intakeCap}).
    /// `DEFAULT_ADMIN_ROLE`; an issuer admin or `PAUSE_ROLE` may lower it. Takes effect at once.
    /// @dev The amount that came in leaks `cap` per 86,400 s, so at most one cap can come in at once and at most two
    /// within any 24 hours. Protocol fees that are minted do not count, and quotes do not check the cap.
    /// @param asset The token; `AddressNotAllowed` for the treasury token at its own LP, which burns it.
    /// @param cap Units of the asset per day: zero, the initial cap of every foreign asset, lets nothing in; 2^96-1, the
    /// initial cap of a plain stablecoin's LP's own stablecoin, means no cap.
    function setIntakeCap(address asset, uint96 cap) external;

    /// @notice Adds an issuer admin; adding one twice does nothing. Issuer admins and `DEFAULT_ADMIN_ROLE` only.
    /// @param issuerAdmin Account to add; `InvalidIssuerAdmin` when zero.
    function addIssuerAdmin(address issuerAdmin) external;

    /// @notice Removes another issuer admin. Issuer admins and `DEFAULT_ADMIN_ROLE` only.
    /// @param issuerAdmin Account to remove; `CannotRemoveSelf` for the caller, `InvalidIssuerAdmin` when it is not
    /// one.
    function removeIssuerAdmin(address issuerAdmin) external;

    /// @notice Registers an address as cold storage of RWAs. `DEFAULT_ADMIN_ROLE` only.
    /// @param coldStorageAddress Address to list; `ZeroAddressNotAllowed` when zero.
    function addRWAColdStorageAddress(address coldStorageAddress) external;

    /// @notice Removes an address from the cold storage of RWAs. `DEFAULT_ADMIN_ROLE` only.
    /// @param coldStorageAddress Address to remove.
    function removeRWAColdStorageAddress(address coldStorageAddress) external;

    /// @notice Registers an address that stablecoins may be withdrawn to. `DEFAULT_ADMIN_ROLE` only.
    /// @param coldStorageAddress Address to list; `ZeroAddressNotAllowed` when zero.
    function addStablecoinColdStorageAddress(address coldStorageAddress) external;

    /// @notice Removes an address from the cold storage of stablecoins. `DEFAULT_ADMIN_ROLE` only.
    /// @param coldStorageAddress Address to remove.
    function removeStablecoinColdStorageAddress(address coldStorageAddress) external;

    /// @notice Sets the account that holds RWAs. Issuer admins only.
    /// @param _balanceSheetCustodyAddress An account that called {acceptCustody} and is listed ({setCustodyListing}),
    /// else `AddressNotAllowed`; or the delegate.
    function setRWACustodyAddress(address _balanceSheetCustodyAddress) external;

    /// @notice Sets the account that holds stablecoins. Issuer admins only.
    /// @param _stablecoinCustodyAddress An account that called {acceptCustody} and is listed ({setCustodyListing}),
    /// else `AddressNotAllowed`; or the delegate.
    function setStablecoinCustodyAddress(address _stablecoinCustodyAddress) external;

    /// @notice Bars an account from this LP's settlements, as user and as receiver, or lifts the bar. Issuer admins
    /// only.
    /// @param account The account.
    /// @param isBlacklisted True to bar.
    function setBlacklist(address account, bool isBlacklisted) external;

    /// @notice Sets the LP's discount on an RWA taken in. Issuer admins only.
    /// @param rwaID Asset ID of the RWA.
    /// @param rate WAD fraction within CoreSwap's bound.
    function setRWADiscountRate(bytes32 rwaID, uint256 rate) external;

    /// @notice Sets the LP's fee on an RWA paid out. Issuer admins only.
    /// @param rwaID Asset ID of the RWA.
    /// @param rate WAD fraction within CoreSwap's bound.
    function setRWARedemptionFee(bytes32 rwaID, uint256 rate) external;

    /// @notice Sets the LP's fee on a foreign stablecoin taken in. Issuer admins only.
    /// @param stablecoin The foreign token.
    /// @param rate WAD fraction within CoreSwap's bound.
    function setStablecoinAcceptanceFee(address stablecoin, uint256 rate) external;

    /// @notice Sets the LP's fee on a foreign stablecoin paid out. Issuer admins only.
    /// @param stablecoin The foreign token.
    /// @param rate WAD fraction within CoreSwap's bound.
    function setStablecoinRedemptionFee(address stablecoin, uint256 rate) external;

    /// @notice Sets the yield-bearing stablecoin in which the stablecoin custody keeps its reserve: shortfalls are
    /// redeemed from it before a payout, and what comes in is deposited into it. Issuer admins only. It takes effect
    /// only within what the custody allows: for deposits, its input allowance of this LP's stablecoin for CoreSwap as
    /// the operator, and its approval of that token for the other LP's delegate; for redemptions, the same two for the
    /// yield-bearing stablecoin.
    /// @param autoLiquidityStablecoinID Asset ID, zero for none; the errors are those of CoreSwap's setter.
    function setAutoLiquidityStablecoinID(bytes32 autoLiquidityStablecoinID) external;

    /// @notice Lists an RWA as one that this LP deals in, or removes it. Issuer admins only.
    /// @param rwa RWA token.
    /// @param accepted True to list.
    function whitelistRWA(address rwa, bool accepted) external;

    /// @notice Lists a foreign stablecoin as one that this LP deals in, or removes it. Issuer admins only.
    /// @param stablecoin Foreign token.
    /// @param accepted True to list.
    function whitelistStablecoin(address stablecoin, bool accepted) external;

    /// @notice Moves {IStablecoinDelegate.stablecoinAddress} from the stablecoin custody to cold storage. Issuer admins
    /// only, not while paused.
    /// @param to Registered stablecoin cold-storage address, else `AddressNotAllowed`.
    /// @param amount Amount in units of the stablecoin.
    function withdrawStablecoin(address to, uint256 amount) external;

    /// @notice Sets the emergency cause of the pause (`PAUSE_ROLE`) or the LP cause (issuer admins without that role).
    function pause() external;

    /// @notice Clears the cause that {pause} sets for the same caller; the other cause is not changed.
    function unpause() external;

    /// @notice Sets the LP cause of the pause. Issuer admins only.
    function pauseCore() external;

    /// @notice Clears the LP cause of the pause. Issuer admins only.
    function unpauseCore() external;

    /// @notice Returns whether the emergency cause of the pause is set.
    /// @return isSet True while it is set.
    function emergencyPaused() external view returns (bool isSet);

    /// @notice Returns whether the LP cause of the pause is set.
    /// @return isSet True while it is set.
    function issuerPaused() external view returns (bool isSet);

    /// @notice Returns whether an account agreed to serve as custody.
    /// @param account The account.
    /// @return accepted True from {acceptCustody} to {revokeCustody}.
    function custodyAccepted(address account) external view returns (bool accepted);

    /// @notice Returns whether an account is barred from this LP's settlements.
    /// @param account The account.
    /// @return listed True when barred.
    function blacklist(address account) external view returns (bool listed);

    /// @notice Returns whether an account is an issuer admin.
    /// @param account The account.
    /// @return isAdmin True when it is.
    function issuerAdmins(address account) external view returns (bool isAdmin);

    /// @notice Returns whether this LP deals in an RWA.
    /// @param rwa RWA token.
    /// @return listed True when it does.
    function rwaWhitelist(address rwa) external view returns (bool listed);

    /// @notice Returns whether this LP deals in a foreign stablecoin.
    /// @param stablecoin Foreign token.
    /// @return listed True when it does.
    function stablecoinWhitelist(address stablecoin) external view returns (bool listed);

    /// @notice Returns the intake cap of an asset. That of a plain stablecoin's LP's own stablecoin does not apply while
    /// one account other than the delegate is both custodies.
    /// @param asset The token.
    /// @return cap Units of the asset per day; 2^96-1 means no cap.
    /// @return available Amount that may come in now, in units of the asset.
    function intakeCap(address asset) external view returns (uint256 cap, uint256 available);

    /// @notice Returns which custodies an account may be named as.
    /// @param account The account.
    /// @return rwa True when it may be RWA custody.
    /// @return stablecoin True when it may be stablecoin custody.
    function custodyListing(address account) external view returns (bool rwa, bool stablecoin);

    /// @notice Returns the cold storage of RWAs.
    /// @return addresses In no particular order.
    function getRWAColdStorageAddresses() external view returns (address[] memory addresses);

    /// @notice Returns the cold storage of stablecoins.
    /// @return addresses In no particular order.
    function getStablecoinColdStorageAddresses() external view returns (address[] memory addresses);
}
