// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// In another project, install CoreSwap's contracts and write their path here. OpenZeppelin is the only other dependency.
import {ICoreSwap} from "../../contracts/src/interfaces/ICoreSwap.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title RwaDesk
/// @notice Buys RWAs for stablecoins through CoreSwap, for one treasury. Its traders choose when, what and within which
/// bound; the treasury alone pays and receives.
/// @dev Set up: the treasury approves this contract for each stablecoin, which is the budget of the traders. It approves
/// neither CoreSwap nor a delegate. If an RWA has a holder register, the treasury has to be in it; this contract never
/// holds an RWA, so it need not be.
///
/// A stolen trader key cannot take assets. It can spend the budget on RWAs at CoreSwap's prices and fees, which the
/// treasury ends by revoking the role or lowering its approval.
///
/// Choosing a bound: read a quote off chain (`/v1/quote`, or {ICoreSwap.quoteSwap} with this contract as the user), and
/// allow for what may change until the transaction is mined. A bound that is computed from a quote in the same
/// transaction is none: it moves with the price.
///
/// Gas: a leg that pays in the LP's own stablecoin can end with a deposit into the LP's reserve, which is undone if it
/// runs out of gas, so an estimate leaves it out. Set a limit 500,000 above the estimate.
///
/// What CoreSwap, the delegate or a token refuses reverts with their error, and everything is as before. Expect
/// `EnforcedPause` (CoreSwap or the LP is paused), `StaleNav` and other errors of price adapters,
/// `InsufficientRWAOutput` and `InsufficientStablecoinInput` (the price moved beyond the bound), `PermitExpired` (the
/// deadline passed), `RWANotAccepted`, `StablecoinNotAccepted`, `UserNotWhitelisted`, `UserBlacklisted`,
/// `RWANotWhitelisted` (this LP does not deal in the RWA), and errors of tokens when the treasury, or the LP's custody,
/// has too little or approved too little.
contract RwaDesk is AccessControl, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice May buy. The treasury grants and revokes the role.
    bytes32 public constant TRADER_ROLE = keccak256("TRADER_ROLE");

    uint256 private constant EXACT_STABLECOIN_IN = 3;
    uint256 private constant EXACT_RWA_OUT = 4;

    // solhint-disable immutable-vars-naming

    /// @notice The swap contract.
    ICoreSwap public immutable coreSwap;

    /// @notice Pays every purchase, receives every RWA, and administers the traders.
    address public immutable treasury;

    // solhint-enable immutable-vars-naming

    /// @notice An RWA was bought.
    /// @param trader Caller.
    /// @param stablecoinID Stablecoin that the treasury paid.
    /// @param rwaID RWA that the treasury received.
    /// @param spent Amount paid with all fees, in units of the stablecoin.
    /// @param received Amount received, in units of the RWA.
    event Bought(
        address indexed trader, bytes32 indexed stablecoinID, bytes32 indexed rwaID, uint256 spent, uint256 received
    );

    /// @notice CoreSwap or the treasury is the zero address.
    error ZeroAddress();

    /// @notice The order has no bound or no deadline. To CoreSwap, zero means that there is none.
    error LimitRequired();

    /// @notice CoreSwap has no asset of this kind with the ID.
    error UnknownAsset(bytes32 assetID);

    /// @notice The stablecoin pays yield on credits of the account that holds them, so only its holder can sell it.
    error YieldBearingStablecoin(bytes32 stablecoinID);

    /// @notice Less arrived than was settled, as with a token that takes a fee from transfers.
    /// @param received Amount that the treasury received, in units of the RWA.
    /// @param minimum The least amount of the order.
    error BoundMissed(uint256 received, uint256 minimum);

    /// @notice Sets what never changes. The treasury becomes the administrator of the traders.
    /// @param coreSwap_ The swap contract.
    /// @param treasury_ The treasury, for example a multisig.
    constructor(ICoreSwap coreSwap_, address treasury_) {
        if (address(coreSwap_) == address(0) || treasury_ == address(0)) revert ZeroAddress();
        coreSwap = coreSwap_;
        treasury = treasury_;
        _grantRole(DEFAULT_ADMIN_ROLE, treasury_);
    }

    /// @notice Spends an exact amount of a stablecoin. Needs `TRADER_ROLE`.
    /// @param stablecoinID Stablecoin to pay; its LP settles.
    /// @param rwaID RWA to buy.
    /// @param amountIn Amount to pay, in units of the stablecoin.
    /// @param minAmountOut The least amount to receive, in units of the RWA, above zero (`LimitRequired`).
    /// @param deadline Last second at which the purchase may be mined, above zero (`LimitRequired`).
    /// @return received Amount received, in units of the RWA.
    function buyExactIn(bytes32 stablecoinID, bytes32 rwaID, uint256 amountIn, uint256 minAmountOut, uint256 deadline)
        external
        onlyRole(TRADER_ROLE)
        nonReentrant
        returns (uint256 received)
    {
        (, received) = _buy(_leg(EXACT_STABLECOIN_IN, stablecoinID, rwaID, amountIn, minAmountOut), deadline);
    }

    /// @notice Buys an exact amount of an RWA. Needs `TRADER_ROLE`.
    /// @param stablecoinID Stablecoin to pay; its LP settles.
    /// @param rwaID RWA to buy.
    /// @param amountOut Amount to receive, in units of the RWA, above zero (`LimitRequired`).
    /// @param maxAmountIn The most to pay, in units of the stablecoin. All of it is taken from the treasury and counts
    /// against its approval; what is not spent returns to the treasury.
    /// @param deadline Last second at which the purchase may be mined, above zero (`LimitRequired`).
    /// @return spent Amount paid with all fees, in units of the stablecoin.
    function buyExactOut(bytes32 stablecoinID, bytes32 rwaID, uint256 amountOut, uint256 maxAmountIn, uint256 deadline)
        external
        onlyRole(TRADER_ROLE)
        nonReentrant
        returns (uint256 spent)
    {
        (spent,) = _buy(_leg(EXACT_RWA_OUT, stablecoinID, rwaID, maxAmountIn, amountOut), deadline);
    }

    /// @notice Sends the treasury what somebody transferred to this contract by mistake. Anyone may call.
    /// @param token The token.
    function rescue(IERC20 token) external nonReentrant {
        token.safeTransfer(treasury, token.balanceOf(address(this)));
    }

    /// @dev Swaps one leg. Whichever side is exact, `assetInAmt` is the most to pay and `assetOutAmt` the least to
    /// receive.
    function _buy(ICoreSwap.SwapInputs memory leg, uint256 deadline) private returns (uint256 spent, uint256 received) {
        if (leg.assetOutAmt == 0 || deadline == 0) revert LimitRequired();
        (IERC20 stablecoin, address delegate) = _stablecoinOf(leg.assetInID);
        IERC20 rwa = _rwaOf(leg.assetOutID);

        // Measured from here, so that tokens sent to this contract by mistake count neither as spent nor as unspent.
        uint256 heldBefore = stablecoin.balanceOf(address(this));
        uint256 rwaBefore = rwa.balanceOf(treasury);
        stablecoin.safeTransferFrom(treasury, address(this), leg.assetInAmt);
        // The delegate takes the amount in and the protocol fee, which are at most this together.
        stablecoin.forceApprove(delegate, leg.assetInAmt);
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](1);
        legs[0] = leg;
        // The caller is the user, so no signature is needed. The deadline counts without one, too.
        coreSwap.swap(address(this), treasury, legs, ICoreSwap.ApprovalPermit({deadline: deadline, signature: ""}));
        stablecoin.forceApprove(delegate, 0);

        // CoreSwap checked the bound against what it told the delegate to pay. What counts is what arrived.
        received = rwa.balanceOf(treasury) - rwaBefore;
        if (received < leg.assetOutAmt) revert BoundMissed(received, leg.assetOutAmt);
        uint256 unspent = stablecoin.balanceOf(address(this)) - heldBefore;
        spent = leg.assetInAmt - unspent;
        if (unspent != 0) stablecoin.safeTransfer(treasury, unspent);
        emit Bought(msg.sender, leg.assetInID, leg.assetOutID, spent, received);
    }

    /// @dev Reads the stablecoin's token and the delegate that settles, which can change. Whether it is accepted is left
    /// to CoreSwap.
    function _stablecoinOf(bytes32 id) private view returns (IERC20 token, address delegate) {
        (, bool yieldBearing,, address registered, address tokenAddress) = coreSwap.stablecoinInfo(id);
        if (tokenAddress == address(0)) revert UnknownAsset(id);
        if (yieldBearing) revert YieldBearingStablecoin(id);
        return (IERC20(tokenAddress), registered);
    }

    /// @dev Reads the token of an RWA.
    function _rwaOf(bytes32 id) private view returns (IERC20 token) {
        (,,,, address tokenAddress) = coreSwap.rwaInfo(id);
        if (tokenAddress == address(0)) revert UnknownAsset(id);
        return IERC20(tokenAddress);
    }

    /// @dev Builds the leg of a purchase, which the stablecoin's own LP settles.
    function _leg(uint256 routeId, bytes32 stablecoinID, bytes32 rwaID, uint256 amountIn, uint256 amountOut)
        private
        pure
        returns (ICoreSwap.SwapInputs memory leg)
    {
        return ICoreSwap.SwapInputs({
            routeId: routeId,
            assetInID: stablecoinID,
            assetOutID: rwaID,
            stablecoinDelegateID: stablecoinID,
            assetInAmt: amountIn,
            assetOutAmt: amountOut
        });
    }
}
