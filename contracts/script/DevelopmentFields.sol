// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ConfiguredAccounts} from "./ConfiguredAccounts.sol";
import {DeployConfig} from "./DeployConfig.sol";
import {VmSafe} from "forge-std/Vm.sol";

/// @title DevelopmentFields
/// @notice Finds fields that are allowed only on development nodes: tokens that anyone may mint, transactions of other
/// parties, governance without a delay, and accounts whose keys are public.
library DevelopmentFields {
    VmSafe private constant vm = VmSafe(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Development nodes derive their accounts from it: anvil 10 by default, others 20.
    string private constant PUBLIC_MNEMONIC = "test test test test test test test test test test test junk";
    uint32 private constant PUBLIC_ACCOUNT_COUNT = 20;

    /// @notice Finds the first field that is allowed only on a development node.
    /// @param config The configuration.
    /// @return key Its path in the file; empty when there is none.
    /// @return value The value there.
    /// @return expected The value that any other node requires.
    function first(DeployConfig memory config)
        internal
        pure
        returns (string memory key, string memory value, string memory expected)
    {
        if (config.deployTestTokens) return (".deployTestTokens", "true", "false");
        if (config.broadcastPartySteps) return (".broadcastPartySteps", "true", "false");
        if (!config.governedByTimelock) return (".governance", "accounts", "timelock");
        ConfiguredAccounts.Holder[] memory holders = ConfiguredAccounts.list(config);
        for (uint32 i; i < PUBLIC_ACCOUNT_COUNT; ++i) {
            address account = vm.addr(vm.deriveKey(PUBLIC_MNEMONIC, i));
            for (uint256 j; j < holders.length; ++j) {
                if (holders[j].account == account) {
                    return (holders[j].key, vm.toString(account), "an account whose key is not public");
                }
            }
        }
    }
}
