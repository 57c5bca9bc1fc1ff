// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

/// @title StablecoinDelegateStorage
/// @notice The state that every stablecoin delegate shares, in one ERC-7201 namespace. The first slot is all that the
/// entry of a settlement reads: its one caller and the pause.
abstract contract StablecoinDelegateStorage {
    /// @notice Layout of the namespace.
    /// @param coreSwap The one caller of settlements; never changes.
    /// @param emergencyPaused Pause cause of `PAUSE_ROLE`.
    /// @param issuerPaused Pause cause of the issuer admins.
    /// @param stablecoinID Asset ID of the own stablecoin.
    /// @param stablecoin The own stablecoin.
    /// @param rwaCustody Account that holds RWAs, zero until set.
    /// @param stablecoinCustody Account that holds stablecoins, zero until set.
    /// @param custodyAccepted Accounts that agreed to serve as custody.
    /// @param issuerAdmins The LP's administrators.
    /// @param blacklist Accounts barred from settlements.
    /// @param rwaWhitelist RWAs this LP deals in.
    /// @param stablecoinWhitelist Foreign stablecoins this LP deals in.
    /// @param rwaColdStorage Cold storage of RWAs.
    /// @param stablecoinColdStorage Addresses that stablecoins may be withdrawn to.
    /// @custom:storage-location erc7201:coreswap.storage.StablecoinDelegate
    struct StablecoinDelegateState {
        address coreSwap;
        bool emergencyPaused;
        bool issuerPaused;
        bytes32 stablecoinID;
        address stablecoin;
        address rwaCustody;
        address stablecoinCustody;
        mapping(address account => bool) custodyAccepted;
        mapping(address account => bool) issuerAdmins;
        mapping(address account => bool) blacklist;
        mapping(address rwa => bool) rwaWhitelist;
        mapping(address stablecoin => bool) stablecoinWhitelist;
        EnumerableSet.AddressSet rwaColdStorage;
        EnumerableSet.AddressSet stablecoinColdStorage;
    }

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
}
