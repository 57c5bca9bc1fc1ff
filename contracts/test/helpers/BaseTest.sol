// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestBase} from "forge-std/Base.sol";
import {StdAssertions} from "forge-std/StdAssertions.sol";
import {StdCheats} from "forge-std/StdCheats.sol";
import {StdUtils} from "forge-std/StdUtils.sol";

/// @title BaseTest
/// @notice forge-std's `Test` without the ten functions that tests of invariants need, which the compiler would generate
/// and optimize for each contract of tests: tests of invariants add `StdInvariant`.
// solhint-disable-next-line no-empty-blocks
abstract contract BaseTest is TestBase, StdAssertions, StdCheats, StdUtils {}
