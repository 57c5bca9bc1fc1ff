// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VmSafe} from "forge-std/Vm.sol";

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

/// @notice Accounts of the treasury token.
struct TreasuryConfig {
    string symbol;
    address admin;
    address operator;
    address pauser;
    address whitelister;
    address blacklister;
    address[] minters;
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

/// @notice A stablecoin and its LP. A zero custody means that the delegate itself keeps the assets.
struct StablecoinConfig {
    AssetConfig asset;
    address issuerAdmin;
    address rwaCustody;
    address stablecoinCustody;
    uint256 usdValueWad;
    uint256 issuerPaidProtocolFeeRateWad;
    bool protocolFeeExempt;
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

/// @title DeployConfigReader
/// @notice Reads a configuration file. Every key is required unless said otherwise; a missing or malformed one reverts
/// with the cheatcode's message, which names it.
/// @dev Optional, absent and null alike: `deployTestTokens`, `broadcastPartySteps` (false), `id` (see {_assetId}),
/// `token` (deploy a test token), `rwaCustody`, `stablecoinCustody` (the delegate itself), `guardrail` (none).
library DeployConfigReader {
    VmSafe private constant vm = VmSafe(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @notice The network is neither `mainnet` nor `sepolia`.
    error UnknownNetwork(string network);

    /// @notice A symbol that stands for an asset ID is empty or longer than 32 bytes.
    error InvalidSymbol(string symbol);

    /// @notice An LP's rates name an asset that the file does not define.
    error UnknownAsset(string symbol);

    /// @notice Decimals past 18 cannot be registered.
    error InvalidDecimals(string symbol, uint256 decimals);

    /// @notice Reads a configuration file.
    /// @param path Path of the file.
    /// @return config The configuration, checked.
    function read(string memory path) internal view returns (DeployConfig memory config) {
        return parse(vm.readFile(path));
    }

    /// @notice Reads a configuration out of its JSON text.
    /// @param json The text.
    /// @return config The configuration, checked.
    function parse(string memory json) internal view returns (DeployConfig memory config) {
        config.network = vm.parseJsonString(json, ".network");
        if (!_equal(config.network, "mainnet") && !_equal(config.network, "sepolia")) {
            revert UnknownNetwork(config.network);
        }
        config.chainId = vm.parseJsonUint(json, ".chainId");
        config.deployTestTokens = _boolOrFalse(json, ".deployTestTokens");
        config.broadcastPartySteps = _boolOrFalse(json, ".broadcastPartySteps");
        config.roles = RolesConfig({
            admin: vm.parseJsonAddress(json, ".roles.admin"),
            operator: vm.parseJsonAddress(json, ".roles.operator"),
            blacklister: vm.parseJsonAddress(json, ".roles.blacklister"),
            externalPauser: vm.parseJsonAddress(json, ".roles.externalPauser"),
            vault: vm.parseJsonAddress(json, ".roles.vault")
        });
        config.maxSwapLegs = vm.parseJsonUint(json, ".maxSwapLegs");
        config.spreadProtocolTakeRateWad = vm.parseJsonUint(json, ".spreadProtocolTakeRateWad");
        config.treasury = TreasuryConfig({
            symbol: vm.parseJsonString(json, ".treasury.symbol"),
            admin: vm.parseJsonAddress(json, ".treasury.admin"),
            operator: vm.parseJsonAddress(json, ".treasury.operator"),
            pauser: vm.parseJsonAddress(json, ".treasury.pauser"),
            whitelister: vm.parseJsonAddress(json, ".treasury.whitelister"),
            blacklister: vm.parseJsonAddress(json, ".treasury.blacklister"),
            minters: vm.parseJsonAddressArray(json, ".treasury.minters")
        });

        config.rwas = new RwaConfig[](_length(json, ".rwas"));
        for (uint256 i; i < config.rwas.length; ++i) {
            config.rwas[i] = _readRwa(json, _item(".rwas", i));
        }
        // Two passes: rates may name a stablecoin that stands further down.
        config.stablecoins = new StablecoinConfig[](_length(json, ".stablecoins"));
        for (uint256 i; i < config.stablecoins.length; ++i) {
            config.stablecoins[i] = _readStablecoin(json, _item(".stablecoins", i));
        }
        for (uint256 i; i < config.stablecoins.length; ++i) {
            _readRates(json, _item(".stablecoins", i), config, config.stablecoins[i]);
        }
    }

    function _readRwa(string memory json, string memory key) private view returns (RwaConfig memory rwa) {
        rwa.asset = _readAsset(json, key);
        rwa.navWad = vm.parseJsonUint(json, string.concat(key, ".navWad"));
        rwa.maxMovePerPostWad = vm.parseJsonUint(json, string.concat(key, ".maxMovePerPostWad"));
        rwa.maxAgeSeconds = vm.parseJsonUint(json, string.concat(key, ".maxAgeSeconds"));
        rwa.navPoster = vm.parseJsonAddress(json, string.concat(key, ".navPoster"));
    }

    function _readStablecoin(string memory json, string memory key)
        private
        view
        returns (StablecoinConfig memory stablecoin)
    {
        stablecoin.asset = _readAsset(json, key);
        stablecoin.issuerAdmin = vm.parseJsonAddress(json, string.concat(key, ".issuerAdmin"));
        stablecoin.rwaCustody = _addressOrZero(json, string.concat(key, ".rwaCustody"));
        stablecoin.stablecoinCustody = _addressOrZero(json, string.concat(key, ".stablecoinCustody"));
        stablecoin.usdValueWad = vm.parseJsonUint(json, string.concat(key, ".usdValueWad"));
        stablecoin.issuerPaidProtocolFeeRateWad =
            vm.parseJsonUint(json, string.concat(key, ".issuerPaidProtocolFeeRateWad"));
        stablecoin.protocolFeeExempt = vm.parseJsonBool(json, string.concat(key, ".protocolFeeExempt"));
        string memory guardrail = string.concat(key, ".guardrail");
        if (_isSet(json, guardrail)) {
            stablecoin.guardrail = GuardrailConfig({
                priceAdapter: vm.parseJsonAddress(json, string.concat(guardrail, ".priceAdapter")),
                bandWad: vm.parseJsonUint(json, string.concat(guardrail, ".bandWad")),
                enabled: vm.parseJsonBool(json, string.concat(guardrail, ".enabled"))
            });
        }
    }

    function _readRates(
        string memory json,
        string memory key,
        DeployConfig memory config,
        StablecoinConfig memory stablecoin
    ) private view {
        string memory rwas = string.concat(key, ".rwas");
        stablecoin.rwas = new RwaRatesConfig[](_length(json, rwas));
        for (uint256 i; i < stablecoin.rwas.length; ++i) {
            string memory item = _item(rwas, i);
            stablecoin.rwas[i] = RwaRatesConfig({
                index: _rwaIndex(config, vm.parseJsonString(json, string.concat(item, ".symbol"))),
                discountRateWad: vm.parseJsonUint(json, string.concat(item, ".discountRateWad")),
                redemptionFeeWad: vm.parseJsonUint(json, string.concat(item, ".redemptionFeeWad"))
            });
        }
        string memory stablecoins = string.concat(key, ".stablecoins");
        stablecoin.stablecoins = new StablecoinRatesConfig[](_length(json, stablecoins));
        for (uint256 i; i < stablecoin.stablecoins.length; ++i) {
            string memory item = _item(stablecoins, i);
            stablecoin.stablecoins[i] = StablecoinRatesConfig({
                index: _stablecoinIndex(config, vm.parseJsonString(json, string.concat(item, ".symbol"))),
                acceptanceFeeWad: vm.parseJsonUint(json, string.concat(item, ".acceptanceFeeWad")),
                redemptionFeeWad: vm.parseJsonUint(json, string.concat(item, ".redemptionFeeWad"))
            });
        }
    }

    function _readAsset(string memory json, string memory key) private view returns (AssetConfig memory asset) {
        asset.name = vm.parseJsonString(json, string.concat(key, ".name"));
        asset.symbol = vm.parseJsonString(json, string.concat(key, ".symbol"));
        string memory id = string.concat(key, ".id");
        asset.id = _isSet(json, id) ? vm.parseJsonBytes32(json, id) : _assetId(asset.symbol);
        asset.token = _addressOrZero(json, string.concat(key, ".token"));
        uint256 decimals = vm.parseJsonUint(json, string.concat(key, ".decimals"));
        if (decimals > 18) revert InvalidDecimals(asset.symbol, decimals);
        // forge-lint: disable-next-line(unsafe-typecast)
        asset.decimals = uint8(decimals);
    }

    /// @dev The ID of an asset whose file gives none: the bytes of its symbol, left-aligned, zero-padded.
    function _assetId(string memory symbol) private pure returns (bytes32 id) {
        bytes memory characters = bytes(symbol);
        if (characters.length == 0 || characters.length > 32) revert InvalidSymbol(symbol);
        // forge-lint: disable-next-line(unsafe-typecast)
        return bytes32(characters);
    }

    function _rwaIndex(DeployConfig memory config, string memory symbol) private pure returns (uint256) {
        for (uint256 i; i < config.rwas.length; ++i) {
            if (_equal(config.rwas[i].asset.symbol, symbol)) return i;
        }
        revert UnknownAsset(symbol);
    }

    function _stablecoinIndex(DeployConfig memory config, string memory symbol) private pure returns (uint256) {
        for (uint256 i; i < config.stablecoins.length; ++i) {
            if (_equal(config.stablecoins[i].asset.symbol, symbol)) return i;
        }
        revert UnknownAsset(symbol);
    }

    function _length(string memory json, string memory key) private view returns (uint256 length) {
        while (vm.keyExistsJson(json, _item(key, length))) ++length;
    }

    function _item(string memory key, uint256 index) private pure returns (string memory) {
        return string.concat(key, "[", vm.toString(index), "]");
    }

    function _boolOrFalse(string memory json, string memory key) private view returns (bool) {
        return _isSet(json, key) && vm.parseJsonBool(json, key);
    }

    function _addressOrZero(string memory json, string memory key) private view returns (address) {
        return _isSet(json, key) ? vm.parseJsonAddress(json, key) : address(0);
    }

    /// @dev Null, like zero and false, parses to one zero word.
    function _isSet(string memory json, string memory key) private view returns (bool) {
        return vm.keyExistsJson(json, key) && keccak256(vm.parseJson(json, key)) != keccak256(abi.encode(0));
    }

    function _equal(string memory a, string memory b) private pure returns (bool) {
        return keccak256(bytes(a)) == keccak256(bytes(b));
    }
}
