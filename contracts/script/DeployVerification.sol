// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployConfig, RwaConfig, TimelockConfig} from "./DeployConfig.sol";
import {Deployment, LiquidityProviders, Lp} from "./Deployment.sol";
import {DeploymentWarnings} from "./DeploymentWarnings.sol";
import {LpVerification} from "./LpVerification.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {Vm} from "forge-std/Vm.sol";
import {console} from "forge-std/console.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";

/// @title DeployVerification
/// @notice Reads back every role, address and setting of a deployment and compares it with the configuration.
/// @dev Reverts at the first difference and names it. Compares what the deployer set: `core verify` also compares the
/// settings that the parties make themselves.
abstract contract DeployVerification is LpVerification {
    /// @dev Bounds that a treasury delegate starts with.
    uint256 private constant MAX_DAILY_RATE = 0.2e18;
    uint256 private constant MAX_FALLBACK_RATE_SECONDS = 3 days;

    /// @dev Compares everything; then prints the {DeploymentWarnings}.
    function _verify(DeployConfig memory config, Deployment memory deployment, address deployer) internal view {
        if (config.governedByTimelock) {
            _governBy(config, deployment.timelock);
            _verifyTimelock(config, deployment.timelock, deployer);
        }
        _verifyCoreSwap(config, deployment);
        _verifyTreasury(config, deployment, deployer);
        _verifyTreasuryDelegate(config, deployment.treasuryDelegate);
        for (uint256 i; i < config.rwas.length; ++i) {
            _verifyRwa(config, deployment, i);
            _verifyNavAdapter(deployment.navAdapters[i], config.rwas[i], config.roles.admin);
        }
        for (uint256 i; i < LiquidityProviders.count(config); ++i) {
            Lp memory lp = LiquidityProviders.at(config, deployment, i);
            _verifyStablecoin(deployment.coreSwap, lp);
            _verifyDelegate(config, deployment, lp, deployer);
            _verifyCustodyTerms(deployment, lp);
        }
        string[] memory warnings = DeploymentWarnings.list(config);
        for (uint256 i; i < warnings.length; ++i) {
            console.log("WARNING: %s", warnings[i]);
        }
    }

    /// @dev Fills in the timelock as the holder of its roles.
    function _governBy(DeployConfig memory config, TimelockController timelock) internal pure {
        (config.roles.admin, config.roles.operator) = (address(timelock), address(timelock));
        (config.treasury.admin, config.treasury.operator) = (address(timelock), address(timelock));
    }

    /// @dev The holders of a timelock's roles cannot be enumerated, so this checks the accounts that should have them
    /// and those that could have them by mistake; {_verifyTimelockHolders} checks the rest. The zero address means
    /// anybody.
    function _verifyTimelock(DeployConfig memory config, TimelockController timelock, address deployer) private view {
        TimelockConfig memory terms = config.timelock;
        _check("timelock's delay", timelock.getMinDelay(), terms.delaySeconds);
        bytes32[4] memory roles =
            [bytes32(0), timelock.PROPOSER_ROLE(), timelock.EXECUTOR_ROLE(), timelock.CANCELLER_ROLE()];
        address[6] memory accounts =
            [address(timelock), terms.proposer, terms.recovery, config.roles.guardian, deployer, address(0)];
        for (uint256 i; i < accounts.length; ++i) {
            for (uint256 j; j < roles.length; ++j) {
                _verifyTimelockRole(config, timelock, roles[j], accounts[i]);
            }
        }
    }

    /// @dev Each grant of a role emitted an event: of those accounts, only the configured ones may still hold it. When
    /// the last transactions of a run are lost, the deployer, whoever that was, still administers the timelock.
    function _verifyTimelockHolders(DeployConfig memory config, Deployment memory deployment) internal {
        address timelock = address(deployment.timelock);
        bytes32 granted = IAccessControl.RoleGranted.selector;
        Vm.EthGetLogs[] memory logs = _eventsOf("timelock", timelock, granted, deployment.startBlock);
        for (uint256 i; i < logs.length; ++i) {
            address account = address(uint160(uint256(logs[i].topics[2])));
            _verifyTimelockRole(config, deployment.timelock, logs[i].topics[1], account);
        }
    }

    function _verifyTimelockRole(DeployConfig memory config, TimelockController timelock, bytes32 role, address account)
        private
        view
    {
        TimelockConfig memory terms = config.timelock;
        bool isProposer = account != address(0) && (account == terms.proposer || account == terms.recovery);
        (string memory name, bool isHolder) = (vm.toString(role), false);
        if (role == 0) (name, isHolder) = ("administration", account == address(timelock));
        if (role == timelock.PROPOSER_ROLE()) (name, isHolder) = ("PROPOSER_ROLE", isProposer);
        if (role == timelock.EXECUTOR_ROLE()) (name, isHolder) = ("EXECUTOR_ROLE", isProposer);
        if (role == timelock.CANCELLER_ROLE()) {
            (name, isHolder) = ("CANCELLER_ROLE", account == config.roles.guardian);
        }
        string memory what = string.concat("timelock's ", name, " of ", vm.toString(account));
        _check(what, timelock.hasRole(role, account), isHolder);
    }

    function _verifyCoreSwap(DeployConfig memory config, Deployment memory deployment) private view {
        CoreSwap coreSwap = deployment.coreSwap;
        _checkImplementation("CoreSwap", address(coreSwap), deployment.coreSwapImplementation);
        _checkHolder("CoreSwap DEFAULT_ADMIN_ROLE", coreSwap, coreSwap.DEFAULT_ADMIN_ROLE(), config.roles.admin);
        _checkHolder("CoreSwap OPERATOR_ROLE", coreSwap, coreSwap.OPERATOR_ROLE(), config.roles.operator);
        _checkHolder("CoreSwap BLACKLISTER_ROLE", coreSwap, coreSwap.BLACKLISTER_ROLE(), config.roles.blacklister);
        _checkHolder(
            "CoreSwap EXTERNAL_PAUSER_ROLE", coreSwap, coreSwap.EXTERNAL_PAUSER_ROLE(), config.roles.externalPauser
        );
        _check("CoreSwap vault", coreSwap.coreVault(), config.roles.vault);
        _check("CoreSwap maxSwapLegs", coreSwap.maxSwapLegs(), config.maxSwapLegs);
        _check("CoreSwap take rate", coreSwap.spreadProtocolTakeRate(), config.spreadProtocolTakeRateWad);
        _check("CoreSwap paused", coreSwap.paused(), false);
    }

    function _verifyTreasury(DeployConfig memory config, Deployment memory deployment, address deployer) private view {
        Treasury treasury = deployment.treasury;
        string memory symbol = config.treasury.lp.asset.symbol;
        bytes32 operator = treasury.OPERATOR_ROLE();
        _checkImplementation("Treasury", address(treasury), deployment.treasuryImplementation);
        _checkHolder("Treasury DEFAULT_ADMIN_ROLE", treasury, treasury.DEFAULT_ADMIN_ROLE(), config.treasury.admin);
        _checkHolder("Treasury OPERATOR_ROLE", treasury, operator, config.treasury.operator);
        _checkHolder("Treasury PAUSER_ROLE", treasury, treasury.PAUSER_ROLE(), config.treasury.pauser);
        _checkHolder("Treasury WHITELISTER_ROLE", treasury, treasury.WHITELISTER_ROLE(), config.treasury.whitelister);
        _checkHolder("Treasury BLACKLISTER_ROLE", treasury, treasury.BLACKLISTER_ROLE(), config.treasury.blacklister);
        _checkHolder("Treasury MINTER_ROLE", treasury, treasury.MINTER_ROLE(), address(deployment.treasuryDelegate));
        _checkHolders("Treasury BRIDGE_ROLE", treasury, treasury.BRIDGE_ROLE(), new address[](0));
        _check("Treasury MINTER_ROLE's admin", treasury.getRoleAdmin(treasury.MINTER_ROLE()), operator);
        _check("Treasury BRIDGE_ROLE's admin", treasury.getRoleAdmin(treasury.BRIDGE_ROLE()), operator);
        _check("Treasury symbol", keccak256(bytes(treasury.symbol())), keccak256(bytes(symbol)));
        _check("Treasury supply", treasury.totalSupply(), 0);
        _check("Treasury paused", treasury.paused(), false);

        bool deployerIsRecipient = false;
        address[] memory recipients = _treasuryRecipients(config, deployment);
        for (uint256 i; i < recipients.length; ++i) {
            string memory what = string.concat("Treasury whitelisting of ", vm.toString(recipients[i]));
            _check(what, treasury.whitelisted(recipients[i]), true);
            if (recipients[i] == deployer) deployerIsRecipient = true;
        }
        _check("Treasury whitelisting of the deployer", treasury.whitelisted(deployer), deployerIsRecipient);
    }

    function _verifyTreasuryDelegate(DeployConfig memory config, TreasuryDelegate delegate) private view {
        string memory name = string.concat(config.treasury.lp.asset.symbol, " delegate's ");
        _checkHolder(
            string.concat(name, "OPERATOR_ROLE"), delegate, delegate.OPERATOR_ROLE(), config.treasury.delegateOperator
        );
        _checkHolder(
            string.concat(name, "RATE_POSTER_ROLE"), delegate, delegate.RATE_POSTER_ROLE(), config.treasury.ratePoster
        );
        uint256 fee = config.treasury.managementFeeWad;
        uint256 initialRate = config.treasury.initialRateWad;
        _check(string.concat(name, "management fee"), delegate.managementFee(), fee);
        // For a day that is never posted, the delegate returns the initial rate less the fee.
        (uint256 shownRate,) = delegate.getDailyRate(type(uint256).max);
        _check(string.concat(name, "initial rate"), shownRate, initialRate > fee ? initialRate - fee : 0);
        _check(string.concat(name, "maximum daily rate"), delegate.maxDailyRate(), MAX_DAILY_RATE);
        _check(string.concat(name, "fallback window"), delegate.maxFallbackRateSeconds(), MAX_FALLBACK_RATE_SECONDS);
        _check(string.concat(name, "first rate day"), delegate.firstRateDay(), 0);
    }

    function _verifyRwa(DeployConfig memory config, Deployment memory deployment, uint256 index) private view {
        RwaConfig memory rwa = config.rwas[index];
        string memory name = string.concat(rwa.asset.symbol, "'s ");
        (bool accepted,, uint8 decimals, address riskDelegate, address token) =
            deployment.coreSwap.rwaInfo(rwa.asset.id);
        _check(string.concat(name, "acceptance"), accepted, true);
        _check(string.concat(name, "decimals"), decimals, rwa.asset.decimals);
        _check(string.concat(name, "risk delegate"), riskDelegate, address(0));
        _check(string.concat(name, "token"), token, deployment.rwaTokens[index]);
        address adapter = deployment.coreSwap.rwaPriceAdapters(rwa.asset.id);
        _check(string.concat(name, "price adapter"), adapter, address(deployment.navAdapters[index]));
        adapter = deployment.coreSwap.rwaWhitelistAdapters(rwa.asset.id);
        _check(string.concat(name, "whitelist adapter"), adapter, address(0));
    }

    function _verifyNavAdapter(NavPriceAdapter adapter, RwaConfig memory rwa, address admin) private view {
        string memory name = string.concat(rwa.asset.symbol, "'s NAV ");
        _check(string.concat(name, "price"), adapter.getPrice(), rwa.navWad);
        _check(string.concat(name, "maximum move"), adapter.maxMovePerPostWad(), rwa.maxMovePerPostWad);
        _check(string.concat(name, "maximum move of a day"), adapter.maxMovePerDayWad(), rwa.maxMovePerDayWad);
        _check(string.concat(name, "maximum age"), adapter.maxAgeSeconds(), rwa.maxAgeSeconds);
        _checkHolder(string.concat(name, "poster"), adapter, adapter.NAV_POSTER_ROLE(), rwa.navPoster);
        _checkHolder(string.concat(name, "admin"), adapter, adapter.DEFAULT_ADMIN_ROLE(), admin);
    }
}
