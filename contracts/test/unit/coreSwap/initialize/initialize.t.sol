// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwap} from "../../../../src/CoreSwap.sol";
import {ICoreSwap} from "../../../../src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "../../../helpers/CoreSwapTest.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {Vm} from "forge-std/Vm.sol";

contract CoreSwapInitializeTest is CoreSwapTest {
    function test_RevertWhen_TheProxyIsInitialisedAgain() public {
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        core.initialize(admin, operator, vault);
    }

    function test_RevertWhen_TheImplementationIsInitialised() public {
        CoreSwap implementation = new CoreSwap();
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        implementation.initialize(admin, operator, vault);
    }

    function test_RevertWhen_TheAdminIsZero() public {
        _expectInitializeReverts(address(0), operator, vault, ICoreSwap.InvalidAdmin.selector);
    }

    function test_RevertWhen_TheOperatorIsZero() public {
        _expectInitializeReverts(admin, address(0), vault, ICoreSwap.InvalidAdmin.selector);
    }

    function test_RevertWhen_TheVaultIsZero() public {
        _expectInitializeReverts(admin, operator, address(0), ICoreSwap.InvalidVault.selector);
    }

    function test_WhenEveryParameterIsValid() public view {
        assertTrue(core.hasRole(core.DEFAULT_ADMIN_ROLE(), admin));
        assertTrue(core.hasRole(core.OPERATOR_ROLE(), operator));
        assertEq(core.getRoleMemberCount(core.DEFAULT_ADMIN_ROLE()), 1);
        assertEq(core.getRoleMemberCount(core.OPERATOR_ROLE()), 1);
        assertEq(core.coreVault(), vault);
        assertEq(core.maxSwapLegs(), 10);
        assertFalse(core.paused());
    }

    function test_WhenEveryParameterIsValidAndTheLogsAreRead() public {
        address implementation = address(new CoreSwap());
        bytes memory init = abi.encodeCall(CoreSwap.initialize, (admin, operator, vault));
        vm.recordLogs();
        new ERC1967Proxy(implementation, init);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bytes32[5] memory expected = [
            keccak256("Upgraded(address)"),
            IAccessControl.RoleGranted.selector,
            IAccessControl.RoleGranted.selector,
            ICoreSwap.CoreVaultSet.selector,
            Initializable.Initialized.selector
        ];
        assertEq(logs.length, expected.length);
        for (uint256 i = 0; i < expected.length; ++i) {
            assertEq(logs[i].topics[0], expected[i]);
        }
    }

    function _expectInitializeReverts(address admin_, address operator_, address vault_, bytes4 reason) private {
        CoreSwap implementation = new CoreSwap();
        vm.expectRevert(reason);
        new ERC1967Proxy(address(implementation), abi.encodeCall(CoreSwap.initialize, (admin_, operator_, vault_)));
    }
}
