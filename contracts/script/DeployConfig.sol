// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice What to deploy, as read from the JSON configuration file. {DeployConfigReader} has the bounds.
/// @dev Names that end in `Wad` are in WAD: 1e18 is 100 % of a rate or fee, or one USD of a value.
/// @param network `mainnet` or `sepolia`. It is the name of the deployment file, and of the network in the API.
/// @param chainId Chain ID of that network, which the node must serve.
/// @param deployTestTokens Whether a token that anyone may mint is deployed for an asset without a token. Development
/// nodes only.
/// @param broadcastPartySteps Whether the run sends the transactions of custody accounts and issuer admins. Development
/// nodes only.
/// @param governedByTimelock Whether a timelock is deployed and holds `roles.admin`, `roles.operator`, `treasury.admin`
/// and `treasury.operator`, which then are null in the file. Without it, on development nodes only, the file names
/// accounts.
/// @param timelock The timelock.
/// @param plainAccounts Accounts of the file that are known to be keys rather than contracts. With a timelock, all
/// other accounts must have code.
/// @param roles Accounts of CoreSwap.
/// @param maxSwapLegs Maximum number of legs of one swap.
/// @param spreadProtocolTakeRateWad Part of each LP's spread that the protocol takes, WAD fraction.
/// @param treasury The treasury token and its LP.
/// @param rwas RWAs, in the order of the file.
/// @param stablecoins Plain stablecoins with their LPs, in the order of the file.
struct DeployConfig {
    string network;
    uint256 chainId;
    bool deployTestTokens;
    bool broadcastPartySteps;
    bool governedByTimelock;
    TimelockConfig timelock;
    address[] plainAccounts;
    RolesConfig roles;
    uint256 maxSwapLegs;
    uint256 spreadProtocolTakeRateWad;
    TreasuryConfig treasury;
    RwaConfig[] rwas;
    StablecoinConfig[] stablecoins;
}

/// @notice The delay before actions that can take money: OpenZeppelin's `TimelockController`, which administers itself.
/// @param delaySeconds Seconds from a proposal to its execution.
/// @param proposer Account that proposes and executes. A multisig. Only `roles.guardian` cancels.
/// @param recovery Account that may do the same, so that either can have the other removed. A second multisig, whose keys
/// are kept apart and cold. Zero (null in the file) means none: then nobody can remove the proposer.
struct TimelockConfig {
    uint256 delaySeconds;
    address proposer;
    address recovery;
}

/// @notice Accounts of CoreSwap.
/// @param admin `DEFAULT_ADMIN_ROLE` of CoreSwap, of every delegate and of every NAV adapter: upgrades and roles.
/// @param operator `OPERATOR_ROLE`.
/// @param guardian `PAUSE_ROLE` of every delegate; it alone also cancels proposals to the timelock.
/// @param blacklister `BLACKLISTER_ROLE`.
/// @param externalPauser `EXTERNAL_PAUSER_ROLE`.
/// @param vault Account that receives the protocol fees.
struct RolesConfig {
    address admin;
    address operator;
    address guardian;
    address blacklister;
    address externalPauser;
    address vault;
}

/// @notice The treasury token and its LP.
/// @param admin `DEFAULT_ADMIN_ROLE` of the token: upgrades and roles.
/// @param operator `OPERATOR_ROLE` of the token: minters, bridges, forced burns and transfers.
/// @param pauser `PAUSER_ROLE` of the token.
/// @param whitelister `WHITELISTER_ROLE` of the token.
/// @param blacklister `BLACKLISTER_ROLE` of the token.
/// @param delegateOperator `OPERATOR_ROLE` of the delegate: corrections of posted rates.
/// @param ratePoster `RATE_POSTER_ROLE` of the delegate.
/// @param initialRateWad Gross APY returned for days without a posted rate, WAD fraction.
/// @param managementFeeWad APY that the issuer keeps from each posted rate, WAD fraction.
/// @param lp The LP, configured like that of any stablecoin. Its name, its decimals (18), its USD value (1e18) and its
/// lack of auto-liquidity are fixed; its token is deployed.
struct TreasuryConfig {
    address admin;
    address operator;
    address pauser;
    address whitelister;
    address blacklister;
    address delegateOperator;
    address ratePoster;
    uint256 initialRateWad;
    uint256 managementFeeWad;
    StablecoinConfig lp;
}

/// @notice An asset.
/// @param name Name of the token, when it is a test token.
/// @param symbol Symbol by which the file refers to the asset; also the symbol of a test token.
/// @param id Asset ID in CoreSwap, for life. Null in the file means the bytes of the symbol, left-aligned and
/// zero-padded.
/// @param token ERC-20 token. Zero (null in the file) if a test token is to be deployed.
/// @param decimals Decimals of the token, 0 … 18; the token must agree.
struct AssetConfig {
    string name;
    string symbol;
    bytes32 id;
    address token;
    uint8 decimals;
}

