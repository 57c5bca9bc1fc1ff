// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {
    NextBalanceSheetDelegate,
    NextCoreSwap,
    NextTreasuryDelegate,
    NextTreasuryToken,
    NextVersion
} from "../../upgrade/versions/NextVersions.sol";
import {DeployTest} from "./DeployTest.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment, DeploymentFile} from "script/Deployment.sol";
import {StoredViews} from "script/StoredViews.sol";
import {Upgrade} from "script/Upgrade.s.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";

contract UpgradeScriptTest is DeployTest {
    string private constant DIRECTORY = ".demo/upgrade-script-test";

    Upgrade private upgradeScript;
    Deployment private d;
    address private admin;
    string private file;

    function setUp() public override {
        super.setUp();
        upgradeScript = new Upgrade();
        DeployConfig memory config = _example();
        admin = config.roles.admin;
        d = script.deploy(config, DEPLOYER);
        file = vm.readFile(DeploymentFile.write(config, d, DIRECTORY));
    }

    function test_X3_Upgrade_EveryKind_RunsTheNextVersionBehindEveryProxy() public {
        string[4] memory names = ["coreSwap", "treasury", "treasuryDelegate", "balanceSheetDelegate"];
        bytes[4] memory codes = [
            type(NextCoreSwap).creationCode,
            type(NextTreasuryToken).creationCode,
            type(NextTreasuryDelegate).creationCode,
            type(NextBalanceSheetDelegate).creationCode
        ];
        for (uint256 i; i < names.length; ++i) {
            address[] memory proxies = upgradeScript.proxiesOf(file, names[i]);
            assertEq(proxies.length, i == 3 ? 2 : 1, names[i]);
            address implementation =
                upgradeScript.upgrade(file, names[i], codes[i], abi.encodeCall(NextVersion.setMark, (i + 1)), admin);
            for (uint256 j; j < proxies.length; ++j) {
                bytes32 word = vm.load(proxies[j], ERC1967Utils.IMPLEMENTATION_SLOT);
                assertEq(word, bytes32(uint256(uint160(implementation))));
                assertEq(NextVersion(proxies[j]).version(), 2);
            }
        }
    }

    function test_ViewsOf_EveryKind_AreAnsweredByEveryProxy() public view {
        string[4] memory names = ["coreSwap", "treasury", "treasuryDelegate", "balanceSheetDelegate"];
        for (uint256 i; i < names.length; ++i) {
            address[] memory proxies = upgradeScript.proxiesOf(file, names[i]);
            bytes[] memory queries = upgradeScript.viewsOf(file, names[i]);
            assertGt(queries.length, 10, names[i]);
            for (uint256 j; j < proxies.length; ++j) {
                for (uint256 k; k < queries.length; ++k) {
                    (bool success,) = proxies[j].staticcall(queries[k]);
                    assertTrue(success, vm.toString(queries[k]));
                }
            }
        }
    }

    function test_Upgrade_OnAnotherChain_Reverts() public {
        vm.chainId(11_155_111);
        _expectRevert(abi.encodeWithSelector(Upgrade.WrongChain.selector, 11_155_111, 1), "");
    }

    function test_Upgrade_ProxyRunsAnotherImplementationThanTheFileSays_Reverts() public {
        address actual = d.coreSwapImplementation;
        file = vm.replace(file, vm.toString(actual), vm.toString(DEPLOYER));
        _expectRevert(
            abi.encodeWithSelector(Upgrade.ImplementationDiffers.selector, address(d.coreSwap), actual, DEPLOYER), ""
        );
    }

    function test_Upgrade_MigrationChangesAView_Reverts() public {
        bytes memory migration = abi.encodeCall(IAccessControl.grantRole, (bytes32(0), DEPLOYER));
        address[] memory before = new address[](1);
        before[0] = admin;
        address[] memory afterwards = new address[](2);
        (afterwards[0], afterwards[1]) = (admin, DEPLOYER);
        _expectRevert(
            abi.encodeWithSelector(
                Upgrade.ViewChanged.selector,
                address(d.coreSwap),
                abi.encodeWithSignature("getRoleMembers(bytes32)", bytes32(0)),
                abi.encode(true, abi.encode(before)),
                abi.encode(true, abi.encode(afterwards))
            ),
            migration
        );
    }

    function test_Upgrade_MigrationChangesAnIntakeCap_Reverts() public {
        bytes memory migration =
            abi.encodeCall(IStablecoinDelegateAdmin.setIntakeCap, (vm.parseJsonAddress(file, ".rwas[0].token"), 1));
        vm.expectPartialRevert(Upgrade.ViewChanged.selector);
        upgradeScript.upgrade(
            file, "balanceSheetDelegate", type(NextBalanceSheetDelegate).creationCode, migration, admin
        );
    }

    function test_Upgrade_MigrationRemovesTheIssuerAdminOfTheTreasury_Reverts() public {
        address issuerAdmin = vm.parseJsonAddress(file, ".treasuryStablecoin.issuerAdmin");
        bytes memory migration = abi.encodeCall(IStablecoinDelegateAdmin.removeIssuerAdmin, (issuerAdmin));
        vm.expectPartialRevert(Upgrade.ViewChanged.selector);
        upgradeScript.upgrade(file, "treasuryDelegate", type(NextTreasuryDelegate).creationCode, migration, admin);
    }

    function test_Upgrade_MigrationChangesTheLimitOfABridge_Reverts() public {
        address bridge = makeAddr("bridge");
        // The migration runs with the roles of the administrator.
        vm.startPrank(admin);
        d.treasury.grantRole(keccak256("OPERATOR_ROLE"), admin);
        d.treasury.addBridge(bridge);
        vm.stopPrank();
        vm.expectRevert(
            abi.encodeWithSelector(
                Upgrade.ViewChanged.selector,
                address(d.treasury),
                abi.encodeCall(ITreasury.bridgeLimit, (bridge)),
                abi.encode(true, abi.encode(type(uint96).max, type(uint96).max)),
                abi.encode(true, abi.encode(uint256(1), uint256(1)))
            )
        );
        bytes memory migration = abi.encodeCall(ITreasury.setBridgeLimit, (bridge, 1));
        upgradeScript.upgrade(file, "treasury", type(NextTreasuryToken).creationCode, migration, admin);
    }

    function test_Upgrade_CreationFails_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(Upgrade.CreationFailed.selector, "coreSwap"));
        upgradeScript.upgrade(file, "coreSwap", hex"fe", "", admin);
    }

    function test_Upgrade_UnknownContract_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(StoredViews.UnknownContract.selector, "navPriceAdapter"));
        upgradeScript.upgrade(file, "navPriceAdapter", "", "", admin);
    }

    function _expectRevert(bytes memory reason, bytes memory migration) private {
        vm.expectRevert(reason);
        upgradeScript.upgrade(file, "coreSwap", type(NextCoreSwap).creationCode, migration, admin);
    }
}
