// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapAutoLiquidity} from "./components/CoreSwapAutoLiquidity.sol";
import {CoreSwapRegistry} from "./components/CoreSwapRegistry.sol";
import {ICoreSwap} from "./interfaces/ICoreSwap.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title CoreSwap
/// @notice Swaps of tokenized real-world assets (RWAs) against stablecoins at NAV, settled by liquidity providers.
/// @dev
/// What it is. A leg exchanges one asset for another at the RWA's posted price and the stablecoin's USD value, less
/// fees. CoreSwap resolves and authorizes legs; it neither holds nor moves tokens and has no approvals. The delegate of
/// one stablecoin `c`, run by that stablecoin's LP, settles: it takes the asset in from the user, who approved the
/// *delegate*, and pays the asset out of the LP's custody.
///
/// Each leg goes through its quote, its bound, the checks on the parties, the settlement and one event. {quoteSwap}
/// returns exactly the amounts that {swap} would settle in the same state. Legs run in the order given, each on the
/// state that earlier legs left; if one fails, the whole swap reverts.
///
/// Fees, in units of `c`: first an issuer-paid protocol fee on the gross value, then the LP's rates on the remainder,
/// of which the protocol takes its part. `gross = net + issuerFee + spreadFee + lpFee` holds exactly; all rounding is
/// against the taker. The protocol's fees go to the vault; the LP's fee stays in its custody.
///
/// Derived legs. The custody of a plain stablecoin may keep its reserve in a yield-bearing one
/// ({CoreSwapAutoLiquidity}). A shortfall is redeemed before the leg, and what a leg brings in is deposited after it.
///
/// Roles.
/// - `DEFAULT_ADMIN_ROLE`: upgrades and roles. Trusted with everything an upgrade can do.
/// - `OPERATOR_ROLE`: assets, adapters, USD values, guardrails, protocol rates, vault, leg limit, pause and unpause. It
///   sets prices by choosing their sources, so it can make a swap bad for one side; bounds and signatures limit that to
///   what the user agreed to. It cannot move tokens that a user approved unless a swap of that user is authorized.
/// - `BLACKLISTER_ROLE`: bars accounts. `EXTERNAL_PAUSER_ROLE`: pauses only.
/// - The delegate of a stablecoin: its LP's own rates and reserve.
///
/// Assumptions.
/// - Price adapters revert rather than return a stale price, and cannot be manipulated within a transaction.
/// - Delegates move exactly what they are told. A delegate serves the one stablecoin it is registered for; a faulty one
///   can harm the users who approved it, its own LP, and custodies that gave CoreSwap an allowance for a reserve
///   ({CoreSwapAutoLiquidity}).
/// - Tokens have fixed decimals of at most 18 and move exactly the amount transferred; delegates refuse a transfer that
///   does not arrive in full. Tokens whose balances change by themselves affect the custody that holds them, not
///   CoreSwap.
///
/// Not checked. NAV posts can be sandwiched when an LP's rates are lower than the price move of a post. A USD value is
/// whatever the operator set, unless its guardrail is on. The prices of a leg's two sides may have been set at
/// different times.
///
/// Liveness. A pause, an unaccepted asset, a reverting price adapter, a guardrail or an empty custody stops the legs
/// concerned. CoreSwap never owes anything, so a stop strands no tokens. Allowances can be changed while paused. A
/// signature cannot be cancelled then; approve zero to the delegate instead.
contract CoreSwap is CoreSwapRegistry, CoreSwapAutoLiquidity, ReentrancyGuardTransient {
    /// @notice Locks the implementation; only proxies are initialized.
    /// @custom:oz-upgrades-unsafe-allow constructor
    constructor() {
        _disableInitializers();
    }

    /// @inheritdoc ICoreSwap
    /// @dev Does not call the initializer of the EIP-712 domain, which would store the name: here it is a constant.
    /// @custom:oz-upgrades-unsafe-allow missing-initializer-call
    function initialize(address admin, address operator, address vault) external initializer {
        _initializeAccess(admin, operator, vault);
    }

    /// @inheritdoc ICoreSwap
    function swap(address user, address receiver, SwapInputs[] calldata inputs, ApprovalPermit calldata permit)
        external
        whenNotPaused
        nonReentrant
    {
        CoreSwapState storage $ = _coreSwapStorage();
        (uint256 legLimit, address vault) = ($.maxSwapLegs, $.vault);
        if (inputs.length == 0 || inputs.length > legLimit) revert InvalidLegCount();
        _checkParties(user, receiver);
        Parties memory parties = Parties({
            user: user,
            receiver: receiver,
            operator: msg.sender,
            vault: vault,
            spendsAllowance: _authorize(user, receiver, inputs, permit)
        });
        for (uint256 i = 0; i < inputs.length; ++i) {
            _swapLeg(parties, inputs[i]);
        }
    }

    /// @dev Resolves, checks, settles and reports one leg, with the derived legs that it causes.
    function _swapLeg(Parties memory parties, SwapInputs calldata inputs) private {
        Leg memory leg;
        _resolveLeg(leg, parties.user, inputs);
        // The bound applies to one of the amounts; the other is the amount given.
        if (leg.amountIn > inputs.assetInAmt) _revertInput(leg);
        if (leg.amountOut < inputs.assetOutAmt) _revertOutput(leg);
        _checkRWAControls(parties, leg);
        if (parties.spendsAllowance) {
            _spendSwapInputAllowance(parties.user, parties.operator, leg.assetIn.id, leg.amountIn);
        }
        bool hasAutoLiquidity = _hasAutoLiquidity(leg.settlement);
        if (hasAutoLiquidity) _prefund(leg);
        _settle(parties, leg);
        _emitSwap(parties, leg);
        if (hasAutoLiquidity) _trySweep(leg);
    }

    /// @dev Refuses zero addresses, CoreSwap as receiver, and blacklisted users, receivers and callers.
    function _checkParties(address user, address receiver) private view {
        if (user == address(0)) revert InvalidSwapAddress(user);
        if (receiver == address(0) || receiver == address(this)) revert InvalidSwapAddress(receiver);
        _checkNotBlacklisted(user);
        _checkNotBlacklisted(receiver);
        if (msg.sender != user) _checkNotBlacklisted(msg.sender);
    }
}
