// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

/// @title PeerTest
/// @notice Records the whole-transaction gas (21,000, calldata and refunds included) of a peer's call.
abstract contract PeerTest is Test {
    function _record(string memory peer, string memory operation) internal {
        vm.snapshotGasLastCall("Peers", string.concat(peer, ": ", operation));
    }

    /// Deploys creation bytecode with constructor arguments.
    function _create(bytes memory creationCode, bytes memory arguments) internal returns (address deployed) {
        bytes memory initCode = bytes.concat(creationCode, arguments);
        assembly ("memory-safe") {
            deployed := create(0, add(initCode, 0x20), mload(initCode))
        }
        require(deployed.code.length != 0, "creation failed");
    }

    /// Deploys an artifact that a package publishes, by its path in node_modules.
    function _deployPublished(string memory path, bytes memory arguments) internal returns (address) {
        return _create(vm.getCode(string.concat("node_modules/", path)), arguments);
    }
}
