// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title IStablecoinDelegate
/// @notice What CoreSwap calls on a liquidity provider (LP): the contract that settles every leg of one stablecoin.
/// @dev Users approve the delegate, not CoreSwap, for the token that goes in. The settlement functions accept calls
/// from CoreSwap only and move exactly what {DelegateParams} says. They return false, and CoreSwap reverts the leg,
/// when the amount that came in is not exactly `assetInAmount`; every other failure reverts.
interface IStablecoinDelegate {
    /// @notice One leg, with every amount resolved.
    /// @param user Account that pays `assetInAmount` of `assetInAddress`.
    /// @param receiver Account that receives `assetOutAmount` of `assetOutAddress`.
    /// @param vault Account that receives the protocol fee.
    /// @param protocolFeeAmt Sum of the issuer-paid fee and the protocol part of the spread, in units of the delegate's
    /// stablecoin.
    /// @param lpFeeAmt LP part of the spread, in units of the delegate's stablecoin; it stays in the custody.
    /// @param assetInAddress Token that goes in.
    /// @param assetInAmount Amount in, in units of `assetInAddress`.
    /// @param assetOutAddress Token that goes out.
    /// @param assetOutAmount Amount out, in units of `assetOutAddress`.
    struct DelegateParams {
        address user;
        address receiver;
        address vault;
        uint256 protocolFeeAmt;
        uint256 lpFeeAmt;
        address assetInAddress;
        uint256 assetInAmount;
        address assetOutAddress;
        uint256 assetOutAmount;
    }

    /// @notice Settles a leg that takes an RWA in and pays the delegate's own stablecoin out.
    /// @param params The leg.
    /// @return success False when the amount taken in is not exactly the amount asked for.
    function deployStablecoin(DelegateParams calldata params) external returns (bool success);

    /// @notice Settles a leg that takes the delegate's own stablecoin in and pays an RWA out.
    /// @param params The leg.
    /// @return success False when the amount taken in is not exactly the amount asked for.
    function receiveStablecoin(DelegateParams calldata params) external returns (bool success);

    /// @notice Settles a leg that takes one RWA in and pays another out. The protocol fee is due in the delegate's own
    /// stablecoin.
    /// @param params The leg.
    /// @return success False when the amount taken in is not exactly the amount asked for.
    function exchangeRWAs(DelegateParams calldata params) external returns (bool success);

    /// @notice Settles a leg between two stablecoins, exactly one of which is the delegate's own.
    /// @param params The leg.
    /// @return success False when the amount taken in is not exactly the amount asked for.
    function exchangeStablecoins(DelegateParams calldata params) external returns (bool success);

    /// @notice Returns the CoreSwap whose legs this delegate settles.
    /// @return coreSwapAddress The only caller of the settlement functions.
    function coreSwap() external view returns (address coreSwapAddress);

    /// @notice Returns the ID under which CoreSwap registers the delegate's stablecoin.
    /// @return id Asset ID.
    function stablecoinID() external view returns (bytes32 id);

    /// @notice Returns the delegate's own stablecoin.
    /// @return token ERC-20 token.
    function stablecoinAddress() external view returns (address token);

    /// @notice Returns the account that holds the LP's RWAs.
    /// @return account Zero until it is set.
    function balanceSheetCustodyAddress() external view returns (address account);

    /// @notice Returns the account that holds the LP's stablecoins.
    /// @return account Zero until it is set.
    function stablecoinCustodyAddress() external view returns (address account);
}
