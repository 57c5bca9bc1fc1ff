// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CodeVerification} from "./CodeVerification.sol";
import {ConfiguredAccounts} from "./ConfiguredAccounts.sol";
import {AssetConfig, DeployConfig, RwaConfig, StablecoinConfig, TreasuryConfig} from "./DeployConfig.sol";
import {DeployConfigReader} from "./DeployConfigReader.sol";
import {DeployVerification} from "./DeployVerification.sol";
import {Deployment, DeploymentFile, LiquidityProviders, Lp} from "./Deployment.sol";
import {DevelopmentFields} from "./DevelopmentFields.sol";
import {JsonConfig} from "./JsonConfig.sol";
import {TestToken} from "./local/TestToken.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {VmSafe} from "forge-std/Vm.sol";
import {console} from "forge-std/console.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {StablecoinDelegate} from "src/StablecoinDelegate.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";
import {TreasuryDelegateLibrary} from "src/libraries/TreasuryDelegateLibrary.sol";

/// @title Deploy
/// @notice Deploys the timelock, CoreSwap, the treasury token, one delegate per stablecoin and one NAV adapter per RWA,
/// registers the assets, hands the roles over, checks the result and writes `<DEPLOYMENTS_DIR>/evm/<network>.json`.
/// Every proxy is deployed and initialized in one step.
///
///     DEPLOY_CONFIG=contracts/script/config/mainnet.json \
///       forge script contracts/script/Deploy.s.sol --rpc-url <url> --broadcast --ledger
///
/// The same with `--sig "verify()"` in place of `--broadcast` checks what is on chain. Run it after each deployment,
/// because the file is written before the transactions are sent. `verifyCode()` compares the code alone, and
/// `verifyProposed()` that of a proposed upgrade.
///
/// Copy `config/mainnet.example.json` and fill it in. The run refuses a file that still has a placeholder, and names
/// it. `config/local.example.json` is complete and meant for anvil; any other node is refused (see
/// {DevelopmentFields}).
///
/// Environment: `DEPLOY_CONFIG`, the configuration file (see {DeployConfigReader}); `DEPLOYMENTS_DIR`, default
/// `deployments`. Both need a permission in foundry.toml. Without `--broadcast` nothing is sent or written.
///
/// The deployer is the first admin and operator of CoreSwap and of the treasury token, the token's first whitelister,
/// and the first admin of each delegate, so that it can register assets, grant roles, list custody accounts and set
/// intake caps. It gives up all of these roles before the run ends, except those that the configuration gives it. It is
/// never an issuer admin, and adapters start with their final admin. The run prints the steps that custody accounts and
/// issuer admins must take themselves. With `broadcastPartySteps`, which requires a node that holds their keys, it
/// sends those transactions instead.
contract Deploy is DeployVerification, CodeVerification {
    /// @notice The node serves a chain other than the configured one.
    error WrongChain(uint256 actualChainId, uint256 configuredChainId);

    /// @notice Reads the configuration, deploys from the sender's account, verifies the result and writes the
    /// deployment file. Refuses to replace the file of a deployment that exists.
    /// @return deployment Addresses of what was deployed.
    function run() external returns (Deployment memory deployment) {
        DeployConfig memory config = DeployConfigReader.read(vm.envString("DEPLOY_CONFIG"));
        string memory directory = _deploymentsDirectory();
        // A dry run deploys nothing, and a resumed run would record a start block that is too late.
        bool writes = !vm.isContext(VmSafe.ForgeContext.ScriptDryRun) && !vm.isContext(VmSafe.ForgeContext.ScriptResume);
        if (writes) DeploymentFile.requireNone(config, directory);
        deployment = deploy(config, msg.sender);
        if (writes) console.log("Wrote %s", DeploymentFile.write(config, deployment, directory));
    }

    /// @notice Checks the contracts named in the deployment file against the configuration, on the current chain.
    /// @dev {run} compares settings in the simulation, before the transactions are sent. This function shows that they
    /// were mined, and also compares the code and reads events. It passes until the contracts are used: the treasury
    /// token has no supply and nobody ever got credits, and no rate and no other NAV is posted.
    function verify() external {
        DeployConfig memory config = _configuration();
        Deployment memory deployment = DeploymentFile.read(config, _deploymentsDirectory());
        _verify(config, deployment, msg.sender);
        _verifyStartBlock(config, deployment);
        _verifyIssuerAdmins(config, deployment);
        if (config.governedByTimelock) _verifyTimelockHolders(config, deployment);
        _verifyUpgrades(config, deployment);
        _verifyNoCredits(deployment);
        _verifyCode(config, deployment);
        console.log("Verified %s on chain %s", config.network, config.chainId);
    }

    /// @notice Compares the code of the contracts named in the deployment file with what these sources compile to, at any
    /// time after the deployment. Each proxy has to run the implementation of the file.
    function verifyCode() external {
        DeployConfig memory config = _configuration();
        Deployment memory deployment = DeploymentFile.read(config, _deploymentsDirectory());
        _verifyImplementations(config, deployment);
        _verifyUpgrades(config, deployment);
        _verifyCodeOf(config, deployment);
    }

    /// @notice The same for `<network>.proposed.json`, which {Upgrade} writes: the proxies do not run the implementations
    /// of this file yet.
    function verifyProposed() external {
        DeployConfig memory config = _configuration();
        _verifyCodeOf(config, DeploymentFile.readProposed(config, _deploymentsDirectory()));
    }

    /// @notice Deploys a configuration and verifies the result.
    /// @param config What to deploy.
    /// @param deployer Account that sends the transactions.
    /// @return deployment Addresses of what was deployed.
    function deploy(DeployConfig memory config, address deployer) public returns (Deployment memory deployment) {
        if (block.chainid != config.chainId) revert WrongChain(block.chainid, config.chainId);
        _refuseDevelopmentFields(config);
        if (config.governedByTimelock) ConfiguredAccounts.requireNamedPlainAccounts(config);
        // The transactions are mined in later blocks than the one that the simulation runs on.
        deployment.startBlock = vm.getBlockNumber();

        vm.startBroadcast(deployer);
        if (config.governedByTimelock) {
            deployment.timelock = _deployTimelock(config, deployer);
            _governBy(config, deployment.timelock);
        }
        _deployCoreSwap(config, deployment, deployer);
        _deployTreasury(config, deployment, deployer);
        _deployRwas(config, deployment);
        _deployStablecoins(config, deployment, deployer);
        _deployTreasuryDelegate(config, deployment, deployer);
        for (uint256 i; i < LiquidityProviders.count(config); ++i) {
            _openDelegate(config, deployment, LiquidityProviders.at(config, deployment, i), deployer);
        }
        _handOverTreasury(config, deployment, deployer);
        _handOverCoreSwap(config, deployment.coreSwap, deployer);
        vm.stopBroadcast();

        if (config.broadcastPartySteps) _broadcastPartySteps(config, deployment);
        else _printPartySteps(config, deployment);
        _verify(config, deployment, deployer);
        console.log("Verified %s on chain %s", config.network, config.chainId);
    }

    /// @dev Reads the configuration of a deployment on the current chain.
    function _configuration() private view returns (DeployConfig memory config) {
        config = DeployConfigReader.read(vm.envString("DEPLOY_CONFIG"));
        if (block.chainid != config.chainId) revert WrongChain(block.chainid, config.chainId);
    }

    function _verifyCodeOf(DeployConfig memory config, Deployment memory deployment) private {
        if (config.governedByTimelock) _governBy(config, deployment.timelock);
        _verifyCode(config, deployment);
        console.log("Verified the code of %s on chain %s", config.network, config.chainId);
    }

    /// @dev Asks the node for its version only when it matters, because not every provider answers.
    function _refuseDevelopmentFields(DeployConfig memory config) private {
        (string memory key, string memory value, string memory expected) = DevelopmentFields.first(config);
        if (bytes(key).length == 0) return;
        string memory node = _nodeVersion();
        if (vm.indexOf(node, "anvil/") == 0) return;
        expected = string.concat(expected, ", unless the node is anvil (it is ", node, ")");
        revert JsonConfig.InvalidValue(key, value, expected);
    }

    /// @dev The deployer administers the timelock until it has granted the roles. From then on, the timelock administers
    /// itself. Its constructor is given no proposers, because it would let them cancel, too: a stolen proposer could then
    /// cancel its own removal.
    function _deployTimelock(DeployConfig memory config, address deployer)
        private
        returns (TimelockController timelock)
    {
        address[] memory none = new address[](0);
        timelock = new TimelockController(config.timelock.delaySeconds, none, none, deployer);
        _addProposer(timelock, config.timelock.proposer);
        if (config.timelock.recovery != address(0)) _addProposer(timelock, config.timelock.recovery);
        timelock.grantRole(timelock.CANCELLER_ROLE(), config.roles.guardian);
        timelock.renounceRole(timelock.DEFAULT_ADMIN_ROLE(), deployer);
    }

    function _addProposer(TimelockController timelock, address proposer) private {
        timelock.grantRole(timelock.PROPOSER_ROLE(), proposer);
        timelock.grantRole(timelock.EXECUTOR_ROLE(), proposer);
    }

    function _deployCoreSwap(DeployConfig memory config, Deployment memory deployment, address deployer) private {
        deployment.coreSwapImplementation = address(new CoreSwap());
        bytes memory initialization = abi.encodeCall(CoreSwap.initialize, (deployer, deployer, config.roles.vault));
        CoreSwap coreSwap = CoreSwap(_proxy(deployment.coreSwapImplementation, initialization));
        coreSwap.setMaxSwapLegs(config.maxSwapLegs);
        coreSwap.setSpreadProtocolTakeRate(config.spreadProtocolTakeRateWad);
        deployment.coreSwap = coreSwap;
    }

    function _deployTreasury(DeployConfig memory config, Deployment memory deployment, address deployer) private {
        deployment.treasuryImplementation = address(new Treasury());
        bytes memory initialization = abi.encodeCall(
            Treasury.initialize, (config.treasury.lp.asset.name, config.treasury.lp.asset.symbol, deployer)
        );
        deployment.treasury = Treasury(_proxy(deployment.treasuryImplementation, initialization));
    }

    function _deployRwas(DeployConfig memory config, Deployment memory deployment) private {
        deployment.rwaTokens = new address[](config.rwas.length);
        deployment.navAdapters = new NavPriceAdapter[](config.rwas.length);
        for (uint256 i; i < config.rwas.length; ++i) {
            RwaConfig memory rwa = config.rwas[i];
            address token = _tokenOf(rwa.asset);
            NavPriceAdapter adapter = new NavPriceAdapter(
                config.roles.admin,
                rwa.navPoster,
                rwa.navWad,
                rwa.maxMovePerPostWad,
                rwa.maxMovePerDayWad,
                rwa.maxAgeSeconds
            );
            deployment.coreSwap.setRWAAcceptance(rwa.asset.id, address(0), token, true);
            deployment.coreSwap.setRwaPriceAdapter(rwa.asset.id, address(adapter));
            deployment.rwaTokens[i] = token;
            deployment.navAdapters[i] = adapter;
        }
    }

    function _deployStablecoins(DeployConfig memory config, Deployment memory deployment, address deployer) private {
        CoreSwap coreSwap = deployment.coreSwap;
        deployment.delegateImplementation = address(new BalanceSheetDelegate());
        deployment.stablecoinTokens = new address[](config.stablecoins.length);
        deployment.delegates = new BalanceSheetDelegate[](config.stablecoins.length);
        for (uint256 i; i < config.stablecoins.length; ++i) {
            StablecoinConfig memory stablecoin = config.stablecoins[i];
            bytes32 id = stablecoin.asset.id;
            address token = _tokenOf(stablecoin.asset);
            bytes memory initialization = abi.encodeCall(
                BalanceSheetDelegate.initialize, (deployer, stablecoin.issuerAdmin, address(coreSwap), id, token)
            );
            address delegate = _proxy(deployment.delegateImplementation, initialization);

            _registerStablecoin(coreSwap, stablecoin, delegate, token, false);
            deployment.stablecoinTokens[i] = token;
            deployment.delegates[i] = BalanceSheetDelegate(delegate);
        }
    }

    function _deployTreasuryDelegate(DeployConfig memory config, Deployment memory deployment, address deployer)
        private
    {
        TreasuryConfig memory treasury = config.treasury;
        // Forge deploys the library before the first transaction of the run, and links it.
        deployment.treasuryDelegateLibrary = address(TreasuryDelegateLibrary);
        deployment.treasuryDelegateImplementation = address(new TreasuryDelegate());
        bytes memory initialization = abi.encodeCall(
            TreasuryDelegate.initialize,
            (
                deployer,
                treasury.lp.issuerAdmin,
                address(deployment.coreSwap),
                treasury.lp.asset.id,
                address(deployment.treasury),
                treasury.initialRateWad,
                treasury.managementFeeWad,
                treasury.ratePoster
            )
        );
        address delegate = _proxy(deployment.treasuryDelegateImplementation, initialization);
        _registerStablecoin(deployment.coreSwap, treasury.lp, delegate, address(deployment.treasury), true);
        deployment.treasuryDelegate = TreasuryDelegate(delegate);
    }

    /// @dev Lists the custody accounts and sets the intake caps of a delegate, then hands its roles over.
    function _openDelegate(DeployConfig memory config, Deployment memory deployment, Lp memory lp, address deployer)
        private
    {
        StablecoinConfig memory terms = lp.terms;
        StablecoinDelegate delegate = lp.delegate;
        if (terms.rwaCustody != address(0)) {
            delegate.setCustodyListing(terms.rwaCustody, true, terms.rwaCustody == terms.stablecoinCustody);
        }
        if (terms.stablecoinCustody != address(0) && terms.stablecoinCustody != terms.rwaCustody) {
            delegate.setCustodyListing(terms.stablecoinCustody, false, true);
        }
        for (uint256 i; i < terms.rwas.length; ++i) {
            delegate.setIntakeCap(deployment.rwaTokens[terms.rwas[i].index], terms.rwas[i].intakeCap);
        }
        for (uint256 i; i < terms.stablecoins.length; ++i) {
            delegate.setIntakeCap(
                deployment.stablecoinTokens[terms.stablecoins[i].index], terms.stablecoins[i].intakeCap
            );
        }
        // The own stablecoin has no cap until one is set.
        if (LiquidityProviders.hasOwnIntakeCap(lp) && terms.intakeCap != type(uint96).max) {
            delegate.setIntakeCap(lp.token, terms.intakeCap);
        }
        if (lp.yieldBearing) {
            bytes32 operatorRole = deployment.treasuryDelegate.OPERATOR_ROLE();
            _handOver(delegate, operatorRole, deployer, config.treasury.delegateOperator);
        }
        _handOver(delegate, delegate.PAUSE_ROLE(), deployer, config.roles.guardian);
        _handOver(delegate, delegate.DEFAULT_ADMIN_ROLE(), deployer, config.roles.admin);
    }

    function _registerStablecoin(
        CoreSwap coreSwap,
        StablecoinConfig memory stablecoin,
        address delegate,
        address token,
        bool yieldBearing
    ) private {
        bytes32 id = stablecoin.asset.id;
        coreSwap.setStablecoinAcceptance(id, delegate, token, true, yieldBearing);
        coreSwap.setStablecoinUSDValue(id, stablecoin.usdValueWad);
        coreSwap.setIssuerPaidProtocolFeeRate(id, stablecoin.issuerPaidProtocolFeeRateWad);
        if (stablecoin.protocolFeeExempt) coreSwap.setProtocolFeeExempt(id, true);
        if (stablecoin.guardrail.priceAdapter != address(0)) {
            coreSwap.configureStablecoinGuardrail(
                id, stablecoin.guardrail.priceAdapter, stablecoin.guardrail.bandWad, stablecoin.guardrail.enabled
            );
        }
    }

    /// @dev Only the delegate may mint. Accounts that receive minted tokens without swapping themselves go on the
    /// whitelist.
    function _handOverTreasury(DeployConfig memory config, Deployment memory deployment, address deployer) private {
        Treasury treasury = deployment.treasury;
        treasury.grantRole(treasury.MINTER_ROLE(), address(deployment.treasuryDelegate));
        treasury.grantRole(treasury.PAUSER_ROLE(), config.treasury.pauser);
        treasury.grantRole(treasury.BLACKLISTER_ROLE(), config.treasury.blacklister);
        treasury.grantRole(treasury.WHITELISTER_ROLE(), deployer);
        address[] memory recipients = _treasuryRecipients(config, deployment);
        for (uint256 i; i < recipients.length; ++i) {
            treasury.addToWhitelist(recipients[i]);
        }
        _handOver(treasury, treasury.WHITELISTER_ROLE(), deployer, config.treasury.whitelister);
        _handOver(treasury, treasury.OPERATOR_ROLE(), deployer, config.treasury.operator);
        _handOver(treasury, treasury.DEFAULT_ADMIN_ROLE(), deployer, config.treasury.admin);
    }

    function _handOverCoreSwap(DeployConfig memory config, CoreSwap coreSwap, address deployer) private {
        coreSwap.grantRole(coreSwap.BLACKLISTER_ROLE(), config.roles.blacklister);
        coreSwap.grantRole(coreSwap.EXTERNAL_PAUSER_ROLE(), config.roles.externalPauser);
        _handOver(coreSwap, coreSwap.OPERATOR_ROLE(), deployer, config.roles.operator);
        _handOver(coreSwap, coreSwap.DEFAULT_ADMIN_ROLE(), deployer, config.roles.admin);
    }

    /// @dev The successor receives the role before the deployer gives it up.
    function _handOver(IAccessControl target, bytes32 role, address deployer, address successor) private {
        if (successor == deployer) return;
        target.grantRole(role, successor);
        target.renounceRole(role, deployer);
    }

    /// @dev Deploys and initializes in one transaction, so that nobody else can initialize the proxy.
    function _proxy(address implementation, bytes memory initialization) private returns (address) {
        return address(new ERC1967Proxy(implementation, initialization));
    }

    function _deploymentsDirectory() private view returns (string memory) {
        return vm.envOr("DEPLOYMENTS_DIR", string("deployments"));
    }

    /// @dev The reader allows an asset without a token only when test tokens are to be deployed.
    function _tokenOf(AssetConfig memory asset) private returns (address) {
        if (asset.token != address(0)) return asset.token;
        return address(new TestToken(asset.name, asset.symbol, asset.decimals));
    }
}
