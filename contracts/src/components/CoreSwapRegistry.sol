// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../interfaces/ICoreSwap.sol";
import {IStablecoinDelegate} from "../interfaces/IStablecoinDelegate.sol";
import {IYieldBearingDelegate} from "../interfaces/IYieldBearingDelegate.sol";
import {FeeMath} from "../libraries/FeeMath.sol";
import {CoreSwapAccess} from "./CoreSwapAccess.sol";
import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title CoreSwapRegistry
/// @notice The registered assets: the token behind an ID, who settles it, its value and which controls apply.
/// @dev Once accepted, an ID keeps its kind, token and yield-bearing flag for life, and a token has at most one ID. An
/// allowance or a signature for an ID that was ever swapped therefore never refers to another token. An ID that was
/// registered but never accepted may be registered again with another token.
abstract contract CoreSwapRegistry is CoreSwapAccess {
    using SafeERC20 for IERC20;

    /// @notice Most decimals a token may have. Amounts of tokens with fewer decimals are scaled up to WAD exactly.
    uint8 internal constant MAX_DECIMALS = 18;

    /// @inheritdoc ICoreSwap
    function setRWAAcceptance(bytes32 rwaID, address _delegate, address _assetAddress, bool _accepted)
        external
        onlyOperator
    {
        CoreSwapState storage $ = _coreSwapStorage();
        if (_delegate != address(0) && _delegate.code.length == 0) revert InvalidDelegate();

        RWA storage rwa = _rwa(rwaID);
        if (rwa.token == address(0) || rwa.token != _assetAddress) {
            rwa.decimals = _register(rwaID, _assetAddress);
            rwa.token = _assetAddress;
        }
        rwa.accepted = _accepted;
        if (_accepted) _setFlag(rwa, BOUND, true);
        _setFlag(rwa, RISK_DELEGATE, _delegate != address(0));
        $.riskDelegates[rwaID] = _delegate;
        emit RWAAcceptanceSet(rwaID, _delegate, _assetAddress, rwa.decimals, _accepted);
    }

    /// @inheritdoc ICoreSwap
    function setStablecoinAcceptance(
        bytes32 stablecoinID,
        address _delegate,
        address _assetAddress,
        bool _accepted,
        bool _yieldBearing
    ) external onlyOperator {
        Stablecoin storage stablecoin = _stablecoin(stablecoinID);
        bool isNew = stablecoin.token == address(0) || stablecoin.token != _assetAddress
            || _isYieldBearing(stablecoin) != _yieldBearing;
        // Acceptance can end without this check, so that a stablecoin whose delegate is broken can always be stopped.
        if (_accepted || isNew || _delegate != stablecoin.delegate) {
            _checkStablecoinDelegate(stablecoinID, _delegate, _assetAddress, _yieldBearing);
        }
        if (isNew) {
            stablecoin.decimals = _register(stablecoinID, _assetAddress);
            if (_yieldBearing && stablecoin.usdValueWad != 0 && stablecoin.usdValueWad != FeeMath.WAD) {
                revert InvalidRate();
            }
            stablecoin.token = _assetAddress;
            _setFlag(stablecoin, YIELD_BEARING, _yieldBearing);
        }
        stablecoin.accepted = _accepted;
        if (_accepted) _setFlag(stablecoin, BOUND, true);
        stablecoin.delegate = _delegate;
        emit StablecoinAcceptanceSet(
            stablecoinID, _delegate, _assetAddress, stablecoin.decimals, _accepted, _yieldBearing
        );
    }

    /// @inheritdoc ICoreSwap
    function setRwaPriceAdapter(bytes32 rwaID, address priceAdapter) external onlyOperator {
        _rwa(rwaID).priceAdapter = priceAdapter;
        emit RwaPriceAdapterSet(rwaID, priceAdapter);
    }

    /// @inheritdoc ICoreSwap
    function setRwaWhitelistAdapter(bytes32 rwaID, address adapter) external onlyOperator {
        CoreSwapState storage $ = _coreSwapStorage();
        _setFlag(_rwa(rwaID), WHITELIST_ADAPTER, adapter != address(0));
        $.whitelistAdapters[rwaID] = adapter;
        emit RwaWhitelistAdapterSet(rwaID, adapter);
    }

    /// @inheritdoc ICoreSwap
    function setStablecoinUSDValue(bytes32 stablecoinID, uint256 value) external onlyOperator {
        Stablecoin storage stablecoin = _stablecoin(stablecoinID);
        if (value > type(uint88).max || (_isYieldBearing(stablecoin) && value != FeeMath.WAD)) revert InvalidRate();
        // forge-lint: disable-next-line(unsafe-typecast)
        stablecoin.usdValueWad = uint88(value);
        emit StablecoinUSDValueSet(stablecoinID, value);
    }

    /// @inheritdoc ICoreSwap
    function configureStablecoinGuardrail(bytes32 stablecoinID, address priceAdapter, uint256 band, bool enabled)
        external
        onlyOperator
    {
        // Below 100 %, an oracle price of zero never passes.
        if (band >= FeeMath.WAD) revert InvalidRate();
        CoreSwapState storage $ = _coreSwapStorage();
        // forge-lint: disable-next-line(unsafe-typecast)
        $.guardrails[stablecoinID] = Guardrail({priceAdapter: priceAdapter, band: uint96(band)});
        _setFlag(_stablecoin(stablecoinID), GUARDRAIL, enabled);
        emit StablecoinPriceGuardrailSet(stablecoinID, priceAdapter, band);
        emit StablecoinGuardrailEnabledSet(stablecoinID, enabled);
    }

    /// @inheritdoc ICoreSwap
    function rwaInfo(bytes32 rwaID)
        external
        view
        returns (bool accepted, bool additionalRiskControls, uint8 decimals, address delegate, address assetAddress)
    {
        CoreSwapState storage $ = _coreSwapStorage();
        RWA storage rwa = _rwa(rwaID);
        return (rwa.accepted, rwa.flags & RISK_DELEGATE != 0, rwa.decimals, $.riskDelegates[rwaID], rwa.token);
    }

    /// @inheritdoc ICoreSwap
    function rwaPriceAdapters(bytes32 rwaID) external view returns (address priceAdapter) {
        return _rwa(rwaID).priceAdapter;
    }

    /// @inheritdoc ICoreSwap
    function rwaWhitelistAdapters(bytes32 rwaID) external view returns (address adapter) {
        return _coreSwapStorage().whitelistAdapters[rwaID];
    }

    /// @inheritdoc ICoreSwap
    function stablecoinInfo(bytes32 stablecoinID)
        external
        view
        returns (bool accepted, bool yieldBearing, uint8 decimals, address delegate, address assetAddress)
    {
        Stablecoin storage stablecoin = _stablecoin(stablecoinID);
        return
            (
                stablecoin.accepted,
                _isYieldBearing(stablecoin),
                stablecoin.decimals,
                stablecoin.delegate,
                stablecoin.token
            );
    }

    /// @inheritdoc ICoreSwap
    function stablecoinUSDValue(bytes32 stablecoinID) external view returns (uint256 value) {
        return _stablecoin(stablecoinID).usdValueWad;
    }

    /// @inheritdoc ICoreSwap
    function stablecoinPriceAdapters(bytes32 stablecoinID) external view returns (address priceAdapter) {
        return _coreSwapStorage().guardrails[stablecoinID].priceAdapter;
    }

    /// @inheritdoc ICoreSwap
    function stablecoinGuardrailBands(bytes32 stablecoinID) external view returns (uint256 band) {
        return _coreSwapStorage().guardrails[stablecoinID].band;
    }

    /// @inheritdoc ICoreSwap
    function stablecoinGuardrailEnabled(bytes32 stablecoinID) external view returns (bool enabled) {
        return _stablecoin(stablecoinID).flags & GUARDRAIL != 0;
    }

    /// @dev Binds an ID to a token, replacing an earlier token that was never accepted. Returns the decimals of the
    /// token.
    function _register(bytes32 assetID, address token) private returns (uint8 decimals) {
        CoreSwapState storage $ = _coreSwapStorage();
        Stablecoin storage stablecoin = _stablecoin(assetID);
        RWA storage rwa = _rwa(assetID);
        if (assetID == 0 || (stablecoin.flags | rwa.flags) & BOUND != 0) revert AssetIDAlreadyRegistered(assetID);
        delete $.assetIDs[stablecoin.token];
        delete $.assetIDs[rwa.token];
        delete $.riskDelegates[assetID];
        (stablecoin.token, stablecoin.delegate, stablecoin.decimals) = (address(0), address(0), 0);
        (rwa.token, rwa.decimals) = (address(0), 0);
        _setFlag(stablecoin, YIELD_BEARING, false);
        _setFlag(rwa, RISK_DELEGATE, false);
        if (token == address(0) || $.assetIDs[token] != 0) revert InvalidAssetAddress();
        bool readable;
        (readable, decimals) = IERC20(token).tryGetDecimals();
        if (!readable) revert InvalidAssetAddress();
        if (decimals > MAX_DECIMALS) revert UnsupportedDecimals(decimals);
        $.assetIDs[token] = assetID;
    }

    /// @dev Refuses a delegate that does not name this CoreSwap, the ID and the token, or whose yield interface does
    /// not match the kind: redemptions ask it for yield exactly when the stablecoin is yield-bearing. The probe asks
    /// for the yield of zero tokens, which is zero.
    function _checkStablecoinDelegate(bytes32 stablecoinID, address delegate, address token, bool yieldBearing)
        private
        view
    {
        bool matches = _answers(delegate, abi.encodeCall(IStablecoinDelegate.coreSwap, ()), _word(address(this)))
            && _answers(delegate, abi.encodeCall(IStablecoinDelegate.stablecoinID, ()), stablecoinID)
            && _answers(delegate, abi.encodeCall(IStablecoinDelegate.stablecoinAddress, ()), _word(token))
            && _answers(delegate, abi.encodeCall(IYieldBearingDelegate.getYieldAmount, (token, 0, true)), 0)
                == yieldBearing;
        if (!matches) revert InvalidDelegate();
    }

    function _word(address account) private pure returns (bytes32 word) {
        return bytes32(uint256(uint160(account)));
    }

    /// @dev Returns whether a view returns exactly the expected word. Uses a low-level call, because a typed one
    /// reverts without a reason on accounts without code or without such a view.
    function _answers(address target, bytes memory query, bytes32 expected) private view returns (bool matches) {
        (bool success, bytes memory answer) = target.staticcall(query);
        return success && answer.length == 32 && abi.decode(answer, (bytes32)) == expected;
    }
}
