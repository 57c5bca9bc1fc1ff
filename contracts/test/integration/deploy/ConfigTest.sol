// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployTest} from "./DeployTest.sol";
import {JsonConfig} from "script/JsonConfig.sol";

/// @title ConfigTest
/// @notice Edits the text of a configuration at paths such as `.rwas[1].symbol`, because `vm.writeJson` does not
/// support list items.
abstract contract ConfigTest is DeployTest {
    function _assertParseRefused(string memory json, string memory key, string memory value, string memory expected)
        internal
    {
        vm.expectRevert(abi.encodeWithSelector(JsonConfig.InvalidValue.selector, key, value, expected));
        script.parse(json);
    }

    /// @dev Returns the text with another value at the path.
    function _with(string memory json, string memory value, string memory key) internal pure returns (string memory) {
        bytes memory text = bytes(json);
        uint256 start = _valueAt(text, key);
        return string(abi.encodePacked(_slice(text, 0, start), value, _slice(text, _endOf(text, start), text.length)));
    }

    /// @dev Returns the text without the member at the path.
    function _without(string memory json, string memory key) internal pure returns (string memory) {
        bytes memory text = bytes(json);
        uint256 start = _valueAt(text, key);
        uint256 end = _endOf(text, start);
        // Goes back over `": ` and the name to its first quote. Then one comma is removed with the member.
        for (start -= 4; text[start] != '"';) {
            --start;
        }
        if (text[end] == ",") {
            ++end;
        } else {
            do {
                --start;
            } while (text[start] != ",");
        }
        return string(abi.encodePacked(_slice(text, 0, start), _slice(text, end, text.length)));
    }

    /// @dev Returns the text with an underscore appended to the name of the member at the path.
    function _misspelled(string memory json, string memory key) internal pure returns (string memory) {
        bytes memory text = bytes(json);
        uint256 value = _valueAt(text, key);
        return string(abi.encodePacked(_slice(text, 0, value - 3), '_": ', _slice(text, value, text.length)));
    }

    /// @dev Returns where the value that begins at `start` ends.
    function _endOf(bytes memory text, uint256 start) private pure returns (uint256 end) {
        uint256 depth;
        end = start;
        for (; depth != 0 || (text[end] != "," && text[end] != "\n" && text[end] != " " && text[end] != "}"); ++end) {
            if (text[end] == "{" || text[end] == "[") ++depth;
            if (text[end] == "}" || text[end] == "]") --depth;
            // A text may contain the characters that end a value.
            if (text[end] == '"') {
                do {
                    ++end;
                } while (text[end] != '"');
            }
        }
    }

    function _slice(bytes memory text, uint256 from, uint256 to) private pure returns (bytes memory part) {
        part = new bytes(to - from);
        for (uint256 i; i < part.length; ++i) {
            part[i] = text[from + i];
        }
    }

    function _valueAt(bytes memory text, string memory key) private pure returns (uint256 at) {
        bytes memory path = bytes(key);
        for (uint256 i; i < path.length;) {
            uint256 end = i + 1;
            while (end < path.length && path[end] != "." && path[end] != "[") ++end;
            bool isItem = path[i] == "[";
            bytes memory step = isItem ? bytes("") : abi.encodePacked('"', _slice(path, i + 1, end), '":');
            at = _seek(text, at + 1, step, isItem ? uint8(path[i + 1]) - uint8(bytes1("0")) : 0);
            i = end;
        }
    }

    /// @dev Returns where the value of a member (if `step` is not empty), or an item of a list, begins. `from` is
    /// within its object.
    function _seek(bytes memory text, uint256 from, bytes memory step, uint256 itemsToSkip)
        private
        pure
        returns (uint256)
    {
        int256 depth;
        for (uint256 i = from; i + step.length < text.length; ++i) {
            if (depth == 0 && step.length == 0) {
                if (itemsToSkip == 0 && text[i] == "{") return i;
                if (text[i] == ",") --itemsToSkip;
            }
            if (depth == 0 && step.length != 0 && _standsAt(text, i, step)) {
                return i + step.length + 1;
            }
            if (text[i] == "{" || text[i] == "[") ++depth;
            if (text[i] == "}" || text[i] == "]") --depth;
        }
        revert(string.concat("the configuration lacks ", string(step)));
    }

    function _standsAt(bytes memory text, uint256 at, bytes memory part) private pure returns (bool) {
        for (uint256 i; i < part.length; ++i) {
            if (text[at + i] != part[i]) return false;
        }
        return true;
    }
}
