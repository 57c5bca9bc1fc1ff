// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";

/// @notice The next versions of the contracts in these tests. Each adds a number in its own namespace. They have no
/// initializer, because no state is initialized again, except {ReinitializedTreasury}.
abstract contract NextVersion {
    /// @custom:storage-location erc7201:coreswap.test.NextVersion
    struct NextVersionState {
        uint256 mark;
    }

    /// keccak256(abi.encode(uint256(keccak256("coreswap.test.NextVersion")) - 1)) & ~bytes32(uint256(0xff)).
    bytes32 internal constant NEXT_VERSION_SLOT = 0xe20c2457240acc1b1d0597e3635b7c7eba2b1280e5158ed289306c1a8ee74b00;

    function setMark(uint256 mark) external {
        NextVersionState storage state;
        assembly ("memory-safe") {
            state.slot := NEXT_VERSION_SLOT
        }
        state.mark = mark;
    }

    function version() external pure returns (uint256) {
        return 2;
    }
}

/// @custom:oz-upgrades-unsafe-allow missing-initializer
// solhint-disable-next-line no-empty-blocks
contract NextCoreSwap is CoreSwap, NextVersion {}

/// @custom:oz-upgrades-unsafe-allow missing-initializer
// solhint-disable-next-line no-empty-blocks
contract NextTreasuryToken is Treasury, NextVersion {}

/// @custom:oz-upgrades-unsafe-allow missing-initializer external-library-linking
// solhint-disable-next-line no-empty-blocks
contract NextTreasuryDelegate is TreasuryDelegate, NextVersion {}

/// @custom:oz-upgrades-unsafe-allow missing-initializer
// solhint-disable-next-line no-empty-blocks
contract NextBalanceSheetDelegate is BalanceSheetDelegate, NextVersion {}

/// @notice Whoever calls its initializer first becomes administrator.
/// @custom:oz-upgrades-unsafe-allow missing-initializer
contract ReinitializedTreasury is Treasury {
    function initializeV2(address account) external reinitializer(2) {
        _grantRole(DEFAULT_ADMIN_ROLE, account);
    }
}
