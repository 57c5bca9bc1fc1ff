// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryTest} from "../helpers/TreasuryTest.sol";
import {IERC1967} from "@openzeppelin/contracts/interfaces/IERC1967.sol";
import {IERC1822Proxiable} from "@openzeppelin/contracts/interfaces/draft-IERC1822.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {Errors} from "@openzeppelin/contracts/utils/Errors.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Treasury} from "src/Treasury.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";

/// @notice The next version for these tests: its migrations succeed, fail, run late or call out.
contract NextTreasury is Treasury {
    function version() external pure returns (uint256) {
        return 2;
    }

    function migrateAndFail() external pure {
        assembly {
            revert(0, 0)
        }
    }

    function migrateWithoutInitializer() external {
        __ERC20_init("Other", "OTHER");
    }

    function migrateAndCall(address target) external {
        ReentrantAdmin(target).onMigration();
    }
}

/// @notice An administrator that upgrades again while an upgrade is running.
contract ReentrantAdmin {
    Treasury private immutable TREASURY;
    address private immutable IMPLEMENTATION;

    constructor(Treasury treasury, address implementation) {
        TREASURY = treasury;
        IMPLEMENTATION = implementation;
    }

    function upgrade() external {
        bytes memory migration = abi.encodeCall(NextTreasury.migrateAndCall, (address(this)));
        TREASURY.upgradeToAndCall(IMPLEMENTATION, migration);
    }

    function onMigration() external {
        TREASURY.upgradeToAndCall(IMPLEMENTATION, "");
    }
}

/// @notice Claims another storage slot for its implementation.
contract ForeignProxiable is IERC1822Proxiable {
    bytes32 public constant override proxiableUUID = keccak256("elsewhere");
}

contract TreasuryUpgradeTest is TreasuryTest {
    bytes32 private constant IMPLEMENTATION_SLOT = ERC1967Utils.IMPLEMENTATION_SLOT;
    bytes32[] private writtenSlots;
    address private next;

    function setUp() public override {
        vm.record();
        super.setUp();
        _approve(ALICE, SPENDER, 5);
        _blacklist(BOB);
        _pause();
        (, bytes32[] memory slots) = vm.accesses(address(treasury));
        writtenSlots = slots;
        next = address(new NextTreasury());
    }

    function test_T13_Initialize_Twice_Reverts() public {
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        treasury.initialize("Treasury", "TRSY", ADMIN);
    }

    function test_T13_Initialize_OnImplementation_Reverts() public {
        Treasury implementation = new Treasury();
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        implementation.initialize("Treasury", "TRSY", ADMIN);
    }

    function test_T13_Initialize_OtherNameOrZeroAdmin_Reverts() public {
        address implementation = address(new Treasury());
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        new ERC1967Proxy(implementation, abi.encodeCall(Treasury.initialize, ("Treasure", "TRSY", ADMIN)));
        vm.expectRevert(ITreasury.ZeroAddress.selector);
        new ERC1967Proxy(implementation, abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", address(0))));
    }

    function test_T13_Upgrade_ByAdmin_ChangesTheImplementationSlotOnly() public {
        assertGt(writtenSlots.length, 20, "the set-up wrote every kind of state");
        bytes32[] memory valuesBefore = new bytes32[](writtenSlots.length);
        for (uint256 i; i < writtenSlots.length; ++i) {
            valuesBefore[i] = vm.load(address(treasury), writtenSlots[i]);
        }
        State memory expected = _state();

        vm.record();
        vm.prank(ADMIN);
        vm.expectEmit(address(treasury));
        emit IERC1967.Upgraded(next);
        treasury.upgradeToAndCall(next, "");

        (, bytes32[] memory writes) = vm.accesses(address(treasury));
        assertEq(writes.length, 1, "one write");
        assertEq(writes[0], IMPLEMENTATION_SLOT);
        assertEq(NextTreasury(address(treasury)).version(), 2);
        for (uint256 i; i < writtenSlots.length; ++i) {
            if (writtenSlots[i] == IMPLEMENTATION_SLOT) continue;
            assertEq(vm.load(address(treasury), writtenSlots[i]), valuesBefore[i], "slot");
        }
        _assertState(expected);
    }

    function testFuzz_T13_Upgrade_ByAnyoneElse_Reverts(address caller) public {
        vm.assume(caller != ADMIN);
        _callAndAssertOutcome(caller, _upgrade(next, ""), _unauthorized(caller, bytes32(0)));
    }

    function test_Upgrade_ToUnsuitableImplementation_Reverts() public {
        address foreign = address(new ForeignProxiable());
        _callAndAssertOutcome(
            ADMIN,
            _upgrade(foreign, ""),
            abi.encodeWithSelector(UUPSUpgradeable.UUPSUnsupportedProxiableUUID.selector, keccak256("elsewhere"))
        );
        _callAndAssertOutcome(
            ADMIN,
            _upgrade(address(this), ""),
            abi.encodeWithSelector(ERC1967Utils.ERC1967InvalidImplementation.selector, address(this))
        );
    }

    function test_Upgrade_WithValueButNoMigration_Reverts() public {
        vm.deal(ADMIN, 1);
        vm.prank(ADMIN);
        vm.expectRevert(ERC1967Utils.ERC1967NonPayable.selector);
        treasury.upgradeToAndCall{value: 1}(next, "");
    }

    function test_Upgrade_MigrationFails_Reverts() public {
        _callAndAssertOutcome(
            ADMIN,
            _upgrade(next, abi.encodeCall(NextTreasury.migrateAndFail, ())),
            abi.encodeWithSelector(Errors.FailedCall.selector)
        );
        _callAndAssertOutcome(
            ADMIN,
            _upgrade(next, abi.encodeCall(NextTreasury.migrateWithoutInitializer, ())),
            abi.encodeWithSelector(Initializable.NotInitializing.selector)
        );
    }

    function test_Upgrade_Reentered_Reverts() public {
        ReentrantAdmin admin = new ReentrantAdmin(treasury, next);
        vm.prank(ADMIN);
        treasury.grantRole(bytes32(0), address(admin));
        // The new implementation's guard shares the slot, so the inner upgrade finds it entered.
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        admin.upgrade();
    }

    function test_Upgrade_OutsideTheProxy_Reverts() public {
        Treasury implementation = new Treasury();
        vm.expectRevert(UUPSUpgradeable.UUPSUnauthorizedCallContext.selector);
        implementation.upgradeToAndCall(next, "");
        vm.expectRevert(UUPSUpgradeable.UUPSUnauthorizedCallContext.selector);
        treasury.proxiableUUID();
        assertEq(implementation.proxiableUUID(), IMPLEMENTATION_SLOT);
        assertEq(treasury.UPGRADE_INTERFACE_VERSION(), "5.0.0");
    }

    function _upgrade(address implementation, bytes memory migration) private pure returns (bytes memory) {
        return abi.encodeCall(UUPSUpgradeable.upgradeToAndCall, (implementation, migration));
    }
}
