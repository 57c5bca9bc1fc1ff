// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PartySteps} from "./PartySteps.sol";
import {IAccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/IAccessControlEnumerable.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";

/// @title DeploymentChecks
/// @notice Compares the chain with the configuration. Each check reverts with the name of what differs.
abstract contract DeploymentChecks is PartySteps {
    /// @dev Slot in which OpenZeppelin's Initializable keeps its version: erc7201:openzeppelin.storage.Initializable.
    bytes32 private constant INITIALIZABLE_SLOT = 0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00;

    /// @notice A number, rate, flag or word on chain is not the configured one.
    error ValueDiffers(string what, bytes32 actual, bytes32 expected);

    /// @notice An address on chain is not the configured or deployed one.
    error AddressDiffers(string what, address actual, address expected);

    /// @notice The holders of a role are not the configured ones.
    error RoleHoldersDiffer(string what, address[] actual, address[] expected);

    /// @dev Checks that the proxy runs the implementation, and that nobody can initialize the implementation.
    function _checkImplementation(string memory what, address proxy, address implementation) internal view {
        _checkRuns(what, proxy, implementation);
        uint256 version = uint256(vm.load(implementation, INITIALIZABLE_SLOT));
        _check(string.concat(what, " implementation's lock"), version, type(uint64).max);
        _check(string.concat(what, " initialization"), uint256(vm.load(proxy, INITIALIZABLE_SLOT)), 1);
    }

    function _checkRuns(string memory what, address proxy, address implementation) internal view {
        bytes32 word = vm.load(proxy, ERC1967Utils.IMPLEMENTATION_SLOT);
        _check(string.concat(what, " implementation"), address(uint160(uint256(word))), implementation);
    }

    function _checkHolder(string memory what, IAccessControlEnumerable target, bytes32 role, address holder)
        internal
        view
    {
        address[] memory holders = new address[](1);
        holders[0] = holder;
        _checkHolders(what, target, role, holders);
    }

    function _checkHolders(string memory what, IAccessControlEnumerable target, bytes32 role, address[] memory expected)
        internal
        view
    {
        uint256 count = target.getRoleMemberCount(role);
        address[] memory actual = new address[](count);
        for (uint256 i; i < count; ++i) {
            actual[i] = target.getRoleMember(role, i);
        }
        if (keccak256(abi.encode(actual)) != keccak256(abi.encode(expected))) {
            revert RoleHoldersDiffer(what, actual, expected);
        }
    }

    function _check(string memory what, bool actual, bool expected) internal pure {
        _check(what, actual ? 1 : 0, expected ? 1 : 0);
    }

    function _check(string memory what, uint256 actual, uint256 expected) internal pure {
        _check(what, bytes32(actual), bytes32(expected));
    }

    function _check(string memory what, bytes32 actual, bytes32 expected) internal pure {
        if (actual != expected) revert ValueDiffers(what, actual, expected);
    }

    function _check(string memory what, address actual, address expected) internal pure {
        if (actual != expected) revert AddressDiffers(what, actual, expected);
    }
}
