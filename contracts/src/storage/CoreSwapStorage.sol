// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title CoreSwapStorage
/// @notice The state of CoreSwap in one ERC-7201 namespace, packed by what a swap reads together: one slot of global
/// settings, two slots per stablecoin, two per RWA, one per rate. State that a swap reads only when a flag is set has
/// slots of its own.
abstract contract CoreSwapStorage {
    /// @notice A stablecoin, two slots. A registered one has a token.
    /// @param token ERC-20 token.
    /// @param decimals Decimals of the token, 0 … 18.
    /// @param accepted True when swaps may use it.
    /// @param flags Bits `YIELD_BEARING`, `PROTOCOL_FEE_EXEMPT`, `GUARDRAIL`, `AUTO_LIQUIDITY` and `BOUND`.
    /// @param issuerPaidProtocolFeeRate Protocol fee on the gross value, WAD fraction of at most 0.99e18.
    /// @param delegate Delegate that settles its legs.
    /// @param usdValueWad USD per whole token, WAD; 88 bits reach 3e8 USD. Zero when unset.
    struct Stablecoin {
        address token;
        uint8 decimals;
        bool accepted;
        uint8 flags;
        uint64 issuerPaidProtocolFeeRate;
        address delegate;
        uint88 usdValueWad;
    }

    /// @notice An RWA, two slots. A registered RWA has a token.
    /// @param token ERC-20 token.
    /// @param decimals Decimals of the token, 0 … 18.
    /// @param accepted True when swaps may use it.
    /// @param flags Bits `RISK_DELEGATE`, `WHITELIST_ADAPTER` and `BOUND`.
    /// @param priceAdapter Price source, zero for none.
    struct RWA {
        address token;
        uint8 decimals;
        bool accepted;
        uint8 flags;
        address priceAdapter;
    }

    /// @notice The reserve of a stablecoin's custody, two slots.
    /// @param stablecoinID Yield-bearing stablecoin that it is kept in, zero for none.
    /// @param usdValueWad USD value of the custody's stablecoin when the LP chose the reserve, WAD. The LP agreed to
    /// derived legs at about that value.
    struct AutoLiquidity {
        bytes32 stablecoinID;
        uint256 usdValueWad;
    }

    /// @notice Market price check of a stablecoin, one slot.
    /// @param priceAdapter Market price source, zero for none.
    /// @param band Largest distance from the USD value, WAD fraction below 1e18; zero when unset.
    struct Guardrail {
        address priceAdapter;
        uint96 band;
    }

    /// @notice Layout of the namespace.
    /// @param pauseCauses `EMERGENCY_PAUSE` when swaps are stopped, else zero.
    /// @param maxSwapLegs Maximum number of legs of one swap, 1 … 32.
    /// @param vault Account that receives protocol fees.
    /// @param spreadProtocolTakeRate Protocol part of every LP spread, WAD fraction of at most 1e18.
    /// @param stablecoins Stablecoin by asset ID.
    /// @param rwas RWA by asset ID.
    /// @param assetIDs Asset ID by token, zero for none. Once accepted, a token has the same ID for life.
    /// @param riskDelegates Risk delegate by RWA ID.
    /// @param whitelistAdapters Whitelist adapter by RWA ID.
    /// @param guardrails Guardrail by stablecoin ID.
    /// @param discountRates LP rate on an RWA in, by stablecoin ID and RWA ID, WAD fraction of at most 0.99e18.
    /// @param redemptionFees LP rate on an RWA out, by stablecoin ID and RWA ID, WAD fraction of at most 0.99e18.
    /// @param stablecoinAcceptanceFees LP rate on a foreign stablecoin in, by own ID and foreign token, WAD fraction.
    /// @param stablecoinRedemptionFees LP rate on a foreign stablecoin out, by own ID and foreign token, WAD fraction.
    /// @param blacklisted Accounts barred from swaps.
    /// @param swapInputAllowances Standing allowance by user, operator and asset ID, in token units.
    /// @param autoLiquidity Reserve of a stablecoin's custody, by stablecoin ID.
    /// @custom:storage-location erc7201:coreswap.storage.CoreSwap
    struct CoreSwapState {
        uint8 pauseCauses;
        uint8 maxSwapLegs;
        address vault;
        uint64 spreadProtocolTakeRate;
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
        mapping(bytes32 stablecoinID => AutoLiquidity) autoLiquidity;
    }

    /// @notice Flag of a stablecoin: redemptions pay yield on top of the tokens.
    uint8 internal constant YIELD_BEARING = 1 << 0;

    /// @notice Flag of a stablecoin: its legs pay no protocol fee.
    uint8 internal constant PROTOCOL_FEE_EXEMPT = 1 << 1;

    /// @notice Flag of a stablecoin: the market price is checked.
    uint8 internal constant GUARDRAIL = 1 << 2;

    /// @notice Flag of a stablecoin: `autoLiquidity` has an entry.
    uint8 internal constant AUTO_LIQUIDITY = 1 << 3;

    /// @notice Flag of an RWA: `riskDelegates` has an entry.
    uint8 internal constant RISK_DELEGATE = 1 << 4;

    /// @notice Flag of an RWA: `whitelistAdapters` has an entry.
    uint8 internal constant WHITELIST_ADAPTER = 1 << 5;

    /// @notice Flag of either kind of asset: it was accepted once, and keeps its kind, token and yield-bearing flag for
    /// life.
    uint8 internal constant BOUND = 1 << 6;

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

    /// @dev Returns the record of a stablecoin.
    function _stablecoin(bytes32 stablecoinID) internal view returns (Stablecoin storage stablecoin) {
        return _coreSwapStorage().stablecoins[stablecoinID];
    }

    /// @dev Sets or clears one flag of a stablecoin.
    function _setFlag(Stablecoin storage stablecoin, uint8 flag, bool isOn) internal {
        stablecoin.flags = _withFlag(stablecoin.flags, flag, isOn);
    }

    /// @dev Sets or clears one flag of an RWA.
    function _setFlag(RWA storage rwa, uint8 flag, bool isOn) internal {
        rwa.flags = _withFlag(rwa.flags, flag, isOn);
    }

    /// @dev Returns the record of an RWA.
    function _rwa(bytes32 rwaID) internal view returns (RWA storage rwa) {
        return _coreSwapStorage().rwas[rwaID];
    }

    /// @dev Returns whether redemptions of a stablecoin pay yield on top of the tokens.
    function _isYieldBearing(Stablecoin storage stablecoin) internal view returns (bool isYieldBearing) {
        return stablecoin.flags & YIELD_BEARING != 0;
    }

    /// @dev Sets or clears one of a record's flags.
    function _withFlag(uint8 flags, uint8 flag, bool isOn) private pure returns (uint8 changed) {
        return isOn ? flags | flag : flags & ~flag;
    }
}
