// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployConfig} from "./DeployConfig.sol";
import {Deployment, LiquidityProviders, Lp} from "./Deployment.sol";
import {DeploymentChecks} from "./DeploymentChecks.sol";
import {IERC1967} from "@openzeppelin/contracts/interfaces/IERC1967.sol";
import {Vm} from "forge-std/Vm.sol";
import {console} from "forge-std/console.sol";

/// @title HistoryVerification
/// @notice Asks the node about the past of the contracts: their events, and the implementations that proxies ran.
abstract contract HistoryVerification is DeploymentChecks {
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

    /// @dev Returns the logs of one event of a contract. It reads them from the node, so the run needs a node.
    function _eventsOf(address emitter, bytes32 selector, uint256 startBlock)
        internal
        virtual
        returns (Vm.EthGetLogs[] memory logs)
    {
        bytes32[] memory topics = new bytes32[](1);
        topics[0] = selector;
        return vm.eth_getLogs(startBlock, vm.getBlockNumber(), emitter, topics);
    }

    /// @dev The first event is that of the creation: a proxy emits it before it runs the implementation.
    function _verifyUpgradesOf(string memory name, address proxy, address implementation, uint256 startBlock) private {
        Vm.EthGetLogs[] memory logs = _eventsOf(proxy, IERC1967.Upgraded.selector, startBlock);
        _check(string.concat(name, " has an event of its creation"), logs.length != 0, true);
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
