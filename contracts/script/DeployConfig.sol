// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice What is to be deployed, as the JSON configuration file says it. Rates and NAVs are WAD.
struct DeployConfig {
    string network;
    uint256 chainId;
    bool deployTestTokens;
    bool broadcastPartySteps;
    RolesConfig roles;
    uint256 maxSwapLegs;
    uint256 spreadProtocolTakeRateWad;
    TreasuryConfig treasury;
    RwaConfig[] rwas;
    StablecoinConfig[] stablecoins;
}

/// @notice Accounts of CoreSwap. `admin` is also the admin of delegates and adapters.
struct RolesConfig {
    address admin;
    address operator;
    address blacklister;
    address externalPauser;
    address vault;
}

/// @notice The treasury token and its LP. The rates of `lp` are those of a stablecoin like any other; its token, its
/// decimals (18) and its USD value (1e18) are fixed.
struct TreasuryConfig {
    address admin;
    address operator;
    address pauser;
    address whitelister;
    address blacklister;
    address ratePoster;
    uint256 initialRateWad;
    uint256 managementFeeWad;
    StablecoinConfig lp;
}

/// @notice An asset: `token` zero means that a test token is to be deployed.
struct AssetConfig {
    string name;
    string symbol;
    bytes32 id;
    address token;
    uint8 decimals;
}

/// @notice An RWA and its NAV adapter.
struct RwaConfig {
    AssetConfig asset;
    uint256 navWad;
    uint256 maxMovePerPostWad;
    uint256 maxAgeSeconds;
    address navPoster;
}

/// @notice A stablecoin and its LP. A zero custody means that the delegate itself keeps the assets. With `autoLiquidity`
/// the stablecoin custody keeps its reserve in the treasury token.
struct StablecoinConfig {
    AssetConfig asset;
    address issuerAdmin;
    address rwaCustody;
    address stablecoinCustody;
    uint256 usdValueWad;
    uint256 issuerPaidProtocolFeeRateWad;
    bool protocolFeeExempt;
    bool autoLiquidity;
    GuardrailConfig guardrail;
    RwaRatesConfig[] rwas;
    StablecoinRatesConfig[] stablecoins;
}

/// @notice Price guardrail of a stablecoin. A zero adapter means none is configured.
struct GuardrailConfig {
    address priceAdapter;
    uint256 bandWad;
    bool enabled;
}

/// @notice An RWA that an LP deals in. `index` is its position in `DeployConfig.rwas`.
struct RwaRatesConfig {
    uint256 index;
    uint256 discountRateWad;
    uint256 redemptionFeeWad;
}

/// @notice A foreign stablecoin that an LP deals in. `index` is its position in `DeployConfig.stablecoins`.
struct StablecoinRatesConfig {
    uint256 index;
    uint256 acceptanceFeeWad;
    uint256 redemptionFeeWad;
}
