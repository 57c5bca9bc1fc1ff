// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "../../helpers/BaseTest.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Vm} from "forge-std/Vm.sol";
import {Deploy} from "script/Deploy.s.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {DeployConfigReader} from "script/DeployConfigReader.sol";
import {Deployment} from "script/Deployment.sol";
import {DeploymentWarnings} from "script/DeploymentWarnings.sol";

/// @notice The script, with its verification and configuration reader exposed to the tests.
contract DeployHarness is Deploy {
    address[] private announced;
    bytes32 private grantedRole;
    address private grantedAccount;
    string private nodeVersion = "anvil/v1.7.1";

    function verify(DeployConfig memory config, Deployment memory deployment, address deployer) external view {
        _verify(config, deployment, deployer);
    }

    function verifyCode(DeployConfig memory config, Deployment memory deployment) external {
        _verifyCode(config, deployment);
    }

    function parse(string memory json) external view returns (DeployConfig memory) {
        return DeployConfigReader.parse(json);
    }

    /// @dev There is no node, so the announced accounts are those that a test names.
    function setAnnounced(address[] memory accounts) external {
        announced = accounts;
    }

    function verifyIssuerAdmins(DeployConfig memory config, Deployment memory deployment) external {
        _verifyIssuerAdmins(config, deployment);
    }

    function verifyTimelockHolders(DeployConfig memory config, Deployment memory deployment) external {
        _verifyTimelockHolders(config, deployment);
    }

    function setGranted(bytes32 role, address account) external {
        (grantedRole, grantedAccount) = (role, account);
    }

    function _eventsOf(address, bytes32 selector, uint256)
        internal
        view
        override
        returns (Vm.EthGetLogs[] memory logs)
    {
        bool isGrant = selector == IAccessControl.RoleGranted.selector;
        logs = new Vm.EthGetLogs[](isGrant ? 1 : announced.length);
        for (uint256 i; i < logs.length; ++i) {
            logs[i].topics = new bytes32[](3);
            address account = isGrant ? grantedAccount : announced[i];
            if (isGrant) logs[i].topics[1] = grantedRole;
            logs[i].topics[isGrant ? 2 : 1] = bytes32(uint256(uint160(account)));
        }
    }

    /// @dev Tests have no node. An empty version means that it must not be requested.
    function setNodeVersion(string memory version) external {
        nodeVersion = version;
    }

    function _nodeVersion() internal view override returns (string memory) {
        require(bytes(nodeVersion).length != 0, "the node was asked");
        return nodeVersion;
    }

    function warnings(DeployConfig memory config) external pure returns (string[] memory) {
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
