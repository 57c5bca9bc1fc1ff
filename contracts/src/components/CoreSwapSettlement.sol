// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRWARiskDelegate} from "../interfaces/IRWARiskDelegate.sol";
import {IRWAWhitelistAdapter} from "../interfaces/IRWAWhitelistAdapter.sol";
import {IStablecoinDelegate} from "../interfaces/IStablecoinDelegate.sol";
import {CoreSwapAuthorization} from "./CoreSwapAuthorization.sol";
import {CoreSwapQuoting} from "./CoreSwapQuoting.sol";

/// @title CoreSwapSettlement
/// @notice Settles a resolved leg: checks the parties, calls the delegate, which transfers the tokens, and emits the
/// event.
abstract contract CoreSwapSettlement is CoreSwapQuoting, CoreSwapAuthorization {
    /// @notice Who takes part in a leg.
    /// @param user Account that pays.
    /// @param receiver Account that receives.
    /// @param operator Account that called.
    /// @param vault Account that receives protocol fees.
    /// @param spendsAllowance True when the operator acts on a standing input allowance.
    struct Parties {
        address user;
        address receiver;
        address operator;
        address vault;
        bool spendsAllowance;
    }

    /// @dev Asks the whitelist adapters and then the risk delegates of the RWAs of a resolved leg. The user is checked
    /// for an RWA that comes in, the receiver for one that goes out.
    function _checkRWAControls(Parties memory parties, Leg memory leg) internal {
        Side memory assetIn = leg.assetIn;
        Side memory assetOut = leg.assetOut;
        if ((assetIn.flags | assetOut.flags) & (WHITELIST_ADAPTER | RISK_DELEGATE) == 0) return;

        _checkWhitelist(assetIn, parties.user);
        _checkWhitelist(assetOut, parties.receiver);
        CoreSwapState storage $ = _coreSwapStorage();
        bool valid = true;
        if (assetIn.flags & RISK_DELEGATE != 0) {
            valid = IRWARiskDelegate($.riskDelegates[assetIn.id]).checkRWAIn(parties.user, leg.amountIn);
        }
        if (valid && assetOut.flags & RISK_DELEGATE != 0) {
            valid = IRWARiskDelegate($.riskDelegates[assetOut.id]).checkRWAOut(parties.receiver, leg.amountOut);
        }
        if (!valid) revert RWAValidityCheckFailed();
    }

    /// @dev Hands a resolved leg to the delegate of its settling stablecoin.
    function _settle(Parties memory parties, Leg memory leg) internal {
        IStablecoinDelegate.DelegateParams memory params = IStablecoinDelegate.DelegateParams({
            user: parties.user,
            receiver: parties.receiver,
            vault: parties.vault,
            protocolFeeAmt: leg.issuerFee + leg.spreadFee,
            lpFeeAmt: leg.lpFee,
            assetInAddress: leg.assetIn.token,
            assetInAmount: leg.amountIn,
            assetOutAddress: leg.assetOut.token,
            assetOutAmount: leg.amountOut
        });
        IStablecoinDelegate delegate = IStablecoinDelegate(leg.settlement.provider);
        // The four settlements share one call site because each separate call would repeat the code that encodes the
        // parameters.
        function(IStablecoinDelegate.DelegateParams memory) external returns (bool) settle;
        if (leg.assetOut.isRWA) settle = leg.assetIn.isRWA ? delegate.exchangeRWAs : delegate.receiveStablecoin;
        else settle = leg.assetIn.isRWA ? delegate.deployStablecoin : delegate.exchangeStablecoins;
        if (settle(params)) return;
        if (leg.assetOut.isRWA) revert FailedToDeployRWA();
        revert FailedToDeployStablecoin();
    }

    /// @dev Emits the event of a leg.
    function _emitSwap(Parties memory parties, Leg memory leg) internal {
        emit Swap(
            parties.user,
            leg.assetIn.id,
            leg.assetOut.id,
            parties.operator,
            parties.receiver,
            leg.routeId,
            leg.settlement.id,
            leg.amountIn,
            leg.amountOut,
            leg.issuerFee,
            leg.spreadFee,
            leg.lpFee
        );
    }

    /// @dev Refuses a blacklisted account.
    function _checkNotBlacklisted(address account) internal view {
        if (_coreSwapStorage().blacklisted[account]) revert UserBlacklisted(account);
    }

    /// @dev Refuses an account that the holder register of an RWA does not list.
    function _checkWhitelist(Side memory side, address account) private view {
        if (side.flags & WHITELIST_ADAPTER == 0) return;
        if (!IRWAWhitelistAdapter(_coreSwapStorage().whitelistAdapters[side.id]).isWhitelisted(account)) {
            revert UserNotWhitelisted(side.id, account);
        }
    }
}
