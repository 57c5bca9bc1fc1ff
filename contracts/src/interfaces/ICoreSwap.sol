// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title ICoreSwap
/// @notice Swaps of RWA tokens against stablecoins at NAV: quoting, swapping, delegated authorization, registry and
/// protocol administration.
/// @dev Units: token amounts are in the token's own units; rates are WAD fractions (1e18 is 100 %); prices and USD
/// values are USD per whole token in WAD; fee amounts are in units of the stablecoin whose delegate settles the leg.
///
/// Routes: 1, 2 RWA to stablecoin; 3, 4 stablecoin to RWA; 5, 6 RWA to RWA; 7, 8 stablecoin to stablecoin. Odd routes
/// fix the amount in, even routes the amount out.
///
/// The interface is one long file because integrators compile against a single interface.
interface ICoreSwap {
    /// @notice One requested leg.
    /// @param routeId 1 … 8, see above.
    /// @param assetInID Asset that the user pays.
    /// @param assetOutID Asset that the receiver is paid.
    /// @param stablecoinDelegateID Stablecoin whose delegate (the LP) settles the leg.
    /// @param assetInAmt Odd routes: the amount in. Even routes: the most the user pays, inclusive (0 allows nothing,
    /// 2^256 - 1 means no bound).
    /// @param assetOutAmt Even routes: the amount out. Odd routes: the least the receiver gets, inclusive.
    struct SwapInputs {
        uint256 routeId;
        bytes32 assetInID;
        bytes32 assetOutID;
        bytes32 stablecoinDelegateID;
        uint256 assetInAmt;
        uint256 assetOutAmt;
    }

    /// @notice Resolved amounts of one leg.
    /// @param tokenInAmt Amount the user pays, in units of the token in.
    /// @param tokenOutAmt Amount the receiver gets, in units of the token out.
    /// @param issuerFeeAmt Protocol fee on the gross value, rounded up.
    /// @param spreadFeeAmt Protocol part of the LP spread, rounded down.
    /// @param lpFeeAmt LP part of the spread.
    struct SwapResolved {
        uint256 tokenInAmt;
        uint256 tokenOutAmt;
        uint256 issuerFeeAmt;
        uint256 spreadFeeAmt;
        uint256 lpFeeAmt;
    }

    /// @notice A user's signature over one call of {swap}, or an empty one.
    /// @param deadline Last second at which the call may run. With an empty signature, 0 means no deadline.
    /// @param signature ECDSA signature of the user, or whatever the user's ERC-1271 wallet accepts.
    struct ApprovalPermit {
        uint256 deadline;
        bytes signature;
    }

    /// @notice One leg was settled.
    /// @param user Account that paid.
    /// @param assetInID Asset paid.
    /// @param assetOutID Asset received.
    /// @param operator Caller of {swap}.
    /// @param receiver Account that received.
    /// @param routeId Route of the leg.
    /// @param stablecoinDelegateID Stablecoin whose delegate settled.
    /// @param amountIn Realized amount in, in units of the token in.
    /// @param amountOut Realized amount out, in units of the token out.
    /// @param issuerFeeAmt Protocol fee on the gross value.
    /// @param spreadFeeAmt Protocol part of the LP spread.
    /// @param lpFeeAmt LP part of the spread.
    event Swap(
        address indexed user,
        bytes32 indexed assetInID,
        bytes32 indexed assetOutID,
        address operator,
        address receiver,
        uint256 routeId,
        bytes32 stablecoinDelegateID,
        uint256 amountIn,
        uint256 amountOut,
        uint256 issuerFeeAmt,
        uint256 spreadFeeAmt,
        uint256 lpFeeAmt
    );

    /// @notice A user changed the standing input allowance of an operator.
    /// @param user Account that pays.
    /// @param operator Account that may call {swap} for the user.
    /// @param assetInID Asset the allowance is for.
    /// @param amount The new allowance, in token units; 2^256 - 1 is infinite.
    event SwapInputAllowanceSet(
        address indexed user, address indexed operator, bytes32 indexed assetInID, uint256 amount
    );

