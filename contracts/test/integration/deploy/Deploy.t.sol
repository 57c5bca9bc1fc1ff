// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployTest} from "./DeployTest.sol";
import {Deploy} from "script/Deploy.s.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment, DeploymentFile} from "script/Deployment.sol";
import {DeploymentChecks} from "script/DeploymentChecks.sol";
import {TestToken} from "script/local/TestToken.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

contract DeployScriptTest is DeployTest {
    string private constant DIRECTORY = ".demo/deploy-test";
    uint256 private constant ONE_USDX = 1e6;
    bytes32 private constant USDY = "USDY";

    function test_Deploy_LeavesNoRoleWithTheDeployer() public {
        DeployConfig memory config = _example();
        Deployment memory deployment = script.deploy(config, DEPLOYER);
        CoreSwap coreSwap = deployment.coreSwap;
        Treasury treasury = deployment.treasury;

        assertFalse(coreSwap.hasRole(coreSwap.DEFAULT_ADMIN_ROLE(), DEPLOYER));
        assertFalse(coreSwap.hasRole(coreSwap.OPERATOR_ROLE(), DEPLOYER));
        assertFalse(treasury.hasRole(treasury.DEFAULT_ADMIN_ROLE(), DEPLOYER));
        assertFalse(treasury.hasRole(treasury.OPERATOR_ROLE(), DEPLOYER));
        assertTrue(coreSwap.hasRole(coreSwap.DEFAULT_ADMIN_ROLE(), config.roles.admin));
        assertTrue(treasury.hasRole(treasury.DEFAULT_ADMIN_ROLE(), config.treasury.admin));
        for (uint256 i; i < deployment.delegates.length; ++i) {
            assertFalse(deployment.delegates[i].issuerAdmins(DEPLOYER));
            assertFalse(deployment.delegates[i].hasRole(bytes32(0), DEPLOYER));
        }
    }

    function test_Deploy_ByTheConfiguredAdmin_KeepsItsRoles() public {
        DeployConfig memory config = _example();
        Deployment memory deployment = script.deploy(config, config.roles.admin);
        assertTrue(deployment.coreSwap.hasRole(bytes32(0), config.roles.admin));
        assertTrue(deployment.treasury.hasRole(bytes32(0), config.roles.admin));
    }

    function test_Deploy_MakesTheDelegateTheOnlyMinter() public {
        Deployment memory deployment = script.deploy(_example(), DEPLOYER);
        address[] memory minters = deployment.treasury.getRoleMembers(keccak256("MINTER_ROLE"));
        assertEq(minters.length, 1);
        assertEq(minters[0], address(deployment.treasuryDelegate));
    }

    function test_Deploy_WhitelistsVaultAndTreasuryCustody() public {
        DeployConfig memory config = _example();
        Treasury treasury = script.deploy(config, DEPLOYER).treasury;
        assertTrue(treasury.whitelisted(config.roles.vault));
        assertTrue(treasury.whitelisted(config.treasury.lp.rwaCustody));
        assertTrue(treasury.whitelisted(config.treasury.lp.stablecoinCustody));
        assertFalse(treasury.whitelisted(DEPLOYER));
    }

    function test_Deploy_ByTheConfiguredWhitelister_KeepsItsRole() public {
        DeployConfig memory config = _example();
        config.treasury.whitelister = DEPLOYER;
        Treasury treasury = script.deploy(config, DEPLOYER).treasury;
        assertTrue(treasury.hasRole(treasury.WHITELISTER_ROLE(), DEPLOYER));
    }

    /// @dev 100 USDX at 1 USD without an acceptance fee buy 100 TRSY. After a day at 4.5 % - 0.5 % they are worth more.
    function test_Deploy_Example_DepositsAndRedeemsWithYield() public {
        DeployConfig memory config = _example();
        Deployment memory deployment = script.deploy(config, DEPLOYER);
        TreasuryDelegate delegate = deployment.treasuryDelegate;
        TestToken dollar = TestToken(deployment.stablecoinTokens[0]);
        address user = makeAddr("user");
        uint256 today = vm.getBlockTimestamp() / 1 days;
        dollar.mint(user, 100 * ONE_USDX);
        dollar.mint(config.treasury.lp.stablecoinCustody, 1000 * ONE_USDX);
        vm.prank(config.treasury.whitelister);
        deployment.treasury.addToWhitelist(user);

        vm.startPrank(user);
        dollar.approve(address(delegate), type(uint256).max);
        deployment.treasury.approve(address(delegate), type(uint256).max);
        _swap(deployment.coreSwap, user, ICoreSwap.SwapInputs(7, "USDX", "TRSY", "TRSY", 100 * ONE_USDX, 0));
        vm.stopPrank();
        assertEq(deployment.treasury.balanceOf(user), 100e18);

        vm.warp((today + 3) * 1 days);
        vm.startPrank(config.treasury.ratePoster);
        for (uint256 day = delegate.getCurrentDay() - 2; day < delegate.getCurrentDay(); ++day) {
            delegate.postDailyRate(day, 0.045e18);
        }
        vm.stopPrank();
        vm.prank(user);
        _swap(deployment.coreSwap, user, ICoreSwap.SwapInputs(7, "TRSY", "USDX", "TRSY", 100e18, 0));
        assertEq(deployment.treasury.balanceOf(user), 0);
        // Growth over two days at 4 % APY is 0.0215 %; the redemption fee takes 0.01 % of the total.
        assertGt(dollar.balanceOf(user), 100 * ONE_USDX);
    }

    /// @dev Selling 10 TBILL at 1.0523 for USDX at 1: gross 10.523, issuer-paid 0.05 %, discount 0.1 %.
    function test_Deploy_Example_SwapsAtOnce() public {
        DeployConfig memory config = _example();
        Deployment memory deployment = script.deploy(config, DEPLOYER);
        TestToken bill = TestToken(deployment.rwaTokens[0]);
        TestToken dollar = TestToken(deployment.stablecoinTokens[0]);
        address user = makeAddr("user");
        bill.mint(user, 10e6);
        dollar.mint(config.stablecoins[0].stablecoinCustody, 1000 * ONE_USDX);

        vm.startPrank(user);
        bill.approve(address(deployment.delegates[0]), 10e6);
        _swap(deployment.coreSwap, user, ICoreSwap.SwapInputs(1, "TBILL", "USDX", "USDX", 10e6, 0));
        vm.stopPrank();

        // 10,523,000 - ceil(5,261.5) = 10,517,738; less ceil(10,517.738) = 10,507,220.
        assertEq(dollar.balanceOf(user), 10_507_220);
        // 5,262 issuer-paid + floor(10 % of 10,518).
        assertEq(dollar.balanceOf(config.roles.vault), 5262 + 1051);
        assertEq(bill.balanceOf(config.stablecoins[0].rwaCustody), 10e6);
    }

    /// @dev The USDX that comes in is swept into the treasury token, and redeemed when a payout needs it.
    function test_Deploy_Example_KeepsTheReserveInTheTreasuryToken() public {
        DeployConfig memory config = _example();
        Deployment memory deployment = script.deploy(config, DEPLOYER);
        TestToken bill = TestToken(deployment.rwaTokens[0]);
        TestToken dollar = TestToken(deployment.stablecoinTokens[0]);
        address custody = config.stablecoins[0].stablecoinCustody;
        address user = makeAddr("user");
        dollar.mint(user, 100 * ONE_USDX);
        bill.mint(config.stablecoins[0].rwaCustody, 1000e6);

        vm.startPrank(user);
        dollar.approve(address(deployment.delegates[0]), type(uint256).max);
        bill.approve(address(deployment.delegates[0]), type(uint256).max);
        _swap(deployment.coreSwap, user, ICoreSwap.SwapInputs(3, "USDX", "TBILL", "USDX", 100 * ONE_USDX, 0));
        assertEq(dollar.balanceOf(custody), 0);
        assertGt(deployment.treasury.balanceOf(custody), 99e18);

        _swap(deployment.coreSwap, user, ICoreSwap.SwapInputs(1, "TBILL", "USDX", "USDX", 10e6, 0));
        vm.stopPrank();
        assertEq(dollar.balanceOf(user), 10_507_220);
        assertEq(dollar.balanceOf(custody), 0);
        assertLt(deployment.treasury.balanceOf(custody), 90e18);
    }

    function test_Deploy_WithoutPartySteps_LeavesThemToTheParties() public {
        DeployConfig memory config = _example();
        config.broadcastPartySteps = false;
        Deployment memory deployment = script.deploy(config, DEPLOYER);
        BalanceSheetDelegate delegate = deployment.delegates[0];
        assertEq(delegate.stablecoinCustodyAddress(), address(0));
        assertEq(delegate.balanceSheetCustodyAddress(), address(0));
        assertFalse(delegate.custodyAccepted(config.stablecoins[0].rwaCustody));
        assertFalse(delegate.rwaWhitelist(deployment.rwaTokens[0]));
        assertEq(deployment.treasuryDelegate.stablecoinCustodyAddress(), address(0));
        // The deployer has whitelisted the custody.
        assertTrue(deployment.treasury.whitelisted(config.treasury.lp.stablecoinCustody));
    }

    function test_Deploy_OnAnotherChain_Reverts() public {
        DeployConfig memory config = _example();
        vm.chainId(11_155_111);
        vm.expectRevert(abi.encodeWithSelector(Deploy.WrongChain.selector, 11_155_111, 1));
        script.deploy(config, DEPLOYER);
    }

    function test_Deploy_WithTokens_UsesThem() public {
        DeployConfig memory config = _example();
        TestToken token = new TestToken("Existing", "TBILL", 6);
        config.rwas[0].asset.token = address(token);
        Deployment memory deployment = script.deploy(config, DEPLOYER);
        assertEq(deployment.rwaTokens[0], address(token));
    }

    function test_Deploy_WithOtherDecimalsThanConfigured_Reverts() public {
        DeployConfig memory config = _example();
        config.rwas[0].asset.token = address(new TestToken("Existing", "TBILL", 8));
        vm.expectRevert(
            abi.encodeWithSelector(
                DeploymentChecks.ValueDiffers.selector, "TBILL's decimals", bytes32(uint256(8)), bytes32(uint256(6))
            )
        );
        script.deploy(config, DEPLOYER);
    }

    function test_Run_WritesTheFile_ThatVerifyReads() public {
        DeployConfig memory config = _example();
        vm.setEnv("DEPLOY_CONFIG", EXAMPLE);
        vm.setEnv("DEPLOYMENTS_DIR", DIRECTORY);
        Deployment memory deployment = script.run();

        string memory json = vm.readFile(string.concat(DIRECTORY, "/evm/mainnet.json"));
        assertEq(vm.parseJsonString(json, ".network"), "mainnet");
        assertEq(vm.parseJsonUint(json, ".chainId"), 1);
        assertEq(vm.parseJsonUint(json, ".startBlock"), 1234);
        assertEq(vm.parseJsonAddress(json, ".coreSwap"), address(deployment.coreSwap));
        assertEq(vm.parseJsonAddress(json, ".treasury"), address(deployment.treasury));
        assertEq(vm.parseJsonAddress(json, ".treasuryStablecoin.delegate"), address(deployment.treasuryDelegate));
        assertEq(vm.parseJsonAddress(json, ".treasuryStablecoin.token"), address(deployment.treasury));
        assertEq(
            vm.parseJsonAddress(json, ".implementations.treasuryDelegate"), deployment.treasuryDelegateImplementation
        );
        assertEq(vm.parseJsonAddress(json, ".stablecoins[1].delegate"), address(deployment.delegates[1]));
        assertEq(vm.parseJsonBytes32(json, ".stablecoins[1].id"), USDY);
        assertEq(vm.parseJsonAddress(json, ".rwas[1].priceAdapter"), address(deployment.navAdapters[1]));
        assertEq(vm.parseJsonUint(json, ".rwas[1].decimals"), 18);

        script.verify();
        vm.expectRevert(
            abi.encodeWithSelector(
                DeploymentFile.DeploymentExists.selector,
                string.concat(DIRECTORY, "/evm/mainnet.json"),
                address(deployment.coreSwap)
            )
        );
        script.run();
        vm.prank(config.roles.operator);
        deployment.coreSwap.setMaxSwapLegs(11);
        vm.expectRevert(
            abi.encodeWithSelector(
                DeploymentChecks.ValueDiffers.selector,
                "CoreSwap maxSwapLegs",
                bytes32(uint256(11)),
                bytes32(uint256(10))
            )
        );
        script.verify();

        // Contracts that are in use differ from what was deployed, and their code does not.
        script.verifyCode();
        address next = address(new CoreSwap());
        string memory current = vm.toString(deployment.coreSwapImplementation);
        string memory proposed = vm.replace(json, current, vm.toString(next));
        vm.writeFile(string.concat(DIRECTORY, "/evm/mainnet.proposed.json"), proposed);
        script.verifyProposed();
        vm.writeFile(string.concat(DIRECTORY, "/evm/mainnet.json"), proposed);
        vm.expectRevert(
            abi.encodeWithSelector(
                DeploymentChecks.AddressDiffers.selector,
                "CoreSwap implementation",
                deployment.coreSwapImplementation,
                next
            )
        );
        script.verifyCode();

        bytes memory code = next.code;
        vm.etch(next, hex"fe");
        vm.expectRevert(
            abi.encodeWithSelector(
                DeploymentChecks.ValueDiffers.selector, "CoreSwap's code", keccak256(hex"fe"), keccak256(code)
            )
        );
        script.verifyProposed();
        vm.removeDir(DIRECTORY, true);
    }

    function _swap(CoreSwap coreSwap, address user, ICoreSwap.SwapInputs memory leg) private {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](1);
        legs[0] = leg;
        coreSwap.swap(user, user, legs, ICoreSwap.ApprovalPermit({deadline: 0, signature: ""}));
    }
}
