// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StablecoinDelegate} from "./StablecoinDelegate.sol";
import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title BalanceSheetDelegate
/// @notice The LP of a plain stablecoin such as USDC, which settles against its own balance sheet. The stablecoin
/// custody holds the LP's own and foreign stablecoins, and the RWA custody holds RWAs. Each custody is either this
/// contract or an account that has approved it.
/// @dev The LP's fees stay in the custody: they are the part of the amount received that is not paid out. Legs revert
/// while the custody that has to pay them cannot; deposits stay open and refill it.
///
/// The holder of the stablecoin custody's key gets back the stablecoin that it buys RWAs with, and can buy again. While
/// another account is the RWA custody, the own stablecoin that comes in for RWAs therefore counts against its intake
/// cap, which the administrator has to set: until then, it has none. Payouts of it make no room. With one other account
/// for both, nothing counts, because the holder of its key has the RWAs, too. Where this contract is both, it counts: an
/// issuer admin could otherwise switch the cap off. A cold storage whose key is stolen together with an issuer admin's
/// can buy the same way, with what was withdrawn to it.
contract BalanceSheetDelegate is StablecoinDelegate {
    using SafeERC20 for IERC20;

    /// @notice Locks the implementation; only proxies are initialized.
    /// @custom:oz-upgrades-unsafe-allow constructor
    constructor() {
        _disableInitializers();
    }

    /// @notice Initializes the proxy.
    /// @param coreAdmin Receives `DEFAULT_ADMIN_ROLE` and `PAUSE_ROLE`; `InvalidInitializationParams` when zero.
    /// @param initialIssuerAdmin First issuer admin; `InvalidIssuerAdmin` when zero.
    /// @param _coreSwap CoreSwap contract; `InvalidCoreSwap` when it is not a contract.
    /// @param _stablecoinID Asset ID of the stablecoin; `InvalidInitializationParams` when zero.
    /// @param _stablecoinAddress The stablecoin; `InvalidStablecoinAsset` when it is not a contract.
    function initialize(
        address coreAdmin,
        address initialIssuerAdmin,
        address _coreSwap,
        bytes32 _stablecoinID,
        address _stablecoinAddress
    ) external initializer {
        _initializeDelegate(coreAdmin, initialIssuerAdmin, _coreSwap, _stablecoinID, _stablecoinAddress);
    }

    /// @dev Moves the amount less the protocol fee from the user to the stablecoin custody, and the fee from the user
    /// directly to the vault, so that the custody never pays it. What pays for an RWA counts against the cap of the
    /// stablecoin (`IntakeCapExceeded`), if one was ever set, unless one external account is both custodies. Returns
    /// false when the custody did not receive exactly its share.
    function _takeOwnStablecoin(DelegateParams memory params, bool stablecoinWithdrawal)
        internal
        override
        returns (bool success)
    {
        address token = params.assetInAddress;
        address custody = _stablecoinCustody();
        uint256 kept = params.assetInAmount - params.protocolFeeAmt;
        // An account that is both custodies could take the RWAs anyway. This contract has no key with which to take them.
        bool counts = !stablecoinWithdrawal && (custody == address(this) || !_delegateStorage().isOneCustody)
            && _foreignAsset(token).intakeTime != 0;
        success = counts
            ? _takeInCapped(params, _foreignAsset(token), custody, kept)
            : _takeIn(token, params.user, custody, kept);
        if (success && params.protocolFeeAmt != 0) {
            IERC20(token).safeTransferFrom(params.user, params.vault, params.protocolFeeAmt);
        }
    }

    /// @dev The own stablecoin has no cap until one is set.
    function _intakeCap(address asset, ForeignAsset storage record) internal view override returns (uint96 cap) {
        if (record.intakeTime == 0 && asset == _delegateStorage().stablecoin) return UNCAPPED;
        return record.intakeCap;
    }

    /// @dev Pays the receiver from the stablecoin custody.
    function _payOwnStablecoin(DelegateParams memory params, bool) internal override {
        _payOut(params.assetOutAddress, _stablecoinCustody(), params.receiver, params.assetOutAmount);
    }

    /// @dev Pays the vault from the stablecoin custody. `amount` is in units of the stablecoin, above zero.
    function _payProtocolFee(address token, address vault, uint256 amount) internal override {
        _payOut(token, _stablecoinCustody(), vault, amount);
    }
}