    /// @notice An operator spent a standing input allowance.
    /// @param user Account that paid.
    /// @param operator Caller of {swap}.
    /// @param assetInID Asset paid.
    /// @param amountSpent Realized input of the leg, in token units.
    /// @param remainingAmount The allowance left; 2^256 - 1 is infinite and never falls.
    event SwapInputAllowanceSpent(
        address indexed user,
        address indexed operator,
        bytes32 indexed assetInID,
        uint256 amountSpent,
        uint256 remainingAmount
    );

    /// @notice An LP's discount on an RWA taken in changed.
    /// @param stablecoinID The LP's stablecoin.
    /// @param rwaID The RWA.
    /// @param rate WAD fraction.
    event DiscountRateSet(bytes32 indexed stablecoinID, bytes32 indexed rwaID, uint256 rate);

    /// @notice An LP's fee on an RWA paid out changed.
    /// @param stablecoinID The LP's stablecoin.
    /// @param rwaID The RWA.
    /// @param rate WAD fraction.
    event RedemptionFeeSet(bytes32 indexed stablecoinID, bytes32 indexed rwaID, uint256 rate);

    /// @notice The protocol fee on the gross value of a stablecoin's legs changed.
    /// @param stablecoinID The stablecoin.
    /// @param oldRate Previous rate, WAD fraction.
    /// @param newRate New rate, WAD fraction.
    event IssuerPaidProtocolFeeRateSet(bytes32 indexed stablecoinID, uint256 oldRate, uint256 newRate);

    /// @notice The account that receives protocol fees changed.
    /// @param oldVault Previous vault.
    /// @param newVault New vault.
    event CoreVaultSet(address indexed oldVault, address indexed newVault);

    /// @notice A stablecoin's exemption from protocol fees changed.
    /// @param stablecoinID The stablecoin.
    /// @param exempt True when exempt.
    event ProtocolFeeExemptSet(bytes32 indexed stablecoinID, bool exempt);

    /// @notice An RWA was registered or its acceptance or risk delegate changed.
    /// @param rwaID The RWA.
    /// @param delegate Risk delegate, zero for none.
    /// @param assetAddress Token.
    /// @param decimals Decimals of the token.
    /// @param accepted True when swaps may use it.
    event RWAAcceptanceSet(
        bytes32 indexed rwaID, address indexed delegate, address indexed assetAddress, uint8 decimals, bool accepted
    );

    /// @notice The price source of an RWA changed.
    /// @param rwaID The RWA.
    /// @param priceAdapter Price adapter, zero for none.
    event RwaPriceAdapterSet(bytes32 indexed rwaID, address priceAdapter);

    /// @notice The holder register of an RWA changed.
    /// @param rwaID The RWA.
    /// @param adapter Whitelist adapter, zero for none.
    event RwaWhitelistAdapterSet(bytes32 indexed rwaID, address indexed adapter);

    /// @notice The protocol part of every LP spread changed.
    /// @param oldRate Previous rate, WAD fraction.
    /// @param newRate New rate, WAD fraction.
    event SpreadProtocolTakeRateSet(uint256 oldRate, uint256 newRate);

    /// @notice An LP's fee on a foreign stablecoin taken in changed.
    /// @param stablecoinOutID The LP's stablecoin.
    /// @param stablecoinIn The foreign token.
    /// @param rate WAD fraction.
    event StablecoinAcceptanceFeeSet(bytes32 indexed stablecoinOutID, address indexed stablecoinIn, uint256 rate);

    /// @notice An LP's fee on a foreign stablecoin paid out changed.
    /// @param stablecoinOutID The LP's stablecoin.
    /// @param stablecoinIn The foreign token.
    /// @param rate WAD fraction.
    event StablecoinRedemptionFeeSet(bytes32 indexed stablecoinOutID, address indexed stablecoinIn, uint256 rate);

