// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AddressFilter} from "../libraries/AddressFilter.sol";
import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

/// @title StablecoinDelegateStorage
/// @notice The state that every stablecoin delegate shares, in one ERC-7201 namespace, packed by what a settlement reads
/// together: one slot for the pause, the custody and the filter of parties, one a party that the filter does not clear, one
/// an asset with who may settle it.
abstract contract StablecoinDelegateStorage {
    /// @notice Layout of the namespace.
    /// @param rwaCustody Account that holds RWAs, zero until set.
    /// @param pauseCauses Bits `EMERGENCY_PAUSE` and `ISSUER_PAUSE`; none while not paused.
    /// @param isOneCustody True when `stablecoinCustody` is `rwaCustody`, whose slot then serves for both.
    /// @param refusedFilter {AddressFilter} of the accounts that ever had one of the flags `REFUSED`.
    /// @param stablecoinCustody Account that holds stablecoins, zero until set.
    /// @param coreSwap The one caller of settlements; never changes.
    /// @param stablecoinID Asset ID of the own stablecoin.
    /// @param stablecoin The own stablecoin; never changes.
    /// @param accountFlags Bits `BLACKLISTED`, `CUSTODY_ACCEPTED`, `RWA_CUSTODY` and `STABLECOIN_CUSTODY` of an account.
    /// @param rwaListings {_listing} of CoreSwap and the own stablecoin for an RWA that this LP deals in, zero for others.
    /// @param stablecoinWhitelist Foreign stablecoins this LP deals in.
    /// @param issuerAdmins The LP's administrators.
    /// @param rwaColdStorage Cold storage of RWAs.
    /// @param stablecoinColdStorage Addresses that stablecoins may be withdrawn to.
    /// @custom:storage-location erc7201:coreswap.storage.StablecoinDelegate
    struct StablecoinDelegateState {
        address rwaCustody;
        uint8 pauseCauses;
        bool isOneCustody;
        uint80 refusedFilter;
        address stablecoinCustody;
        address coreSwap;
        bytes32 stablecoinID;
        address stablecoin;
        mapping(address account => uint8) accountFlags;
        mapping(address rwa => bytes32 listing) rwaListings;
        mapping(address stablecoin => bool) stablecoinWhitelist;
        mapping(address account => bool) issuerAdmins;
        EnumerableSet.AddressSet rwaColdStorage;
        EnumerableSet.AddressSet stablecoinColdStorage;
    }

    /// @notice Cause of the pause: `PAUSE_ROLE`.
    uint8 internal constant EMERGENCY_PAUSE = 1 << 0;

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

    /// @notice Flags of an account that settlements refuse as user and receiver. Part of the storage's format, like the
    /// number of bits: with another flag among them, accounts that had it before would pass.
    uint8 private constant REFUSED = BLACKLISTED | RWA_CUSTODY | STABLECOIN_CUSTODY;

    /// @notice Bits of `refusedFilter`.
    uint256 private constant REFUSED_FILTER_WIDTH = 80;

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

    /// @notice Sets or clears one flag of an account.
    /// @param account The account.
    /// @param flag The flag.
    /// @param isOn True to set.
    function _setAccountFlag(address account, uint8 flag, bool isOn) internal {
        StablecoinDelegateState storage $ = _delegateStorage();
        if (isOn) {
            $.accountFlags[account] |= flag;
            if (flag & REFUSED != 0) $.refusedFilter |= _filterBit(account);
        } else {
            $.accountFlags[account] &= ~flag;
        }
    }

    /// @notice Tells whether an account has one of some flags.
    /// @param account The account.
    /// @param flags The flags.
    /// @return hasFlag True when it has.
    function _hasAccountFlag(address account, uint8 flags) internal view returns (bool hasFlag) {
        return _delegateStorage().accountFlags[account] & flags != 0;
    }

    /// @notice Digest of who may settle an RWA and against which stablecoin: neither ever changes for a delegate, so that
    /// one slot a listed RWA answers for both and for the listing.
    /// @param caller Caller of the settlement.
    /// @param stablecoin The stablecoin.
    /// @return listing The digest, never zero.
    function _listing(address caller, address stablecoin) internal pure returns (bytes32 listing) {
        return Hashes.efficientKeccak256(bytes32(uint256(uint160(caller))), bytes32(uint256(uint160(stablecoin))));
    }

    /// @notice Returns the bit of an account in `refusedFilter`.
    /// @param account The account.
    /// @return bit Word in which that bit alone is set.
    function _filterBit(address account) internal pure returns (uint80 bit) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint80(AddressFilter.bitOf(account, REFUSED_FILTER_WIDTH));
    }
}
