// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title CoreSwapStorage
/// @notice The state of CoreSwap in one ERC-7201 namespace, packed by what a swap reads together: one slot of global
/// settings, two slots a stablecoin, two an RWA, one a rate. Everything a swap reads only when a flag asks for it
/// stands in a mapping of its own.
abstract contract CoreSwapStorage {
    /// @notice A stablecoin, two slots. A registered one has a token.
    /// @param token ERC-20 token.
    /// @param decimals Decimals of the token, 0 … 18.
    /// @param accepted True when swaps may use it.
    /// @param yieldBearing True when redemptions pay yield on top of the tokens.
    /// @param protocolFeeExempt True when its legs pay no protocol fee.
    /// @param issuerPaidProtocolFeeRate Protocol fee on the gross value, WAD fraction of at most 0.99e18.
    /// @param delegate Delegate that settles its legs.
    /// @param usdValueWad USD a whole token, WAD; 88 bits reach 3e8 USD. Zero when unset.
    /// @param controls What its legs need beyond the two slots: bits `GUARDRAIL` and `AUTO_LIQUIDITY`.
    struct Stablecoin {
        address token;
        uint8 decimals;
        bool accepted;
        bool yieldBearing;
        bool protocolFeeExempt;
        uint64 issuerPaidProtocolFeeRate;
        address delegate;
        uint88 usdValueWad;
        uint8 controls;
    }

    /// @notice An RWA, two slots. A registered one has a token.
    /// @param token ERC-20 token.
    /// @param decimals Decimals of the token, 0 … 18.
    /// @param accepted True when swaps may use it.
    /// @param hasRiskDelegate True when `riskDelegates` has an entry.
    /// @param hasWhitelistAdapter True when `whitelistAdapters` has an entry.
    /// @param priceAdapter Price source, zero for none.
    struct RWA {
        address token;
        uint8 decimals;
        bool accepted;
        bool hasRiskDelegate;
        bool hasWhitelistAdapter;
        address priceAdapter;
    }

    /// @notice Market price check of a stablecoin, one slot.
    /// @param priceAdapter Market price source, zero for none.
    /// @param band Largest distance from the USD value, WAD fraction of at most 1e18; zero when unset.
    struct Guardrail {
        address priceAdapter;
        uint96 band;
    }

    /// @notice Layout of the namespace.
    /// @param paused True when swaps are stopped.
    /// @param maxSwapLegs Most legs of one swap, 1 … 32.
    /// @param spreadProtocolTakeRate Protocol part of every LP spread, WAD fraction of at most 1e18.
    /// @param vault Account that gets protocol fees.
    /// @param stablecoins Stablecoin by asset ID.
    /// @param rwas RWA by asset ID.
    /// @param assetIDs Asset ID by token, zero for none: a token has one ID for life.
    /// @param riskDelegates Risk delegate by RWA ID.
    /// @param whitelistAdapters Whitelist adapter by RWA ID.
    /// @param guardrails Guardrail by stablecoin ID.
    /// @param discountRates LP rate on an RWA in, by stablecoin ID and RWA ID, WAD fraction.
    /// @param redemptionFees LP rate on an RWA out, by stablecoin ID and RWA ID, WAD fraction.
    /// @param stablecoinAcceptanceFees LP rate on a foreign stablecoin in, by own ID and foreign token, WAD fraction.
    /// @param stablecoinRedemptionFees LP rate on a foreign stablecoin out, by own ID and foreign token, WAD fraction.
    /// @param blacklisted Accounts barred from swaps.
    /// @param swapInputAllowances Standing allowance by user, operator and asset ID, in token units.
    /// @param autoLiquidityStablecoinIDs Yield-bearing stablecoin that a stablecoin's custody keeps its reserve in, by
    /// stablecoin ID.
    /// @custom:storage-location erc7201:coreswap.storage.CoreSwap
    struct CoreSwapState {
        bool paused;
        uint8 maxSwapLegs;
        uint64 spreadProtocolTakeRate;
        address vault;
        mapping(bytes32 stablecoinID => Stablecoin) stablecoins;
        mapping(bytes32 rwaID => RWA) rwas;
        mapping(address token => bytes32 assetID) assetIDs;
        mapping(bytes32 rwaID => address) riskDelegates;
        mapping(bytes32 rwaID => address) whitelistAdapters;
        mapping(bytes32 stablecoinID => Guardrail) guardrails;
        mapping(bytes32 stablecoinID => mapping(bytes32 rwaID => uint256 rate)) discountRates;
        mapping(bytes32 stablecoinID => mapping(bytes32 rwaID => uint256 rate)) redemptionFees;
        mapping(bytes32 stablecoinID => mapping(address token => uint256 rate)) stablecoinAcceptanceFees;
        mapping(bytes32 stablecoinID => mapping(address token => uint256 rate)) stablecoinRedemptionFees;
        mapping(address account => bool) blacklisted;
        mapping(address user => mapping(address operator => mapping(bytes32 assetID => uint256))) swapInputAllowances;
        mapping(bytes32 stablecoinID => bytes32 autoLiquidityStablecoinID) autoLiquidityStablecoinIDs;
    }

    /// @notice Bit of `Stablecoin.controls`: the market price is checked.
    uint8 internal constant GUARDRAIL = 1;

    /// @notice Bit of `Stablecoin.controls`: `autoLiquidityStablecoinIDs` has an entry.
    uint8 internal constant AUTO_LIQUIDITY = 2;

    /// @notice Slot of the namespace:
    /// keccak256(abi.encode(uint256(keccak256("coreswap.storage.CoreSwap")) - 1)) & ~bytes32(uint256(0xff)).
    bytes32 private constant CORE_SWAP_STORAGE = 0x956dea87bcbc9c20b576a939471cbef757a3d1cc50f790ba2eaa55261c6f8100;

    /// @notice Returns the namespace.
    /// @return state Storage pointer.
    function _coreSwapStorage() internal pure returns (CoreSwapState storage state) {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            state.slot := CORE_SWAP_STORAGE
        }
    }

    /// @notice Returns the record of a stablecoin.
    /// @param stablecoinID The stablecoin.
    /// @return stablecoin Storage pointer.
    function _stablecoin(bytes32 stablecoinID) internal view returns (Stablecoin storage stablecoin) {
        return _coreSwapStorage().stablecoins[stablecoinID];
    }

    /// @notice Sets or clears one bit of a stablecoin's controls.
    /// @param stablecoin The record.
    /// @param control `GUARDRAIL` or `AUTO_LIQUIDITY`.
    /// @param isOn True to set.
    function _setControl(Stablecoin storage stablecoin, uint8 control, bool isOn) internal {
        stablecoin.controls = isOn ? stablecoin.controls | control : stablecoin.controls & ~control;
    }

    /// @notice Returns the record of an RWA.
    /// @param rwaID The RWA.
    /// @return rwa Storage pointer.
    function _rwa(bytes32 rwaID) internal view returns (RWA storage rwa) {
        return _coreSwapStorage().rwas[rwaID];
    }
}