    /// @notice A stablecoin was registered or its acceptance or delegate changed.
    /// @param stablecoinID The stablecoin.
    /// @param delegate Delegate that settles its legs.
    /// @param assetAddress Token.
    /// @param decimals Decimals of the token.
    /// @param accepted True when swaps may use it.
    /// @param yieldBearing True when redemptions pay yield on top of the tokens.
    event StablecoinAcceptanceSet(
        bytes32 indexed stablecoinID,
        address indexed delegate,
        address indexed assetAddress,
        uint8 decimals,
        bool accepted,
        bool yieldBearing
    );

    /// @notice The price guardrail of a stablecoin changed; {stablecoinGuardrailEnabled} tells whether it is on.
    /// @param stablecoinID The stablecoin.
    /// @param priceAdapter Market price source.
    /// @param band Largest distance from the USD value, a WAD fraction of that value, inclusive.
    event StablecoinPriceGuardrailSet(bytes32 indexed stablecoinID, address indexed priceAdapter, uint256 band);

    /// @notice A stablecoin's guardrail was turned on or off; follows each {StablecoinPriceGuardrailSet}.
    /// @param stablecoinID The stablecoin.
    /// @param enabled True while legs check it.
    event StablecoinGuardrailEnabledSet(bytes32 indexed stablecoinID, bool enabled);

    /// @notice The maximum number of legs of a swap changed.
    /// @param oldMaxSwapLegs Previous maximum.
    /// @param newMaxSwapLegs New maximum.
    event MaxSwapLegsSet(uint256 oldMaxSwapLegs, uint256 newMaxSwapLegs);

    /// @notice The USD value at which a stablecoin is swapped changed.
    /// @param stablecoinID The stablecoin.
    /// @param value USD per whole token, WAD.
    event StablecoinUSDValueSet(bytes32 indexed stablecoinID, uint256 value);

    /// @notice The protocol blacklist changed.
    /// @param user The account.
    /// @param blacklisted True when listed.
    event UserBlacklistUpdated(address indexed user, bool blacklisted);

    /// @notice The yield-bearing stablecoin in which a stablecoin's custody keeps its reserve was set.
    /// @param stablecoinID The stablecoin.
    /// @param autoLiquidityStablecoinID Yield-bearing stablecoin, zero for none.
    event AutoLiquidityStablecoinIDSet(bytes32 indexed stablecoinID, bytes32 indexed autoLiquidityStablecoinID);

    /// @notice The ID is zero, or is bound for life to another kind, token or yield-bearing flag.
    error AssetIDAlreadyRegistered(bytes32 assetID);

    /// @notice The delegate could not settle a leg that pays an RWA: what came in was not the amount asked for.
    error FailedToDeployRWA();

    /// @notice The delegate could not settle a leg that pays a stablecoin: what came in was not the amount asked for.
    error FailedToDeployStablecoin();

    /// @notice Both sides of an RWA to RWA leg are the same asset.
    error IdenticalAssets();

    /// @notice Both sides of a stablecoin to stablecoin leg are the same asset.
    error IdenticalStablecoins();

    /// @notice The RWA amount in is zero, above 2^128 - 1 when scaled to 18 decimals, or above the bound given.
    error InsufficientRWAInput();

    /// @notice The RWA amount out is zero, above 2^128 - 1 when scaled to 18 decimals, or below the bound given.
    error InsufficientRWAOutput();

    /// @notice The stablecoin amount in is zero, above 2^128 - 1 when scaled to 18 decimals, or above the bound given.
    error InsufficientStablecoinInput();

    /// @notice The stablecoin amount out is zero, above 2^128 - 1 when scaled to 18 decimals, or below the bound given.
    error InsufficientStablecoinOutput();

    /// @notice The caller's standing input allowance is below the realized input.
    error InsufficientSwapAllowance();

    /// @notice The LP did not agree to the terms of a derived leg of its stablecoin's custody: the USD value of the
    /// stablecoin is more than 1 % from its value at the last {setAutoLiquidityStablecoinID}, or the reserve's LP
    /// charges a rate above 1 %.
    error DerivedLegTooExpensive(bytes32 stablecoinID);

