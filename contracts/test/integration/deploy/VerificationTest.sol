// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployTest} from "./DeployTest.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment} from "script/Deployment.sol";

/// @title VerificationTest
/// @notice Makes a check of the verification fail, by a drift of what it reads on a deployment that verifies. The drift
/// is a real transaction if one can make it, else a mocked result of the view or another word in storage.
abstract contract VerificationTest is DeployTest {
    address internal immutable STRANGER = makeAddr("stranger");
    /// @dev Encoded, because arrays of structs cannot be copied to storage.
    bytes private encodedConfig;
    Deployment internal d;
    address internal admin;

    function setUp() public override {
        super.setUp();
        DeployConfig memory config = _example();
        encodedConfig = abi.encode(config);
        d = script.deploy(config, DEPLOYER);
        admin = config.roles.admin;
    }

    /// @dev Makes a difference by a call, requires the verification to revert with its name, and undoes it.
    function _assertCall(address caller, address target, bytes memory data, string memory what) internal {
        uint256 snapshot = vm.snapshotState();
        vm.prank(caller);
        (bool success,) = target.call(data);
        assertTrue(success, what);
        _assertNamed(what);
        vm.revertToState(snapshot);
    }

    function _assertRead(address target, bytes memory query, bytes memory answer, string memory what) internal {
        vm.mockCall(target, query, answer);
        _assertNamed(what);
        vm.clearMockedCalls();
    }

    function _assertWord(address target, bytes32 slot, bytes32 word, string memory what) internal {
        uint256 snapshot = vm.snapshotState();
        vm.store(target, slot, word);
        _assertNamed(what);
        vm.revertToState(snapshot);
    }

    /// @dev Every error of the verification starts with the name of what differs.
    function _assertNamed(string memory what) private view {
        try script.verify(_config(), d, DEPLOYER) {
            revert(string.concat("verified in spite of ", what));
        } catch (bytes memory reason) {
            bytes memory arguments = new bytes(reason.length - 4);
            for (uint256 i; i < arguments.length; ++i) {
                arguments[i] = reason[i + 4];
            }
            (string memory named,,) = abi.decode(arguments, (string, bytes32, bytes32));
            assertEq(named, what);
        }
    }

    function _config() internal view returns (DeployConfig memory) {
        return abi.decode(encodedConfig, (DeployConfig));
    }
}
