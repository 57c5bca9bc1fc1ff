// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AddressFilter} from "../../src/libraries/AddressFilter.sol";
import {Test} from "forge-std/Test.sol";

/// The bit of an account in a filter.
contract AddressFilterTest is Test {
    function testFuzz_BitOf_IsTheRemainder(address account, uint256 width) public pure {
        width = bound(width, 1, 256);
        assertEq(AddressFilter.bitOf(account, width), 2 ** (uint256(uint160(account)) % width));
    }

    /// Bits above an address are no part of it, whatever the caller left there.
    function testFuzz_BitOf_IgnoresWhatStandsAboveAnAddress(uint256 word, uint256 width) public pure {
        width = bound(width, 1, 256);
        address dirty;
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            dirty := word
        }
        assertEq(AddressFilter.bitOf(dirty, width), AddressFilter.bitOf(address(uint160(word)), width));
    }
}
