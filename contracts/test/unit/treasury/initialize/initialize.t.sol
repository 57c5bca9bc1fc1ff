// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IAccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/IAccessControlEnumerable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Treasury} from "src/Treasury.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

contract TreasuryInitializeTest is TreasuryTest {
    function test_WhenTheAdminGetsTheRoles_T12() public {
        treasury = _deploy(ADMIN);
        for (uint256 i; i < roles.length; ++i) {
            assertEq(treasury.hasRole(roles[i], ADMIN), i < 2, "admin's roles");
            assertEq(treasury.getRoleMemberCount(roles[i]), i < 2 ? 1 : 0, "nobody else");
        }
    }

    function test_WhenTheRoleAdminsAreRead_T12() public view {
        bytes32 defaultAdmin = bytes32(0);
        assertEq(treasury.getRoleAdmin(treasury.DEFAULT_ADMIN_ROLE()), defaultAdmin);
        assertEq(treasury.getRoleAdmin(treasury.OPERATOR_ROLE()), defaultAdmin);
        assertEq(treasury.getRoleAdmin(treasury.PAUSER_ROLE()), defaultAdmin);
        assertEq(treasury.getRoleAdmin(treasury.WHITELISTER_ROLE()), defaultAdmin);
        assertEq(treasury.getRoleAdmin(treasury.BLACKLISTER_ROLE()), defaultAdmin);
        assertEq(treasury.getRoleAdmin(treasury.MINTER_ROLE()), treasury.OPERATOR_ROLE());
        assertEq(treasury.getRoleAdmin(treasury.BRIDGE_ROLE()), treasury.OPERATOR_ROLE());
        assertEq(treasury.OPERATOR_ROLE(), keccak256("OPERATOR_ROLE"));
        assertEq(treasury.MINTER_ROLE(), keccak256("MINTER_ROLE"));
        assertEq(treasury.BRIDGE_ROLE(), keccak256("BRIDGE_ROLE"));
        assertEq(treasury.PAUSER_ROLE(), keccak256("PAUSER_ROLE"));
        assertEq(treasury.WHITELISTER_ROLE(), keccak256("WHITELISTER_ROLE"));
        assertEq(treasury.BLACKLISTER_ROLE(), keccak256("BLACKLISTER_ROLE"));
    }

    function test_WhenTheMetadataIsRead() public view {
        assertEq(treasury.name(), "Treasury");
        assertEq(treasury.symbol(), "TRSY");
        assertEq(treasury.decimals(), 18);
    }

    function test_WhenTheInterfacesAreAskedFor() public view {
        assertTrue(treasury.supportsInterface(type(IERC165).interfaceId));
        assertTrue(treasury.supportsInterface(type(IAccessControl).interfaceId));
        assertTrue(treasury.supportsInterface(type(IAccessControlEnumerable).interfaceId));
        assertFalse(treasury.supportsInterface(0xffffffff));
    }

    function test_RevertWhen_TheProxyIsInitializedAgain_T13() public {
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        treasury.initialize("Treasury", "TRSY", ADMIN);
    }

    function test_RevertWhen_TheImplementationIsInitialized_T13() public {
        Treasury implementation = new Treasury();
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        implementation.initialize("Treasury", "TRSY", ADMIN);
    }

    function test_RevertWhen_TheAdminIsZero() public {
        _assertRefused("Treasury", address(0), ITreasury.ZeroAddress.selector);
    }

    function test_RevertWhen_TheNameIsAnother() public {
        _assertRefused("treasury", ADMIN, Initializable.InvalidInitialization.selector);
    }

    function _assertRefused(string memory name, address admin, bytes4 reason) private {
        address implementation = address(new Treasury());
        vm.expectRevert(reason);
        new ERC1967Proxy(implementation, abi.encodeCall(Treasury.initialize, (name, "TRSY", admin)));
    }

    function test_WhenAFreshProxyIsInitialized() public {
        // The proxy's constructor requires a call; this one has no effect.
        address proxy = address(new ERC1967Proxy(address(new Treasury()), abi.encodeWithSignature("paused()")));
        bytes32 operatorRole = treasury.OPERATOR_ROLE();
        bytes32[2] memory operated = [treasury.MINTER_ROLE(), treasury.BRIDGE_ROLE()];
        _watch(proxy, abi.encodeCall(IERC20.totalSupply, ()));
        _watch(proxy, abi.encodeCall(treasury.paused, ()));
        _expectAnswer(proxy, abi.encodeCall(treasury.name, ()), abi.encode("Treasury"));
        _expectAnswer(proxy, abi.encodeCall(treasury.symbol, ()), abi.encode("TRSY"));
        for (uint256 i; i < 2; ++i) {
            bytes memory roleAdmin = abi.encodeCall(IAccessControl.getRoleAdmin, (operated[i]));
            _expectAnswer(proxy, roleAdmin, abi.encode(operatorRole));
            _expectEvent(proxy);
            emit IAccessControl.RoleAdminChanged(operated[i], 0x00, operatorRole);
        }
        _expectRole(proxy, 0x00, ADMIN);
        _expectRole(proxy, operatorRole, ADMIN);
        _expectEvent(proxy);
        emit Initializable.Initialized(1);
        // The places of two members, and the version.
        _expectHiddenSlots(3);
        _assertEffects(BOB, proxy, abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", ADMIN)));
    }

    /// Expects a role given at initialization: it is held, listed, and has a place in the set, which no view reads.
    function _expectRole(address proxy, bytes32 role, address account) private {
        address[] memory members = new address[](1);
        members[0] = account;
        _expectAnswer(proxy, abi.encodeCall(IAccessControl.hasRole, (role, account)), true);
        _expectAnswer(proxy, abi.encodeWithSignature("getRoleMembers(bytes32)", role), abi.encode(members));
        _expectEvent(proxy);
        emit IAccessControl.RoleGranted(role, account, BOB);
    }
}