    /// @notice The administrator or operator given at initialization is zero.
    error InvalidAdmin();

    /// @notice The token is zero, not an ERC-20 contract with decimals, or registered under another ID.
    error InvalidAssetAddress();

    /// @notice The delegate is not a contract; or, for stablecoins, it does not name this CoreSwap, this ID and this
    /// token, or has the yield interface although the stablecoin is not yield-bearing, or lacks it although it is.
    error InvalidDelegate();

    /// @notice The swap has no leg or more than `maxSwapLegs` legs, or the new maximum is outside 1 … 32.
    error InvalidLegCount();

    /// @notice The price of an RWA is zero or above 2^128 - 1.
    error InvalidPrice();

    /// @notice A rate, band or USD value is out of bounds.
    error InvalidRate();

    /// @notice The permit is not signed by the user for exactly this call.
    error InvalidSignature();

    /// @notice The stablecoin named cannot settle this pair.
    /// @param actual The ID given.
    /// @param expected The ID that would settle.
    error InvalidStablecoinDelegateID(bytes32 actual, bytes32 expected);

    /// @notice The user or receiver is zero, the receiver is CoreSwap, or an account other than CoreSwap called
    /// {sweep}.
    error InvalidSwapAddress(address user);

    /// @notice The vault is zero or CoreSwap.
    error InvalidVault();

    /// @notice The caller is not the registered delegate of the stablecoin.
    error NotStablecoinDelegate();

    /// @notice The deadline has passed.
    error PermitExpired();

    /// @notice The RWA has no price adapter.
    error PriceAdapterNotSet(bytes32 tokenID);

    /// @notice The RWA is not accepted, or not registered.
    error RWANotAccepted();

    /// @notice The RWA's risk delegate refused the leg.
    error RWAValidityCheckFailed();

    /// @notice The guardrail is on without a band.
    error StablecoinGuardrailBandNotSet(bytes32 stablecoinID);

    /// @notice The stablecoin is not accepted, or not registered.
    error StablecoinNotAccepted();

    /// @notice The guardrail is on without a price adapter.
    error StablecoinPriceAdapterNotSet(bytes32 stablecoinID);

    /// @notice The market price is too far from the USD value that the operator set.
    /// @param stablecoinID The stablecoin.
    /// @param adminValue USD value that the operator set, WAD.
    /// @param oraclePrice Market price, WAD.
    /// @param band Largest distance allowed, WAD fraction of `adminValue`.
    error StablecoinPriceOutsideBand(bytes32 stablecoinID, uint256 adminValue, uint256 oraclePrice, uint256 band);

    /// @notice The stablecoin has no USD value.
    error USDValueNotSet(bytes32 tokenID);

    /// @notice The token has more than 18 decimals.
    error UnsupportedDecimals(uint8 decimals);

    /// @notice The route does not exist.
    error UnsupportedRouteId(uint256 routeId);

    /// @notice The user, the receiver or the caller is on the protocol blacklist.
    error UserBlacklisted(address user);

    /// @notice The RWA's holder register does not list the account.
    error UserNotWhitelisted(bytes32 rwaID, address user);

    /// @notice Initializes the proxy, with at most ten legs and a take rate of zero.
    /// @param admin Receives `DEFAULT_ADMIN_ROLE`; `InvalidAdmin` when zero.
    /// @param operator Receives `OPERATOR_ROLE`; `InvalidAdmin` when zero.
    /// @param vault Account that receives protocol fees; `InvalidVault` when zero or CoreSwap.
    function initialize(address admin, address operator, address vault) external;

