// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract CoreSwapInitializeTest is CoreSwapTest {
    function test_RevertWhen_TheProxyIsInitializedAgain() public {
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        core.initialize(admin, operator, vault);
    }

    function test_RevertWhen_TheImplementationIsInitialized() public {
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

    function _expectInitializeReverts(address admin_, address operator_, address vault_, bytes4 reason) private {
        CoreSwap implementation = new CoreSwap();
        vm.expectRevert(reason);
        new ERC1967Proxy(address(implementation), abi.encodeCall(CoreSwap.initialize, (admin_, operator_, vault_)));
    }

    function test_WhenAFreshProxyIsInitialized() public {
        // The proxy's constructor requires a call; this one has no effect.
        address proxy = address(new ERC1967Proxy(address(new CoreSwap()), abi.encodeWithSignature("paused()")));
        _watch(proxy, abi.encodeCall(IPausable.paused, ()));
        _watch(proxy, abi.encodeCall(ICoreSwap.spreadProtocolTakeRate, ()));
        _expectRole(proxy, 0x00, admin);
        _expectRole(proxy, core.OPERATOR_ROLE(), operator);
        _expectAnswer(proxy, abi.encodeCall(ICoreSwap.maxSwapLegs, ()), 10);
        _expectAnswer(proxy, abi.encodeCall(ICoreSwap.coreVault, ()), vault);
        _expectEvent(proxy);
        emit ICoreSwap.CoreVaultSet(address(0), vault);
        _expectEvent(proxy);
        emit Initializable.Initialized(1);
        // The places of two members, and the version.
        _expectHiddenSlots(3);
        _assertEffects(stranger, proxy, abi.encodeCall(ICoreSwap.initialize, (admin, operator, vault)));
    }

    /// Expects a role given at initialization: it is held, listed, and has a place in the set, which no view reads.
    function _expectRole(address proxy, bytes32 role, address account) private {
        address[] memory members = new address[](1);
        members[0] = account;
        _expectAnswer(proxy, abi.encodeCall(IAccessControl.hasRole, (role, account)), true);
        _expectAnswer(proxy, abi.encodeWithSignature("getRoleMembers(bytes32)", role), abi.encode(members));
        _expectEvent(proxy);
        emit IAccessControl.RoleGranted(role, account, stranger);
    }
}