/// @notice An RWA and its NAV adapter.
/// @param asset The RWA.
/// @param navWad First NAV: USD per whole token, WAD.
/// @param maxMovePerPostWad Largest relative move of one post, WAD fraction of the NAV before it.
/// @param maxMovePerDayWad Largest sum of relative moves at once; the sum recovers within a day. WAD fraction.
/// @param maxAgeSeconds Age in seconds up to which a NAV is served. Zero means no limit.
/// @param navPoster `NAV_POSTER_ROLE` of the adapter.
struct RwaConfig {
    AssetConfig asset;
    uint256 navWad;
    uint256 maxMovePerPostWad;
    uint256 maxMovePerDayWad;
    uint256 maxAgeSeconds;
    address navPoster;
}

/// @notice A stablecoin and its LP.
/// @dev Without a custody account, the delegate keeps the assets itself. `withdrawStablecoin` moves only the LP's own
/// stablecoin, so RWAs and foreign stablecoins, including LP fees, leave the delegate only by swaps. Assets that it
/// holds when a custody account takes over stay there until the delegate is custody again. The treasury LP mints and
/// burns its own stablecoin, so RWAs and foreign stablecoins are all that it holds: {DeploymentWarnings} points this
/// out.
/// @param asset The stablecoin.
/// @param issuerAdmin First issuer admin of the delegate: custody, lists, LP rates, auto-liquidity.
/// @param rwaCustody Account that keeps the RWAs. Zero (null in the file) means the delegate.
/// @param stablecoinCustody Account that keeps the LP's own and foreign stablecoins. Zero (null in the file) means the
/// delegate.
/// @param usdValueWad USD per whole token, WAD.
/// @param issuerPaidProtocolFeeRateWad Protocol fee on the gross value of a leg, WAD fraction.
/// @param protocolFeeExempt Whether the LP's legs pay no protocol fee.
/// @param autoLiquidity Whether the stablecoin custody, which must be neither the delegate nor a custody of the
/// treasury LP, keeps its reserve in the treasury token.
/// @param sweepAllowance With auto-liquidity, the amount of the stablecoin that CoreSwap may deposit for the custody
/// until the custody allows more, in units of the token. It bounds what swaps can make the custody pay in rates. Seven
/// days' inflow is a good value.
/// @param intakeCap Most of a plain stablecoin that may come in for RWAs within a day, in units of the token, at most
/// 2^96-1, which means no cap. It bounds what the key of a stablecoin custody, or the keys of an issuer admin and a cold
/// storage, can buy. Zero (null in the file) if one account other than the delegate is both custodies.
/// @param guardrail Market price check.
/// @param rwas RWAs that the LP deals in.
/// @param stablecoins Foreign stablecoins that the LP deals in.
struct StablecoinConfig {
    AssetConfig asset;
    address issuerAdmin;
    address rwaCustody;
    address stablecoinCustody;
    uint256 usdValueWad;
    uint256 issuerPaidProtocolFeeRateWad;
    bool protocolFeeExempt;
    bool autoLiquidity;
    uint256 sweepAllowance;
    uint96 intakeCap;
    GuardrailConfig guardrail;
    RwaRatesConfig[] rwas;
    StablecoinRatesConfig[] stablecoins;
}

/// @notice Price guardrail of a stablecoin.
/// @param priceAdapter Market price source. Zero (the whole guardrail is null in the file) means none.
/// @param bandWad Largest distance from the USD value, WAD fraction of that value.
/// @param enabled Whether swaps check it.
struct GuardrailConfig {
    address priceAdapter;
    uint256 bandWad;
    bool enabled;
}

/// @notice An RWA that an LP deals in.
/// @param index Its position in `DeployConfig.rwas`, from 0; the file gives its symbol.
/// @param discountRateWad Rate of the LP when it buys the RWA, WAD fraction.
/// @param redemptionFeeWad Rate of the LP when it sells the RWA, WAD fraction.
/// @param intakeCap Most of it that may come in within a day, in units of its token, at most 2^96-1, which means no
/// cap.
struct RwaRatesConfig {
    uint256 index;
    uint256 discountRateWad;
    uint256 redemptionFeeWad;
    uint96 intakeCap;
}

/// @notice A foreign stablecoin that an LP deals in.
/// @param index Its position in `DeployConfig.stablecoins`, from 0; the file gives its symbol.
/// @param acceptanceFeeWad Rate of the LP when it takes the stablecoin in, WAD fraction.
/// @param redemptionFeeWad Rate of the LP when it pays the stablecoin out, WAD fraction.
/// @param intakeCap Most of it that may come in within a day, in units of its token, at most 2^96-1, which means no
/// cap.
struct StablecoinRatesConfig {
    uint256 index;
    uint256 acceptanceFeeWad;
    uint256 redemptionFeeWad;
    uint96 intakeCap;
}
