// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {
    AssetConfig,
    DeployConfig,
    GuardrailConfig,
    RolesConfig,
    RwaConfig,
    RwaRatesConfig,
    StablecoinConfig,
    StablecoinRatesConfig,
    TimelockConfig,
    TreasuryConfig
} from "./DeployConfig.sol";
import {JsonConfig} from "./JsonConfig.sol";
import {VmSafe} from "forge-std/Vm.sol";

/// @title DeployConfigReader
/// @notice Reads and checks a configuration file, so that a mistake in it ends the run before anything is deployed.
/// Every key is required unless said otherwise, and unknown keys are refused. Bounds are those of the contracts.
/// @dev Optional keys, for which absent and null mean the same: `deployTestTokens`, `broadcastPartySteps` (false), `id`
/// (see {_readId}), `token` with `deployTestTokens` (a test token), `rwaCustody`, `stablecoinCustody` (the delegate
/// itself), `autoLiquidity` (false), `sweepAllowance` (not read without it), `guardrail` (none), `recovery` (none). The
/// `intakeCap` of a plain stablecoin is required, but refused if one account other than the delegate is both custodies.
/// With the governance "timelock", `admin` and `operator` of `roles` and `treasury` must be absent or null; with
/// "accounts", `timelock` must be absent or null, and `plainAccounts` is not read.
library DeployConfigReader {
    using JsonConfig for string;

    VmSafe private constant vm = VmSafe(address(uint160(uint256(keccak256("hevm cheat code")))));

    uint256 private constant WAD = 1e18;
    uint256 private constant MAX_RATE = 0.99e18;
    /// @dev The bound of CoreSwap on the rate of a derived leg, WAD fraction.
    uint256 private constant MAX_DERIVED_LEG_RATE = 0.01e18;
    uint256 private constant MAX_INITIAL_RATE = 0.2e18;
    uint256 private constant MAX_MANAGEMENT_FEE = 0.05e18;
    uint256 private constant MAX_SWAP_LEGS = 32;
    uint256 private constant MIN_DELAY_SECONDS = 1 days;
    uint256 private constant MAX_DELAY_SECONDS = 30 days;

    string private constant KEYS =
        "network, chainId, deployTestTokens, broadcastPartySteps, governance, timelock, plainAccounts, roles, maxSwapLegs, spreadProtocolTakeRateWad, treasury, rwas, stablecoins";
    string private constant ROLE_KEYS = "admin, operator, guardian, blacklister, externalPauser, vault";
    string private constant ASSET_KEYS = "name, symbol, id, token, decimals";
    /// @dev Further issuer admins and cold storage are set after the deployment; `core verify` compares them.
    string private constant LP_KEYS =
        "issuerAdmin, furtherIssuerAdmins, rwaCustody, stablecoinCustody, rwaColdStorage, stablecoinColdStorage, issuerPaidProtocolFeeRateWad, protocolFeeExempt, guardrail, rwas, stablecoins";
    /// @dev The last three are set after the deployment; `core verify` compares them.
    string private constant TREASURY_KEYS =
        "symbol, id, admin, operator, pauser, whitelister, blacklister, delegateOperator, ratePoster, initialRateWad, managementFeeWad, maxDailyRateWad, maxFallbackRateSeconds, bridges";
    string private constant NAV_KEYS = "navWad, maxMovePerPostWad, maxMovePerDayWad, maxAgeSeconds, navPoster";

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
        json.requireKnownKeys("", KEYS);
        json.requireKnownKeys(".roles", ROLE_KEYS);
        config.network = json.text(".network");
        config.chainId = _readChainId(json, config.network);
        config.deployTestTokens = json.optionalFlag(".deployTestTokens");
        config.broadcastPartySteps = json.optionalFlag(".broadcastPartySteps");
        _readGovernance(json, config);
        config.roles = RolesConfig({
            admin: _readGovernor(json, ".roles.admin", config.governedByTimelock),
            operator: _readGovernor(json, ".roles.operator", config.governedByTimelock),
            guardian: json.account(".roles.guardian"),
            blacklister: json.account(".roles.blacklister"),
            externalPauser: json.account(".roles.externalPauser"),
            vault: json.account(".roles.vault")
        });
        // A proposer that cancels would cancel its own removal.
        if (config.roles.guardian == config.timelock.proposer || config.roles.guardian == config.timelock.recovery) {
            json.refuse(".roles.guardian", "an account other than the proposers of .timelock");
        }
        config.maxSwapLegs = json.number(".maxSwapLegs", 1, MAX_SWAP_LEGS);
        config.spreadProtocolTakeRateWad = json.number(".spreadProtocolTakeRateWad", 0, WAD);

        config.rwas = new RwaConfig[](json.length(".rwas"));
        for (uint256 i; i < config.rwas.length; ++i) {
            config.rwas[i] = _readRwa(json, JsonConfig.item(".rwas", i), config.deployTestTokens);
        }
        // Reads the list in two passes, because rates may name a stablecoin that comes later in the file.
        config.stablecoins = new StablecoinConfig[](json.length(".stablecoins"));
        for (uint256 i; i < config.stablecoins.length; ++i) {
            config.stablecoins[i] = _readStablecoin(json, JsonConfig.item(".stablecoins", i), config.deployTestTokens);
        }
        config.treasury = _readTreasury(json, config.governedByTimelock);
        _requireDistinctAssets(config);
        for (uint256 i; i < config.stablecoins.length; ++i) {
            _readRates(json, JsonConfig.item(".stablecoins", i), config, config.stablecoins[i]);
        }
        _readRates(json, ".treasury", config, config.treasury.lp);
        for (uint256 i; i < config.stablecoins.length; ++i) {
            if (config.stablecoins[i].autoLiquidity) _requireReserve(config, i);
            string memory key = string.concat(JsonConfig.item(".stablecoins", i), ".intakeCap");
            config.stablecoins[i].intakeCap = _readOwnIntakeCap(json, key, config.stablecoins[i]);
        }
    }

    /// @dev The indexer identifies each network by its chain ID.
    function _readChainId(string memory json, string memory network) private view returns (uint256) {
        if (network.equal("mainnet")) return json.number(".chainId", 1, 1);
        if (network.equal("sepolia")) return json.number(".chainId", 11_155_111, 11_155_111);
        revert JsonConfig.InvalidValue(".network", network, "mainnet or sepolia");
    }

    function _readGovernance(string memory json, DeployConfig memory config) private view {
        string memory governance = json.text(".governance");
        config.governedByTimelock = governance.equal("timelock");
        if (!config.governedByTimelock) {
            if (!governance.equal("accounts")) json.refuse(".governance", "timelock or accounts");
            if (json.isSet(".timelock")) json.refuse(".timelock", "null, since .governance is accounts");
            return;
        }
        json.requireKnownKeys(".timelock", "delaySeconds, proposer, recovery");
        config.timelock = TimelockConfig({
            delaySeconds: json.number(".timelock.delaySeconds", MIN_DELAY_SECONDS, MAX_DELAY_SECONDS),
            proposer: json.account(".timelock.proposer"),
            recovery: json.optionalAccount(".timelock.recovery")
        });
        if (config.timelock.recovery == config.timelock.proposer) {
            json.refuse(".timelock.recovery", "an account other than .timelock.proposer, or null");
        }
        config.plainAccounts = new address[](json.length(".plainAccounts"));
        for (uint256 i; i < config.plainAccounts.length; ++i) {
            config.plainAccounts[i] = json.account(JsonConfig.item(".plainAccounts", i));
        }
    }

    /// @dev Reads an account that the timelock replaces when there is one.
    function _readGovernor(string memory json, string memory key, bool governedByTimelock)
        private
        view
        returns (address)
    {
        if (!governedByTimelock) return json.account(key);
        if (json.isSet(key)) json.refuse(key, "null, since the timelock takes this place");
        return address(0);
    }

    function _readTreasury(string memory json, bool governedByTimelock)
        private
        view
        returns (TreasuryConfig memory treasury)
    {
        json.requireKnownKeys(".treasury", string.concat(TREASURY_KEYS, ", ", LP_KEYS));
        treasury.admin = _readGovernor(json, ".treasury.admin", governedByTimelock);
        treasury.operator = _readGovernor(json, ".treasury.operator", governedByTimelock);
        treasury.pauser = json.account(".treasury.pauser");
        treasury.whitelister = json.account(".treasury.whitelister");
        treasury.blacklister = json.account(".treasury.blacklister");
        treasury.delegateOperator = json.account(".treasury.delegateOperator");
        treasury.ratePoster = json.account(".treasury.ratePoster");
        treasury.initialRateWad = json.number(".treasury.initialRateWad", 0, MAX_INITIAL_RATE);
        treasury.managementFeeWad = json.number(".treasury.managementFeeWad", 0, MAX_MANAGEMENT_FEE);
        treasury.lp.asset.name = "Treasury";
        treasury.lp.asset.symbol = json.text(".treasury.symbol");
        treasury.lp.asset.id = _readId(json, ".treasury", treasury.lp.asset.symbol);
        treasury.lp.asset.decimals = 18;
        treasury.lp.usdValueWad = WAD;
        _readLp(json, ".treasury", treasury.lp);
    }

    function _readRwa(string memory json, string memory key, bool testTokens)
        private
        view
        returns (RwaConfig memory rwa)
    {
        json.requireKnownKeys(key, string.concat(ASSET_KEYS, ", ", NAV_KEYS));
        rwa.asset = _readAsset(json, key, testTokens);
        rwa.navWad = json.number(string.concat(key, ".navWad"), 1, type(uint192).max);
        rwa.maxMovePerPostWad = json.number(string.concat(key, ".maxMovePerPostWad"), 1, WAD - 1);
        rwa.maxMovePerDayWad = json.number(string.concat(key, ".maxMovePerDayWad"), rwa.maxMovePerPostWad, WAD - 1);
        rwa.maxAgeSeconds = json.number(string.concat(key, ".maxAgeSeconds"), 0, type(uint64).max);
        rwa.navPoster = json.account(string.concat(key, ".navPoster"));
    }

    function _readStablecoin(string memory json, string memory key, bool testTokens)
        private
        view
        returns (StablecoinConfig memory stablecoin)
    {
        json.requireKnownKeys(
            key, string.concat(ASSET_KEYS, ", usdValueWad, autoLiquidity, sweepAllowance, intakeCap, ", LP_KEYS)
        );
        stablecoin.asset = _readAsset(json, key, testTokens);
        stablecoin.usdValueWad = json.number(string.concat(key, ".usdValueWad"), 1, type(uint88).max);
        stablecoin.autoLiquidity = json.optionalFlag(string.concat(key, ".autoLiquidity"));
        string memory sweepAllowance = string.concat(key, ".sweepAllowance");
        if (stablecoin.autoLiquidity) {
            stablecoin.sweepAllowance = json.number(sweepAllowance, 1, type(uint256).max);
        }
        _readLp(json, key, stablecoin);
    }

    /// @dev Reads the cap of the LP's own stablecoin, which counts unless one account other than the delegate is both
    /// custodies.
    function _readOwnIntakeCap(string memory json, string memory key, StablecoinConfig memory lp)
        private
        view
        returns (uint96)
    {
        if (lp.stablecoinCustody == address(0) || lp.stablecoinCustody != lp.rwaCustody) {
            // forge-lint: disable-next-line(unsafe-typecast)
            return uint96(json.number(key, 0, type(uint96).max));
        }
        if (json.isSet(key)) json.refuse(key, "null, since one account other than the delegate is both custodies");
        return 0;
    }

    /// @dev Reads the keys that plain stablecoins and the treasury token have in common, except rates.
    function _readLp(string memory json, string memory key, StablecoinConfig memory lp) private view {
        lp.issuerAdmin = json.account(string.concat(key, ".issuerAdmin"));
        lp.rwaCustody = json.optionalAccount(string.concat(key, ".rwaCustody"));
        lp.stablecoinCustody = json.optionalAccount(string.concat(key, ".stablecoinCustody"));
        lp.issuerPaidProtocolFeeRateWad = json.number(string.concat(key, ".issuerPaidProtocolFeeRateWad"), 0, MAX_RATE);
        lp.protocolFeeExempt = json.flag(string.concat(key, ".protocolFeeExempt"));
        string memory guardrail = string.concat(key, ".guardrail");
        if (json.isSet(guardrail)) {
            json.requireKnownKeys(guardrail, "priceAdapter, bandWad, enabled");
            lp.guardrail = GuardrailConfig({
                priceAdapter: json.account(string.concat(guardrail, ".priceAdapter")),
                bandWad: json.number(string.concat(guardrail, ".bandWad"), 1, WAD - 1),
                enabled: json.flag(string.concat(guardrail, ".enabled"))
            });
        }
    }

    function _readRates(string memory json, string memory key, DeployConfig memory config, StablecoinConfig memory lp)
        private
        view
    {
        string memory list = string.concat(key, ".rwas");
        lp.rwas = new RwaRatesConfig[](json.length(list));
        for (uint256 i; i < lp.rwas.length; ++i) {
            string memory item = JsonConfig.item(list, i);
            json.requireKnownKeys(item, "symbol, discountRateWad, redemptionFeeWad, intakeCap");
            lp.rwas[i] = RwaRatesConfig({
                index: _rwaIndex(json, string.concat(item, ".symbol"), config),
                discountRateWad: json.number(string.concat(item, ".discountRateWad"), 0, MAX_RATE),
                redemptionFeeWad: json.number(string.concat(item, ".redemptionFeeWad"), 0, MAX_RATE),
                // forge-lint: disable-next-line(unsafe-typecast)
                intakeCap: uint96(json.number(string.concat(item, ".intakeCap"), 0, type(uint96).max))
            });
            for (uint256 j; j < i; ++j) {
                if (lp.rwas[j].index == lp.rwas[i].index) _revertListedTwice(json, item);
            }
        }
        list = string.concat(key, ".stablecoins");
        lp.stablecoins = new StablecoinRatesConfig[](json.length(list));
        for (uint256 i; i < lp.stablecoins.length; ++i) {
            string memory item = JsonConfig.item(list, i);
            json.requireKnownKeys(item, "symbol, acceptanceFeeWad, redemptionFeeWad, intakeCap");
            lp.stablecoins[i] = StablecoinRatesConfig({
                index: _foreignIndex(json, string.concat(item, ".symbol"), config, lp),
                acceptanceFeeWad: json.number(string.concat(item, ".acceptanceFeeWad"), 0, MAX_RATE),
                redemptionFeeWad: json.number(string.concat(item, ".redemptionFeeWad"), 0, MAX_RATE),
                // forge-lint: disable-next-line(unsafe-typecast)
                intakeCap: uint96(json.number(string.concat(item, ".intakeCap"), 0, type(uint96).max))
            });
            for (uint256 j; j < i; ++j) {
                if (lp.stablecoins[j].index == lp.stablecoins[i].index) _revertListedTwice(json, item);
            }
        }
    }

    function _readAsset(string memory json, string memory key, bool testTokens)
        private
        view
        returns (AssetConfig memory asset)
    {
        asset.name = json.text(string.concat(key, ".name"));
        asset.symbol = json.text(string.concat(key, ".symbol"));
        asset.id = _readId(json, key, asset.symbol);
        string memory token = string.concat(key, ".token");
        asset.token = testTokens ? json.optionalAccount(token) : json.account(token);
        // forge-lint: disable-next-line(unsafe-typecast)
        asset.decimals = uint8(json.number(string.concat(key, ".decimals"), 0, 18));
    }

    /// @dev Returns the ID of an asset; without one in the file, the bytes of its symbol, left-aligned and zero-padded.
    function _readId(string memory json, string memory key, string memory symbol) private view returns (bytes32) {
        bytes32 id = json.optionalWord(string.concat(key, ".id"));
        if (id != 0) return id;
        if (bytes(symbol).length > 32) {
            revert JsonConfig.InvalidValue(string.concat(key, ".symbol"), symbol, "at most 32 bytes, or an id");
        }
        // forge-lint: disable-next-line(unsafe-typecast)
        return bytes32(bytes(symbol));
    }

    /// @dev Rates refer to assets by symbol, and CoreSwap allows each ID and each token once.
    function _requireDistinctAssets(DeployConfig memory config) private pure {
        uint256 rwaCount = config.rwas.length;
        uint256 stablecoinCount = config.stablecoins.length;
        AssetConfig[] memory assets = new AssetConfig[](rwaCount + stablecoinCount + 1);
        string[] memory keys = new string[](assets.length);
        for (uint256 i; i < rwaCount; ++i) {
            (assets[i], keys[i]) = (config.rwas[i].asset, JsonConfig.item(".rwas", i));
        }
        for (uint256 i; i < stablecoinCount; ++i) {
            assets[rwaCount + i] = config.stablecoins[i].asset;
            keys[rwaCount + i] = JsonConfig.item(".stablecoins", i);
        }
        (assets[rwaCount + stablecoinCount], keys[rwaCount + stablecoinCount]) = (config.treasury.lp.asset, ".treasury");
        for (uint256 i; i < assets.length; ++i) {
            for (uint256 j; j < i; ++j) {
                _requireDistinct(keys[i], keys[j], assets[i], assets[j]);
            }
        }
    }

    function _requireDistinct(
        string memory key,
        string memory otherKey,
        AssetConfig memory asset,
        AssetConfig memory other
    ) private pure {
        string memory expected = string.concat("different from that of ", otherKey);
        if (asset.symbol.equal(other.symbol)) {
            revert JsonConfig.InvalidValue(string.concat(key, ".symbol"), asset.symbol, expected);
        }
        if (asset.id == other.id) {
            revert JsonConfig.InvalidValue(string.concat(key, ".id"), vm.toString(asset.id), expected);
        }
        if (asset.token != address(0) && asset.token == other.token) {
            revert JsonConfig.InvalidValue(string.concat(key, ".token"), vm.toString(asset.token), expected);
        }
    }

    /// @dev Checks the requirements of keeping a custody's reserve in the treasury token: the custody is neither the
    /// delegate nor a custody of the treasury LP, and that LP deals in the stablecoin at rates of derived legs.
    function _requireReserve(DeployConfig memory config, uint256 index) private pure {
        string memory key = JsonConfig.item(".stablecoins", index);
        StablecoinConfig memory treasury = config.treasury.lp;
        address custody = config.stablecoins[index].stablecoinCustody;
        if (custody == address(0) || custody == treasury.stablecoinCustody || custody == treasury.rwaCustody) {
            string memory value = custody == address(0) ? "null" : vm.toString(custody);
            revert JsonConfig.InvalidValue(
                string.concat(key, ".stablecoinCustody"),
                value,
                "an account other than the delegate and the treasury LP's custodies, for autoLiquidity"
            );
        }
        for (uint256 i; i < treasury.stablecoins.length; ++i) {
            if (treasury.stablecoins[i].index != index) continue;
            return _requireDerivedLegs(treasury.stablecoins[i], JsonConfig.item(".treasury.stablecoins", i));
        }
        revert JsonConfig.InvalidValue(
            string.concat(key, ".autoLiquidity"), "true", "a stablecoin that .treasury.stablecoins lists"
        );
    }

    /// @dev Otherwise prefunds revert (`DerivedLegTooExpensive`), and sweeps do nothing.
    function _requireDerivedLegs(StablecoinRatesConfig memory terms, string memory key) private pure {
        _requireDerivedLegRate(string.concat(key, ".acceptanceFeeWad"), terms.acceptanceFeeWad);
        _requireDerivedLegRate(string.concat(key, ".redemptionFeeWad"), terms.redemptionFeeWad);
        if (terms.intakeCap == 0) {
            revert JsonConfig.InvalidValue(string.concat(key, ".intakeCap"), "0", "more than 0, for autoLiquidity");
        }
    }

    function _requireDerivedLegRate(string memory key, uint256 rateWad) private pure {
        if (rateWad <= MAX_DERIVED_LEG_RATE) return;
        string memory expected =
            string.concat("at most ", vm.toString(MAX_DERIVED_LEG_RATE), " (1 %), for autoLiquidity");
        revert JsonConfig.InvalidValue(key, vm.toString(rateWad), expected);
    }

    function _rwaIndex(string memory json, string memory key, DeployConfig memory config)
        private
        view
        returns (uint256)
    {
        string memory symbol = json.text(key);
        for (uint256 i; i < config.rwas.length; ++i) {
            if (config.rwas[i].asset.symbol.equal(symbol)) return i;
        }
        revert JsonConfig.InvalidValue(key, symbol, "the symbol of an RWA of this file");
    }

    /// @dev The treasury token is not foreign to any LP: its own LP settles every leg with it.
    function _foreignIndex(
        string memory json,
        string memory key,
        DeployConfig memory config,
        StablecoinConfig memory lp
    ) private view returns (uint256) {
        string memory symbol = json.text(key);
        for (uint256 i; i < config.stablecoins.length; ++i) {
            AssetConfig memory asset = config.stablecoins[i].asset;
            if (asset.symbol.equal(symbol) && asset.id != lp.asset.id) return i;
        }
        revert JsonConfig.InvalidValue(key, symbol, "the symbol of another plain stablecoin of this file");
    }

    function _revertListedTwice(string memory json, string memory item) private pure {
        string memory key = string.concat(item, ".symbol");
        revert JsonConfig.InvalidValue(key, vm.parseJsonString(json, key), "an asset not listed before");
    }
}
