// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Deploy} from "../../script/Deploy.s.sol";
import {DeployConfig, DeployConfigReader, RwaConfig, RwaRatesConfig} from "../../script/DeployConfig.sol";
import {DeployVerification} from "../../script/DeployVerification.sol";
import {Deployment} from "../../script/Deployment.sol";
import {BalanceSheetDelegate} from "../../src/BalanceSheetDelegate.sol";
import {CoreSwap} from "../../src/CoreSwap.sol";
import {Treasury} from "../../src/Treasury.sol";
import {ICoreSwap} from "../../src/interfaces/ICoreSwap.sol";
import {TestToken} from "../mocks/TestToken.sol";
import {Test} from "forge-std/Test.sol";

/// @notice The script with its verification and configuration reader open to the tests.
contract DeployHarness is Deploy {
    function verify(DeployConfig memory config, Deployment memory deployment, address deployer) external view {
        _verify(config, deployment, deployer);
    }

    function parse(string memory json) external view returns (DeployConfig memory) {
        return DeployConfigReader.parse(json);
    }

    function isNavSandwichable(RwaRatesConfig memory rates, RwaConfig memory rwa) external pure returns (bool) {
        return _isNavSandwichable(rates, rwa);
    }
}

contract DeployTest is Test {
    string private constant EXAMPLE = "contracts/script/config/local.example.json";
    string private constant DIRECTORY = ".demo/deploy-test";
    uint256 private constant ONE_USDX = 1e6;
    bytes32 private constant TBILL = "TBILL";
    bytes32 private constant USDY = "USDY";

    address private immutable DEPLOYER = makeAddr("deployer");
    DeployHarness private script;

    function setUp() public {
        vm.chainId(1);
        vm.roll(1234);
        script = new DeployHarness();
    }

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

    function test_Deploy_GrantsMinters() public {
        DeployConfig memory config = _example();
        config.treasury.minters = new address[](2);
        config.treasury.minters[0] = makeAddr("minter");
        config.treasury.minters[1] = makeAddr("other minter");
        Deployment memory deployment = script.deploy(config, DEPLOYER);
        assertEq(deployment.treasury.getRoleMembers(keccak256("MINTER_ROLE")), config.treasury.minters);
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

        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](1);
        legs[0] = ICoreSwap.SwapInputs({
            routeId: 1,
            assetInID: "TBILL",
            assetOutID: "USDX",
            stablecoinDelegateID: "USDX",
            assetInAmt: 10e6,
            assetOutAmt: 0
        });
        vm.startPrank(user);
        bill.approve(address(deployment.delegates[0]), 10e6);
        deployment.coreSwap.swap(user, user, legs, ICoreSwap.ApprovalPermit({deadline: 0, signature: ""}));
        vm.stopPrank();

        // 10,523,000 - ceil(5,261.5) = 10,517,738; less ceil(10,517.738) = 10,507,220.
        assertEq(dollar.balanceOf(user), 10_507_220);
        // 5,262 issuer-paid + floor(10 % of 10,518).
        assertEq(dollar.balanceOf(config.roles.vault), 5262 + 1051);
        assertEq(bill.balanceOf(config.stablecoins[0].rwaCustody), 10e6);
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
    }

    function test_Deploy_OnAnotherChain_Reverts() public {
        DeployConfig memory config = _example();
        vm.chainId(11_155_111);
        vm.expectRevert(abi.encodeWithSelector(Deploy.WrongChain.selector, 11_155_111, 1));
        script.deploy(config, DEPLOYER);
    }

    function test_Deploy_WithoutTokenOrTestTokens_Reverts() public {
        DeployConfig memory config = _example();
        config.deployTestTokens = false;
        vm.expectRevert(abi.encodeWithSelector(Deploy.TokenMissing.selector, "TBILL"));
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
                DeployVerification.ValueDiffers.selector, "TBILL's decimals", bytes32(uint256(8)), bytes32(uint256(6))
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
        assertEq(vm.parseJsonAddress(json, ".stablecoins[1].delegate"), address(deployment.delegates[1]));
        assertEq(vm.parseJsonBytes32(json, ".stablecoins[1].id"), USDY);
        assertEq(vm.parseJsonAddress(json, ".rwas[1].priceAdapter"), address(deployment.navAdapters[1]));
        assertEq(vm.parseJsonUint(json, ".rwas[1].decimals"), 18);

        script.verify();
        vm.prank(config.roles.operator);
        deployment.coreSwap.setMaxSwapLegs(11);
        vm.expectRevert(
            abi.encodeWithSelector(
                DeployVerification.ValueDiffers.selector,
                "CoreSwap maxSwapLegs",
                bytes32(uint256(11)),
                bytes32(uint256(10))
            )
        );
        script.verify();
        vm.removeDir(DIRECTORY, true);
    }

    /// @dev One difference of each kind of state, made by whoever may, on top of a deployment that verifies.
    function test_Verify_NamesTheDifference() public {
        DeployConfig memory config = _example();
        Deployment memory d = script.deploy(config, DEPLOYER);
        address admin = config.roles.admin;
        address issuer = config.stablecoins[0].issuerAdmin;
        address coreSwap = address(d.coreSwap);
        address delegate = address(d.delegates[0]);

        _assertDiffers(config, d, admin, coreSwap, abi.encodeCall(d.coreSwap.setCoreVault, (admin)), "CoreSwap vault");
        _assertDiffers(
            config, d, admin, coreSwap, abi.encodeCall(d.coreSwap.setSpreadProtocolTakeRate, (1)), "CoreSwap take rate"
        );
        _assertDiffers(config, d, admin, coreSwap, abi.encodeCall(d.coreSwap.pause, ()), "CoreSwap paused");
        _assertDiffers(
            config,
            d,
            admin,
            coreSwap,
            abi.encodeCall(d.coreSwap.grantRole, (bytes32(0), issuer)),
            "CoreSwap DEFAULT_ADMIN_ROLE"
        );
        _assertDiffers(
            config,
            d,
            admin,
            address(d.treasury),
            abi.encodeCall(d.treasury.addBridge, (issuer)),
            "Treasury BRIDGE_ROLE"
        );
        _assertDiffers(
            config,
            d,
            admin,
            coreSwap,
            abi.encodeCall(d.coreSwap.setRwaPriceAdapter, ("CREDIT", issuer)),
            "CREDIT's price adapter"
        );
        _assertDiffers(
            config,
            d,
            config.rwas[1].navPoster,
            address(d.navAdapters[1]),
            abi.encodeCall(d.navAdapters[1].postNav, (config.rwas[1].navWad + 1)),
            "CREDIT's NAV price"
        );
        _assertDiffers(
            config,
            d,
            admin,
            coreSwap,
            abi.encodeCall(d.coreSwap.setStablecoinUSDValue, ("USDX", 1)),
            "USDX's USD value"
        );
        _assertDiffers(
            config,
            d,
            admin,
            coreSwap,
            abi.encodeCall(d.coreSwap.setProtocolFeeExempt, ("USDX", true)),
            "USDX's fee exemption"
        );
        _assertDiffers(
            config, d, issuer, delegate, abi.encodeCall(d.delegates[0].pauseCore, ()), "USDX delegate's pause"
        );
        _assertDiffers(
            config,
            d,
            issuer,
            delegate,
            abi.encodeCall(d.delegates[0].setRWACustodyAddress, (delegate)),
            "USDX delegate's RWA custody"
        );
        _assertDiffers(
            config,
            d,
            issuer,
            delegate,
            abi.encodeCall(d.delegates[0].setRWADiscountRate, ("CREDIT", 1)),
            "USDX/CREDIT discount rate"
        );
        _assertDiffers(
            config,
            d,
            issuer,
            delegate,
            abi.encodeCall(d.delegates[0].setStablecoinRedemptionFee, (d.stablecoinTokens[1], 1)),
            "USDX/USDY redemption fee"
        );
        script.verify(config, d, DEPLOYER);
    }

    function test_Parse_ReadsExplicitIdsTokensAndGuardrails() public view {
        DeployConfig memory config = _example();
        string memory json = vm.readFile(EXAMPLE);
        assertEq(config.rwas[0].asset.id, TBILL);
        assertEq(config.stablecoins[0].rwas[1].index, 1);
        assertEq(config.stablecoins[0].stablecoins[0].index, 1);
        assertEq(config.stablecoins[1].rwaCustody, address(0));

        string memory id = vm.toString(keccak256("id"));
        json = vm.replace(json, '"id": null', string.concat('"id": "', id, '"'));
        json = vm.replace(json, '"token": null', string.concat('"token": "', vm.toString(DEPLOYER), '"'));
        json = vm.replace(
            json,
            '"guardrail": null',
            string.concat(
                '"guardrail": { "priceAdapter": "', vm.toString(DEPLOYER), '", "bandWad": "5", "enabled": true }'
            )
        );
        DeployConfig memory parsed = script.parse(json);
        assertEq(parsed.rwas[1].asset.id, keccak256("id"));
        assertEq(parsed.stablecoins[1].asset.token, DEPLOYER);
        assertEq(parsed.stablecoins[0].guardrail.priceAdapter, DEPLOYER);
        assertEq(parsed.stablecoins[0].guardrail.bandWad, 5);
        assertTrue(parsed.stablecoins[0].guardrail.enabled);
    }

    function test_Parse_BadConfiguration_Reverts() public {
        _assertParseReverts(
            '"network": "mainnet"',
            '"network": "local"',
            abi.encodeWithSelector(DeployConfigReader.UnknownNetwork.selector, "local")
        );
        _assertParseReverts(
            '"symbol": "USDY", "acceptanceFeeWad"',
            '"symbol": "USDZ", "acceptanceFeeWad"',
            abi.encodeWithSelector(DeployConfigReader.UnknownAsset.selector, "USDZ")
        );
        _assertParseReverts(
            '"symbol": "CREDIT", "discountRateWad"',
            '"symbol": "DEBIT", "discountRateWad"',
            abi.encodeWithSelector(DeployConfigReader.UnknownAsset.selector, "DEBIT")
        );
        _assertParseReverts(
            '"symbol": "TBILL",\n      "id"',
            '"symbol": "A symbol of more than 32 characters",\n      "id"',
            abi.encodeWithSelector(DeployConfigReader.InvalidSymbol.selector, "A symbol of more than 32 characters")
        );
        _assertParseReverts(
            '"decimals": 18',
            '"decimals": 256',
            abi.encodeWithSelector(DeployConfigReader.InvalidDecimals.selector, "CREDIT", 256)
        );
    }

    function testFuzz_IsNavSandwichable_BelowTheMaximumMoveOnly(uint64 discount, uint64 fee, uint64 maxMove)
        public
        view
    {
        RwaRatesConfig memory rates = RwaRatesConfig({index: 0, discountRateWad: discount, redemptionFeeWad: fee});
        RwaConfig memory rwa;
        rwa.maxMovePerPostWad = maxMove;
        assertEq(script.isNavSandwichable(rates, rwa), uint256(discount) + fee < maxMove);
    }

    function _example() private view returns (DeployConfig memory) {
        return script.parse(vm.readFile(EXAMPLE));
    }

    /// @dev Makes a difference, requires the verification to revert naming it, and undoes it.
    function _assertDiffers(
        DeployConfig memory config,
        Deployment memory deployment,
        address caller,
        address target,
        bytes memory data,
        string memory what
    ) private {
        uint256 snapshot = vm.snapshotState();
        vm.prank(caller);
        (bool success,) = target.call(data);
        assertTrue(success, what);
        try script.verify(config, deployment, DEPLOYER) {
            revert(string.concat("verified in spite of ", what));
        } catch (bytes memory reason) {
            // Every error of the verification starts with the name of what differs.
            bytes memory arguments = new bytes(reason.length - 4);
            for (uint256 i; i < arguments.length; ++i) {
                arguments[i] = reason[i + 4];
            }
            (string memory named,,) = abi.decode(arguments, (string, bytes32, bytes32));
            assertEq(named, what);
        }
        vm.revertToState(snapshot);
    }

    function _assertParseReverts(string memory from, string memory to, bytes memory expectedError) private {
        string memory json = vm.readFile(EXAMPLE);
        string memory changed = vm.replace(json, from, to);
        assertNotEq(changed, json, "the example has what is replaced");
        vm.expectRevert(expectedError);
        script.parse(changed);
    }
}
