// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployConfig} from "./DeployConfig.sol";
import {Deployment, LiquidityProviders, Lp} from "./Deployment.sol";
import {DeploymentChecks} from "./DeploymentChecks.sol";
import {IERC1967} from "@openzeppelin/contracts/interfaces/IERC1967.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Vm} from "forge-std/Vm.sol";
import {console} from "forge-std/console.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";

/// @title HistoryVerification
/// @notice Asks the node about the past of the contracts: since when they exist, their events, and the implementations
/// that proxies ran.
abstract contract HistoryVerification is DeploymentChecks {
    /// @notice A contract existed before the start block of the deployment file, so that its first events are missing.
    error StartBlockTooLate(string what, address account, uint256 startBlock);

    /// @notice The node does not answer what code accounts had at the end of a block. Use an archive node.
    error OldStateMissing(uint256 blockNumber, string node);

    /// @notice The node has no such event of a contract since the start block, although its creation emitted one.
    error EventsMissing(string what, address emitter, uint256 startBlock, string node);

    /// @notice An account got credits of the treasury token, although nobody may have used the contracts yet.
    error CreditsAdded(address account, bytes32 transactionHash);

    /// @dev Checks that no contract existed before the start block. What happened before it, such as the grant of a role,
    /// would be in none of the events that are read.
    function _verifyStartBlock(DeployConfig memory config, Deployment memory deployment) internal {
        uint256 startBlock = deployment.startBlock;
        if (startBlock == 0) return;
        if (config.governedByTimelock) _requireCreatedSince(startBlock, "timelock", address(deployment.timelock));
        _requireCreatedSince(startBlock, "CoreSwap", address(deployment.coreSwap));
        _requireCreatedSince(startBlock, "Treasury", address(deployment.treasury));
        for (uint256 i; i < LiquidityProviders.count(config); ++i) {
            Lp memory lp = LiquidityProviders.at(config, deployment, i);
            _requireCreatedSince(startBlock, string.concat(lp.terms.asset.symbol, " delegate"), address(lp.delegate));
        }
    }

    /// @dev Checks that each proxy runs the implementation of the deployment file.
    function _verifyImplementations(DeployConfig memory config, Deployment memory deployment) internal view {
        _checkRuns("CoreSwap", address(deployment.coreSwap), deployment.coreSwapImplementation);
        _checkRuns("Treasury", address(deployment.treasury), deployment.treasuryImplementation);
        for (uint256 i; i < LiquidityProviders.count(config); ++i) {
            Lp memory lp = LiquidityProviders.at(config, deployment, i);
            _checkRuns(string.concat(lp.terms.asset.symbol, " delegate's"), address(lp.delegate), lp.implementation);
        }
    }

    /// @dev Checks that each proxy was created with the implementation of the deployment file, and warns of those that
    /// were upgraded. Code that a proxy ran for one block only can have left a role that no list and no event shows.
    function _verifyUpgrades(DeployConfig memory config, Deployment memory deployment) internal {
        uint256 startBlock = deployment.startBlock;
        _verifyUpgradesOf("CoreSwap", address(deployment.coreSwap), deployment.coreSwapImplementation, startBlock);
        _verifyUpgradesOf("Treasury", address(deployment.treasury), deployment.treasuryImplementation, startBlock);
        for (uint256 i; i < LiquidityProviders.count(config); ++i) {
            Lp memory lp = LiquidityProviders.at(config, deployment, i);
            _verifyUpgradesOf(lp.terms.asset.symbol, address(lp.delegate), lp.implementation, startBlock);
        }
    }

    /// @dev Checks that nobody has got credits. Whoever deploys can buy tokens at a price of its own and burn them: no
    /// supply is left then, but the credits are, and with the tokens of others they take what the reserve holds.
    function _verifyNoCredits(Deployment memory deployment) internal {
        bytes32 added = ITreasuryDelegate.PendingCreditsAdded.selector;
        Vm.EthGetLogs[] memory logs = _logsOf(address(deployment.treasuryDelegate), added, deployment.startBlock);
        if (logs.length == 0) return;
        revert CreditsAdded(address(uint160(uint256(logs[0].topics[1]))), logs[0].transactionHash);
    }

    /// @dev Returns the logs of an event that the contract emitted at its creation, and perhaps later.
    function _eventsOf(string memory what, address emitter, bytes32 selector, uint256 startBlock)
        internal
        returns (Vm.EthGetLogs[] memory logs)
    {
        logs = _logsOf(emitter, selector, startBlock);
        if (logs.length == 0) revert EventsMissing(what, emitter, startBlock, _nodeVersion());
    }

    /// @dev Reads the logs from the node, so the run needs a node.
    function _logsOf(address emitter, bytes32 selector, uint256 startBlock)
        internal
        virtual
        returns (Vm.EthGetLogs[] memory logs)
    {
        bytes32[] memory topics = new bytes32[](1);
        topics[0] = selector;
        return vm.eth_getLogs(startBlock, vm.getBlockNumber(), emitter, topics);
    }

    /// @dev Returns the answer to `web3_clientVersion`.
    function _nodeVersion() internal returns (string memory version) {
        (bool isAnswered, bytes memory answer) = _ask("web3_clientVersion", "[]");
        return isAnswered ? abi.decode(answer, (string)) : "unknown";
    }

    /// @dev Sends a request to the node. Errors are not answers.
    function _ask(string memory method, string memory parameters)
        internal
        virtual
        returns (bool isAnswered, bytes memory answer)
    {
        try vm.rpc(method, parameters) returns (bytes memory found) {
            return (true, found);
        } catch {
            return (false, "");
        }
    }

    /// @dev Nodes refuse the number of a block with a leading zero, and without the state of the block they fail.
    function _requireCreatedSince(uint256 startBlock, string memory what, address account) private {
        string memory blockBefore = vm.replace(Strings.toHexString(startBlock - 1), "0x0", "0x");
        string memory parameters = string.concat('["', vm.toString(account), '","', blockBefore, '"]');
        (bool isAnswered, bytes memory code) = _ask("eth_getCode", parameters);
        if (!isAnswered) revert OldStateMissing(startBlock - 1, _nodeVersion());
        if (code.length != 0) revert StartBlockTooLate(what, account, startBlock);
    }

    /// @dev The first event is that of the creation: a proxy emits it before it runs the implementation.
    function _verifyUpgradesOf(string memory name, address proxy, address implementation, uint256 startBlock) private {
        Vm.EthGetLogs[] memory logs = _eventsOf(name, proxy, IERC1967.Upgraded.selector, startBlock);
        address first = address(uint160(uint256(logs[0].topics[1])));
        if (logs.length == 1) {
            _check(string.concat(name, "'s first implementation"), first, implementation);
        } else if (first != implementation) {
            console.log("WARNING: %s was created with implementation %s, whose code is not compared", name, first);
        }
        for (uint256 i = 1; i < logs.length; ++i) {
            console.log("WARNING: %s was upgraded in block %s: find out by whom", name, logs[i].blockNumber);
        }
    }
}
