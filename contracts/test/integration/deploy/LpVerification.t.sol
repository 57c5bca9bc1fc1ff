// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VerificationTest} from "./VerificationTest.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Vm} from "forge-std/Vm.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment} from "script/Deployment.sol";
import {DeploymentChecks} from "script/DeploymentChecks.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {StablecoinDelegate} from "src/StablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// @notice Makes the checks of stablecoins and their LPs fail by a drift.
contract LpVerificationTest is VerificationTest {
    bytes32 private constant USDX = "USDX";
    bytes32 private constant USDY = "USDY";
    bytes32 private constant TRSY = "TRSY";

    function test_Verify_StablecoinRecordDrifts_NamesTheSetting() public {
        CoreSwap core = d.coreSwap;
        address target = address(core);
        bytes memory query = abi.encodeCall(core.stablecoinInfo, (TRSY));
        address delegate = address(d.treasuryDelegate);
        address token = address(d.treasury);
        _assertRead(target, query, abi.encode(false, true, 18, delegate, token), "TRSY's acceptance");
        _assertRead(target, query, abi.encode(true, false, 18, delegate, token), "TRSY's yield-bearing flag");
        _assertRead(target, query, abi.encode(true, true, 6, delegate, token), "TRSY's decimals");
        _assertRead(target, query, abi.encode(true, true, 18, STRANGER, token), "TRSY's delegate");
        _assertRead(target, query, abi.encode(true, true, 18, delegate, STRANGER), "TRSY's token");
        query = abi.encodeCall(core.stablecoinInfo, (USDY));
        (delegate, token) = (address(d.delegates[1]), d.stablecoinTokens[1]);
        _assertRead(target, query, abi.encode(true, true, 18, delegate, token), "USDY's yield-bearing flag");
    }

    function test_Verify_StablecoinSettingDrifts_NamesTheSetting() public {
        CoreSwap core = d.coreSwap;
        address target = address(core);
        _assertCall(admin, target, abi.encodeCall(core.setStablecoinUSDValue, (USDX, 1)), "USDX's USD value");
        _assertCall(
            admin, target, abi.encodeCall(core.setIssuerPaidProtocolFeeRate, (TRSY, 1)), "TRSY's issuer-paid rate"
        );
        _assertCall(admin, target, abi.encodeCall(core.setProtocolFeeExempt, (USDX, true)), "USDX's fee exemption");
        _assertCall(
            admin,
            target,
            abi.encodeCall(core.configureStablecoinGuardrail, (USDX, STRANGER, 0, false)),
            "USDX's guardrail adapter"
        );
        _assertCall(
            admin,
            target,
            abi.encodeCall(core.configureStablecoinGuardrail, (TRSY, address(0), 1, false)),
            "TRSY's guardrail band"
        );
        bytes memory query = abi.encodeCall(core.stablecoinGuardrailEnabled, (TRSY));
        _assertRead(target, query, abi.encode(true), "TRSY's guardrail switch");
    }

    function test_Verify_DelegateDrifts_NamesTheSetting() public {
        StablecoinDelegate delegate = d.delegates[0];
        address target = address(delegate);
        address issuer = _config().stablecoins[0].issuerAdmin;
        _assertRead(target, abi.encodeCall(delegate.coreSwap, ()), abi.encode(STRANGER), "USDX delegate's CoreSwap");
        _assertRead(
            target, abi.encodeCall(delegate.stablecoinID, ()), abi.encode(USDY), "USDX delegate's stablecoin ID"
        );
        _assertRead(
            target, abi.encodeCall(delegate.stablecoinAddress, ()), abi.encode(STRANGER), "USDX delegate's stablecoin"
        );
        bytes memory query = abi.encodeCall(delegate.issuerAdmins, (issuer));
        _assertRead(target, query, abi.encode(false), "USDX delegate's issuer admin");
        _assertCall(
            issuer,
            target,
            abi.encodeCall(delegate.addIssuerAdmin, (DEPLOYER)),
            "USDX delegate's issuer admin is the deployer"
        );
        _assertCall(
            issuer,
            target,
            abi.encodeCall(delegate.addIssuerAdmin, (admin)),
            "USDX delegate's issuer admin is the admin"
        );
        _assertCall(issuer, target, abi.encodeCall(delegate.pauseCore, ()), "USDX delegate's pause");
        _assertCall(
            admin,
            target,
            abi.encodeCall(delegate.addRWAColdStorageAddress, (STRANGER)),
            "USDX delegate's RWA cold storage"
        );
        _assertCall(
            admin,
            target,
            abi.encodeCall(delegate.addStablecoinColdStorageAddress, (STRANGER)),
            "USDX delegate's stablecoin cold storage"
        );
    }

    function test_Verify_IssuerAdminAddedLater_IsNamed() public {
        address issuer = _config().treasury.lp.issuerAdmin;
        vm.startPrank(issuer);
        d.treasuryDelegate.addIssuerAdmin(STRANGER);
        d.treasuryDelegate.removeIssuerAdmin(STRANGER);
        // It was added and removed again, so it is not an issuer admin any more.
        script.verifyIssuerAdmins(_config(), d);

        d.treasuryDelegate.addIssuerAdmin(STRANGER);
        vm.stopPrank();
        string memory what = string.concat("TRSY delegate's issuer admin is ", vm.toString(STRANGER));
        vm.expectRevert(
            abi.encodeWithSelector(
                DeploymentChecks.ValueDiffers.selector, what, bytes32(uint256(1)), bytes32(uint256(0))
            )
        );
        script.verifyIssuerAdmins(_config(), d);
    }

    function test_Verify_CustodyDrifts_NamesTheSetting() public {
        StablecoinDelegate delegate = d.treasuryDelegate;
        address target = address(delegate);
        address rwaCustody = _config().treasury.lp.rwaCustody;
        _assertCall(
            admin,
            target,
            abi.encodeCall(delegate.setCustodyListing, (rwaCustody, true, true)),
            "TRSY delegate's stablecoin custody listing"
        );
        _assertCall(
            admin,
            target,
            abi.encodeCall(delegate.setCustodyListing, (rwaCustody, false, false)),
            "TRSY delegate's RWA custody listing"
        );
        address usdx = d.stablecoinTokens[0];
        _assertCall(
            admin,
            target,
            abi.encodeCall(delegate.setIntakeCap, (usdx, 1)),
            string.concat("TRSY delegate's intake cap of ", vm.toString(usdx))
        );
    }

    function test_Verify_ADelegateOnTheBlacklistOfTheToken_IsNamed() public {
        _assertCall(
            _config().treasury.blacklister,
            address(d.treasury),
            abi.encodeCall(d.treasury.addToBlacklist, (address(d.treasuryDelegate))),
            "TRSY delegate's blacklisting by Treasury"
        );
    }

    /// The stablecoin custody's key could buy what the RWA custody approved, so the intake cap bounds it.
    function test_Deploy_SeparateCustodies_ApproveAFiniteAmountOfEachRWA() public {
        DeployConfig memory config = _config();
        config.stablecoins[0].rwaCustody = STRANGER;
        Deployment memory deployed = script.deploy(config, DEPLOYER);
        address delegate = address(deployed.delegates[0]);
        IERC20 tbill = IERC20(deployed.rwaTokens[0]);
        uint256 cap = config.stablecoins[0].rwas[0].intakeCap;
        assertEq(tbill.allowance(STRANGER, delegate), cap);
        assertEq(tbill.allowance(config.treasury.lp.rwaCustody, address(deployed.treasuryDelegate)), type(uint256).max);
    }

    /// An own stablecoin does not count while one account other than the delegate is both custodies.
    function test_Deploy_OneOtherAccountAsBothCustodies_CapsNoOwnStablecoin() public view {
        (uint256 cap,) = d.delegates[0].intakeCap(d.stablecoinTokens[0]);
        assertEq(cap, type(uint96).max);
    }

    function test_Deploy_SeparateCustodies_CapTheOwnStablecoin() public {
        DeployConfig memory config = _config();
        (config.stablecoins[0].rwaCustody, config.stablecoins[0].intakeCap) = (STRANGER, 7);
        _assertOwnCap(config, 0);
    }

    function test_Deploy_AssetsInTheDelegate_CapTheOwnStablecoin() public {
        DeployConfig memory config = _config();
        config.stablecoins[1].intakeCap = 7;
        _assertOwnCap(config, 1);
    }

    /// Without a call, there is no cap either.
    function test_Deploy_UnlimitedOwnStablecoin_SetsNoCap() public {
        DeployConfig memory config = _config();
        config.stablecoins[1].intakeCap = type(uint96).max;
        vm.recordLogs();
        Deployment memory deployed = script.deploy(config, DEPLOYER);
        bytes32 token = bytes32(uint256(uint160(deployed.stablecoinTokens[1])));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter != address(deployed.delegates[1])) continue;
            if (logs[i].topics[0] != IStablecoinDelegateAdmin.IntakeCapSet.selector) continue;
            assertTrue(logs[i].topics[1] != token);
        }
        script.verify(config, deployed, DEPLOYER);
    }

    /// @dev Deploys with an own cap of 7 units, which is then lowered.
    function _assertOwnCap(DeployConfig memory config, uint256 index) private {
        Deployment memory deployed = script.deploy(config, DEPLOYER);
        StablecoinDelegate delegate = deployed.delegates[index];
        address token = deployed.stablecoinTokens[index];
        (uint256 cap,) = delegate.intakeCap(token);
        assertEq(cap, 7);

        vm.prank(config.roles.guardian);
        delegate.setIntakeCap(token, 6);
        string memory symbol = config.stablecoins[index].asset.symbol;
        string memory what = string.concat(symbol, " delegate's intake cap of ", vm.toString(token));
        vm.expectRevert(
            abi.encodeWithSelector(
                DeploymentChecks.ValueDiffers.selector, what, bytes32(uint256(6)), bytes32(uint256(7))
            )
        );
        script.verify(config, deployed, DEPLOYER);
    }
}
