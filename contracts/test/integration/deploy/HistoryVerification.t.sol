// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VerificationTest} from "./VerificationTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {DeploymentChecks} from "script/DeploymentChecks.sol";
import {HistoryVerification} from "script/HistoryVerification.sol";
import {Treasury} from "src/Treasury.sol";
import {HidingImplementation} from "test/mocks/HidingImplementation.sol";

contract HistoryVerificationTest is VerificationTest {
    function test_VerifyUpgrades_AsDeployed_Passes() public {
        script.verifyUpgrades(_config(), d);
    }

    /// Neither the code nor the lists of holders show such a role.
    function test_VerifyUpgrades_CreatedWithAnotherImplementation_NamesTheProxy() public {
        address hiding = address(new HidingImplementation());
        bytes memory initialization = abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", admin));
        bytes memory data =
            abi.encodeCall(HidingImplementation.initialize, (d.treasuryImplementation, initialization, STRANGER));
        d.treasury = Treasury(address(new ERC1967Proxy(hiding, data)));
        assertTrue(d.treasury.hasRole(0, STRANGER));
        assertEq(d.treasury.getRoleMemberCount(0), 1);
        script.verifyCode(_config(), d);
        vm.expectRevert(
            abi.encodeWithSelector(
                DeploymentChecks.AddressDiffers.selector,
                "Treasury's first implementation",
                hiding,
                d.treasuryImplementation
            )
        );
        script.verifyUpgrades(_config(), d);
    }

    function test_VerifyStartBlock_AsDeployed_Passes() public {
        script.verifyStartBlock(_config(), d);
        d.startBlock = 0;
        script.loseOldState();
        script.verifyStartBlock(_config(), d);
    }

    /// A role that was granted before the start block would be in none of the events that are read.
    function test_VerifyStartBlock_AfterTheCreation_NamesTheContract() public {
        _assertTooLate("CoreSwap", address(d.coreSwap));
        _assertTooLate("Treasury", address(d.treasury));
        _assertTooLate("USDX delegate", address(d.delegates[0]));
        _assertTooLate("USDY delegate", address(d.delegates[1]));
        _assertTooLate("TRSY delegate", address(d.treasuryDelegate));
    }

    function test_VerifyStartBlock_NodeWithoutTheState_IsNoPass() public {
        script.loseOldState();
        script.setNodeVersion("Geth/v1.16.7");
        vm.expectRevert(
            abi.encodeWithSelector(HistoryVerification.OldStateMissing.selector, d.startBlock - 1, "Geth/v1.16.7")
        );
        script.verifyStartBlock(_config(), d);
    }

    /// Each proxy emitted one when it was created.
    function test_VerifyUpgrades_NodeWithoutEvents_IsNoPass() public {
        script.loseEventsOf(address(d.treasury));
        _expectEventsMissing("Treasury", address(d.treasury));
        script.verifyUpgrades(_config(), d);
    }

    /// The first issuer admin was added when the delegate was created.
    function test_VerifyIssuerAdmins_NodeWithoutEvents_IsNoPass() public {
        script.loseEventsOf(address(d.delegates[1]));
        _expectEventsMissing("USDY delegate", address(d.delegates[1]));
        script.verifyIssuerAdmins(_config(), d);
    }

    /// @dev Block 1233 is 0x4d1; from block 16 on, the block before has one digit.
    function _assertTooLate(string memory name, address account) private {
        uint16[2] memory startBlocks = [1234, 16];
        string[2] memory blocksBefore = ["0x4d1", "0xf"];
        for (uint256 i; i < startBlocks.length; ++i) {
            d.startBlock = startBlocks[i];
            script.setCodeBefore(string.concat('["', vm.toString(account), '","', blocksBefore[i], '"]'), hex"fe");
            vm.expectRevert(
                abi.encodeWithSelector(
                    HistoryVerification.StartBlockTooLate.selector, name, account, uint256(startBlocks[i])
                )
            );
            script.verifyStartBlock(_config(), d);
        }
    }

    function _expectEventsMissing(string memory name, address emitter) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                HistoryVerification.EventsMissing.selector, name, emitter, d.startBlock, "anvil/v1.7.1"
            )
        );
    }
}
