// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployConfig, StablecoinConfig} from "./DeployConfig.sol";
import {LiquidityProviders} from "./Deployment.sol";
import {JsonConfig} from "./JsonConfig.sol";
import {VmSafe} from "forge-std/Vm.sol";

/// @title ConfiguredAccounts
/// @notice The accounts that receive a role, fees or custody in a configuration.
library ConfiguredAccounts {
    VmSafe private constant vm = VmSafe(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Code prefix of a plain account that delegates to the code of a contract (EIP-7702).
    bytes3 private constant DELEGATION_PREFIX = 0xef0100;

    /// @notice An account of the configuration and its place in the file.
    struct Holder {
        string key;
        address account;
    }

    /// @notice Refuses an account without code unless `plainAccounts` names it, because a single key controls it.
    /// @param config The configuration.
    function requireNamedPlainAccounts(DeployConfig memory config) internal view {
        Holder[] memory holders = list(config);
        for (uint256 i; i < holders.length; ++i) {
            address account = holders[i].account;
            if (account == address(0) || !_isPlain(account) || _contains(config.plainAccounts, account)) continue;
            revert JsonConfig.InvalidValue(
                holders[i].key, vm.toString(account), "an account with code, or one that .plainAccounts names"
            );
        }
    }

    /// @notice Lists the accounts of a configuration. Accounts that are null in the file are zero.
    /// @param config The configuration.
    /// @return holders Each account with its place in the file.
    function list(DeployConfig memory config) internal pure returns (Holder[] memory holders) {
        uint256 lpCount = LiquidityProviders.count(config);
        uint256 count;
        holders = new Holder[](15 + config.rwas.length + 3 * lpCount);
        holders[count++] = Holder(".roles.admin", config.roles.admin);
        holders[count++] = Holder(".roles.operator", config.roles.operator);
        holders[count++] = Holder(".timelock.proposer", config.timelock.proposer);
        holders[count++] = Holder(".timelock.recovery", config.timelock.recovery);
        holders[count++] = Holder(".roles.guardian", config.roles.guardian);
        holders[count++] = Holder(".roles.blacklister", config.roles.blacklister);
        holders[count++] = Holder(".roles.externalPauser", config.roles.externalPauser);
        holders[count++] = Holder(".roles.vault", config.roles.vault);
        holders[count++] = Holder(".treasury.admin", config.treasury.admin);
        holders[count++] = Holder(".treasury.operator", config.treasury.operator);
        holders[count++] = Holder(".treasury.pauser", config.treasury.pauser);
        holders[count++] = Holder(".treasury.whitelister", config.treasury.whitelister);
        holders[count++] = Holder(".treasury.blacklister", config.treasury.blacklister);
        holders[count++] = Holder(".treasury.delegateOperator", config.treasury.delegateOperator);
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

    function _isPlain(address account) private view returns (bool) {
        bytes memory code = account.code;
        // Shorter code is padded with zeros.
        // forge-lint: disable-next-line(unsafe-typecast)
        return code.length == 0 || bytes3(code) == DELEGATION_PREFIX;
    }

    function _contains(address[] memory accounts, address account) private pure returns (bool) {
        for (uint256 i; i < accounts.length; ++i) {
            if (accounts[i] == account) return true;
        }
        return false;
    }
}
