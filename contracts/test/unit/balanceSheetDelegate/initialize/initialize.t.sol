// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

contract BalanceSheetDelegateInitializeTest is CoreSwapTest {
    BalanceSheetDelegate private delegate;
    address private issuer;

    function setUp() public override {
        super.setUp();
        delegate = usdc.delegate;
        issuer = usdc.issuerAdmin;
    }

    function test_RevertWhen_AParameterIsWrong() public {
        bytes4 invalid = IStablecoinDelegateAdmin.InvalidInitializationParams.selector;
        address token = address(usdc.token);
        _expectInitializeReverts(address(0), issuer, address(core), usdc.id, token, abi.encodePacked(invalid));
        _expectInitializeReverts(admin, issuer, address(core), 0, token, abi.encodePacked(invalid));
        _expectInitializeReverts(
            admin,
            address(0),
            address(core),
            usdc.id,
            token,
            abi.encodePacked(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector)
        );
        _expectInitializeReverts(
            admin, issuer, stranger, usdc.id, token, abi.encodePacked(IStablecoinDelegateAdmin.InvalidCoreSwap.selector)
        );
        _expectInitializeReverts(
            admin,
            issuer,
            address(core),
            usdc.id,
            stranger,
            abi.encodeWithSelector(IStablecoinDelegateAdmin.InvalidStablecoinAsset.selector, stranger)
        );
    }

    function test_RevertWhen_TheProxyOrTheImplementationIsInitializedAgain() public {
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        delegate.initialize(admin, issuer, address(core), usdc.id, address(usdc.token));
        BalanceSheetDelegate implementation = new BalanceSheetDelegate();
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        implementation.initialize(admin, issuer, address(core), usdc.id, address(usdc.token));
    }

    function test_WhenEveryParameterIsValid() public view {
        assertEq(delegate.coreSwap(), address(core));
        assertEq(delegate.stablecoinID(), usdc.id);
        assertEq(delegate.stablecoinAddress(), address(usdc.token));
        assertTrue(delegate.issuerAdmins(issuer));
        assertTrue(delegate.hasRole(delegate.DEFAULT_ADMIN_ROLE(), admin));
        assertTrue(delegate.hasRole(delegate.PAUSE_ROLE(), admin));
        assertTrue(delegate.hasRole(delegate.CORE_SWAP_CONTRACT(), address(core)));
        assertEq(delegate.getRoleMemberCount(delegate.CORE_SWAP_CONTRACT()), 1);
    }

    function _expectInitializeReverts(
        address admin_,
        address issuer_,
        address core_,
        bytes32 id,
        address token,
        bytes memory reason
    ) private {
        BalanceSheetDelegate implementation = new BalanceSheetDelegate();
        vm.expectRevert(reason);
        new ERC1967Proxy(
            address(implementation),
            abi.encodeCall(BalanceSheetDelegate.initialize, (admin_, issuer_, core_, id, token))
        );
    }

    function test_WhenAFreshProxyIsInitialized() public {
        // The proxy's constructor requires a call; this one has no effect.
        address proxy =
            address(new ERC1967Proxy(address(new BalanceSheetDelegate()), abi.encodeWithSignature("paused()")));
        _expectDelegate(proxy, NEW_ID, address(usdc.token), issuer);
        _expectEvent(proxy);
        emit Initializable.Initialized(1);
        // The places of three members, and the version.
        _expectHiddenSlots(4);
        bytes memory data = abi.encodeCall(
            BalanceSheetDelegate.initialize, (admin, issuer, address(core), NEW_ID, address(usdc.token))
        );
        _assertEffects(stranger, proxy, data);
    }

    function _expectDelegate(address proxy, bytes32 id, address token, address issuerAdmin) private {
        bytes32 role = delegate.CORE_SWAP_CONTRACT();
        _watch(proxy, abi.encodeCall(IPausable.paused, ()));
        _watch(proxy, abi.encodeCall(delegate.stablecoinCustodyAddress, ()));
        _expectRole(proxy, 0x00, admin);
        _expectRole(proxy, delegate.PAUSE_ROLE(), admin);
        _expectAnswer(proxy, abi.encodeCall(IAccessControl.getRoleAdmin, (role)), abi.encode(role));
        _expectEvent(proxy);
        emit IAccessControl.RoleAdminChanged(role, 0x00, role);
        _expectRole(proxy, role, address(core));
        _expectAnswer(proxy, abi.encodeCall(delegate.coreSwap, ()), address(core));
        _expectAnswer(proxy, abi.encodeCall(delegate.stablecoinID, ()), abi.encode(id));
        _expectAnswer(proxy, abi.encodeCall(delegate.stablecoinAddress, ()), token);
        _expectAnswer(proxy, abi.encodeCall(delegate.issuerAdmins, (issuerAdmin)), true);
        _expectEvent(proxy);
        emit IStablecoinDelegateAdmin.IssuerAdminAdded(issuerAdmin);
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
