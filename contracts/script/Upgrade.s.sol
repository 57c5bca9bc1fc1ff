// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {JsonConfig} from "./JsonConfig.sol";
import {StoredViews} from "./StoredViews.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {VmSafe} from "forge-std/Vm.sol";
import {console} from "forge-std/console.sol";

/// @title Upgrade
/// @notice Deploys new implementations and upgrades the proxies of a deployment to them. `pnpm contracts:upgrade` runs
/// it after checking upgrade safety and storage layouts, and passes it the creation code that it checked.
///
/// Environment: `UPGRADE_PLAN`, a file of `network`, `sender` (see below) and `upgrades`, each with `name` (of
/// {StoredViews-proxiesOf}), `creationCode`, `libraries` (each with `name`, `creationCode`, and `placeholder`, which
/// the library's address replaces) and `migration` (call data, "0x" for none); `DEPLOYMENTS_DIR`.
///
/// Before anything is sent, the run simulates the upgrade on the state of the chain. It requires that every proxy runs
/// the implementation of the deployment file, and that after the upgrade it runs the new one and answers every view of
/// {StoredViews} as before. It then writes the future deployment file beside the current one: `<network>.proposed.json`,
/// which takes its place once the chain has the upgrade.
///
/// Without a timelock, the sender holds `DEFAULT_ADMIN_ROLE` and sends everything. Where the deployment file names a
/// timelock, any sender deploys the implementations, and the timelock's calls are simulated with the same requirements.
/// The run then also writes `<network>.proposal.json`: the calls with which the proposer schedules and executes all
/// upgrades as one batch, and the hash of the code of each new contract.
contract Upgrade is StoredViews {
    /// @dev Calls of the timelock, in order.
    address[] private targets;
    bytes[] private payloads;

    /// @dev New implementations and libraries.
    address[] private creations;

    /// @notice The node serves a chain other than that of the deployment file.
    error WrongChain(uint256 actualChainId, uint256 fileChainId);

    /// @notice A proxy does not run the expected implementation.
    error ImplementationDiffers(address proxy, address actual, address expected);

    /// @notice A view of a proxy returns a different result after the upgrade.
    error ViewChanged(address proxy, bytes query, bytes answerBefore, bytes answerAfter);

    /// @notice The creation code of an implementation failed.
    error CreationFailed(string name);

    /// @notice Upgrades the contracts that the plan names.
    function run() external {
        string memory plan = vm.readFile(vm.envString("UPGRADE_PLAN"));
        string memory directory = vm.envOr("DEPLOYMENTS_DIR", string("deployments"));
        string memory prefix = string.concat(directory, "/evm/", vm.parseJsonString(plan, ".network"));
        string memory file = vm.readFile(string.concat(prefix, ".json"));
        string memory path = string.concat(prefix, ".proposed.json");
        if (_writes()) vm.writeFile(path, file);
        for (uint256 i; vm.keyExistsJson(plan, JsonConfig.item(".upgrades", i)); ++i) {
            _upgrade(file, plan, JsonConfig.item(".upgrades", i), path);
        }
        address timelock = address(_timelockOf(file));
        if (timelock != address(0) && _writes()) {
            (bytes memory schedule, bytes memory execute) = proposal(file);
            vm.serializeAddress("proposal", "timelock", timelock);
            vm.serializeBytes("proposal", "schedule", schedule);
            vm.serializeString("proposal", "codeHashes", _codeHashes());
            string memory calls = vm.serializeBytes("proposal", "execute", execute);
            vm.writeJson(calls, string.concat(prefix, ".proposal.json"));
        }
    }

    /// @notice Returns the calls that the proposer sends to the timelock for the upgrades so far.
    /// @param file Text of the deployment file.
    /// @return schedule Call that schedules them after the timelock's delay.
    /// @return execute Call that executes them after the delay.
    function proposal(string memory file) public view returns (bytes memory schedule, bytes memory execute) {
        uint256[] memory values = new uint256[](targets.length);
        uint256 delay = _timelockOf(file).getMinDelay();
        // The addresses of the new implementations make the batch unique.
        schedule = abi.encodeCall(TimelockController.scheduleBatch, (targets, values, payloads, 0, 0, delay));
        execute = abi.encodeCall(TimelockController.executeBatch, (targets, values, payloads, 0, 0));
    }

    /// @notice Deploys one implementation and upgrades every proxy of its kind.
    /// @param file Text of the deployment file.
    /// @param name Kind of contract, as under `implementations` of the file.
    /// @param creationCode Creation code of the new implementation.
    /// @param migration Call data that each proxy runs once upgraded; empty for none.
    /// @param sender Holder of `DEFAULT_ADMIN_ROLE` of the proxies, or with a timelock any account.
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

        address timelock = address(_timelockOf(file));
        bytes memory call;
        vm.startBroadcast(sender);
        implementation = _create(name, creationCode);
        if (timelock != address(0)) {
            vm.stopBroadcast();
            vm.startPrank(timelock);
            call = abi.encodeCall(UUPSUpgradeable.upgradeToAndCall, (implementation, migration));
        }
        for (uint256 i; i < proxies.length; ++i) {
            UUPSUpgradeable(proxies[i]).upgradeToAndCall(implementation, migration);
            if (timelock == address(0)) continue;
            targets.push(proxies[i]);
            payloads.push(call);
        }
        if (timelock == address(0)) vm.stopBroadcast();
        else vm.stopPrank();

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

    /// @dev Carries out one upgrade of the plan, and puts the new implementation into the file at a path.
    function _upgrade(string memory file, string memory plan, string memory key, string memory path) private {
        string memory name = vm.parseJsonString(plan, string.concat(key, ".name"));
        address sender = vm.parseJsonAddress(plan, ".sender");
        bytes memory creationCode = _linkedCode(plan, key, path, sender);
        bytes memory migration = vm.parseJsonBytes(plan, string.concat(key, ".migration"));
        address implementation = upgrade(file, name, creationCode, migration, sender);
        console.log("%s: new implementation %s", name, implementation);
        if (_writes()) vm.writeJson(vm.toString(implementation), path, string.concat(".implementations.", name));
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
        if (_writes()) vm.writeJson(vm.toString(deployed), path, string.concat(".libraries.", name));
    }

    function _create(string memory name, bytes memory creationCode) private returns (address created) {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            created := create(0, add(creationCode, 0x20), mload(creationCode))
        }
        if (created == address(0)) revert CreationFailed(name);
        creations.push(created);
    }

    /// @dev Returns a JSON object of the hash of each new contract's code, by address.
    function _codeHashes() private returns (string memory hashes) {
        for (uint256 i; i < creations.length; ++i) {
            hashes = vm.serializeBytes32("codeHashes", vm.toString(creations[i]), creations[i].codehash);
        }
    }

    /// @dev A dry run changes no file. Neither does a resumed run, which forge simulates if it lacks the signer: the
    /// files belong to the transactions that were recorded first.
    function _writes() private view returns (bool) {
        return !vm.isContext(VmSafe.ForgeContext.ScriptDryRun) && !vm.isContext(VmSafe.ForgeContext.ScriptResume);
    }

    /// @dev Returns zero when there is no timelock.
    function _timelockOf(string memory file) private view returns (TimelockController) {
        if (!vm.keyExistsJson(file, ".timelock")) return TimelockController(payable(0));
        return TimelockController(payable(vm.parseJsonAddress(file, ".timelock")));
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
            // A view that the new version lacks is a difference, too.
            answers[i] = abi.encode(success, answers[i]);
        }
    }
}
