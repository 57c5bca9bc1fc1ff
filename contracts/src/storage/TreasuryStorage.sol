// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title TreasuryStorage
/// @notice The part of the treasury token's state that is not OpenZeppelin's.
abstract contract TreasuryStorage {
    /// @dev Bits 0 … 239 of an account: its balance in the token's smallest unit. Never above the total supply, which
    /// fits these bits, so adding and subtracting amounts leaves the flags alone. Also the largest total supply.
    uint256 internal constant BALANCE_MASK = type(uint240).max;

    /// @dev Bit 240 of an account: may receive `mint`.
    uint256 internal constant WHITELISTED_FLAG = 1 << 240;

    /// @dev Bit 241 of an account: may not send, receive or spend.
    uint256 internal constant BLACKLISTED_FLAG = 1 << 241;

    /// @dev Bits of `blacklistFilter`. Part of the storage's format: with another number, listed accounts would pass.
    uint256 internal constant BLACKLIST_FILTER_WIDTH = 248;

    /// @dev Limit of a bridge without one.
    uint96 internal constant UNLIMITED = type(uint96).max;

    /// @dev What a bridge may mint in a day, and what it minted: `used` as it was at `usedAt` (seconds since the epoch), in
    /// the token's smallest unit; it leaks `perDay` a day. A bridge without a limit has `isSet` clear.
    struct BridgeLimit {
        bool isSet;
        uint96 perDay;
        uint96 used;
        uint40 usedAt;
    }

    /// @dev Balance and list flags of an account are one word, so that a transfer reads and writes each party once.
    /// `blacklistFilter` is a Bloom filter of the blacklist with one hash function. It spares a spender, whose balance is
    /// not read, the slot of its flags. An account's bit is set when it is listed and never cleared, since others may share
    /// it: a clear bit proves that an account is not on the list, and where it is set the list decides.
    /// @custom:storage-location erc7201:coreswap.storage.Treasury
    struct TreasuryLayout {
        mapping(address account => uint256) accounts;
        uint256 totalSupply;
        uint8 pauseCauses;
        uint248 blacklistFilter;
        mapping(address bridge => BridgeLimit) bridgeLimits;
    }

    // keccak256(abi.encode(uint256(keccak256("coreswap.storage.Treasury")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant TREASURY_STORAGE_LOCATION =
        0x46395ebe4828341911a4465f5ccfbb464ffcada7108c1871fb63395721651600;

    function _treasuryStorage() internal pure returns (TreasuryLayout storage $) {
        // solhint-disable-next-line no-inline-assembly
        assembly {
            $.slot := TREASURY_STORAGE_LOCATION
        }
    }
}
