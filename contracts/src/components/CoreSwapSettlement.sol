// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRWARiskDelegate} from "../interfaces/IRWARiskDelegate.sol";
import {IRWAWhitelistAdapter} from "../interfaces/IRWAWhitelistAdapter.sol";
import {IStablecoinDelegate} from "../interfaces/IStablecoinDelegate.sol";
import {CoreSwapAuthorization} from "./CoreSwapAuthorization.sol";
import {CoreSwapQuoting} from "./CoreSwapQuoting.sol";

/// @title CoreSwapSettlement
/// @notice From a resolved leg to tokens moved: the controls on the parties, the delegate's settlement, the event.
abstract contract CoreSwapSettlement is CoreSwapQuoting, CoreSwapAuthorization {
    /// @notice Who takes part in a leg.
    /// @param user Account that pays.
    /// @param receiver Account that receives.
    /// @param operator Account that called.
    /// @param spendsAllowance True when the operator acts on a standing input allowance.
    struct Parties {
        address user;
        address receiver;
        address operator;
        bool spendsAllowance;
    }

    /// @notice Asks the whitelist adapters, then the risk delegates, of the RWAs of a leg.
    /// @param parties Who takes part: the user hands an RWA in, the receiver gets one.
    /// @param leg The leg, resolved.
    function _checkRWAControls(Parties memory parties, Leg memory leg) internal {
        _checkWhitelist(leg.assetIn, parties.user);
        _checkWhitelist(leg.assetOut, parties.receiver);
        CoreSwapState storage $ = _coreSwapStorage();
        bool valid = true;
        if (leg.assetIn.isRWA && _rwa(leg.assetIn.id).hasRiskDelegate) {
            valid = IRWARiskDelegate($.riskDelegates[leg.assetIn.id]).checkRWAIn(parties.user, leg.amounts.tokenInAmt);
        }
        if (valid && leg.assetOut.isRWA && _rwa(leg.assetOut.id).hasRiskDelegate) {
            valid = IRWARiskDelegate($.riskDelegates[leg.assetOut.id])
                .checkRWAOut(parties.receiver, leg.amounts.tokenOutAmt);
        }
        if (!valid) revert RWAValidityCheckFailed();
    }

    /// @notice Hands a leg to the delegate of its settling stablecoin.
    /// @param parties Who takes part.
    /// @param leg The leg, resolved.
    function _settle(Parties memory parties, Leg memory leg) internal {
        IStablecoinDelegate.DelegateParams memory params = IStablecoinDelegate.DelegateParams({
            user: parties.user,
            receiver: parties.receiver,
            vault: _coreSwapStorage().vault,
            // Both are parts of a gross amount that fits 256 bits.
            protocolFeeAmt: leg.amounts.issuerFeeAmt + leg.amounts.spreadFeeAmt,
            lpFeeAmt: leg.amounts.lpFeeAmt,
            assetInAddress: leg.assetIn.token,
            assetInAmount: leg.amounts.tokenInAmt,
            assetOutAddress: leg.assetOut.token,
            assetOutAmount: leg.amounts.tokenOutAmt
        });
        IStablecoinDelegate delegate = IStablecoinDelegate(leg.delegate);
        // One call site for the four settlements: each would encode the parameters in code of its own.
        function(IStablecoinDelegate.DelegateParams memory) external returns (bool) settle;
        if (leg.assetOut.isRWA) settle = leg.assetIn.isRWA ? delegate.exchangeRWAs : delegate.receiveStablecoin;
        else settle = leg.assetIn.isRWA ? delegate.deployStablecoin : delegate.exchangeStablecoins;
        if (settle(params)) return;
        if (leg.assetOut.isRWA) revert FailedToDeployRWA();
        revert FailedToDeployStablecoin();
    }

    /// @notice Emits the event of a leg.
    /// @param parties Who took part.
    /// @param inputs The leg asked for.
    /// @param amounts Realised amounts.
    function _emitSwap(Parties memory parties, SwapInputs memory inputs, SwapResolved memory amounts) internal {
        emit Swap(
            parties.user,
            inputs.assetInID,
            inputs.assetOutID,
            parties.operator,
            parties.receiver,
            inputs.routeId,
            inputs.stablecoinDelegateID,
            amounts.tokenInAmt,
            amounts.tokenOutAmt,
            amounts.issuerFeeAmt,
            amounts.spreadFeeAmt,
            amounts.lpFeeAmt
        );
    }

    /// @notice Refuses a blacklisted account.
    /// @param account The account.
    function _checkNotBlacklisted(address account) internal view {
        if (_coreSwapStorage().blacklisted[account]) revert UserBlacklisted(account);
    }

    /// @notice Refuses an account that the holder register of an RWA does not know.
    /// @param side Asset of the leg.
    /// @param account Account that hands it in or gets it.
    function _checkWhitelist(Side memory side, address account) private view {
        CoreSwapState storage $ = _coreSwapStorage();
        if (!side.isRWA || !_rwa(side.id).hasWhitelistAdapter) return;
        if (!IRWAWhitelistAdapter($.whitelistAdapters[side.id]).isWhitelisted(account)) {
            revert UserNotWhitelisted(side.id, account);
        }
    }
}
