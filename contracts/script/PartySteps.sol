// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployConfig, RwaRatesConfig, StablecoinConfig, StablecoinRatesConfig} from "./DeployConfig.sol";
import {Deployment, LiquidityProviders, Lp} from "./Deployment.sol";
import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Script} from "forge-std/Script.sol";
import {console} from "forge-std/console.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {StablecoinDelegate} from "src/StablecoinDelegate.sol";

/// @title PartySteps
/// @notice The steps of accounts other than the deployer: the consent and approvals of custody accounts, and the
/// settings of each LP. They are sent if the node holds the keys of these accounts, and otherwise printed.
abstract contract PartySteps is Script {
    using SafeERC20 for IERC20;

    /// @dev Sends every step from the account that must take it.
    function _broadcastPartySteps(DeployConfig memory config, Deployment memory deployment) internal {
        for (uint256 i; i < LiquidityProviders.count(config); ++i) {
            Lp memory lp = LiquidityProviders.at(config, deployment, i);
            _openCustody(lp, deployment);
            if (lp.terms.autoLiquidity) _openReserve(config, deployment, lp);

            vm.startBroadcast(lp.terms.issuerAdmin);
            _configureLp(config, deployment, lp.terms, lp.delegate);
            vm.stopBroadcast();
        }
    }

    /// @dev Custody accounts agree to serve, and approve the delegate for the tokens that it pays out of their
    /// balances.
    function _openCustody(Lp memory lp, Deployment memory deployment) private {
        StablecoinConfig memory terms = lp.terms;
        if (terms.rwaCustody != address(0)) {
            vm.startBroadcast(terms.rwaCustody);
            lp.delegate.acceptCustody();
            for (uint256 i; i < terms.rwas.length; ++i) {
                IERC20 rwa = IERC20(deployment.rwaTokens[terms.rwas[i].index]);
                rwa.forceApprove(address(lp.delegate), _rwaApproval(lp, i));
            }
            vm.stopBroadcast();
        }
        if (terms.stablecoinCustody != address(0)) {
            vm.startBroadcast(terms.stablecoinCustody);
            if (terms.stablecoinCustody != terms.rwaCustody) lp.delegate.acceptCustody();
            _approve(lp.delegate, lp.token);
            for (uint256 i; i < terms.stablecoins.length; ++i) {
                _approve(lp.delegate, deployment.stablecoinTokens[terms.stablecoins[i].index]);
            }
            vm.stopBroadcast();
        }
    }

    /// @dev Returns what the RWA custody approves of an RWA of the LP: the intake cap, which is the loss that is
    /// acceptable in a day, if the stablecoin custody's key can buy all that is approved.
    function _rwaApproval(Lp memory lp, uint256 index) private pure returns (uint256) {
        return _hasReachableRwas(lp) ? lp.terms.rwas[index].intakeCap : type(uint256).max;
    }

    /// @dev Whether the key of the stablecoin custody can buy the RWAs that another account keeps: it pays with the LP's
    /// own stablecoin, which comes back to it. The treasury token is burned instead, and a delegate has no key.
    function _hasReachableRwas(Lp memory lp) private pure returns (bool) {
        address account = lp.terms.stablecoinCustody;
        return !lp.yieldBearing && account != address(0) && account != lp.terms.rwaCustody;
    }

    /// @dev A custody lets CoreSwap swap its stablecoin against the treasury token and back, at the treasury LP.
    function _openReserve(DeployConfig memory config, Deployment memory deployment, Lp memory lp) private {
        CoreSwap coreSwap = deployment.coreSwap;
        vm.startBroadcast(lp.terms.stablecoinCustody);
        _approve(deployment.treasuryDelegate, lp.token);
        _approve(deployment.treasuryDelegate, address(deployment.treasury));
        coreSwap.adjustSwapInputAllowance(address(coreSwap), lp.terms.asset.id, lp.terms.sweepAllowance, true);
        coreSwap.adjustSwapInputAllowance(address(coreSwap), config.treasury.lp.asset.id, type(uint256).max, true);
        vm.stopBroadcast();
    }

    function _approve(StablecoinDelegate delegate, address token) private {
        IERC20(token).forceApprove(address(delegate), type(uint256).max);
    }

    /// @dev The issuer admin names the custody accounts, lists the assets it deals in and sets its rates.
    function _configureLp(
        DeployConfig memory config,
        Deployment memory deployment,
        StablecoinConfig memory terms,
        StablecoinDelegate delegate
    ) private {
        delegate.setRWACustodyAddress(_custody(terms.rwaCustody, delegate));
        delegate.setStablecoinCustodyAddress(_custody(terms.stablecoinCustody, delegate));
        for (uint256 i; i < terms.rwas.length; ++i) {
            RwaRatesConfig memory rates = terms.rwas[i];
            delegate.whitelistRWA(deployment.rwaTokens[rates.index], true);
            delegate.setRWADiscountRate(config.rwas[rates.index].asset.id, rates.discountRateWad);
            delegate.setRWARedemptionFee(config.rwas[rates.index].asset.id, rates.redemptionFeeWad);
        }
        for (uint256 i; i < terms.stablecoins.length; ++i) {
            StablecoinRatesConfig memory rates = terms.stablecoins[i];
            address token = deployment.stablecoinTokens[rates.index];
            delegate.whitelistStablecoin(token, true);
            delegate.setStablecoinAcceptanceFee(token, rates.acceptanceFeeWad);
            delegate.setStablecoinRedemptionFee(token, rates.redemptionFeeWad);
        }
        if (terms.autoLiquidity) delegate.setAutoLiquidityStablecoinID(config.treasury.lp.asset.id);
    }

    /// @dev Returns the configured custody account, or the delegate itself when it is zero.
    function _custody(address configured, StablecoinDelegate delegate) private pure returns (address) {
        return configured == address(0) ? address(delegate) : configured;
    }

    /// @dev Returns the accounts that the treasury token's whitelist has from the start: the vault for its fees, the
    /// treasury LP's custody accounts, and those that keep their reserve in it.
    function _treasuryRecipients(DeployConfig memory config, Deployment memory deployment)
        internal
        pure
        returns (address[] memory recipients)
    {
        StablecoinDelegate delegate = deployment.treasuryDelegate;
        uint256 count = 3;
        recipients = new address[](count + config.stablecoins.length);
        recipients[0] = config.roles.vault;
        recipients[1] = _custody(config.treasury.lp.rwaCustody, delegate);
        recipients[2] = _custody(config.treasury.lp.stablecoinCustody, delegate);
        for (uint256 i; i < config.stablecoins.length; ++i) {
            if (config.stablecoins[i].autoLiquidity) recipients[count++] = config.stablecoins[i].stablecoinCustody;
        }
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            mstore(recipients, count)
        }
    }

    /// @dev Prints the remaining steps of each party, custody first: the issuer admin's call needs the custody's
    /// consent.
    function _printPartySteps(DeployConfig memory config, Deployment memory deployment) internal pure {
        console.log("Next steps, by the parties themselves:");
        for (uint256 i; i < LiquidityProviders.count(config); ++i) {
            Lp memory lp = LiquidityProviders.at(config, deployment, i);
            console.log("%s, delegate %s", lp.terms.asset.symbol, address(lp.delegate));
            if (lp.terms.rwaCustody != address(0)) {
                console.log(
                    "  %s: acceptCustody(), approve the delegate for %s of each RWA",
                    lp.terms.rwaCustody,
                    _hasReachableRwas(lp) ? "a finite amount" : "any amount"
                );
            }
            if (lp.terms.stablecoinCustody != address(0)) {
                console.log(
                    "  %s: acceptCustody(), approve the delegate for each stablecoin", lp.terms.stablecoinCustody
                );
            }
            if (lp.terms.autoLiquidity) {
                console.log("  %s: the approvals and input allowances of auto-liquidity", lp.terms.stablecoinCustody);
            }
            console.log("  %s: custody addresses, whitelists, rates, auto-liquidity", lp.terms.issuerAdmin);
        }
    }
}
