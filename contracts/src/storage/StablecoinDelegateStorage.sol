// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

/// @title StablecoinDelegateStorage
/// @notice The state that every stablecoin delegate shares, in one ERC-7201 namespace. What every settlement reads stands
/// together: the one caller and the pause.
abstract contract StablecoinDelegateStorage {
    /// @notice Layout of the namespace.
    /// @param coreSwap The one caller of settlements; never changes.
    /// @param pauseCauses Bits `EMERGENCY_PAUSE` and `ISSUER_PAUSE`; none while not paused.
    /// @param stablecoin The own stablecoin; never changes.
    /// @param stablecoinID Asset ID of the own stablecoin; never changes.
    /// @param rwaCustody Account that holds RWAs, zero until set.
    /// @param isOneCustody True when `stablecoinCustody` is `rwaCustody`, whose slot then serves for both.
    /// @param stablecoinCustody Account that holds stablecoins, zero until set.
    /// @param accountFlags Bits `BLACKLISTED`, `CUSTODY_ACCEPTED`, `RWA_CUSTODY` and `STABLECOIN_CUSTODY` of an account.
    /// @param rwaWhitelist RWAs this LP deals in.
    /// @param stablecoinWhitelist Foreign stablecoins this LP deals in.
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
        mapping(address rwa => bool) rwaWhitelist;
        mapping(address stablecoin => bool) stablecoinWhitelist;
        mapping(address account => bool) issuerAdmins;
        EnumerableSet.AddressSet rwaColdStorage;
        EnumerableSet.AddressSet stablecoinColdStorage;
    }

    /// @notice Cause of the pause: the issuer admins.
    uint8 internal constant ISSUER_PAUSE = 1 << 1;

    /// @notice Flag of an account: barred from settlements.
    uint8 internal constant BLACKLISTED = 1 << 0;

    /// @notice Flag of an account: agreed to serve as custody.
    uint8 internal constant CUSTODY_ACCEPTED = 1 << 1;

    /// @notice Flag of an account: is the RWA custody.
    uint8 internal constant RWA_CUSTODY = 1 << 2;

    /// @notice Flag of an account: is the stablecoin custody.
    uint8 internal constant STABLECOIN_CUSTODY = 1 << 3;

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

    /// @dev Tells whether an account has one of some flags.
    function _hasAccountFlag(address account, uint8 flags) internal view returns (bool hasFlag) {
        return _delegateStorage().accountFlags[account] & flags != 0;
    }
}
