// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Administered} from "src/components/Administered.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

/// OpenZeppelin's role functions, inherited by every contract.
contract RenounceRoleTest is DelegateTest {
    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_ARoleIsRenouncedForAnotherAccount(address caller, address other, bytes32 role) public {
        vm.assume(caller != other);
        address[4] memory contracts = [address(core), address(treasury), address(delegate), address(usdc.delegate)];
        bytes memory data = abi.encodeCall(IAccessControl.renounceRole, (role, other));
        for (uint256 i = 0; i < contracts.length; ++i) {
            _assertRevert(caller, contracts[i], data, IAccessControl.AccessControlBadConfirmation.selector);
        }
    }

    /// Rotation: grant, prove, revoke. The last admin stays, whether it renounces or is revoked.
    function test_RevertWhen_TheLastAdministratorIsRemoved() public {
        address[4] memory contracts = [address(core), address(treasury), address(delegate), address(usdc.delegate)];
        bytes memory last = abi.encodeWithSelector(Administered.LastAdministrator.selector);
        for (uint256 i = 0; i < contracts.length; ++i) {
            _assertRevert(admin, contracts[i], abi.encodeCall(IAccessControl.renounceRole, (0, admin)), last);
            _assertRevert(admin, contracts[i], abi.encodeCall(IAccessControl.revokeRole, (0, admin)), last);
            vm.prank(admin);
            IAccessControl(contracts[i]).grantRole(0, stranger);
            vm.prank(stranger);
            IAccessControl(contracts[i]).revokeRole(0, admin);
            assertFalse(IAccessControl(contracts[i]).hasRole(0, admin));
            _assertRevert(stranger, contracts[i], abi.encodeCall(IAccessControl.renounceRole, (0, stranger)), last);
        }
    }

    function test_RevertWhen_TheRatePosterRenouncesForTheAdmin() public {
        bytes32 role = delegate.RATE_POSTER_ROLE();
        _assertReverts(
            poster,
            abi.encodeCall(delegate.renounceRole, (role, admin)),
            abi.encodePacked(IAccessControl.AccessControlBadConfirmation.selector)
        );
    }
}
