// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ConfigTest} from "./ConfigTest.sol";
import {TestToken} from "script/local/TestToken.sol";

/// @title ProductionTest
/// @notice A configuration as for a production network: governed by a timelock, with its own tokens and keys.
abstract contract ProductionTest is ConfigTest {
    uint256 internal constant DELAY = 2 days;

    address internal immutable PROPOSER = makeAddr("proposer");
    address internal immutable RECOVERY = makeAddr("recovery");

    address[4] private tokens;

    function setUp() public virtual override {
        super.setUp();
        uint8[4] memory decimals = [6, 18, 6, 18];
        for (uint256 i; i < tokens.length; ++i) {
            tokens[i] = address(new TestToken("Existing", "EXISTING", decimals[i]));
        }
    }

    /// @dev Returns the text of the configuration. Its accounts are plain ones and named as such.
    function _production() internal view returns (string memory json) {
        json = vm.replace(vm.readFile(EXAMPLE), '": true', '": false');
        string memory plain = string.concat(_quoted(PROPOSER), ", ", _quoted(RECOVERY));
        for (uint32 i; i < 20; ++i) {
            address known = vm.addr(vm.deriveKey("test test test test test test test test test test test junk", i));
            address other = address(uint160(uint256(keccak256(abi.encode(known)))));
            json = vm.replace(json, vm.toString(known), vm.toString(other));
            plain = string.concat(plain, ", ", _quoted(other));
        }
        json = _with(json, '"timelock"', ".governance");
        string memory delay = string.concat('{ "delaySeconds": "', vm.toString(DELAY), '", "proposer": ');
        string memory recovery = string.concat(', "recovery": ', _quoted(RECOVERY), " }");
        json = _with(json, string.concat(delay, _quoted(PROPOSER), recovery), ".timelock");
        json = _with(json, string.concat("[", plain, "]"), ".plainAccounts");
        string[4] memory governors = [".roles.admin", ".roles.operator", ".treasury.admin", ".treasury.operator"];
        for (uint256 i; i < governors.length; ++i) {
            json = _with(json, "null", governors[i]);
        }
        string[4] memory keys = [".rwas[0].token", ".rwas[1].token", ".stablecoins[0].token", ".stablecoins[1].token"];
        for (uint256 i; i < keys.length; ++i) {
            json = _with(json, _quoted(tokens[i]), keys[i]);
        }
    }

    function _quoted(address account) internal pure returns (string memory) {
        return string.concat('"', vm.toString(account), '"');
    }
}
