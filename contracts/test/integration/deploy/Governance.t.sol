// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {NextCoreSwap, NextTreasuryToken, NextVersion} from "../../upgrade/versions/NextVersions.sol";
import {ProductionTest} from "./ProductionTest.sol";
import {IAccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/IAccessControlEnumerable.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment, DeploymentFile} from "script/Deployment.sol";
import {DeploymentChecks} from "script/DeploymentChecks.sol";
import {HistoryVerification} from "script/HistoryVerification.sol";
import {JsonConfig} from "script/JsonConfig.sol";
import {Upgrade} from "script/Upgrade.s.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @notice A deployment that a timelock governs.
contract GovernanceTest is ProductionTest {
    string private constant DIRECTORY = ".demo/governance-test";
    string private constant CODE_EXPECTED = "an account with code, or one that .plainAccounts names";

    Deployment private deployment;
    TimelockController private timelock;
    address private guardian;

    function _deploy() private {
        DeployConfig memory config = script.parse(_production());
        deployment = script.deploy(config, DEPLOYER);
        timelock = deployment.timelock;
        guardian = config.roles.guardian;
    }

    function test_Deploy_WithATimelock_GivesItWhatCanTakeMoney() public {
        _deploy();
        _assertHolder(deployment.coreSwap, 0);
        _assertHolder(deployment.coreSwap, keccak256("OPERATOR_ROLE"));
        _assertHolder(deployment.treasury, 0);
        _assertHolder(deployment.treasury, keccak256("OPERATOR_ROLE"));
        _assertHolder(deployment.treasuryDelegate, 0);
        for (uint256 i; i < deployment.delegates.length; ++i) {
            _assertHolder(deployment.delegates[i], 0);
        }
        for (uint256 i; i < deployment.navAdapters.length; ++i) {
            _assertHolder(deployment.navAdapters[i], 0);
        }
        // Roles that must act at once are not subject to the delay.
        address delegateOperator = script.parse(_production()).treasury.delegateOperator;
        assertTrue(deployment.treasuryDelegate.hasRole(keccak256("PAUSE_ROLE"), guardian));
        assertTrue(deployment.treasuryDelegate.hasRole(keccak256("OPERATOR_ROLE"), delegateOperator));
    }

    function test_Deploy_WithATimelock_TakesItsDelayForAnyChange() public {
        _deploy();
        bytes memory call = abi.encodeCall(ICoreSwap.setMaxSwapLegs, (3));
        address target = address(deployment.coreSwap);
        vm.startPrank(PROPOSER);
        vm.expectRevert();
        timelock.schedule(target, 0, call, 0, 0, DELAY - 1);
        timelock.schedule(target, 0, call, 0, 0, DELAY);
        skip(DELAY - 1);
        vm.expectRevert();
        timelock.execute(target, 0, call, 0, 0);
        skip(1);
        timelock.execute(target, 0, call, 0, 0);
        assertEq(deployment.coreSwap.maxSwapLegs(), 3);
    }

    function test_Deploy_WithATimelock_LetsTheGuardianCancelAndNotPropose() public {
        _deploy();
        bytes memory call = abi.encodeCall(ICoreSwap.setMaxSwapLegs, (3));
        address target = address(deployment.coreSwap);
        vm.prank(PROPOSER);
        timelock.schedule(target, 0, call, 0, 0, DELAY);
        vm.startPrank(guardian);
        timelock.cancel(timelock.hashOperation(target, 0, call, 0, 0));
        vm.expectRevert();
        timelock.schedule(target, 0, call, 0, 0, DELAY);
        vm.stopPrank();
        skip(DELAY);
        vm.prank(PROPOSER);
        vm.expectRevert();
        timelock.execute(target, 0, call, 0, 0);
    }

    function test_Verify_RevertWhen_TheTimelockIsNotTheOneConfigured() public {
        _deploy();
        script.verify(script.parse(_production()), deployment, DEPLOYER);
        address self = address(timelock);
        _assertVerifyRefused(
            abi.encodeCall(timelock.updateDelay, (DELAY - 1)), "timelock's delay", bytes32(DELAY - 1), bytes32(DELAY)
        );
        _assertRoleRefused(0, DEPLOYER, "timelock's administration of ");
        _assertRoleRefused(timelock.PROPOSER_ROLE(), guardian, "timelock's PROPOSER_ROLE of ");
        _assertRoleRefused(timelock.EXECUTOR_ROLE(), address(0), "timelock's EXECUTOR_ROLE of ");
        _assertRoleRefused(timelock.CANCELLER_ROLE(), self, "timelock's CANCELLER_ROLE of ");
        _assertRoleRefused(timelock.CANCELLER_ROLE(), PROPOSER, "timelock's CANCELLER_ROLE of ");
        _assertRoleRefused(timelock.CANCELLER_ROLE(), RECOVERY, "timelock's CANCELLER_ROLE of ");
        _assertVerifyRefused(
            abi.encodeCall(timelock.revokeRole, (timelock.EXECUTOR_ROLE(), RECOVERY)),
            string.concat("timelock's EXECUTOR_ROLE of ", vm.toString(RECOVERY)),
            bytes32(0),
            bytes32(uint256(1))
        );
        _assertVerifyRefused(
            abi.encodeCall(timelock.revokeRole, (timelock.CANCELLER_ROLE(), guardian)),
            string.concat("timelock's CANCELLER_ROLE of ", vm.toString(guardian)),
            bytes32(0),
            bytes32(uint256(1))
        );
    }

    /// When the last transactions of a run are lost, the deployer still administers the timelock. The run that verifies
    /// may have another sender.
    function test_Verify_AnyAccountThatWasEverGrantedARole_IsNamed() public {
        _deploy();
        DeployConfig memory config = script.parse(_production());
        address stranger = makeAddr("stranger");
        bytes32[5] memory roles = [
            bytes32(0),
            timelock.PROPOSER_ROLE(),
            timelock.EXECUTOR_ROLE(),
            timelock.CANCELLER_ROLE(),
            keccak256("another role")
        ];
        string[5] memory names =
            ["administration", "PROPOSER_ROLE", "EXECUTOR_ROLE", "CANCELLER_ROLE", vm.toString(roles[4])];
        for (uint256 i; i < roles.length; ++i) {
            vm.startPrank(address(timelock));
            timelock.grantRole(roles[i], stranger);
            timelock.revokeRole(roles[i], stranger);
            vm.stopPrank();
            script.verifyTimelockHolders(config, deployment);
            vm.prank(address(timelock));
            timelock.grantRole(roles[i], stranger);
            script.verify(config, deployment, DEPLOYER);
            string memory what = string.concat("timelock's ", names[i], " of ", vm.toString(stranger));
            vm.expectRevert(
                abi.encodeWithSelector(
                    DeploymentChecks.ValueDiffers.selector, what, bytes32(uint256(1)), bytes32(uint256(0))
                )
            );
            script.verifyTimelockHolders(config, deployment);
            vm.prank(address(timelock));
            timelock.revokeRole(roles[i], stranger);
        }
    }

    /// An administrator that was granted before the start block is in no event that is read.
    function test_Verify_TimelockOlderThanTheStartBlock_IsNamed() public {
        _deploy();
        DeployConfig memory config = script.parse(_production());
        script.verifyStartBlock(config, deployment);
        deployment.startBlock = 0x20;
        script.setCodeBefore(string.concat('["', vm.toString(address(timelock)), '","0x1f"]'), hex"fe");
        vm.expectRevert(
            abi.encodeWithSelector(
                HistoryVerification.StartBlockTooLate.selector, "timelock", address(timelock), uint256(0x20)
            )
        );
        script.verifyStartBlock(config, deployment);

        script.loseEventsOf(address(timelock));
        vm.expectRevert(
            abi.encodeWithSelector(
                HistoryVerification.EventsMissing.selector, "timelock", address(timelock), uint256(0x20), "anvil/v1.7.1"
            )
        );
        script.verifyTimelockHolders(config, deployment);
    }

    function test_X3_Upgrade_WithATimelock_IsABatchThatItsProposerSchedules() public {
        _deploy();
        string memory file = vm.readFile(DeploymentFile.write(script.parse(_production()), deployment, DIRECTORY));
        Upgrade upgradeScript = new Upgrade();
        address core = address(deployment.coreSwap);
        address next = upgradeScript.upgrade(file, "coreSwap", type(NextCoreSwap).creationCode, "", DEPLOYER);
        bytes memory mark = abi.encodeCall(NextVersion.setMark, (7));
        upgradeScript.upgrade(file, "treasury", type(NextTreasuryToken).creationCode, mark, DEPLOYER);
        (bytes memory schedule, bytes memory execute) = upgradeScript.proposal(file);

        // Undoes what the script simulated: on the chain, nothing has been upgraded yet.
        vm.store(core, ERC1967Utils.IMPLEMENTATION_SLOT, bytes32(uint256(uint160(deployment.coreSwapImplementation))));
        vm.store(
            address(deployment.treasury),
            ERC1967Utils.IMPLEMENTATION_SLOT,
            bytes32(uint256(uint160(deployment.treasuryImplementation)))
        );
        _assertCallByProposer(schedule, true);
        skip(DELAY - 1);
        _assertCallByProposer(execute, false);
        skip(1);
        _assertCallByProposer(execute, true);
        assertEq(vm.load(core, ERC1967Utils.IMPLEMENTATION_SLOT), bytes32(uint256(uint160(next))));
        assertEq(NextVersion(core).version(), 2);
        assertEq(NextVersion(address(deployment.treasury)).version(), 2);
    }

    /// An account that delegates to the code of a contract (EIP-7702) is a plain one, because its key can end the
    /// delegation.
    function test_Deploy_WithAnUnnamedPlainAccount_Reverts() public {
        string memory json = _production();
        string[6] memory keys = [
            ".timelock.proposer",
            ".timelock.recovery",
            ".roles.guardian",
            ".treasury.ratePoster",
            ".rwas[1].navPoster",
            ".stablecoins[1].rwaCustody"
        ];
        bytes[3] memory codes = [bytes(""), abi.encodePacked(hex"ef0100", address(script)), hex"ef"];
        for (uint256 i; i < keys.length; ++i) {
            address account = makeAddr(keys[i]);
            DeployConfig memory changed = script.parse(_with(json, _quoted(account), keys[i]));
            for (uint256 j; j < codes.length; ++j) {
                vm.etch(account, codes[j]);
                if (j != 2) {
                    vm.expectRevert(
                        abi.encodeWithSelector(
                            JsonConfig.InvalidValue.selector, keys[i], vm.toString(account), CODE_EXPECTED
                        )
                    );
                }
                script.deploy(changed, DEPLOYER);
            }
        }
    }

    function test_Parse_Governance_Refused() public {
        string memory json = vm.readFile(EXAMPLE);
        _assertParseRefused(_with(json, '"safe"', ".governance"), ".governance", "safe", "timelock or accounts");
        _assertParseRefused(_without(json, ".governance"), ".governance", "absent", "a text");
        string memory timelock_ = string.concat('{ "delaySeconds": "86400", "proposer": ', _quoted(PROPOSER), " }");
        _assertParseRefused(
            _with(json, timelock_, ".timelock"),
            ".timelock",
            "a list or an object",
            "null, since .governance is accounts"
        );
        script.parse(_without(_without(json, ".timelock"), ".plainAccounts"));
    }

    function test_Parse_Timelock_Refused() public {
        string memory json = _production();
        string memory bounds = "86400 to 2592000";
        _assertParseRefused(_with(json, '"86399"', ".timelock.delaySeconds"), ".timelock.delaySeconds", "86399", bounds);
        _assertParseRefused(
            _with(json, '"2592001"', ".timelock.delaySeconds"), ".timelock.delaySeconds", "2592001", bounds
        );
        _assertParseRefused(
            _with(json, "null", ".timelock.proposer"), ".timelock.proposer", "null", "an address other than zero"
        );
        _assertParseRefused(
            _with(json, _quoted(PROPOSER), ".timelock.recovery"),
            ".timelock.recovery",
            vm.toString(PROPOSER),
            "an account other than .timelock.proposer, or null"
        );
        address[2] memory proposers = [PROPOSER, RECOVERY];
        for (uint256 i; i < proposers.length; ++i) {
            _assertParseRefused(
                _with(json, _quoted(proposers[i]), ".roles.guardian"),
                ".roles.guardian",
                vm.toString(proposers[i]),
                "an account other than the proposers of .timelock"
            );
        }
        assertEq(script.parse(_without(json, ".timelock.recovery")).timelock.recovery, address(0));
        _assertParseRefused(_without(json, ".plainAccounts"), ".plainAccounts", "absent", "a list");
        string[4] memory governors = [".roles.admin", ".roles.operator", ".treasury.admin", ".treasury.operator"];
        for (uint256 i; i < governors.length; ++i) {
            _assertParseRefused(
                _with(json, _quoted(PROPOSER), governors[i]),
                governors[i],
                vm.toString(PROPOSER),
                "null, since the timelock takes this place"
            );
            script.parse(_without(json, governors[i]));
        }
    }

    function _assertCallByProposer(bytes memory call, bool succeeds) private {
        vm.prank(PROPOSER);
        (bool success,) = address(timelock).call(call);
        assertEq(success, succeeds);
    }

    function _assertHolder(IAccessControlEnumerable target, bytes32 role) private view {
        assertEq(target.getRoleMemberCount(role), 1);
        assertEq(target.getRoleMember(role, 0), address(timelock));
    }

    function _assertRoleRefused(bytes32 role, address account, string memory what) private {
        bytes memory call = abi.encodeCall(timelock.grantRole, (role, account));
        _assertVerifyRefused(call, string.concat(what, vm.toString(account)), bytes32(uint256(1)), bytes32(0));
    }

    /// @dev Asserts that the verification names the difference that the timelock's call to itself made.
    function _assertVerifyRefused(bytes memory call, string memory what, bytes32 actual, bytes32 expected) private {
        uint256 snapshot = vm.snapshotState();
        vm.prank(address(timelock));
        (bool success,) = address(timelock).call(call);
        assertTrue(success);
        DeployConfig memory config = script.parse(_production());
        vm.expectRevert(abi.encodeWithSelector(DeploymentChecks.ValueDiffers.selector, what, actual, expected));
        script.verify(config, deployment, DEPLOYER);
        vm.revertToState(snapshot);
    }
}
