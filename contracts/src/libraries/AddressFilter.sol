// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title AddressFilter
/// @notice A Bloom filter with one hash function: a few bits, kept in a slot that is read anyway, that tell for most
/// accounts that they are not on a list, so that the list itself need not be read.
///
/// An account's bit is set when it comes onto the list and never cleared: other accounts may share it. So a clear bit
/// proves that the account is not on the list; a set one proves nothing, and the list decides. With `n` accounts that
/// were ever listed and `width` bits, another account finds its bit set with probability `1 - (1 - 1 / width)^n`.
/// Sharing a bit costs an account the gas of reading the list, nothing else.
library AddressFilter {
    /// @notice Returns the bit of an account: addresses are digests already, so their remainder serves.
    /// @param account The account.
    /// @param width Bits of the filter.
    /// @return bit Word in which that bit alone is set, one of the lowest `width`.
    function bitOf(address account, uint256 width) internal pure returns (uint256 bit) {
        // Solidity's `%` would test the width for zero each time.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            bit := shl(mod(shr(96, shl(96, account)), width), 1)
        }
    }
}
