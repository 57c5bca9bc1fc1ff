// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AssetConfig, DeployConfig, StablecoinConfig} from "./DeployConfig.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {Vm} from "forge-std/Vm.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {StablecoinDelegate} from "src/StablecoinDelegate.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";

/// @notice The contracts that a run deployed. Arrays are in the order of the configuration; `timelock` is zero if there
/// is none.
struct Deployment {
    uint256 startBlock;
    TimelockController timelock;
    CoreSwap coreSwap;
    Treasury treasury;
    address coreSwapImplementation;
    address treasuryImplementation;
    address delegateImplementation;
    address treasuryDelegateImplementation;
    address treasuryDelegateLibrary;
    TreasuryDelegate treasuryDelegate;
    address[] rwaTokens;
    NavPriceAdapter[] navAdapters;
    address[] stablecoinTokens;
    BalanceSheetDelegate[] delegates;
}

/// @notice One LP of a deployment: the terms of a stablecoin, possibly the treasury token, and the contracts that serve
/// it.
struct Lp {
    StablecoinConfig terms;
    StablecoinDelegate delegate;
    address token;
    address implementation;
    bool yieldBearing;
}

/// @title LiquidityProviders
/// @notice Lists the LPs of a deployment: those of plain stablecoins in the order of the configuration, then the
/// treasury token's.
library LiquidityProviders {
    /// @notice Number of LPs.
    /// @param config The configuration.
    /// @return The number.
    function count(DeployConfig memory config) internal pure returns (uint256) {
        return config.stablecoins.length + 1;
    }

    /// @notice The terms of one LP.
    /// @param config The configuration.
    /// @param index Index of the LP, from 0.
    /// @return The terms.
    function terms(DeployConfig memory config, uint256 index) internal pure returns (StablecoinConfig memory) {
        return index == config.stablecoins.length ? config.treasury.lp : config.stablecoins[index];
    }

    /// @notice Returns whether the LP's own stablecoin counts against an intake cap.
    /// @param lp The LP.
    /// @return True if it is a plain stablecoin's, unless one account other than the delegate is both custodies.
    function hasOwnIntakeCap(Lp memory lp) internal pure returns (bool) {
        address custody = lp.terms.stablecoinCustody;
        return !lp.yieldBearing && (custody == address(0) || custody != lp.terms.rwaCustody);
    }

    /// @notice One LP.
    /// @param config The configuration.
    /// @param deployment What was deployed.
    /// @param index Index of the LP, from 0.
    /// @return The LP.
    function at(DeployConfig memory config, Deployment memory deployment, uint256 index)
        internal
        pure
        returns (Lp memory)
    {
        if (index == config.stablecoins.length) {
            return Lp({
                terms: terms(config, index),
                delegate: deployment.treasuryDelegate,
                token: address(deployment.treasury),
                implementation: deployment.treasuryDelegateImplementation,
                yieldBearing: true
            });
        }
        return Lp({
            terms: terms(config, index),
            delegate: deployment.delegates[index],
            token: deployment.stablecoinTokens[index],
            implementation: deployment.delegateImplementation,
            yieldBearing: false
        });
    }
}

