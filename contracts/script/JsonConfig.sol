// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VmSafe} from "forge-std/Vm.sol";

/// @title JsonConfig
/// @notice Reads checked values from a JSON text. A value that is absent, null, of another kind or out of its bounds
/// reverts with {InvalidValue}, which names its path. Keys are paths such as `.roles.admin`.
library JsonConfig {
    VmSafe private constant vm = VmSafe(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @notice A value is not what is required.
    /// @param key Path of the value.
    /// @param value The value there; `absent` or `null` when there is none.
    /// @param expected The value required.
    error InvalidValue(string key, string value, string expected);

    /// @notice A key is unknown: it may be misspelled or in the wrong place.
    /// @param key Path of the key.
    /// @param accepted Keys that are accepted there.
    error UnknownKey(string key, string accepted);

    /// @notice Reads a text that is not empty.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return value The text found.
    function text(string memory json, string memory key) internal view returns (string memory value) {
        string memory expected = "a text";
        _requireSet(json, key, expected);
        try vm.parseJsonString(json, key) returns (string memory found) {
            value = found;
        } catch {
            refuse(json, key, expected);
        }
        if (bytes(value).length == 0) refuse(json, key, expected);
    }

    /// @notice Reads an address that is not zero.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return value The address.
    function account(string memory json, string memory key) internal view returns (address value) {
        return _account(json, key, "");
    }

    /// @notice Reads an address that is not zero; returns zero when the key is absent or null.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return value The address.
    function optionalAccount(string memory json, string memory key) internal view returns (address value) {
        return isSet(json, key) ? _account(json, key, ", or null") : address(0);
    }

    /// @notice Reads a whole number within bounds, both inclusive.
    /// @param json The text.
    /// @param key Path of the value.
    /// @param minimum Least value.
    /// @param maximum Largest value.
    /// @return value The number.
    function number(string memory json, string memory key, uint256 minimum, uint256 maximum)
        internal
        view
        returns (uint256 value)
    {
        string memory expected = string.concat(vm.toString(minimum), " to ", vm.toString(maximum));
        _requireSet(json, key, expected);
        try vm.parseJsonUint(json, key) returns (uint256 found) {
            value = found;
        } catch {
            refuse(json, key, expected);
        }
        if (value < minimum || value > maximum) refuse(json, key, expected);
    }

    /// @notice Reads a flag.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return value The flag.
    function flag(string memory json, string memory key) internal view returns (bool value) {
        string memory expected = "true or false";
        _requireSet(json, key, expected);
        try vm.parseJsonBool(json, key) returns (bool found) {
            return found;
        } catch {
            refuse(json, key, expected);
        }
    }

    /// @notice Reads a flag; returns false when the key is absent or null.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return value The flag.
    function optionalFlag(string memory json, string memory key) internal view returns (bool value) {
        return isSet(json, key) && flag(json, key);
    }

    /// @notice Reads a word that is not zero; returns zero when the key is absent or null.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return value The word.
    function optionalWord(string memory json, string memory key) internal view returns (bytes32 value) {
        if (!isSet(json, key)) return 0;
        string memory expected = "32 bytes in hex other than zero, or null";
        try vm.parseJsonBytes32(json, key) returns (bytes32 found) {
            value = found;
        } catch {
            refuse(json, key, expected);
        }
        if (value == 0) refuse(json, key, expected);
    }

    /// @notice Refuses unknown keys of an object, because an optional value under a misspelled key would silently stay
    /// unset. A value that is not an object is accepted here: reading its members then reports what is missing.
    /// @param json The text.
    /// @param key Path of the object, empty for the whole text.
    /// @param accepted Keys that are accepted there, separated by a comma and a space.
    function requireKnownKeys(string memory json, string memory key, string memory accepted) internal pure {
        string[] memory found;
        try vm.parseJsonKeys(json, bytes(key).length == 0 ? "$" : key) returns (string[] memory keys) {
            found = keys;
        } catch {
            return;
        }
        string[] memory known = vm.split(accepted, ", ");
        for (uint256 i; i < found.length; ++i) {
            bool isKnown;
            for (uint256 j; j < known.length && !isKnown; ++j) {
                isKnown = equal(found[i], known[j]);
            }
            if (!isKnown) revert UnknownKey(string.concat(key, ".", found[i]), accepted);
        }
    }

    /// @notice Returns whether a key is present with a value other than null.
    /// @param json The text.
    /// @param key Path of the value.
    /// @return True when it is.
    function isSet(string memory json, string memory key) internal view returns (bool) {
        if (!vm.keyExistsJson(json, key)) return false;
        // Null, zero and false all parse to one zero word. Only null, and the text "null", are shown as "null".
        return keccak256(vm.parseJson(json, key)) != keccak256(abi.encode(0)) || !equal(_shown(json, key), "null");
    }

    /// @notice Counts the items of a list.
    /// @param json The text.
    /// @param key Path of the list.
    /// @return count The number.
    function length(string memory json, string memory key) internal view returns (uint256 count) {
        while (vm.keyExistsJson(json, item(key, count))) ++count;
        if (count != 0) return count;
        // If the first item is missing, the value may not be a list; a single value is read as a list of one.
        try vm.parseJsonStringArray(json, key) returns (string[] memory items) {
            if (items.length != 0) refuse(json, key, "a list");
        } catch {
            refuse(json, key, "a list");
        }
    }

    /// @notice Returns the path of an item of a list.
    /// @param key Path of the list.
    /// @param index Index of the item, from 0.
    /// @return The path.
    function item(string memory key, uint256 index) internal pure returns (string memory) {
        return string.concat(key, "[", vm.toString(index), "]");
    }

    /// @notice Returns whether two texts are the same.
    /// @param a One text.
    /// @param b The other.
    /// @return True when they are.
    function equal(string memory a, string memory b) internal pure returns (bool) {
        return keccak256(bytes(a)) == keccak256(bytes(b));
    }

    /// @notice Refuses the value at a path.
    /// @param json The text.
    /// @param key Path of the value.
    /// @param expected The value required.
    function refuse(string memory json, string memory key, string memory expected) internal view {
        string memory value = vm.keyExistsJson(json, key) ? _shown(json, key) : "absent";
        revert InvalidValue(key, value, expected);
    }

    function _account(string memory json, string memory key, string memory alternative)
        private
        view
        returns (address value)
    {
        string memory expected = string.concat("an address other than zero", alternative);
        _requireSet(json, key, expected);
        try vm.parseJsonAddress(json, key) returns (address found) {
            value = found;
        } catch {
            refuse(json, key, expected);
        }
        if (value == address(0)) refuse(json, key, expected);
    }

    function _requireSet(string memory json, string memory key, string memory expected) private view {
        if (!isSet(json, key)) refuse(json, key, expected);
    }

    function _shown(string memory json, string memory key) private pure returns (string memory) {
        try vm.parseJsonString(json, key) returns (string memory found) {
            return found;
        } catch {
            return "a list or an object";
        }
    }
}
