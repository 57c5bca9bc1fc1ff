// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract SetIntakeCapTest is DelegateTest {
    uint96 private constant CAP = 1_000e18;
    uint96 private constant UNCAPPED = type(uint96).max;

    function setUp() public override {
        super.setUp();
        vm.startPrank(admin);
        delegate.setIntakeCap(address(note.token), CAP);
        usdc.delegate.setIntakeCap(address(note.token), CAP);
        vm.stopPrank();
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_RevertWhen_TheCallerHasNoSay(address caller, uint96 cap) public forEachDelegate {
        vm.assume(!delegate.issuerAdmins(caller) && !delegate.hasRole(delegate.PAUSE_ROLE(), caller));
        _assertOnlyRole(
            delegate.DEFAULT_ADMIN_ROLE(), caller, abi.encodeCall(delegate.setIntakeCap, (address(note.token), cap))
        );
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_RevertWhen_AnIssuerAdminOrAPauserRaisesIt_D29(uint96 cap) public forEachDelegate {
        cap = uint96(bound(cap, CAP + 1, UNCAPPED));
        bytes memory raise = abi.encodeCall(delegate.setIntakeCap, (address(note.token), cap));
        bytes32 role = delegate.PAUSE_ROLE();
        vm.prank(admin);
        delegate.grantRole(role, stranger);
        _assertReverts(issuer, raise, _unauthorized(issuer, bytes32(0)));
        _assertReverts(stranger, raise, _unauthorized(stranger, bytes32(0)));
    }

    function test_RevertWhen_ItIsForTheTreasuryTokenAtItsOwnLP() public {
        bytes memory data = abi.encodeCall(delegate.setIntakeCap, (address(treasury), CAP));
        _assertReverts(admin, data, abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector));
    }

    function test_WhenAnIssuerAdminLowersIt() public forEachDelegate {
        _assertSets(issuer, CAP - 1);
        vm.prank(issuer);
        delegate.setIntakeCap(address(note.token), CAP - 1);
    }

    function test_WhenAPauserLowersIt() public forEachDelegate {
        bytes32 role = delegate.PAUSE_ROLE();
        vm.prank(admin);
        delegate.grantRole(role, stranger);
        _assertSets(stranger, 0);
    }

    function test_WhenTheAdministratorRaisesIt() public forEachDelegate {
        _assertSets(admin, CAP + 1);
        _assertSets(admin, UNCAPPED);
    }

    function test_WhenAnAssetWasNeverGivenOne() public forEachDelegate {
        (uint256 cap, uint256 available) = delegate.intakeCap(stranger);
        assertEq(cap, 0);
        assertEq(available, 0);
    }

    function _assertSets(address caller, uint96 cap) private {
        address asset = address(note.token);
        _watchDelegate();
        _expectDelegateAnswer(abi.encodeCall(delegate.intakeCap, (asset)), abi.encode(cap, cap));
        _expectEvent(address(delegate));
        emit IStablecoinDelegateAdmin.IntakeCapSet(asset, cap);
        _assertDelegateEffects(caller, abi.encodeCall(delegate.setIntakeCap, (asset, cap)));
    }
}
