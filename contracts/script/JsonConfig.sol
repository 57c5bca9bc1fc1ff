// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VmSafe} from "forge-std/Vm.sol";

/// @title JsonConfig
/// @notice Reads checked values out of a JSON text. A missing key reverts with the cheatcode's message, which names it; a
/// value out of its bounds with {InvalidValue}. Keys are paths such as `.roles.admin`.
library JsonConfig {
    VmSafe private constant vm = VmSafe(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @notice A value is not what it must be.
    /// @param key Where it stands.
    /// @param value What stands there.
    /// @param expected What must stand there.
    error InvalidValue(string key, string value, string expected);

    /// @notice A text that is not empty.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return value The text found.
    function text(string memory json, string memory key) internal pure returns (string memory value) {
        value = vm.parseJsonString(json, key);
        if (bytes(value).length == 0) revert InvalidValue(key, value, "a text");
    }

    /// @notice An address that is not zero.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return value The address.
    function account(string memory json, string memory key) internal pure returns (address value) {
        value = vm.parseJsonAddress(json, key);
        if (value == address(0)) revert InvalidValue(key, vm.toString(value), "an address other than zero");
    }

    /// @notice An address that is not zero; zero when the key is absent or null.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return value The address.
    function optionalAccount(string memory json, string memory key) internal view returns (address value) {
        return isSet(json, key) ? account(json, key) : address(0);
    }

    /// @notice A whole number within bounds, both included.
    /// @param json The text.
    /// @param key Path of the value.
    /// @param minimum Least value.
    /// @param maximum Largest value.
    /// @return value The number.
    function number(string memory json, string memory key, uint256 minimum, uint256 maximum)
        internal
        pure
        returns (uint256 value)
    {
        value = vm.parseJsonUint(json, key);
        if (value < minimum || value > maximum) {
            string memory bounds = string.concat(vm.toString(minimum), " to ", vm.toString(maximum));
            revert InvalidValue(key, vm.toString(value), bounds);
        }
    }

    /// @notice A flag; false when the key is absent or null.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return value The flag.
    function optionalFlag(string memory json, string memory key) internal view returns (bool value) {
        return isSet(json, key) && vm.parseJsonBool(json, key);
    }

    /// @notice Whether a key is there with a value other than null.
    /// @dev Null, like zero and false, parses to one zero word.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return True when it is there.
    function isSet(string memory json, string memory key) internal view returns (bool) {
        return vm.keyExistsJson(json, key) && keccak256(vm.parseJson(json, key)) != keccak256(abi.encode(0));
    }

    /// @notice Number of items of a list; 0 when there is none.
    /// @param json The text.
    /// @param key Path of the list.
    /// @return count The number.
    function length(string memory json, string memory key) internal view returns (uint256 count) {
        while (vm.keyExistsJson(json, item(key, count))) ++count;
    }

    /// @notice Path of an item of a list.
    /// @param key Path of the list.
    /// @param index Place of the item, from 0.
    /// @return The path.
    function item(string memory key, uint256 index) internal pure returns (string memory) {
        return string.concat(key, "[", vm.toString(index), "]");
    }

    /// @notice Whether two texts are the same.
    /// @param a One text.
    /// @param b The other.
    /// @return True when they are.
    function equal(string memory a, string memory b) internal pure returns (bool) {
        return keccak256(bytes(a)) == keccak256(bytes(b));
    }
}
