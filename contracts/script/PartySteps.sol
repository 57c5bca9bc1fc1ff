// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalanceSheetDelegate} from "../src/BalanceSheetDelegate.sol";
import {DeployConfig, RwaRatesConfig, StablecoinConfig, StablecoinRatesConfig} from "./DeployConfig.sol";
import {Deployment} from "./Deployment.sol";
import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Script} from "forge-std/Script.sol";
import {console} from "forge-std/console.sol";

/// @title PartySteps
/// @notice What a deployment needs of others than the deployer: the consent and approvals of custody accounts, and the
/// settings that belong to each LP. Sent when the run holds their keys, else printed for them to do.
abstract contract PartySteps is Script {
    using SafeERC20 for IERC20;

    /// @dev Sends every step from the account it belongs to.
    function _broadcastPartySteps(DeployConfig memory config, Deployment memory deployment) internal {
        for (uint256 i; i < config.stablecoins.length; ++i) {
            StablecoinConfig memory stablecoin = config.stablecoins[i];
            _openCustody(stablecoin, deployment, i);

            vm.startBroadcast(stablecoin.issuerAdmin);
            _configureLp(config, deployment, stablecoin, deployment.delegates[i]);
            vm.stopBroadcast();
        }
    }

    /// @dev Custody accounts agree to serve, and approve the delegate for what it pays out of them.
    function _openCustody(StablecoinConfig memory stablecoin, Deployment memory deployment, uint256 index) private {
        BalanceSheetDelegate delegate = deployment.delegates[index];
        if (stablecoin.rwaCustody != address(0)) {
            vm.startBroadcast(stablecoin.rwaCustody);
            delegate.acceptCustody();
            for (uint256 i; i < stablecoin.rwas.length; ++i) {
                IERC20(deployment.rwaTokens[stablecoin.rwas[i].index])
                    .forceApprove(address(delegate), type(uint256).max);
            }
            vm.stopBroadcast();
        }
        if (stablecoin.stablecoinCustody != address(0)) {
            vm.startBroadcast(stablecoin.stablecoinCustody);
            if (stablecoin.stablecoinCustody != stablecoin.rwaCustody) delegate.acceptCustody();
            IERC20(deployment.stablecoinTokens[index]).forceApprove(address(delegate), type(uint256).max);
            for (uint256 i; i < stablecoin.stablecoins.length; ++i) {
                address token = deployment.stablecoinTokens[stablecoin.stablecoins[i].index];
                IERC20(token).forceApprove(address(delegate), type(uint256).max);
            }
            vm.stopBroadcast();
        }
    }

    /// @dev The issuer admin names the custody accounts, lists the assets it deals in and sets its rates.
    function _configureLp(
        DeployConfig memory config,
        Deployment memory deployment,
        StablecoinConfig memory stablecoin,
        BalanceSheetDelegate delegate
    ) private {
        delegate.setRWACustodyAddress(_custody(stablecoin.rwaCustody, delegate));
        delegate.setStablecoinCustodyAddress(_custody(stablecoin.stablecoinCustody, delegate));
        for (uint256 i; i < stablecoin.rwas.length; ++i) {
            RwaRatesConfig memory rates = stablecoin.rwas[i];
            delegate.whitelistRWA(deployment.rwaTokens[rates.index], true);
            delegate.setRWADiscountRate(config.rwas[rates.index].asset.id, rates.discountRateWad);
            delegate.setRWARedemptionFee(config.rwas[rates.index].asset.id, rates.redemptionFeeWad);
        }
        for (uint256 i; i < stablecoin.stablecoins.length; ++i) {
            StablecoinRatesConfig memory rates = stablecoin.stablecoins[i];
            address token = deployment.stablecoinTokens[rates.index];
            delegate.whitelistStablecoin(token, true);
            delegate.setStablecoinAcceptanceFee(token, rates.acceptanceFeeWad);
            delegate.setStablecoinRedemptionFee(token, rates.redemptionFeeWad);
        }
    }

    /// @dev The custody account of a configuration, where zero stands for the delegate itself.
    function _custody(address configured, BalanceSheetDelegate delegate) internal pure returns (address) {
        return configured == address(0) ? address(delegate) : configured;
    }

    /// @dev Tells each party what is left to it, custody first: the issuer admin's call needs the custody's consent.
    function _printPartySteps(DeployConfig memory config, Deployment memory deployment) internal pure {
        console.log("Next steps, by the parties themselves:");
        for (uint256 i; i < config.stablecoins.length; ++i) {
            StablecoinConfig memory stablecoin = config.stablecoins[i];
            console.log("%s, delegate %s", stablecoin.asset.symbol, address(deployment.delegates[i]));
            if (stablecoin.rwaCustody != address(0)) {
                console.log("  %s: acceptCustody(), approve the delegate for each RWA", stablecoin.rwaCustody);
            }
            if (stablecoin.stablecoinCustody != address(0)) {
                console.log(
                    "  %s: acceptCustody(), approve the delegate for each stablecoin", stablecoin.stablecoinCustody
                );
            }
            console.log("  %s: custody addresses, whitelists and rates", stablecoin.issuerAdmin);
        }
    }
}