    /// @notice Swaps one or more legs in the order given, all or nothing. Each leg runs on the state that earlier legs
    /// left.
    /// @dev The caller needs no authorization for its own account. For another user it needs either that user's
    /// signature over the whole call, or (with an empty signature) a standing input allowance for every leg. **An
    /// operator with an allowance chooses the receiver and the bounds: grant one only to an operator whom you would
    /// trust with the tokens.** The user must have approved the delegate of each leg for the token in.
    /// @param user Account that pays.
    /// @param receiver Account that receives.
    /// @param inputs Legs, 1 … `maxSwapLegs`.
    /// @param permit Deadline and signature of the user, or zero and empty. When the user itself calls with a
    /// signature, it is verified and its nonce is used, which is how a user cancels a signature that it gave out. While
    /// CoreSwap or the LP is paused, a user can only approve zero to the delegate.
    function swap(address user, address receiver, SwapInputs[] calldata inputs, ApprovalPermit calldata permit) external;

    /// @notice Deposits what a stablecoin's custody received into its yield-bearing reserve. Only CoreSwap itself may
    /// call (`InvalidSwapAddress`). A sweep is a separate call so that, when it fails, it is undone while the requested
    /// leg stands.
    /// @param stablecoinID The stablecoin.
    /// @param amount Amount in its token units.
    function sweep(bytes32 stablecoinID, uint256 amount) external;

    /// @notice Raises or lowers the standing input allowance of an operator for the caller's account.
    /// @dev Raising saturates at 2^256 - 1, which is infinite; lowering saturates at 0.
    /// @param operator Account that may call {swap} for the caller and choose receiver and bounds.
    /// @param assetInID Asset that may be paid.
    /// @param amount Change in token units.
    /// @param increase True to raise, false to lower.
    function adjustSwapInputAllowance(address operator, bytes32 assetInID, uint256 amount, bool increase) external;

    /// @notice Configures a stablecoin's guardrail and turns it on or off. Needs `OPERATOR_ROLE`. While it is on, legs
    /// that touch the stablecoin need `|market price - USD value| <= band * USD value`. It only blocks; it never
    /// prices.
    /// @param stablecoinID The stablecoin.
    /// @param priceAdapter Market price source.
    /// @param band WAD fraction, below 1e18 (`InvalidRate`).
    /// @param enabled True to turn it on.
    function configureStablecoinGuardrail(bytes32 stablecoinID, address priceAdapter, uint256 band, bool enabled)
        external;

    /// @notice Bars an account from swaps as user, receiver and caller, or lifts the bar. Needs `BLACKLISTER_ROLE`.
    /// @param user The account.
    /// @param _blacklisted True to bar.
    function setBlacklisted(address user, bool _blacklisted) external;

    /// @notice Sets the protocol fee on the gross value of a stablecoin's legs. Needs `OPERATOR_ROLE`.
    /// @param stablecoinID The stablecoin.
    /// @param rate WAD fraction, at most 0.99e18 (`InvalidRate`).
    function setIssuerPaidProtocolFeeRate(bytes32 stablecoinID, uint256 rate) external;

    /// @notice Sets the maximum number of legs of one {swap}. Needs `OPERATOR_ROLE`.
    /// @param newMaxSwapLegs 1 … 32 (`InvalidLegCount`).
    function setMaxSwapLegs(uint256 newMaxSwapLegs) external;

    /// @notice Sets the account that receives protocol fees. Needs `OPERATOR_ROLE`.
    /// @param vault Neither zero nor CoreSwap (`InvalidVault`).
    function setCoreVault(address vault) external;

    /// @notice Exempts a stablecoin's legs from both protocol fees, or ends the exemption. Needs `OPERATOR_ROLE`.
    /// @param stablecoinID The stablecoin.
    /// @param exempt True to exempt.
    function setProtocolFeeExempt(bytes32 stablecoinID, bool exempt) external;

    /// @notice Registers an RWA, or changes its acceptance or risk delegate. Needs `OPERATOR_ROLE`.
    /// @param rwaID Asset ID, never accepted as another kind or token (`AssetIDAlreadyRegistered`).
    /// @param _delegate Risk delegate, a contract (`InvalidDelegate`) or zero for none.
    /// @param _assetAddress Token, under no other ID (`InvalidAssetAddress`), with 0 … 18 decimals
    /// (`UnsupportedDecimals`).
    /// @param _accepted True when swaps may use it.
    function setRWAAcceptance(bytes32 rwaID, address _delegate, address _assetAddress, bool _accepted) external;

