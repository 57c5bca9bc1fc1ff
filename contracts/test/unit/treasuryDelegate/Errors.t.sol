// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegate} from "../../../src/TreasuryDelegate.sol";
import {IStablecoinDelegateAdmin} from "../../../src/interfaces/IStablecoinDelegateAdmin.sol";
import {TreasuryDelegateFixture} from "../../helpers/TreasuryDelegateFixture.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC1822Proxiable} from "@openzeppelin/contracts/interfaces/draft-IERC1822.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {Errors} from "@openzeppelin/contracts/utils/Errors.sol";

/// An implementation whose slot is not that of ERC-1967.
contract OtherSlot is IERC1822Proxiable {
    function proxiableUUID() external pure returns (bytes32) {
        return keccak256("another slot");
    }
}

/// The errors that the tests by function do not come across. Of the published ones nothing can reach
/// - `InvalidTargetValues`: the tokens of a target value are found in closed form, without intermediate targets;
/// - `QueueEmpty`, `OutOfBounds`: records are taken from queues that have some, at places the queue itself gives;
/// - `NotInitializing`: the initialisers are internal, and only `initialize` calls them;
/// - `AddressEmptyCode`: an upgrade refuses an implementation without code before it calls it.
contract TreasuryDelegateErrorsTest is TreasuryDelegateFixture {
    function test_RenounceRole_WithAnotherAccount_Reverts() public {
        bytes32 role = delegate.RATE_POSTER_ROLE();
        _assertReverts(
            poster,
            abi.encodeCall(delegate.renounceRole, (role, admin)),
            abi.encodePacked(IAccessControl.AccessControlBadConfirmation.selector)
        );
    }

    function test_IssuerAdmins_AddedOrRemovedWrongly_Revert() public {
        bytes memory invalid = abi.encodePacked(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector);
        _assertReverts(issuer, abi.encodeCall(delegate.addIssuerAdmin, (address(0))), invalid);
        _assertReverts(issuer, abi.encodeCall(delegate.removeIssuerAdmin, (stranger)), invalid);
        _assertReverts(
            issuer,
            abi.encodeCall(delegate.removeIssuerAdmin, (issuer)),
            abi.encodePacked(IStablecoinDelegateAdmin.CannotRemoveSelf.selector)
        );
    }

    function test_ZeroAddresses_AreRefused() public {
        bytes memory zero = abi.encodePacked(IStablecoinDelegateAdmin.ZeroAddressNotAllowed.selector);
        _assertReverts(issuer, abi.encodeCall(delegate.setRWACustodyAddress, (address(0))), zero);
        _assertReverts(issuer, abi.encodeCall(delegate.setStablecoinCustodyAddress, (address(0))), zero);
        _assertReverts(issuer, abi.encodeCall(delegate.setBlacklist, (address(0), true)), zero);
        _assertReverts(issuer, abi.encodeCall(delegate.whitelistRWA, (address(0), true)), zero);
        _assertReverts(issuer, abi.encodeCall(delegate.whitelistStablecoin, (address(0), true)), zero);
        _assertReverts(admin, abi.encodeCall(delegate.addRWAColdStorageAddress, (address(0))), zero);
        _assertReverts(admin, abi.encodeCall(delegate.addStablecoinColdStorageAddress, (address(0))), zero);
    }

    function test_Upgrade_ToWhatIsNoImplementation_Reverts() public {
        address otherSlot = address(new OtherSlot());
        _assertReverts(
            admin,
            abi.encodeCall(delegate.upgradeToAndCall, (address(cash.token), "")),
            abi.encodeWithSelector(ERC1967Utils.ERC1967InvalidImplementation.selector, cash.token)
        );
        _assertReverts(
            admin,
            abi.encodeCall(delegate.upgradeToAndCall, (otherSlot, "")),
            abi.encodeWithSelector(
                UUPSUpgradeable.UUPSUnsupportedProxiableUUID.selector, OtherSlot(otherSlot).proxiableUUID()
            )
        );
    }

    function test_Upgrade_WithACallThatFailsOrValueWithoutACall_Reverts() public {
        address implementation = address(new TreasuryDelegate());
        _assertReverts(
            admin,
            abi.encodeCall(delegate.upgradeToAndCall, (implementation, hex"ffffffff")),
            abi.encodePacked(Errors.FailedCall.selector)
        );
        vm.deal(admin, 1);
        vm.expectRevert(ERC1967Utils.ERC1967NonPayable.selector);
        vm.prank(admin);
        delegate.upgradeToAndCall{value: 1}(implementation, "");
    }

    function test_Upgrade_OfTheImplementationItself_Reverts() public {
        TreasuryDelegate implementation = new TreasuryDelegate();
        vm.expectRevert(UUPSUpgradeable.UUPSUnauthorizedCallContext.selector);
        implementation.upgradeToAndCall(address(implementation), "");
    }
}
