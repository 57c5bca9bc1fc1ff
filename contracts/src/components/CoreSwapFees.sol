// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../interfaces/ICoreSwap.sol";
import {FeeMath} from "../libraries/FeeMath.sol";
import {CoreSwapAccess} from "./CoreSwapAccess.sol";

/// @title CoreSwapFees
/// @notice Rates: the operator sets the protocol's, and only an LP's delegate sets that LP's.
abstract contract CoreSwapFees is CoreSwapAccess {
    /// @notice Allows only the registered delegate of a stablecoin. As in {CoreSwapAccess}, the check is a separate
    /// function, because a copy in each setter would enlarge the contract's code.
    modifier onlyStablecoinDelegate(bytes32 stablecoinID) {
        _checkCallerIsDelegate(stablecoinID);
        _;
    }

    /// @inheritdoc ICoreSwap
    function setIssuerPaidProtocolFeeRate(bytes32 stablecoinID, uint256 rate) external onlyOperator {
        _checkRate(rate, FeeMath.MAX_RATE);
        Stablecoin storage stablecoin = _stablecoin(stablecoinID);
        emit IssuerPaidProtocolFeeRateSet(stablecoinID, stablecoin.issuerPaidProtocolFeeRate, rate);
        // forge-lint: disable-next-line(unsafe-typecast)
        stablecoin.issuerPaidProtocolFeeRate = uint64(rate);
    }

    /// @inheritdoc ICoreSwap
    function setSpreadProtocolTakeRate(uint256 rate) external onlyOperator {
        _checkRate(rate, FeeMath.WAD);
        CoreSwapState storage $ = _coreSwapStorage();
        emit SpreadProtocolTakeRateSet($.spreadProtocolTakeRate, rate);
        // forge-lint: disable-next-line(unsafe-typecast)
        $.spreadProtocolTakeRate = uint64(rate);
    }

    /// @inheritdoc ICoreSwap
    function setProtocolFeeExempt(bytes32 stablecoinID, bool exempt) external onlyOperator {
        _setFlag(_stablecoin(stablecoinID), PROTOCOL_FEE_EXEMPT, exempt);
        emit ProtocolFeeExemptSet(stablecoinID, exempt);
    }

    /// @inheritdoc ICoreSwap
    function setRWADiscountRate(bytes32 stablecoinID, bytes32 rwaID, uint256 rate)
        external
        onlyStablecoinDelegate(stablecoinID)
    {
        _checkRate(rate, FeeMath.MAX_RATE);
        _coreSwapStorage().discountRates[stablecoinID][rwaID] = rate;
        emit DiscountRateSet(stablecoinID, rwaID, rate);
    }

    /// @inheritdoc ICoreSwap
    function setRWARedemptionFee(bytes32 stablecoinID, bytes32 rwaID, uint256 rate)
        external
        onlyStablecoinDelegate(stablecoinID)
    {
        _checkRate(rate, FeeMath.MAX_RATE);
        _coreSwapStorage().redemptionFees[stablecoinID][rwaID] = rate;
        emit RedemptionFeeSet(stablecoinID, rwaID, rate);
    }

    /// @inheritdoc ICoreSwap
    function setStablecoinAcceptanceFee(bytes32 stablecoinOutID, address stablecoin, uint256 rate)
        external
        onlyStablecoinDelegate(stablecoinOutID)
    {
        _checkRate(rate, FeeMath.MAX_RATE);
        _coreSwapStorage().stablecoinAcceptanceFees[stablecoinOutID][stablecoin] = rate;
        emit StablecoinAcceptanceFeeSet(stablecoinOutID, stablecoin, rate);
    }

    /// @inheritdoc ICoreSwap
    function setStablecoinRedemptionFee(bytes32 stablecoinOutID, address stablecoin, uint256 rate)
        external
        onlyStablecoinDelegate(stablecoinOutID)
    {
        _checkRate(rate, FeeMath.MAX_RATE);
        _coreSwapStorage().stablecoinRedemptionFees[stablecoinOutID][stablecoin] = rate;
        emit StablecoinRedemptionFeeSet(stablecoinOutID, stablecoin, rate);
    }

    /// @inheritdoc ICoreSwap
    function issuerPaidProtocolFeeRates(bytes32 stablecoinID) external view returns (uint256 rate) {
        return _stablecoin(stablecoinID).issuerPaidProtocolFeeRate;
    }

    /// @inheritdoc ICoreSwap
    function spreadProtocolTakeRate() external view returns (uint256 rate) {
        return _coreSwapStorage().spreadProtocolTakeRate;
    }

    /// @inheritdoc ICoreSwap
    function protocolFeeExempt(bytes32 stablecoinID) external view returns (bool exempt) {
        return _stablecoin(stablecoinID).flags & PROTOCOL_FEE_EXEMPT != 0;
    }

    /// @inheritdoc ICoreSwap
    function discountRates(bytes32 stablecoinID, bytes32 rwaID) external view returns (uint256 rate) {
        return _coreSwapStorage().discountRates[stablecoinID][rwaID];
    }

    /// @inheritdoc ICoreSwap
    function redemptionFees(bytes32 stablecoinID, bytes32 rwaID) external view returns (uint256 rate) {
        return _coreSwapStorage().redemptionFees[stablecoinID][rwaID];
    }

    /// @inheritdoc ICoreSwap
    function stablecoinAcceptanceFees(bytes32 stablecoinOutID, address stablecoin)
        external
        view
        returns (uint256 rate)
    {
        return _coreSwapStorage().stablecoinAcceptanceFees[stablecoinOutID][stablecoin];
    }

    /// @inheritdoc ICoreSwap
    function stablecoinRedemptionFees(bytes32 stablecoinOutID, address stablecoin)
        external
        view
        returns (uint256 rate)
    {
        return _coreSwapStorage().stablecoinRedemptionFees[stablecoinOutID][stablecoin];
    }

    /// @dev Refuses callers that are not the registered delegate of a stablecoin.
    function _checkCallerIsDelegate(bytes32 stablecoinID) private view {
        if (msg.sender != _stablecoin(stablecoinID).delegate) revert NotStablecoinDelegate();
    }

    /// @dev Refuses a rate above a bound; both are WAD fractions.
    function _checkRate(uint256 rate, uint256 maximum) private pure {
        if (rate > maximum) revert InvalidRate();
    }
}
