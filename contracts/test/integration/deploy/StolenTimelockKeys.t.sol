// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ProductionTest} from "./ProductionTest.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment} from "script/Deployment.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// @notice The worst that stolen keys of the timelock can do in a deployment of the script. The attack is a listing of
/// the thief as a custody account, which would receive what users sell.
contract StolenTimelockKeysTest is ProductionTest {
    address private immutable THIEF = makeAddr("thief");
    bytes32 private constant PROPOSER_ROLE = keccak256("PROPOSER_ROLE");
    bytes32 private constant EXECUTOR_ROLE = keccak256("EXECUTOR_ROLE");
    bytes32 private constant CANCELLER_ROLE = keccak256("CANCELLER_ROLE");

    TimelockController private timelock;
    IStablecoinDelegateAdmin private delegate;
    address private guardian;

    function setUp() public override {
        super.setUp();
        _deploy(_production());
    }

    /// The thief schedules attacks before the removal is scheduled, and after it. The guardian has to cancel only the
    /// first: when the second falls due, the thief can no longer execute it.
    function test_X6_StolenProposer_IsRemovedByTheOtherAfterOneDelay() public {
        address[2] memory proposers = [PROPOSER, RECOVERY];
        uint256 snapshot = vm.snapshotState();
        for (uint256 i; i < 2; ++i) {
            (address stolen, address other) = (proposers[i], proposers[1 - i]);
            _schedule(stolen, address(delegate), _attack(), 1);
            _schedule(stolen, address(timelock), _revocation(PROPOSER_ROLE, other), 0);
            _removeBy(other, stolen);
            skip(1);
            _schedule(stolen, address(delegate), _attack(), 2);
            _refusesCancellationBy(stolen, address(timelock), _revocation(PROPOSER_ROLE, stolen));
            _cancel(address(delegate), _attack(), 1);
            _cancel(address(timelock), _revocation(PROPOSER_ROLE, other), 0);

            skip(DELAY - 1);
            assertFalse(_executes(stolen, address(delegate), _attack(), 1));
            assertFalse(_executes(stolen, address(delegate), _attack(), 2));
            assertTrue(_executes(other, address(timelock), _revocation(PROPOSER_ROLE, stolen), 0));
            assertTrue(_executes(other, address(timelock), _revocation(EXECUTOR_ROLE, stolen), 0));
            skip(1);
            assertTrue(
                timelock.isOperationReady(
                    timelock.hashOperation(address(delegate), 0, _attack(), 0, bytes32(uint256(2)))
                )
            );
            _expectUnauthorized(stolen, EXECUTOR_ROLE);
            vm.prank(stolen);
            timelock.execute(address(delegate), 0, _attack(), 0, bytes32(uint256(2)));
            _expectUnauthorized(stolen, PROPOSER_ROLE);
            vm.prank(stolen);
            timelock.schedule(address(delegate), 0, _attack(), 0, bytes32(uint256(3)), DELAY);
            assertFalse(_isThiefListed());
            vm.revertToState(snapshot);
        }
    }

    /// The delay is no part of an operation's ID. Another salt makes another operation.
    function test_X6_StolenProposer_OccupiesItsRemoval_ButNotUnderAnotherSalt() public {
        bytes memory removal = _revocation(PROPOSER_ROLE, PROPOSER);
        vm.prank(PROPOSER);
        timelock.schedule(address(timelock), 0, removal, 0, 0, 36_500 days);
        vm.expectPartialRevert(TimelockController.TimelockUnexpectedOperationState.selector);
        vm.prank(RECOVERY);
        timelock.schedule(address(timelock), 0, removal, 0, 0, DELAY);
        _schedule(RECOVERY, address(timelock), removal, 1);
        skip(DELAY);
        assertFalse(_executes(RECOVERY, address(timelock), removal, 0));
        assertTrue(_executes(RECOVERY, address(timelock), removal, 1));
        assertFalse(timelock.hasRole(PROPOSER_ROLE, PROPOSER));
    }

    /// Nobody else can propose its removal, so the guardian has to cancel each attack, without an end.
    function test_X6_StolenProposer_WithoutARecovery_ProposesForGood() public {
        _deploy(_with(_production(), "null", ".timelock.recovery"));
        address[2] memory others = [guardian, RECOVERY];
        for (uint256 i; i < others.length; ++i) {
            _expectUnauthorized(others[i], PROPOSER_ROLE);
            vm.prank(others[i]);
            timelock.schedule(address(timelock), 0, _revocation(PROPOSER_ROLE, PROPOSER), 0, 0, DELAY);
        }
        for (uint256 i; i < 30; ++i) {
            _schedule(PROPOSER, address(delegate), _attack(), i);
            skip(DELAY - 1);
            _cancel(address(delegate), _attack(), i);
            skip(1);
            assertFalse(_executes(PROPOSER, address(delegate), _attack(), i));
        }
        _schedule(PROPOSER, address(delegate), _attack(), 30);
        skip(DELAY);
        assertTrue(_executes(PROPOSER, address(delegate), _attack(), 30));
        assertTrue(_isThiefListed(), "missed once");
    }

    /// It keeps the LPs stopped and every change away, its own removal too, but it can neither propose nor execute.
    function test_X6_StolenGuardian_StopsAllChangesForGood_AndTakesNothing() public {
        vm.prank(guardian);
        delegate.pause();
        bytes memory removal = _revocation(CANCELLER_ROLE, guardian);
        // Only a holder of the role could end the pause.
        bytes memory unpausing = abi.encodeCall(IAccessControl.grantRole, (keccak256("PAUSE_ROLE"), PROPOSER));
        address[2] memory proposers = [PROPOSER, RECOVERY];
        for (uint256 i; i < 2; ++i) {
            _schedule(proposers[i], address(timelock), removal, i);
            _schedule(proposers[i], address(delegate), unpausing, i);
            _cancel(address(timelock), removal, i);
            _cancel(address(delegate), unpausing, i);
            skip(DELAY);
            assertFalse(_executes(proposers[i], address(timelock), removal, i));
            assertFalse(_executes(proposers[i], address(delegate), unpausing, i));
        }
        _expectUnauthorized(guardian, PROPOSER_ROLE);
        vm.prank(guardian);
        timelock.schedule(address(delegate), 0, _attack(), 0, 0, DELAY);
        _schedule(PROPOSER, address(delegate), _attack(), 0);
        skip(DELAY);
        _expectUnauthorized(guardian, EXECUTOR_ROLE);
        vm.prank(guardian);
        timelock.execute(address(delegate), 0, _attack(), 0, 0);
    }

    /// Nobody else cancels, and the guardian cancels the removals. The delay is all that is left.
    function test_X6_StolenProposerAndGuardian_DoAnythingAfterTheDelay() public {
        _schedule(PROPOSER, address(delegate), _attack(), 0);
        _refusesCancellationBy(RECOVERY, address(delegate), _attack());
        _removeBy(RECOVERY, PROPOSER);
        _cancel(address(timelock), _revocation(PROPOSER_ROLE, PROPOSER), 0);
        _cancel(address(timelock), _revocation(EXECUTOR_ROLE, PROPOSER), 0);
        skip(DELAY - 1);
        assertFalse(_executes(PROPOSER, address(delegate), _attack(), 0));
        skip(1);
        assertTrue(_executes(PROPOSER, address(delegate), _attack(), 0));
        assertTrue(_isThiefListed());
    }

    /// Two stolen proposers can only be held off: the guardian cancels, and nobody is left to remove them.
    function test_X6_BothProposersStolen_AreHeldOffByTheGuardianAlone() public {
        _schedule(PROPOSER, address(delegate), _attack(), 0);
        _refusesCancellationBy(RECOVERY, address(delegate), _attack());
        _cancel(address(delegate), _attack(), 0);
        skip(DELAY);
        assertFalse(_executes(RECOVERY, address(delegate), _attack(), 0));
        _expectUnauthorized(guardian, PROPOSER_ROLE);
        vm.prank(guardian);
        timelock.schedule(address(timelock), 0, _revocation(PROPOSER_ROLE, PROPOSER), 0, 0, DELAY);
    }

    function _deploy(string memory json) private {
        DeployConfig memory config = script.parse(json);
        Deployment memory deployment = script.deploy(config, DEPLOYER);
        (timelock, delegate, guardian) = (deployment.timelock, deployment.delegates[0], config.roles.guardian);
    }

    function _attack() private view returns (bytes memory) {
        return abi.encodeCall(IStablecoinDelegateAdmin.setCustodyListing, (THIEF, true, true));
    }

    function _isThiefListed() private view returns (bool listed) {
        (listed,) = delegate.custodyListing(THIEF);
    }

    function _revocation(bytes32 role, address account) private pure returns (bytes memory) {
        return abi.encodeCall(IAccessControl.revokeRole, (role, account));
    }

    function _removeBy(address other, address stolen) private {
        _schedule(other, address(timelock), _revocation(PROPOSER_ROLE, stolen), 0);
        _schedule(other, address(timelock), _revocation(EXECUTOR_ROLE, stolen), 0);
    }

    function _schedule(address proposer, address target, bytes memory call, uint256 salt) private {
        vm.prank(proposer);
        timelock.schedule(target, 0, call, 0, bytes32(salt), DELAY);
    }

    function _executes(address executor, address target, bytes memory call, uint256 salt) private returns (bool) {
        vm.prank(executor);
        try timelock.execute(target, 0, call, 0, bytes32(salt)) {
            return true;
        } catch {
            return false;
        }
    }

    function _cancel(address target, bytes memory call, uint256 salt) private {
        bytes32 id = timelock.hashOperation(target, 0, call, 0, bytes32(salt));
        vm.prank(guardian);
        timelock.cancel(id);
    }

    function _refusesCancellationBy(address account, address target, bytes memory call) private {
        bytes32 id = timelock.hashOperation(target, 0, call, 0, 0);
        _expectUnauthorized(account, CANCELLER_ROLE);
        vm.prank(account);
        timelock.cancel(id);
    }

    function _expectUnauthorized(address account, bytes32 role) private {
        vm.expectRevert(abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role));
    }
}
