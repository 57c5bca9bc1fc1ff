// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployConfig, GuardrailConfig, StablecoinConfig} from "./DeployConfig.sol";
import {Deployment, LiquidityProviders, Lp} from "./Deployment.sol";
import {HistoryVerification} from "./HistoryVerification.sol";
import {Vm} from "forge-std/Vm.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {StablecoinDelegate} from "src/StablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// @title LpVerification
/// @notice Checks one LP: its stablecoin's record in CoreSwap, its delegate and the custody terms.
abstract contract LpVerification is HistoryVerification {
    function _verifyStablecoin(CoreSwap coreSwap, Lp memory lp) internal view {
        string memory name = string.concat(lp.terms.asset.symbol, "'s ");
        (bool accepted, bool yieldBearing, uint8 decimals, address delegate, address token) =
            coreSwap.stablecoinInfo(lp.terms.asset.id);
        _check(string.concat(name, "acceptance"), accepted, true);
        _check(string.concat(name, "yield-bearing flag"), yieldBearing, lp.yieldBearing);
        _check(string.concat(name, "decimals"), decimals, lp.terms.asset.decimals);
        _check(string.concat(name, "delegate"), delegate, address(lp.delegate));
        _check(string.concat(name, "token"), token, lp.token);
        _verifyStablecoinSettings(coreSwap, lp.terms);
    }

    function _verifyStablecoinSettings(CoreSwap coreSwap, StablecoinConfig memory stablecoin) private view {
        bytes32 id = stablecoin.asset.id;
        string memory name = string.concat(stablecoin.asset.symbol, "'s ");
        uint256 issuerPaidRate = coreSwap.issuerPaidProtocolFeeRates(id);
        _check(string.concat(name, "USD value"), coreSwap.stablecoinUSDValue(id), stablecoin.usdValueWad);
        _check(string.concat(name, "issuer-paid rate"), issuerPaidRate, stablecoin.issuerPaidProtocolFeeRateWad);
        _check(string.concat(name, "fee exemption"), coreSwap.protocolFeeExempt(id), stablecoin.protocolFeeExempt);

        GuardrailConfig memory guardrail = stablecoin.guardrail;
        _check(string.concat(name, "guardrail adapter"), coreSwap.stablecoinPriceAdapters(id), guardrail.priceAdapter);
        _check(string.concat(name, "guardrail band"), coreSwap.stablecoinGuardrailBands(id), guardrail.bandWad);
        _check(string.concat(name, "guardrail switch"), coreSwap.stablecoinGuardrailEnabled(id), guardrail.enabled);
    }

    /// @dev Issuer admins cannot be enumerated. Besides the configured one, this checks the accounts that could be one
    /// by mistake; {_verifyIssuerAdmins} checks the rest.
    function _verifyDelegate(DeployConfig memory config, Deployment memory deployment, Lp memory lp, address deployer)
        internal
        view
    {
        StablecoinDelegate delegate = lp.delegate;
        address admin = config.roles.admin;
        address issuerAdmin = lp.terms.issuerAdmin;
        string memory name = string.concat(lp.terms.asset.symbol, " delegate's ");
        _checkImplementation(string.concat(lp.terms.asset.symbol, " delegate's"), address(delegate), lp.implementation);
        _check(string.concat(name, "CoreSwap"), delegate.coreSwap(), address(deployment.coreSwap));
        _check(string.concat(name, "stablecoin ID"), delegate.stablecoinID(), lp.terms.asset.id);
        _check(string.concat(name, "stablecoin"), delegate.stablecoinAddress(), lp.token);
        _checkHolder(string.concat(name, "DEFAULT_ADMIN_ROLE"), delegate, delegate.DEFAULT_ADMIN_ROLE(), admin);
        _checkHolder(string.concat(name, "PAUSE_ROLE"), delegate, delegate.PAUSE_ROLE(), config.roles.guardian);
        bytes32 settler = delegate.CORE_SWAP_CONTRACT();
        _checkHolder(string.concat(name, "CORE_SWAP_CONTRACT"), delegate, settler, address(deployment.coreSwap));
        _check(string.concat(name, "issuer admin"), delegate.issuerAdmins(issuerAdmin), true);
        _check(
            string.concat(name, "issuer admin is the deployer"),
            delegate.issuerAdmins(deployer),
            deployer == issuerAdmin
        );
        _check(string.concat(name, "issuer admin is the admin"), delegate.issuerAdmins(admin), admin == issuerAdmin);
        _check(string.concat(name, "pause"), delegate.paused(), false);
        // If the delegate is blacklisted, Treasury refuses it as the spender of the tokens that users redeem.
        bool isBarred = deployment.treasury.blacklisted(address(delegate));
        _check(string.concat(name, "blacklisting by Treasury"), isBarred, false);
        _check(string.concat(name, "RWA cold storage"), delegate.getRWAColdStorageAddresses().length, 0);
        _check(string.concat(name, "stablecoin cold storage"), delegate.getStablecoinColdStorageAddresses().length, 0);
    }

    /// @dev Checks the deployer's settings: the listing of each custody account and the cap of every asset that the LP
    /// deals in, and of its own stablecoin if that counts.
    function _verifyCustodyTerms(Deployment memory deployment, Lp memory lp) internal view {
        StablecoinConfig memory terms = lp.terms;
        StablecoinDelegate delegate = lp.delegate;
        string memory name = string.concat(terms.asset.symbol, " delegate's ");
        address[2] memory accounts = [terms.rwaCustody, terms.stablecoinCustody];
        for (uint256 i; i < accounts.length; ++i) {
            if (accounts[i] == address(0)) continue;
            (bool rwa, bool stablecoin) = delegate.custodyListing(accounts[i]);
            _check(string.concat(name, "RWA custody listing"), rwa, accounts[i] == terms.rwaCustody);
            _check(
                string.concat(name, "stablecoin custody listing"), stablecoin, accounts[i] == terms.stablecoinCustody
            );
        }
        for (uint256 i; i < terms.rwas.length; ++i) {
            _verifyIntakeCap(lp, deployment.rwaTokens[terms.rwas[i].index], terms.rwas[i].intakeCap);
        }
        for (uint256 i; i < terms.stablecoins.length; ++i) {
            address token = deployment.stablecoinTokens[terms.stablecoins[i].index];
            _verifyIntakeCap(lp, token, terms.stablecoins[i].intakeCap);
        }
        if (LiquidityProviders.hasOwnIntakeCap(lp)) _verifyIntakeCap(lp, lp.token, terms.intakeCap);
    }

    function _verifyIntakeCap(Lp memory lp, address token, uint256 expected) private view {
        (uint256 cap,) = lp.delegate.intakeCap(token);
        _check(string.concat(lp.terms.asset.symbol, " delegate's intake cap of ", vm.toString(token)), cap, expected);
    }

    /// @dev Issuer admins cannot be enumerated, but each addition emitted an event: of those accounts, only the
    /// configured one may still be one.
    function _verifyIssuerAdmins(DeployConfig memory config, Deployment memory deployment) internal {
        for (uint256 i; i < LiquidityProviders.count(config); ++i) {
            Lp memory lp = LiquidityProviders.at(config, deployment, i);
            bytes32 added = IStablecoinDelegateAdmin.IssuerAdminAdded.selector;
            string memory name = string.concat(lp.terms.asset.symbol, " delegate");
            Vm.EthGetLogs[] memory logs = _eventsOf(name, address(lp.delegate), added, deployment.startBlock);
            for (uint256 j; j < logs.length; ++j) {
                address account = address(uint160(uint256(logs[j].topics[1])));
                if (account == lp.terms.issuerAdmin) continue;
                string memory what = string.concat(name, "'s issuer admin is ", vm.toString(account));
                _check(what, lp.delegate.issuerAdmins(account), false);
            }
        }
    }
}
