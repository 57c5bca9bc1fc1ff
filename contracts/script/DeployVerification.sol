// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalanceSheetDelegate} from "../src/BalanceSheetDelegate.sol";
import {CoreSwap} from "../src/CoreSwap.sol";
import {Treasury} from "../src/Treasury.sol";
import {NavPriceAdapter} from "../src/adapters/NavPriceAdapter.sol";
import {
    AssetConfig,
    DeployConfig,
    GuardrailConfig,
    RwaConfig,
    RwaRatesConfig,
    StablecoinConfig,
    StablecoinRatesConfig
} from "./DeployConfig.sol";
import {Deployment} from "./Deployment.sol";
import {PartySteps} from "./PartySteps.sol";
import {IAccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/IAccessControlEnumerable.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {console} from "forge-std/console.sol";

/// @title DeployVerification
/// @notice Reads every role, address and setting of a deployment back and compares it with the configuration.
/// @dev Reverts at the first difference, naming it. What parties set themselves is compared only when the run sent it.
abstract contract DeployVerification is PartySteps {
    /// @notice A number, rate, flag or word on chain is not the configured one.
    error ValueDiffers(string what, bytes32 actual, bytes32 expected);

    /// @notice An address on chain is not the configured or deployed one.
    error AddressDiffers(string what, address actual, address expected);

    /// @notice The holders of a role are not the configured ones.
    error RoleHoldersDiffer(string what, address[] actual, address[] expected);

    /// @dev Compares everything; then warns of rates that leave a NAV post open to a sandwich.
    function _verify(DeployConfig memory config, Deployment memory deployment, address deployer) internal view {
        _verifyCoreSwap(config, deployment);
        _verifyTreasury(config, deployment);
        for (uint256 i; i < config.rwas.length; ++i) {
            _verifyRwa(config, deployment, i);
            _verifyNavAdapter(deployment.navAdapters[i], config.rwas[i], config.roles.admin, deployer);
        }
        for (uint256 i; i < config.stablecoins.length; ++i) {
            _verifyStablecoin(config, deployment, i);
            _verifyStablecoinSettings(deployment.coreSwap, config.stablecoins[i]);
            _verifyDelegate(config, deployment, i);
            if (config.broadcastPartySteps) _verifyPartySteps(config, deployment, i);
            _warnOfSandwichableNavs(config, config.stablecoins[i]);
        }
        console.log("Verified %s on chain %s", config.network, config.chainId);
    }

    function _verifyCoreSwap(DeployConfig memory config, Deployment memory deployment) private view {
        CoreSwap coreSwap = deployment.coreSwap;
        _checkImplementation("CoreSwap implementation", address(coreSwap), deployment.coreSwapImplementation);
        _checkHolder("CoreSwap DEFAULT_ADMIN_ROLE", coreSwap, coreSwap.DEFAULT_ADMIN_ROLE(), config.roles.admin);
        _checkHolder("CoreSwap OPERATOR_ROLE", coreSwap, coreSwap.OPERATOR_ROLE(), config.roles.operator);
        _checkHolder("CoreSwap BLACKLISTER_ROLE", coreSwap, coreSwap.BLACKLISTER_ROLE(), config.roles.blacklister);
        _checkHolder(
            "CoreSwap EXTERNAL_PAUSER_ROLE", coreSwap, coreSwap.EXTERNAL_PAUSER_ROLE(), config.roles.externalPauser
        );
        _check("CoreSwap vault", coreSwap.coreVault(), config.roles.vault);
        _check("CoreSwap maxSwapLegs", coreSwap.maxSwapLegs(), config.maxSwapLegs);
        _check("CoreSwap take rate", coreSwap.spreadProtocolTakeRate(), config.spreadProtocolTakeRateWad);
        _check("CoreSwap paused", coreSwap.paused(), false);
    }

    function _verifyTreasury(DeployConfig memory config, Deployment memory deployment) private view {
        Treasury treasury = deployment.treasury;
        _checkImplementation("Treasury implementation", address(treasury), deployment.treasuryImplementation);
        _checkHolder("Treasury DEFAULT_ADMIN_ROLE", treasury, treasury.DEFAULT_ADMIN_ROLE(), config.treasury.admin);
        _checkHolder("Treasury OPERATOR_ROLE", treasury, treasury.OPERATOR_ROLE(), config.treasury.operator);
        _checkHolder("Treasury PAUSER_ROLE", treasury, treasury.PAUSER_ROLE(), config.treasury.pauser);
        _checkHolder("Treasury WHITELISTER_ROLE", treasury, treasury.WHITELISTER_ROLE(), config.treasury.whitelister);
        _checkHolder("Treasury BLACKLISTER_ROLE", treasury, treasury.BLACKLISTER_ROLE(), config.treasury.blacklister);
        _checkHolders("Treasury MINTER_ROLE", treasury, treasury.MINTER_ROLE(), config.treasury.minters);
        _checkHolders("Treasury BRIDGE_ROLE", treasury, treasury.BRIDGE_ROLE(), new address[](0));
        _check("Treasury symbol", keccak256(bytes(treasury.symbol())), keccak256(bytes(config.treasury.symbol)));
        _check("Treasury supply", treasury.totalSupply(), 0);
        _check("Treasury paused", treasury.paused(), false);
    }

    function _verifyRwa(DeployConfig memory config, Deployment memory deployment, uint256 index) private view {
        RwaConfig memory rwa = config.rwas[index];
        string memory name = string.concat(rwa.asset.symbol, "'s ");
        (bool accepted,, uint8 decimals, address riskDelegate, address token) =
            deployment.coreSwap.rwaInfo(rwa.asset.id);
        _check(string.concat(name, "acceptance"), accepted, true);
        _check(string.concat(name, "decimals"), decimals, rwa.asset.decimals);
        _check(string.concat(name, "risk delegate"), riskDelegate, address(0));
        _check(string.concat(name, "token"), token, deployment.rwaTokens[index]);
        address adapter = deployment.coreSwap.rwaPriceAdapters(rwa.asset.id);
        _check(string.concat(name, "price adapter"), adapter, address(deployment.navAdapters[index]));
    }

    function _verifyNavAdapter(NavPriceAdapter adapter, RwaConfig memory rwa, address admin, address deployer)
        private
        view
    {
        string memory name = string.concat(rwa.asset.symbol, "'s NAV ");
        _check(string.concat(name, "price"), adapter.getPrice(), rwa.navWad);
        _check(string.concat(name, "maximum move"), adapter.maxMovePerPostWad(), rwa.maxMovePerPostWad);
        _check(string.concat(name, "maximum age"), adapter.maxAgeSeconds(), rwa.maxAgeSeconds);
        bytes32 role = adapter.NAV_POSTER_ROLE();
        _check(string.concat(name, "poster"), adapter.hasRole(role, rwa.navPoster), true);
        _check(
            string.concat(name, "poster is the deployer"), adapter.hasRole(role, deployer), deployer == rwa.navPoster
        );
        role = adapter.DEFAULT_ADMIN_ROLE();
        _check(string.concat(name, "admin"), adapter.hasRole(role, admin), true);
        _check(string.concat(name, "admin is the deployer"), adapter.hasRole(role, deployer), deployer == admin);
    }

    function _verifyStablecoin(DeployConfig memory config, Deployment memory deployment, uint256 index) private view {
        StablecoinConfig memory stablecoin = config.stablecoins[index];
        string memory name = string.concat(stablecoin.asset.symbol, "'s ");
        (bool accepted, bool yieldBearing, uint8 decimals, address delegate, address token) =
            deployment.coreSwap.stablecoinInfo(stablecoin.asset.id);
        _check(string.concat(name, "acceptance"), accepted, true);
        _check(string.concat(name, "yield-bearing flag"), yieldBearing, false);
        _check(string.concat(name, "decimals"), decimals, stablecoin.asset.decimals);
        _check(string.concat(name, "delegate"), delegate, address(deployment.delegates[index]));
        _check(string.concat(name, "token"), token, deployment.stablecoinTokens[index]);
    }

    function _verifyStablecoinSettings(CoreSwap coreSwap, StablecoinConfig memory stablecoin) private view {
        bytes32 id = stablecoin.asset.id;
        string memory name = string.concat(stablecoin.asset.symbol, "'s ");
        uint256 issuerPaidRate = coreSwap.issuerPaidProtocolFeeRates(id);
        _check(string.concat(name, "USD value"), coreSwap.stablecoinUSDValue(id), stablecoin.usdValueWad);
        _check(string.concat(name, "issuer-paid rate"), issuerPaidRate, stablecoin.issuerPaidProtocolFeeRateWad);
        _check(string.concat(name, "fee exemption"), coreSwap.protocolFeeExempt(id), stablecoin.protocolFeeExempt);

        GuardrailConfig memory guardrail = stablecoin.guardrail;
        _check(string.concat(name, "guardrail adapter"), coreSwap.stablecoinPriceAdapters(id), guardrail.priceAdapter);
        _check(string.concat(name, "guardrail band"), coreSwap.stablecoinGuardrailBands(id), guardrail.bandWad);
        _check(string.concat(name, "guardrail switch"), coreSwap.stablecoinGuardrailEnabled(id), guardrail.enabled);
    }

    function _verifyDelegate(DeployConfig memory config, Deployment memory deployment, uint256 index) private view {
        StablecoinConfig memory stablecoin = config.stablecoins[index];
        BalanceSheetDelegate delegate = deployment.delegates[index];
        string memory name = string.concat(stablecoin.asset.symbol, " delegate's ");
        _checkImplementation(
            string.concat(name, "implementation"), address(delegate), deployment.delegateImplementation
        );
        _check(string.concat(name, "CoreSwap"), delegate.coreSwap(), address(deployment.coreSwap));
        _check(string.concat(name, "stablecoin ID"), delegate.stablecoinID(), stablecoin.asset.id);
        _check(string.concat(name, "stablecoin"), delegate.stablecoinAddress(), deployment.stablecoinTokens[index]);
        _checkHolder(
            string.concat(name, "DEFAULT_ADMIN_ROLE"), delegate, delegate.DEFAULT_ADMIN_ROLE(), config.roles.admin
        );
        _checkHolder(string.concat(name, "PAUSE_ROLE"), delegate, delegate.PAUSE_ROLE(), config.roles.admin);
        _check(string.concat(name, "issuer admin"), delegate.issuerAdmins(stablecoin.issuerAdmin), true);
        _check(string.concat(name, "pause"), delegate.paused(), false);
    }

    function _verifyPartySteps(DeployConfig memory config, Deployment memory deployment, uint256 index) private view {
        StablecoinConfig memory stablecoin = config.stablecoins[index];
        BalanceSheetDelegate delegate = deployment.delegates[index];
        string memory name = string.concat(stablecoin.asset.symbol, " delegate's ");
        address rwaCustody = _custody(stablecoin.rwaCustody, delegate);
        _check(string.concat(name, "RWA custody"), delegate.balanceSheetCustodyAddress(), rwaCustody);
        address stablecoinCustody = _custody(stablecoin.stablecoinCustody, delegate);
        _check(string.concat(name, "stablecoin custody"), delegate.stablecoinCustodyAddress(), stablecoinCustody);
        for (uint256 i; i < stablecoin.rwas.length; ++i) {
            _verifyRwaRates(config, deployment, index, stablecoin.rwas[i]);
        }
        for (uint256 i; i < stablecoin.stablecoins.length; ++i) {
            _verifyStablecoinRates(config, deployment, index, stablecoin.stablecoins[i]);
        }
    }

    function _verifyRwaRates(
        DeployConfig memory config,
        Deployment memory deployment,
        uint256 index,
        RwaRatesConfig memory rates
    ) private view {
        CoreSwap coreSwap = deployment.coreSwap;
        AssetConfig memory own = config.stablecoins[index].asset;
        AssetConfig memory rwa = config.rwas[rates.index].asset;
        string memory pair = string.concat(own.symbol, "/", rwa.symbol);
        bool listed = deployment.delegates[index].rwaWhitelist(deployment.rwaTokens[rates.index]);
        _check(string.concat(pair, " listing"), listed, true);
        _check(string.concat(pair, " discount rate"), coreSwap.discountRates(own.id, rwa.id), rates.discountRateWad);
        _check(string.concat(pair, " redemption fee"), coreSwap.redemptionFees(own.id, rwa.id), rates.redemptionFeeWad);
    }

    function _verifyStablecoinRates(
        DeployConfig memory config,
        Deployment memory deployment,
        uint256 index,
        StablecoinRatesConfig memory rates
    ) private view {
        CoreSwap coreSwap = deployment.coreSwap;
        AssetConfig memory own = config.stablecoins[index].asset;
        address token = deployment.stablecoinTokens[rates.index];
        string memory pair = string.concat(own.symbol, "/", config.stablecoins[rates.index].asset.symbol);
        uint256 acceptanceFee = coreSwap.stablecoinAcceptanceFees(own.id, token);
        uint256 redemptionFee = coreSwap.stablecoinRedemptionFees(own.id, token);
        _check(string.concat(pair, " listing"), deployment.delegates[index].stablecoinWhitelist(token), true);
        _check(string.concat(pair, " acceptance fee"), acceptanceFee, rates.acceptanceFeeWad);
        _check(string.concat(pair, " redemption fee"), redemptionFee, rates.redemptionFeeWad);
    }

    function _warnOfSandwichableNavs(DeployConfig memory config, StablecoinConfig memory stablecoin) private pure {
        for (uint256 i; i < stablecoin.rwas.length; ++i) {
            RwaConfig memory rwa = config.rwas[stablecoin.rwas[i].index];
            if (_isNavSandwichable(stablecoin.rwas[i], rwa)) {
                console.log(
                    "WARNING: %s/%s: discount rate + redemption fee is below the maximum NAV move per post",
                    stablecoin.asset.symbol,
                    rwa.asset.symbol
                );
            }
        }
    }

    /// @dev Who swaps in before a NAV post and out after it gains the post's move less both rates.
    function _isNavSandwichable(RwaRatesConfig memory rates, RwaConfig memory rwa) internal pure returns (bool) {
        return rates.discountRateWad + rates.redemptionFeeWad < rwa.maxMovePerPostWad;
    }

    function _checkImplementation(string memory what, address proxy, address implementation) private view {
        bytes32 word = vm.load(proxy, ERC1967Utils.IMPLEMENTATION_SLOT);
        _check(what, address(uint160(uint256(word))), implementation);
    }

    function _checkHolder(string memory what, IAccessControlEnumerable target, bytes32 role, address holder)
        private
        view
    {
        address[] memory holders = new address[](1);
        holders[0] = holder;
        _checkHolders(what, target, role, holders);
    }

    function _checkHolders(string memory what, IAccessControlEnumerable target, bytes32 role, address[] memory expected)
        private
        view
    {
        uint256 count = target.getRoleMemberCount(role);
        address[] memory actual = new address[](count);
        for (uint256 i; i < count; ++i) {
            actual[i] = target.getRoleMember(role, i);
        }
        if (keccak256(abi.encode(actual)) != keccak256(abi.encode(expected))) {
            revert RoleHoldersDiffer(what, actual, expected);
        }
    }

    function _check(string memory what, bool actual, bool expected) private pure {
        _check(what, actual ? 1 : 0, expected ? 1 : 0);
    }

    function _check(string memory what, uint256 actual, uint256 expected) private pure {
        _check(what, bytes32(actual), bytes32(expected));
    }

    function _check(string memory what, bytes32 actual, bytes32 expected) private pure {
        if (actual != expected) revert ValueDiffers(what, actual, expected);
    }

    function _check(string memory what, address actual, address expected) private pure {
        if (actual != expected) revert AddressDiffers(what, actual, expected);
    }
}
