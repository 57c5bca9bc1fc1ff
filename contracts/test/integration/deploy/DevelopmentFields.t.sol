// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ProductionTest} from "./ProductionTest.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment} from "script/Deployment.sol";
import {JsonConfig} from "script/JsonConfig.sol";

/// @notice Tests the fields that only development nodes accept, with the version text of each kind of node.
/// `deployVerify.test.ts` uses real nodes.
contract DevelopmentFieldsTest is ProductionTest {
    string private constant GETH = "Geth/v1.16.7-stable/linux-amd64/go1.25.1";
    string private constant PRIVATE_KEY = "an account whose key is not public";
    /// @dev The second and the last of the accounts that development nodes list.
    string private constant SECOND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    string private constant TWENTIETH = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";

    function test_Deploy_Example_OnAnvilAlone() public {
        DeployConfig memory config = _example();
        script.setNodeVersion("anvil/v1.7.1");
        script.deploy(config, DEPLOYER);
        string[3] memory others = [GETH, "reth/v1.9.3/anvil/", "anvil"];
        for (uint256 i; i < others.length; ++i) {
            script.setNodeVersion(others[i]);
            _expectRefusal(".deployTestTokens", "true", "false", others[i]);
            script.deploy(config, DEPLOYER);
        }
    }

    function test_Deploy_ElsewhereWithAFlag_Reverts() public {
        script.setNodeVersion(GETH);
        string[2] memory flags = ["deployTestTokens", "broadcastPartySteps"];
        for (uint256 i; i < flags.length; ++i) {
            string memory key = string.concat(".", flags[i]);
            DeployConfig memory config = script.parse(_with(_production(), "true", key));
            _expectRefusal(key, "true", "false", GETH);
            script.deploy(config, DEPLOYER);
        }
    }

    function test_Deploy_ElsewhereGovernedByAccounts_Reverts() public {
        script.setNodeVersion(GETH);
        DeployConfig memory config = _example();
        (config.deployTestTokens, config.broadcastPartySteps) = (false, false);
        _expectRefusal(".governance", "accounts", "timelock", GETH);
        script.deploy(config, DEPLOYER);
    }

    function test_Deploy_ElsewhereWithAPublicAccount_Reverts() public {
        script.setNodeVersion(GETH);
        string[18] memory keys = [
            ".timelock.proposer",
            ".timelock.recovery",
            ".roles.guardian",
            ".roles.blacklister",
            ".roles.externalPauser",
            ".roles.vault",
            ".treasury.pauser",
            ".treasury.whitelister",
            ".treasury.blacklister",
            ".treasury.delegateOperator",
            ".treasury.ratePoster",
            ".treasury.issuerAdmin",
            ".treasury.rwaCustody",
            ".treasury.stablecoinCustody",
            ".rwas[1].navPoster",
            ".stablecoins[1].issuerAdmin",
            ".stablecoins[1].rwaCustody",
            ".stablecoins[1].stablecoinCustody"
        ];
        for (uint256 i; i < keys.length; ++i) {
            string memory account = i % 2 == 0 ? SECOND : TWENTIETH;
            string memory json = _with(_production(), string.concat('"', account, '"'), keys[i]);
            DeployConfig memory config = script.parse(json);
            _expectRefusal(keys[i], account, PRIVATE_KEY, GETH);
            script.deploy(config, DEPLOYER);
        }
    }

    function test_Deploy_ElsewhereWithAccountsOfItsOwn_AsksNoNode() public {
        script.setNodeVersion("");
        DeployConfig memory config = script.parse(_production());
        Deployment memory deployment = script.deploy(config, DEPLOYER);
        assertEq(deployment.stablecoinTokens[1], config.stablecoins[1].asset.token);
    }

    function _expectRefusal(string memory key, string memory value, string memory expected, string memory node)
        private
    {
        expected = string.concat(expected, ", unless the node is anvil (it is ", node, ")");
        vm.expectRevert(abi.encodeWithSelector(JsonConfig.InvalidValue.selector, key, value, expected));
    }
}
