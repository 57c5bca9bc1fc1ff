// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployConfig} from "../../../script/DeployConfig.sol";
import {Deployment} from "../../../script/Deployment.sol";
import {JsonConfig} from "../../../script/JsonConfig.sol";
import {TestToken} from "../../../script/local/TestToken.sol";
import {ConfigTest} from "./ConfigTest.sol";

/// @notice What only a development node is given, and what each other node says. `deployVerify.test.ts` asks real ones.
contract DevelopmentFieldsTest is ConfigTest {
    string private constant GETH = "Geth/v1.16.7-stable/linux-amd64/go1.25.1";
    string private constant PRIVATE_KEY = "an account whose key is not public";
    /// @dev The second and the last of the accounts that development nodes show.
    string private constant SECOND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    string private constant TWENTIETH = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";

    address[4] private tokens;

    function setUp() public override {
        super.setUp();
        uint8[4] memory decimals = [6, 18, 6, 18];
        for (uint256 i; i < tokens.length; ++i) {
            tokens[i] = address(new TestToken("Existing", "EXISTING", decimals[i]));
        }
    }

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

    function test_Deploy_ElsewhereWithAPublicAccount_Reverts() public {
        script.setNodeVersion(GETH);
        string[18] memory keys = [
            ".roles.admin",
            ".roles.operator",
            ".roles.blacklister",
            ".roles.externalPauser",
            ".roles.vault",
            ".treasury.admin",
            ".treasury.operator",
            ".treasury.pauser",
            ".treasury.whitelister",
            ".treasury.blacklister",
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
            DeployConfig memory config = script.parse(_with(_production(), string.concat('"', account, '"'), keys[i]));
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

    /// @dev The example with tokens, without the flags, and with other accounts.
    function _production() private view returns (string memory json) {
        json = vm.replace(vm.readFile(EXAMPLE), '": true', '": false');
        for (uint32 i; i < 20; ++i) {
            address known = vm.addr(vm.deriveKey("test test test test test test test test test test test junk", i));
            address other = address(uint160(uint256(keccak256(abi.encode(known)))));
            json = vm.replace(json, vm.toString(known), vm.toString(other));
        }
        string[4] memory keys = [".rwas[0].token", ".rwas[1].token", ".stablecoins[0].token", ".stablecoins[1].token"];
        for (uint256 i; i < keys.length; ++i) {
            json = _with(json, string.concat('"', vm.toString(tokens[i]), '"'), keys[i]);
        }
    }
}
