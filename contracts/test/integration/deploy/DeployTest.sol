// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "../../helpers/BaseTest.sol";
import {Vm} from "forge-std/Vm.sol";
import {Deploy} from "script/Deploy.s.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {DeployConfigReader} from "script/DeployConfigReader.sol";
import {Deployment} from "script/Deployment.sol";
import {DeploymentWarnings} from "script/DeploymentWarnings.sol";

/// @notice The script, with its verification and configuration reader exposed to the tests.
contract DeployHarness is Deploy {
    /// @notice What the node gives as the transaction of every event.
    bytes32 public constant TRANSACTION = keccak256("transaction");

    Vm.EthGetLogs[] private events;
    address private lost;
    string private parametersWithCode;
    bytes private codeBefore;
    bool private hasOldState = true;
    string private nodeVersion = "anvil/v1.7.1";

    constructor() {
        vm.recordLogs();
    }

    function verify(DeployConfig memory config, Deployment memory deployment, address deployer) external view {
        _verify(config, deployment, deployer);
    }

    function verifyCode(DeployConfig memory config, Deployment memory deployment) external {
        _verifyCode(config, deployment);
    }

    function parse(string memory json) external view returns (DeployConfig memory) {
        return DeployConfigReader.parse(json);
    }

    function verifyIssuerAdmins(DeployConfig memory config, Deployment memory deployment) external {
        _verifyIssuerAdmins(config, deployment);
    }

    function verifyTimelockHolders(DeployConfig memory config, Deployment memory deployment) external {
        _verifyTimelockHolders(config, deployment);
    }

    function verifyUpgrades(DeployConfig memory config, Deployment memory deployment) external {
        _verifyUpgrades(config, deployment);
    }

    function verifyNoCredits(Deployment memory deployment) external {
        _verifyNoCredits(deployment);
    }

    function verifyStartBlock(DeployConfig memory config, Deployment memory deployment) external {
        _verifyStartBlock(config, deployment);
    }

    /// @dev The node has no events of a contract from now on.
    function loseEventsOf(address emitter) external {
        lost = emitter;
    }

    /// @dev The node answers this to `eth_getCode` with these parameters, and "no code" to all others.
    function setCodeBefore(string memory parameters, bytes memory code) external {
        (parametersWithCode, codeBefore) = (parameters, code);
    }

    /// @dev The node fails to answer `eth_getCode`.
    function loseOldState() external {
        hasOldState = false;
    }

    /// @dev Tests have no node. Returns the events that the contracts have really emitted since the script was created. A
    /// call that reverts loses those that it is the first to read.
    function _logsOf(address emitter, bytes32 selector, uint256)
        internal
        override
        returns (Vm.EthGetLogs[] memory logs)
    {
        Vm.Log[] memory recorded = vm.getRecordedLogs();
        for (uint256 i; i < recorded.length; ++i) {
            Vm.EthGetLogs storage added = events.push();
            (added.emitter, added.topics) = (recorded[i].emitter, recorded[i].topics);
            (added.blockNumber, added.transactionHash) = (uint64(vm.getBlockNumber()), TRANSACTION);
        }
        uint256 count;
        logs = new Vm.EthGetLogs[](events.length);
        for (uint256 i; i < events.length; ++i) {
            if (emitter != lost && events[i].emitter == emitter && events[i].topics[0] == selector) {
                logs[count++] = events[i];
            }
        }
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            mstore(logs, count)
        }
    }

    /// @dev Tests have no node. An empty version means that it must not be requested.
    function setNodeVersion(string memory version) external {
        nodeVersion = version;
    }

    function _ask(string memory method, string memory parameters)
        internal
        view
        override
        returns (bool isAnswered, bytes memory answer)
    {
        if (keccak256(bytes(method)) == keccak256("eth_getCode")) {
            bool isKnown = keccak256(bytes(parameters)) == keccak256(bytes(parametersWithCode));
            return (hasOldState, isKnown ? codeBefore : bytes(""));
        }
        require(bytes(nodeVersion).length != 0, "the node was asked");
        return (true, abi.encode(nodeVersion));
    }

    function warnings(DeployConfig memory config) external view returns (string[] memory) {
        return DeploymentWarnings.list(config);
    }
}

/// @title DeployTest
/// @notice A chain with the ID of the example configuration, and the script.
abstract contract DeployTest is BaseTest {
    string internal constant EXAMPLE = "contracts/script/config/local.example.json";

    address internal immutable DEPLOYER = makeAddr("deployer");
    DeployHarness internal script;

    function setUp() public virtual {
        vm.chainId(1);
        vm.roll(1234);
        script = new DeployHarness();
    }

    function _example() internal view returns (DeployConfig memory) {
        return script.parse(vm.readFile(EXAMPLE));
    }
}
