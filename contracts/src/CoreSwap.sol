// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapAuthorization} from "./components/CoreSwapAuthorization.sol";
import {CoreSwapFees} from "./components/CoreSwapFees.sol";
import {CoreSwapQuoting} from "./components/CoreSwapQuoting.sol";
import {CoreSwapRegistry} from "./components/CoreSwapRegistry.sol";
import {ICoreSwap} from "./interfaces/ICoreSwap.sol";
import {IRWARiskDelegate} from "./interfaces/IRWARiskDelegate.sol";
import {IRWAWhitelistAdapter} from "./interfaces/IRWAWhitelistAdapter.sol";
import {IStablecoinDelegate} from "./interfaces/IStablecoinDelegate.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title CoreSwap
/// @notice Swaps of tokenized real-world assets (RWAs) against stablecoins at NAV, settled by liquidity providers.
/// @dev
/// What it is. A leg changes one asset for another at the RWA's posted price and the stablecoin's USD value, less fees.
/// CoreSwap resolves and authorises legs; it holds and moves no tokens and has no approvals. The delegate of one
/// stablecoin `c`, run by that stablecoin's LP, settles: it takes the asset in from the user, who approved the
/// *delegate*, and pays the asset out of the LP's custody.
///
/// A swap is its quote, the bound, the checks on the parties, the settlement and one event. {quoteSwap} returns exactly
/// what {swap} does in the same state. Legs run in the order given and see what earlier legs left; one that fails
/// reverts all.
///
/// Fees, in units of `c`: an issuer-paid protocol fee on the gross value first, then the LP's rates on what remains,
/// of which the protocol takes its part. `gross = net + issuerFee + spreadFee + lpFee`, exactly; every rounding is
/// against the taker. The protocol's fees go to the vault, the LP's stays in its custody.
///
/// Roles.
/// - `DEFAULT_ADMIN_ROLE`: upgrades and roles. Trusted with everything an upgrade can do.
/// - `OPERATOR_ROLE`: assets, adapters, USD values, guardrails, protocol rates, vault, leg limit, pause and unpause.
///   It sets prices by choosing their sources, so it can make a swap bad for one side; bounds and signatures limit that
///   to what the user agreed to. It cannot move what a user approved without that user's swap.
/// - `BLACKLISTER_ROLE`: bars accounts. `EXTERNAL_PAUSER_ROLE`: pauses only.
/// - The delegate of a stablecoin: its LP's own rates.
///
/// Assumptions.
/// - Price adapters revert rather than return a stale price, and are not manipulable within a transaction.
/// - Delegates move exactly what they are told. A delegate serves the one stablecoin it is registered for; a faulty one
///   can harm the users who approved it and its own LP.
/// - Tokens have fixed decimals of at most 18 and move exactly the amount transferred; delegates refuse what does not
///   arrive in full. Tokens that change balances by themselves concern the custody that holds them, not CoreSwap.
///
/// Not checked. NAV posts can be sandwiched when an LP's rates are below the move of a post. A USD value is what the
/// operator says, unless its guardrail is on. Prices of the two sides of a leg may be of different times.
///
/// Liveness. The pause, an unaccepted asset, a price adapter that reverts, a guardrail or an empty custody stop the legs
/// concerned. Nothing is ever owed by CoreSwap, so a stop strands no tokens. Allowances and nonces work while paused.
contract CoreSwap is CoreSwapRegistry, CoreSwapFees, CoreSwapQuoting, CoreSwapAuthorization, ReentrancyGuardTransient {
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

    /// @notice Locks the implementation; only proxies are initialised.
    constructor() {
        _disableInitializers();
    }

    /// @inheritdoc ICoreSwap
    function initialize(address admin, address operator, address vault) external initializer {
        _initializeAccess(admin, operator, vault);
    }

    /// @inheritdoc ICoreSwap
    function swap(address user, address receiver, SwapInputs[] calldata inputs, ApprovalPermit calldata permit)
        external
        whenNotPaused
        nonReentrant
    {
        if (inputs.length == 0 || inputs.length > _coreSwapStorage().maxSwapLegs) revert InvalidLegCount();
        _checkParties(user, receiver);
        Parties memory parties = Parties({
            user: user,
            receiver: receiver,
            operator: msg.sender,
            spendsAllowance: _authorize(user, receiver, inputs, permit)
        });
        for (uint256 i = 0; i < inputs.length; ++i) {
            _swapLeg(parties, inputs[i]);
        }
    }

    /// @notice Resolves, checks, settles and reports one leg.
    /// @param parties Who takes part.
    /// @param inputs The leg asked for.
    function _swapLeg(Parties memory parties, SwapInputs memory inputs) private {
        Leg memory leg = _resolveLeg(parties.user, inputs);
        if (leg.exactIn && leg.amounts.tokenOutAmt < inputs.assetOutAmt) _revertOutput(leg);
        if (!leg.exactIn && leg.amounts.tokenInAmt > inputs.assetInAmt) _revertInput(leg);
        _checkRWAControls(parties, leg);
        if (parties.spendsAllowance) {
            _spendSwapInputAllowance(parties.user, parties.operator, inputs.assetInID, leg.amounts.tokenInAmt);
        }
        _settle(parties, leg);
        _emitSwap(parties, inputs, leg.amounts);
    }

    /// @notice Asks the whitelist adapters, then the risk delegates, of the RWAs of a leg.
    /// @param parties Who takes part: the user hands an RWA in, the receiver gets one.
    /// @param leg The leg, resolved.
    function _checkRWAControls(Parties memory parties, Leg memory leg) private {
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
    function _settle(Parties memory parties, Leg memory leg) private {
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
        if (leg.assetOut.isRWA) {
            bool paid = leg.assetIn.isRWA ? delegate.exchangeRWAs(params) : delegate.receiveStablecoin(params);
            if (!paid) revert FailedToDeployRWA();
        } else {
            bool paid = leg.assetIn.isRWA ? delegate.deployStablecoin(params) : delegate.exchangeStablecoins(params);
            if (!paid) revert FailedToDeployStablecoin();
        }
    }

    /// @notice Emits the event of a leg.
    /// @param parties Who took part.
    /// @param inputs The leg asked for.
    /// @param amounts Realised amounts.
    function _emitSwap(Parties memory parties, SwapInputs memory inputs, SwapResolved memory amounts) private {
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

    /// @notice Refuses zero addresses, CoreSwap as receiver, and blacklisted users, receivers and callers.
    /// @param user Account that pays.
    /// @param receiver Account that receives.
    function _checkParties(address user, address receiver) private view {
        if (user == address(0)) revert InvalidSwapAddress(user);
        if (receiver == address(0) || receiver == address(this)) revert InvalidSwapAddress(receiver);
        _checkNotBlacklisted(user);
        if (receiver != user) _checkNotBlacklisted(receiver);
        if (msg.sender != user) _checkNotBlacklisted(msg.sender);
    }

    /// @notice Refuses a blacklisted account.
    /// @param account The account.
    function _checkNotBlacklisted(address account) private view {
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
