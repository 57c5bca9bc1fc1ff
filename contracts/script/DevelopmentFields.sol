// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployConfig, StablecoinConfig} from "./DeployConfig.sol";
import {LiquidityProviders} from "./Deployment.sol";
import {JsonConfig} from "./JsonConfig.sol";
import {VmSafe} from "forge-std/Vm.sol";

/// @title DevelopmentFields
/// @notice Finds what only a development node may be given: tokens that anyone may mint, transactions of other parties,
/// and accounts whose keys everyone knows.
library DevelopmentFields {
    VmSafe private constant vm = VmSafe(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Development nodes derive their accounts from it: anvil shows 10, others 20.
    string private constant PUBLIC_MNEMONIC = "test test test test test test test test test test test junk";
    uint32 private constant PUBLIC_ACCOUNT_COUNT = 20;

    /// @dev An account of the configuration and its place in the file.
    struct Holder {
        string key;
        address account;
    }

    /// @notice Finds the first field that only a development node may be given.
    /// @param config The configuration.
    /// @return key Its place in the file; empty when there is none.
    /// @return value What stands there.
    /// @return expected What must stand there for any other node.
    function first(DeployConfig memory config)
        internal
        pure
        returns (string memory key, string memory value, string memory expected)
    {
        if (config.deployTestTokens) return (".deployTestTokens", "true", "false");
        if (config.broadcastPartySteps) return (".broadcastPartySteps", "true", "false");
        Holder[] memory holders = _holders(config);
        for (uint32 i; i < PUBLIC_ACCOUNT_COUNT; ++i) {
            address account = vm.addr(vm.deriveKey(PUBLIC_MNEMONIC, i));
            for (uint256 j; j < holders.length; ++j) {
                if (holders[j].account == account) {
                    return (holders[j].key, vm.toString(account), "an account whose key is not public");
                }
            }
        }
    }

    function _holders(DeployConfig memory config) private pure returns (Holder[] memory holders) {
        uint256 lpCount = LiquidityProviders.count(config);
        uint256 count;
        holders = new Holder[](11 + config.rwas.length + 3 * lpCount);
        holders[count++] = Holder(".roles.admin", config.roles.admin);
        holders[count++] = Holder(".roles.operator", config.roles.operator);
        holders[count++] = Holder(".roles.blacklister", config.roles.blacklister);
        holders[count++] = Holder(".roles.externalPauser", config.roles.externalPauser);
        holders[count++] = Holder(".roles.vault", config.roles.vault);
        holders[count++] = Holder(".treasury.admin", config.treasury.admin);
        holders[count++] = Holder(".treasury.operator", config.treasury.operator);
        holders[count++] = Holder(".treasury.pauser", config.treasury.pauser);
        holders[count++] = Holder(".treasury.whitelister", config.treasury.whitelister);
        holders[count++] = Holder(".treasury.blacklister", config.treasury.blacklister);
        holders[count++] = Holder(".treasury.ratePoster", config.treasury.ratePoster);
        for (uint256 i; i < config.rwas.length; ++i) {
            string memory key = JsonConfig.item(".rwas", i);
            holders[count++] = Holder(string.concat(key, ".navPoster"), config.rwas[i].navPoster);
        }
        for (uint256 i; i < lpCount; ++i) {
            StablecoinConfig memory lp = LiquidityProviders.terms(config, i);
            string memory key = i == config.stablecoins.length ? ".treasury" : JsonConfig.item(".stablecoins", i);
            holders[count++] = Holder(string.concat(key, ".issuerAdmin"), lp.issuerAdmin);
            holders[count++] = Holder(string.concat(key, ".rwaCustody"), lp.rwaCustody);
            holders[count++] = Holder(string.concat(key, ".stablecoinCustody"), lp.stablecoinCustody);
        }
    }
}
