// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title TreasuryStorage
/// @notice The part of the treasury token's state that is not OpenZeppelin's.
abstract contract TreasuryStorage {
    /// @dev Bits 0 … 239 of an account: its balance in the token's smallest unit. Never above the total supply, which
    /// fits in these bits, so adding and subtracting amounts does not change the flags. Also the largest total supply.
    uint256 internal constant BALANCE_MASK = type(uint240).max;

    /// @dev Bit 240 of an account: it may receive `mint`.
    uint256 internal constant WHITELISTED_FLAG = 1 << 240;

    /// @dev Bit 241 of an account: it may not send, receive or spend.
    uint256 internal constant BLACKLISTED_FLAG = 1 << 241;

    /// @dev Number of bits of `blacklistFilter`. Part of the storage format: with another number, blacklisted accounts
    /// could pass unnoticed.
    uint256 internal constant BLACKLIST_FILTER_WIDTH = 248;

    /// @dev Value of `perDay` that means no limit.
    uint96 internal constant UNLIMITED = type(uint96).max;

    /// @dev Daily mint limit of a bridge and the sum of its mints: `used` at time `usedAt` (seconds since the epoch),
    /// in the token's smallest unit. The sum leaks `perDay` per day. A bridge without a limit has `isSet` clear.
    struct BridgeLimit {
        bool isSet;
        uint96 perDay;
        uint96 used;
        uint40 usedAt;
    }

    /// @dev The balance and list flags of an account are one word, so that a transfer reads and writes each party once.
    /// `blacklistFilter` is a Bloom filter of the blacklist with one hash function. It saves reading the slot of a
    /// spender's flags, since a spender's balance is not read. Listing an account sets its bit, which is never cleared,
    /// since other accounts may share it: a clear bit proves that an account is not on the list, and for a set bit the
    /// list decides.
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
