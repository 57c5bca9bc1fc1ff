// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalanceSheetDelegate} from "../src/BalanceSheetDelegate.sol";
import {CoreSwap} from "../src/CoreSwap.sol";
import {Treasury} from "../src/Treasury.sol";
import {NavPriceAdapter} from "../src/adapters/NavPriceAdapter.sol";
import {AssetConfig, DeployConfig} from "./DeployConfig.sol";
import {Vm} from "forge-std/Vm.sol";

/// @notice What a run deployed. Arrays are in the order of the configuration.
struct Deployment {
    uint256 startBlock;
    CoreSwap coreSwap;
    Treasury treasury;
    address coreSwapImplementation;
    address treasuryImplementation;
    address delegateImplementation;
    address[] rwaTokens;
    NavPriceAdapter[] navAdapters;
    address[] stablecoinTokens;
    BalanceSheetDelegate[] delegates;
}

/// @title DeploymentFile
/// @notice Writes the addresses of a deployment where the indexer and operators read them.
library DeploymentFile {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @notice Writes `<directory>/evm/<network>.json`, over a file that is there.
    /// @return path of the file written
    function write(DeployConfig memory config, Deployment memory deployment, string memory directory)
        internal
        returns (string memory path)
    {
        string memory root = "deployment";
        vm.serializeString(root, "network", config.network);
        vm.serializeUint(root, "chainId", config.chainId);
        vm.serializeUint(root, "startBlock", deployment.startBlock);
        vm.serializeAddress(root, "coreSwap", address(deployment.coreSwap));
        vm.serializeAddress(root, "treasury", address(deployment.treasury));
        vm.serializeString(root, "rwas", _rwas(config, deployment));
        string memory json = vm.serializeString(root, "stablecoins", _stablecoins(config, deployment));

        string memory evmDirectory = string.concat(directory, "/evm");
        vm.createDir(evmDirectory, true);
        path = string.concat(evmDirectory, "/", config.network, ".json");
        vm.writeJson(json, path);
    }

    function _rwas(DeployConfig memory config, Deployment memory deployment) private returns (string[] memory items) {
        items = new string[](config.rwas.length);
        for (uint256 i; i < items.length; ++i) {
            string memory item = string.concat("rwa", vm.toString(i));
            _serializeAsset(item, config.rwas[i].asset, deployment.rwaTokens[i]);
            vm.serializeAddress(item, "priceAdapter", address(deployment.navAdapters[i]));
            items[i] = vm.serializeAddress(item, "navPoster", config.rwas[i].navPoster);
        }
    }

    function _stablecoins(DeployConfig memory config, Deployment memory deployment)
        private
        returns (string[] memory items)
    {
        items = new string[](config.stablecoins.length);
        for (uint256 i; i < items.length; ++i) {
            string memory item = string.concat("stablecoin", vm.toString(i));
            _serializeAsset(item, config.stablecoins[i].asset, deployment.stablecoinTokens[i]);
            vm.serializeAddress(item, "delegate", address(deployment.delegates[i]));
            items[i] = vm.serializeAddress(item, "issuerAdmin", config.stablecoins[i].issuerAdmin);
        }
    }

    function _serializeAsset(string memory item, AssetConfig memory asset, address token) private {
        vm.serializeString(item, "symbol", asset.symbol);
        vm.serializeBytes32(item, "id", asset.id);
        vm.serializeAddress(item, "token", token);
        vm.serializeUint(item, "decimals", asset.decimals);
    }
}