    /// @notice Sets an LP's discount on an RWA taken in. Only the delegate of the stablecoin (`NotStablecoinDelegate`).
    /// @param stablecoinID The LP's stablecoin.
    /// @param rwaID The RWA.
    /// @param rate WAD fraction, at most 0.99e18 (`InvalidRate`).
    function setRWADiscountRate(bytes32 stablecoinID, bytes32 rwaID, uint256 rate) external;

    /// @notice Sets an LP's fee on an RWA paid out. Only the delegate of the stablecoin (`NotStablecoinDelegate`).
    /// @param stablecoinID The LP's stablecoin.
    /// @param rwaID The RWA.
    /// @param rate WAD fraction, at most 0.99e18 (`InvalidRate`).
    function setRWARedemptionFee(bytes32 stablecoinID, bytes32 rwaID, uint256 rate) external;

    /// @notice Sets the price source of an RWA. Needs `OPERATOR_ROLE`.
    /// @param rwaID The RWA.
    /// @param priceAdapter Price adapter, zero to stop the RWA's routes.
    function setRwaPriceAdapter(bytes32 rwaID, address priceAdapter) external;

    /// @notice Sets the holder register of an RWA. Needs `OPERATOR_ROLE`.
    /// @param rwaID The RWA.
    /// @param adapter Whitelist adapter, zero for none.
    function setRwaWhitelistAdapter(bytes32 rwaID, address adapter) external;

    /// @notice Sets the protocol part of every LP spread. Needs `OPERATOR_ROLE`.
    /// @param rate WAD fraction, at most 1e18 (`InvalidRate`).
    function setSpreadProtocolTakeRate(uint256 rate) external;

    /// @notice Registers a stablecoin, or changes its acceptance or delegate. Needs `OPERATOR_ROLE`.
    /// @param stablecoinID Asset ID, never accepted as another kind, token or flag (`AssetIDAlreadyRegistered`).
    /// @param _delegate Delegate that names this CoreSwap, this ID and this token, and has the yield interface exactly
    /// when the stablecoin is yield-bearing (`InvalidDelegate`). A delegate that stays the same while acceptance ends
    /// is not checked, so that a broken one can always be stopped.
    /// @param _assetAddress Token, under no other ID (`InvalidAssetAddress`), with 0 … 18 decimals
    /// (`UnsupportedDecimals`).
    /// @param _accepted True when swaps may use it.
    /// @param _yieldBearing True when redemptions pay yield; the USD value is then 1e18 or unset (`InvalidRate`).
    function setStablecoinAcceptance(
        bytes32 stablecoinID,
        address _delegate,
        address _assetAddress,
        bool _accepted,
        bool _yieldBearing
    ) external;

    /// @notice Sets an LP's fee on a foreign stablecoin taken in. Only the LP's delegate (`NotStablecoinDelegate`).
    /// @param stablecoinOutID The LP's own stablecoin, which settles.
    /// @param stablecoin The foreign token.
    /// @param rate WAD fraction, at most 0.99e18 (`InvalidRate`).
    function setStablecoinAcceptanceFee(bytes32 stablecoinOutID, address stablecoin, uint256 rate) external;

    /// @notice Sets an LP's fee on a foreign stablecoin paid out. Only the LP's delegate (`NotStablecoinDelegate`).
    /// @param stablecoinOutID The LP's own stablecoin, which settles, although it comes in here.
    /// @param stablecoin The foreign token.
    /// @param rate WAD fraction, at most 0.99e18 (`InvalidRate`).
    function setStablecoinRedemptionFee(bytes32 stablecoinOutID, address stablecoin, uint256 rate) external;

