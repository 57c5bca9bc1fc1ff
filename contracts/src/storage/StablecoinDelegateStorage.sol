// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

/// @title StablecoinDelegateStorage
/// @notice The state that every stablecoin delegate shares, in one ERC-7201 namespace. `coreSwap` and `pauseCauses`,
/// which every settlement reads, share a slot.
abstract contract StablecoinDelegateStorage {
    /// @notice A foreign asset, or the own stablecoin, and its intake, one slot.
    /// @param isListedRWA True when this LP deals in it as an RWA.
    /// @param isListedStablecoin True when this LP deals in it as a stablecoin.
    /// @param intakeCap Most that may come in within a day, in units of the asset. Zero lets nothing in; `UNCAPPED`
    /// means no cap.
    /// @param intakeUsed Amount taken in, less payouts of the same foreign asset, at `intakeTime`. It leaks `intakeCap`
    /// per day.
    /// @param intakeTime Time of `intakeUsed`, in seconds since the epoch; zero if no cap was ever set.
    struct ForeignAsset {
        bool isListedRWA;
        bool isListedStablecoin;
        uint96 intakeCap;
        uint96 intakeUsed;
        uint40 intakeTime;
    }

    /// @notice Layout of the namespace.
    /// @param coreSwap The only caller of settlements; never changes.
    /// @param pauseCauses Bits `EMERGENCY_PAUSE` and `ISSUER_PAUSE`; zero while not paused.
    /// @param stablecoin The delegate's own stablecoin; never changes.
    /// @param stablecoinID Asset ID of `stablecoin`; never changes.
    /// @param rwaCustody Account that holds RWAs, zero until set.
    /// @param isOneCustody True when `rwaCustody` holds stablecoins too; the slot of `stablecoinCustody` is then not
    /// read.
    /// @param stablecoinCustody Account that holds stablecoins, zero until set.
    /// @param accountFlags Bits `BLACKLISTED`, `CUSTODY_ACCEPTED`, `RWA_CUSTODY`, `STABLECOIN_CUSTODY`,
    /// `LISTED_RWA_CUSTODY` and `LISTED_STABLECOIN_CUSTODY` of an account.
    /// @param foreignAssets Foreign assets, and the own stablecoin, by token.
    /// @param issuerAdmins The LP's administrators.
    /// @param rwaColdStorage Cold storage of RWAs.
    /// @param stablecoinColdStorage Addresses that stablecoins may be withdrawn to.
    /// @custom:storage-location erc7201:coreswap.storage.StablecoinDelegate
    struct StablecoinDelegateState {
        address coreSwap;
        uint8 pauseCauses;
        address stablecoin;
        bytes32 stablecoinID;
        address rwaCustody;
        bool isOneCustody;
        address stablecoinCustody;
        mapping(address account => uint8) accountFlags;
        mapping(address token => ForeignAsset) foreignAssets;
        mapping(address account => bool) issuerAdmins;
        EnumerableSet.AddressSet rwaColdStorage;
        EnumerableSet.AddressSet stablecoinColdStorage;
    }

    /// @notice Cause of the pause: the issuer admins.
    uint8 internal constant ISSUER_PAUSE = 1 << 1;

    /// @notice Flag of an account: it is barred from settlements.
    uint8 internal constant BLACKLISTED = 1 << 0;

    /// @notice Flag of an account: it agreed to serve as custody.
    uint8 internal constant CUSTODY_ACCEPTED = 1 << 1;

    /// @notice Flag of an account: it is the RWA custody.
    uint8 internal constant RWA_CUSTODY = 1 << 2;

    /// @notice Flag of an account: it is the stablecoin custody.
    uint8 internal constant STABLECOIN_CUSTODY = 1 << 3;

    /// @notice Flag of an account: it may be named as RWA custody.
    uint8 internal constant LISTED_RWA_CUSTODY = 1 << 4;

    /// @notice Flag of an account: it may be named as stablecoin custody.
    uint8 internal constant LISTED_STABLECOIN_CUSTODY = 1 << 5;

    /// @notice Intake cap that means no cap.
    uint96 internal constant UNCAPPED = type(uint96).max;

    /// @notice Slot of the namespace:
    /// keccak256(abi.encode(uint256(keccak256("coreswap.storage.StablecoinDelegate")) - 1)) & ~bytes32(uint256(0xff)).
    bytes32 private constant STABLECOIN_DELEGATE_STORAGE =
        0xbf4aeee987a22a226a27a26a59f9c5980cdf6b3153583f34c103a2ff338e0300;

    /// @notice Returns the namespace.
    /// @return state Storage pointer.
    function _delegateStorage() internal pure returns (StablecoinDelegateState storage state) {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            state.slot := STABLECOIN_DELEGATE_STORAGE
        }
    }

    /// @dev Sets or clears one flag of an account.
    function _setAccountFlag(address account, uint8 flag, bool isOn) internal {
        StablecoinDelegateState storage $ = _delegateStorage();
        if (isOn) $.accountFlags[account] |= flag;
        else $.accountFlags[account] &= ~flag;
    }

    /// @dev Returns whether an account has all of the given flags.
    function _hasAccountFlags(address account, uint8 flags) internal view returns (bool hasFlags) {
        return _delegateStorage().accountFlags[account] & flags == flags;
    }

    /// @dev Returns the record of a foreign asset, or of the own stablecoin.
    function _foreignAsset(address token) internal view returns (ForeignAsset storage asset) {
        return _delegateStorage().foreignAssets[token];
    }
}