/// @title DeploymentFile
/// @notice Stores the addresses of a deployment for the indexer and operators.
library DeploymentFile {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @notice The file belongs to a deployment that exists on this chain. Move it away to deploy anew.
    error DeploymentExists(string path, address coreSwap);

    /// @notice Reverts with `DeploymentExists` if {write} would replace the file of a deployment on this chain.
    /// @param config What would be deployed.
    /// @param directory Folder of the deployment files.
    function requireNone(DeployConfig memory config, string memory directory) internal view {
        string memory path = _path(config, directory);
        if (!vm.exists(path)) return;
        address coreSwap = vm.parseJsonAddress(vm.readFile(path), ".coreSwap");
        if (coreSwap.code.length != 0) revert DeploymentExists(path, coreSwap);
    }

    /// @notice Writes `<directory>/evm/<network>.json`, replacing an existing file.
    /// @param config What was deployed.
    /// @param deployment Where it was deployed.
    /// @param directory Folder of the deployment files.
    /// @return path Path of the file written.
    function write(DeployConfig memory config, Deployment memory deployment, string memory directory)
        internal
        returns (string memory path)
    {
        string memory root = "deployment";
        vm.serializeString(root, "network", config.network);
        vm.serializeUint(root, "chainId", config.chainId);
        vm.serializeUint(root, "startBlock", deployment.startBlock);
        if (config.governedByTimelock) vm.serializeAddress(root, "timelock", address(deployment.timelock));
        vm.serializeAddress(root, "coreSwap", address(deployment.coreSwap));
        vm.serializeAddress(root, "treasury", address(deployment.treasury));
        vm.serializeString(root, "implementations", _implementations(deployment));
        vm.serializeString(root, "libraries", _libraries(deployment));
        vm.serializeString(root, "treasuryStablecoin", _treasuryStablecoin(config, deployment));
        vm.serializeString(root, "rwas", _rwas(config, deployment));
        string memory json = vm.serializeString(root, "stablecoins", _stablecoins(config, deployment));

        vm.createDir(string.concat(directory, "/evm"), true);
        path = _path(config, directory);
        vm.writeJson(json, path);
    }

    /// @notice Reads back what {write} wrote for the same configuration.
    /// @param config What was deployed.
    /// @param directory Folder of the deployment files.
    /// @return deployment Where it was deployed.
    function read(DeployConfig memory config, string memory directory)
        internal
        view
        returns (Deployment memory deployment)
    {
        return _parse(config, vm.readFile(_path(config, directory)));
    }

    /// @notice Reads the file that an upgrade leaves beside that of the deployment until it is executed.
    /// @param config What was deployed.
    /// @param directory Folder of the deployment files.
    /// @return deployment Where it was deployed, with the new implementations.
    function readProposed(DeployConfig memory config, string memory directory)
        internal
        view
        returns (Deployment memory deployment)
    {
        return _parse(config, vm.readFile(string.concat(directory, "/evm/", config.network, ".proposed.json")));
    }

    function _parse(DeployConfig memory config, string memory json)
        private
        pure
        returns (Deployment memory deployment)
    {
        deployment.startBlock = vm.parseJsonUint(json, ".startBlock");
        if (config.governedByTimelock) {
            deployment.timelock = TimelockController(payable(vm.parseJsonAddress(json, ".timelock")));
        }
        deployment.coreSwap = CoreSwap(vm.parseJsonAddress(json, ".coreSwap"));
        deployment.treasury = Treasury(vm.parseJsonAddress(json, ".treasury"));
        deployment.coreSwapImplementation = vm.parseJsonAddress(json, ".implementations.coreSwap");
        deployment.treasuryImplementation = vm.parseJsonAddress(json, ".implementations.treasury");
        deployment.delegateImplementation = vm.parseJsonAddress(json, ".implementations.balanceSheetDelegate");
        deployment.treasuryDelegateImplementation = vm.parseJsonAddress(json, ".implementations.treasuryDelegate");
        deployment.treasuryDelegateLibrary = vm.parseJsonAddress(json, ".libraries.treasuryDelegate");
        deployment.treasuryDelegate = TreasuryDelegate(vm.parseJsonAddress(json, ".treasuryStablecoin.delegate"));
        deployment.rwaTokens = new address[](config.rwas.length);
        deployment.navAdapters = new NavPriceAdapter[](config.rwas.length);
        for (uint256 i; i < config.rwas.length; ++i) {
            string memory item = string.concat(".rwas[", vm.toString(i), "]");
            deployment.rwaTokens[i] = vm.parseJsonAddress(json, string.concat(item, ".token"));
            deployment.navAdapters[i] = NavPriceAdapter(vm.parseJsonAddress(json, string.concat(item, ".priceAdapter")));
        }
        deployment.stablecoinTokens = new address[](config.stablecoins.length);
        deployment.delegates = new BalanceSheetDelegate[](config.stablecoins.length);
        for (uint256 i; i < config.stablecoins.length; ++i) {
            string memory item = string.concat(".stablecoins[", vm.toString(i), "]");
            deployment.stablecoinTokens[i] = vm.parseJsonAddress(json, string.concat(item, ".token"));
            deployment.delegates[i] = BalanceSheetDelegate(vm.parseJsonAddress(json, string.concat(item, ".delegate")));
        }
    }

    function _path(DeployConfig memory config, string memory directory) private pure returns (string memory) {
        return string.concat(directory, "/evm/", config.network, ".json");
    }

    function _implementations(Deployment memory deployment) private returns (string memory) {
        string memory item = "implementations";
        vm.serializeAddress(item, "coreSwap", deployment.coreSwapImplementation);
        vm.serializeAddress(item, "treasury", deployment.treasuryImplementation);
        vm.serializeAddress(item, "treasuryDelegate", deployment.treasuryDelegateImplementation);
        return vm.serializeAddress(item, "balanceSheetDelegate", deployment.delegateImplementation);
    }

    function _libraries(Deployment memory deployment) private returns (string memory) {
        return vm.serializeAddress("libraries", "treasuryDelegate", deployment.treasuryDelegateLibrary);
    }

    function _treasuryStablecoin(DeployConfig memory config, Deployment memory deployment)
        private
        returns (string memory)
    {
        string memory item = "treasuryStablecoin";
        _serializeAsset(item, config.treasury.lp.asset, address(deployment.treasury));
        vm.serializeAddress(item, "delegate", address(deployment.treasuryDelegate));
        vm.serializeAddress(item, "issuerAdmin", config.treasury.lp.issuerAdmin);
        return vm.serializeAddress(item, "ratePoster", config.treasury.ratePoster);
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
