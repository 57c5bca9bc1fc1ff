// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {JsonConfig} from "./JsonConfig.sol";
import {StoredViews} from "./StoredViews.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {VmSafe} from "forge-std/Vm.sol";
import {console} from "forge-std/console.sol";

/// @title Upgrade
/// @notice Deploys new implementations and upgrades the proxies of a deployment to them. `pnpm contracts:upgrade` runs
/// it, after it has checked upgrade safety and storage layouts, and hands it the creation code that it checked.
///
/// Environment: `UPGRADE_PLAN`, a file of `network`, `sender` (holder of `DEFAULT_ADMIN_ROLE`) and `upgrades`, each with
/// `name` (of {StoredViews-proxiesOf}), `creationCode`, `libraries` (each with `name`, `creationCode`, and `placeholder`,
/// which stands where its address belongs) and `migration` (call data, "0x" for none); `DEPLOYMENTS_DIR`.
///
/// Before anything is sent the run requires, on the state of the chain, that every proxy runs the implementation of the
/// deployment file, and that after the upgrade it runs the new one and answers every view of {StoredViews} as before. It
/// then puts the new implementations into the deployment file.
contract Upgrade is StoredViews {
    /// @notice The node serves another chain than the deployment file is for.
    error WrongChain(uint256 actualChainId, uint256 fileChainId);

    /// @notice A proxy runs another implementation than it should.
    error ImplementationDiffers(address proxy, address actual, address expected);

    /// @notice A proxy answers a view otherwise than before its upgrade.
    error ViewChanged(address proxy, bytes query, bytes answerBefore, bytes answerAfter);

    /// @notice The creation code of an implementation failed.
    error CreationFailed(string name);

    /// @notice Upgrades what the plan names.
    function run() external {
        string memory plan = vm.readFile(vm.envString("UPGRADE_PLAN"));
        string memory directory = vm.envOr("DEPLOYMENTS_DIR", string("deployments"));
        string memory path = string.concat(directory, "/evm/", vm.parseJsonString(plan, ".network"), ".json");
        string memory file = vm.readFile(path);
        address sender = vm.parseJsonAddress(plan, ".sender");
        for (uint256 i; vm.keyExistsJson(plan, JsonConfig.item(".upgrades", i)); ++i) {
            string memory key = JsonConfig.item(".upgrades", i);
            string memory name = vm.parseJsonString(plan, string.concat(key, ".name"));
            address implementation = upgrade(
                file,
                name,
                _linkedCode(plan, key, path, sender),
                vm.parseJsonBytes(plan, string.concat(key, ".migration")),
                sender
            );
            console.log("%s: new implementation %s", name, implementation);
            if (!vm.isContext(VmSafe.ForgeContext.ScriptDryRun)) {
                vm.writeJson(vm.toString(implementation), path, string.concat(".implementations.", name));
            }
        }
    }

    /// @notice Deploys one implementation and upgrades every proxy of its kind.
    /// @param file Text of the deployment file.
    /// @param name Kind of contract, as under `implementations` of the file.
    /// @param creationCode Creation code of the new implementation.
    /// @param migration Call data that each proxy runs once upgraded; empty for none.
    /// @param sender Holder of `DEFAULT_ADMIN_ROLE` of the proxies.
    /// @return implementation The new implementation.
    function upgrade(
        string memory file,
        string memory name,
        bytes memory creationCode,
        bytes memory migration,
        address sender
    ) public returns (address implementation) {
        uint256 chainId = vm.parseJsonUint(file, ".chainId");
        if (block.chainid != chainId) revert WrongChain(block.chainid, chainId);
        address[] memory proxies = proxiesOf(file, name);
        bytes[] memory queries = viewsOf(file, name);
        address current = vm.parseJsonAddress(file, string.concat(".implementations.", name));
        bytes[][] memory answers = new bytes[][](proxies.length);
        for (uint256 i; i < proxies.length; ++i) {
            _requireImplementation(proxies[i], current);
            answers[i] = _ask(proxies[i], queries);
        }

        vm.startBroadcast(sender);
        implementation = _create(name, creationCode);
        for (uint256 i; i < proxies.length; ++i) {
            UUPSUpgradeable(proxies[i]).upgradeToAndCall(implementation, migration);
        }
        vm.stopBroadcast();

        for (uint256 i; i < proxies.length; ++i) {
            _requireImplementation(proxies[i], implementation);
            bytes[] memory answersAfter = _ask(proxies[i], queries);
            for (uint256 j; j < queries.length; ++j) {
                if (keccak256(answersAfter[j]) != keccak256(answers[i][j])) {
                    revert ViewChanged(proxies[i], queries[j], answers[i][j], answersAfter[j]);
                }
            }
        }
    }

    /// @dev Deploys the libraries of a new implementation and returns its creation code with their addresses in it.
    function _linkedCode(string memory plan, string memory key, string memory path, address sender)
        private
        returns (bytes memory)
    {
        string memory code = vm.parseJsonString(plan, string.concat(key, ".creationCode"));
        string memory list = string.concat(key, ".libraries");
        for (uint256 i; vm.keyExistsJson(plan, JsonConfig.item(list, i)); ++i) {
            string memory item = JsonConfig.item(list, i);
            address linked = _deployLibrary(plan, item, path, sender);
            string memory placeholder = vm.parseJsonString(plan, string.concat(item, ".placeholder"));
            code = vm.replace(code, placeholder, vm.replace(vm.toString(linked), "0x", ""));
        }
        return vm.parseBytes(code);
    }

    function _deployLibrary(string memory plan, string memory item, string memory path, address sender)
        private
        returns (address deployed)
    {
        string memory name = vm.parseJsonString(plan, string.concat(item, ".name"));
        vm.startBroadcast(sender);
        deployed = _create(name, vm.parseJsonBytes(plan, string.concat(item, ".creationCode")));
        vm.stopBroadcast();
        console.log("%s: new library %s", name, deployed);
        if (!vm.isContext(VmSafe.ForgeContext.ScriptDryRun)) {
            vm.writeJson(vm.toString(deployed), path, string.concat(".libraries.", name));
        }
    }

    function _create(string memory name, bytes memory creationCode) private returns (address created) {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            created := create(0, add(creationCode, 0x20), mload(creationCode))
        }
        if (created == address(0)) revert CreationFailed(name);
    }

    function _requireImplementation(address proxy, address expected) private view {
        address actual = address(uint160(uint256(vm.load(proxy, ERC1967Utils.IMPLEMENTATION_SLOT))));
        if (actual != expected) revert ImplementationDiffers(proxy, actual, expected);
    }

    function _ask(address proxy, bytes[] memory queries) private view returns (bytes[] memory answers) {
        answers = new bytes[](queries.length);
        for (uint256 i; i < queries.length; ++i) {
            bool success;
            (success, answers[i]) = proxy.staticcall(queries[i]);
            // A view that the new version lacks is a difference too.
            answers[i] = abi.encode(success, answers[i]);
        }
    }
}