    /// @notice Sets the yield-bearing stablecoin in which a stablecoin's custody keeps its reserve. Only the
    /// stablecoin's delegate may call (`NotStablecoinDelegate`). Has no effect on a stablecoin that is itself
    /// yield-bearing, or whose custody also serves the other delegate.
    /// @param stablecoinID The stablecoin.
    /// @param autoLiquidityStablecoinID Accepted and yield-bearing (`StablecoinNotAccepted`), not `stablecoinID`
    /// (`IdenticalStablecoins`); zero for none. By setting it, the LP agrees to derived legs at about the current USD
    /// value (`DerivedLegTooExpensive`).
    function setAutoLiquidityStablecoinID(bytes32 stablecoinID, bytes32 autoLiquidityStablecoinID) external;

    /// @notice Sets the USD value at which a stablecoin is swapped. Needs `OPERATOR_ROLE`.
    /// @param stablecoinID The stablecoin.
    /// @param value USD per whole token, WAD, below 2^88 (`InvalidRate`); 0 stops the stablecoin's routes. Only 1e18 is
    /// allowed for a yield-bearing stablecoin (`InvalidRate`).
    function setStablecoinUSDValue(bytes32 stablecoinID, uint256 value) external;

    /// @notice Stops {swap}. Needs `OPERATOR_ROLE` or `EXTERNAL_PAUSER_ROLE`.
    function pause() external;

    /// @notice Lets {swap} run again. Needs `OPERATOR_ROLE`.
    function unpause() external;

    /// @notice Returns exactly what {swap} would settle for this leg in the same state.
    /// @dev Reverts as the swap would because of the route, the IDs, acceptance, the delegate ID, a price, a USD value,
    /// a guardrail, a zero amount or missing credits. Ignores the bound, and does not check the pause, the blacklist,
    /// the whitelist, risk delegates, balances or custody.
    /// @param user Account that would pay; it matters only for yield-bearing stablecoins.
    /// @param inputs The leg.
    /// @return resolved Amount in, amount out and fees.
    function quoteSwap(address user, SwapInputs calldata inputs) external view returns (SwapResolved memory resolved);

    /// @notice Returns a standing input allowance.
    /// @param user Account that pays.
    /// @param operator Account that may call {swap}.
    /// @param assetInID Asset that may be paid.
    /// @return amount In token units; 2^256 - 1 is infinite.
    function swapInputAllowances(address user, address operator, bytes32 assetInID)
        external
        view
        returns (uint256 amount);

    /// @notice Returns the EIP-712 domain separator of the permits of {swap}.
    /// @return separator Separator of the domain with name "CoreSwap", version "1", this chain and this contract.
    function DOMAIN_SEPARATOR() external view returns (bytes32 separator);

    /// @notice Returns the yield-bearing stablecoin in which a stablecoin's custody keeps its reserve.
    /// @param stablecoinID The stablecoin.
    /// @return autoLiquidityStablecoinID Zero for none.
    function autoLiquidityStablecoinIDs(bytes32 stablecoinID) external view returns (bytes32 autoLiquidityStablecoinID);

    /// @notice Returns whether an account is barred from swaps.
    /// @param user The account.
    /// @return listed True when barred.
    function blacklisted(address user) external view returns (bool listed);

    /// @notice Returns an LP's discount on an RWA taken in.
    /// @param stablecoinID The LP's stablecoin.
    /// @param rwaID The RWA.
    /// @return rate WAD fraction.
    function discountRates(bytes32 stablecoinID, bytes32 rwaID) external view returns (uint256 rate);

    /// @notice Returns the protocol fee on the gross value of a stablecoin's legs.
    /// @param stablecoinID The stablecoin.
    /// @return rate WAD fraction.
    function issuerPaidProtocolFeeRates(bytes32 stablecoinID) external view returns (uint256 rate);

    /// @notice Returns the account that receives protocol fees.
    /// @return vault Neither zero nor CoreSwap.
    function coreVault() external view returns (address vault);

    /// @notice Returns the maximum number of legs of one {swap}.
    /// @return legs 1 … 32.
    function maxSwapLegs() external view returns (uint256 legs);

    /// @notice Returns whether a stablecoin's legs pay no protocol fee.
    /// @param stablecoinID The stablecoin.
    /// @return exempt True when exempt.
    function protocolFeeExempt(bytes32 stablecoinID) external view returns (bool exempt);

    /// @notice Returns an LP's fee on an RWA paid out.
    /// @param stablecoinID The LP's stablecoin.
    /// @param rwaID The RWA.
    /// @return rate WAD fraction.
    function redemptionFees(bytes32 stablecoinID, bytes32 rwaID) external view returns (uint256 rate);

    /// @notice Returns the record of an RWA, all zero when it is not registered.
    /// @param rwaID The RWA.
    /// @return accepted True when swaps may use it.
    /// @return additionalRiskControls True when a risk delegate is set.
    /// @return decimals Decimals of the token.
    /// @return delegate Risk delegate, zero for none.
    /// @return assetAddress Token.
    function rwaInfo(bytes32 rwaID)
        external
        view
        returns (bool accepted, bool additionalRiskControls, uint8 decimals, address delegate, address assetAddress);

    /// @notice Returns the price source of an RWA.
    /// @param rwaID The RWA.
    /// @return priceAdapter Zero for none.
    function rwaPriceAdapters(bytes32 rwaID) external view returns (address priceAdapter);

    /// @notice Returns the holder register of an RWA.
    /// @param rwaID The RWA.
    /// @return adapter Zero for none.
    function rwaWhitelistAdapters(bytes32 rwaID) external view returns (address adapter);

    /// @notice Returns the protocol part of every LP spread.
    /// @return rate WAD fraction.
    function spreadProtocolTakeRate() external view returns (uint256 rate);

    /// @notice Returns an LP's fee on a foreign stablecoin taken in.
    /// @param stablecoinOutID The LP's own stablecoin.
    /// @param stablecoin The foreign token.
    /// @return rate WAD fraction.
    function stablecoinAcceptanceFees(bytes32 stablecoinOutID, address stablecoin) external view returns (uint256 rate);

    /// @notice Returns the band of a stablecoin's guardrail.
    /// @param stablecoinID The stablecoin.
    /// @return band WAD fraction.
    function stablecoinGuardrailBands(bytes32 stablecoinID) external view returns (uint256 band);

    /// @notice Returns whether a stablecoin's guardrail is on.
    /// @param stablecoinID The stablecoin.
    /// @return enabled True when on.
    function stablecoinGuardrailEnabled(bytes32 stablecoinID) external view returns (bool enabled);

    /// @notice Returns the record of a stablecoin, all zero when it is not registered.
    /// @param stablecoinID The stablecoin.
    /// @return accepted True when swaps may use it.
    /// @return yieldBearing True when redemptions pay yield.
    /// @return decimals Decimals of the token.
    /// @return delegate Delegate that settles its legs.
    /// @return assetAddress Token.
    function stablecoinInfo(bytes32 stablecoinID)
        external
        view
        returns (bool accepted, bool yieldBearing, uint8 decimals, address delegate, address assetAddress);

    /// @notice Returns the market price source of a stablecoin's guardrail.
    /// @param stablecoinID The stablecoin.
    /// @return priceAdapter Zero for none.
    function stablecoinPriceAdapters(bytes32 stablecoinID) external view returns (address priceAdapter);

    /// @notice Returns an LP's fee on a foreign stablecoin paid out.
    /// @param stablecoinOutID The LP's own stablecoin.
    /// @param stablecoin The foreign token.
    /// @return rate WAD fraction.
    function stablecoinRedemptionFees(bytes32 stablecoinOutID, address stablecoin) external view returns (uint256 rate);

    /// @notice Returns the USD value at which a stablecoin is swapped.
    /// @param stablecoinID The stablecoin.
    /// @return value USD per whole token, WAD; zero when unset.
    function stablecoinUSDValue(bytes32 stablecoinID) external view returns (uint256 value);
}
