// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1822Proxiable} from "@openzeppelin/contracts/interfaces/draft-IERC1822.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {Errors} from "@openzeppelin/contracts/utils/Errors.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SlotDerivation} from "@openzeppelin/contracts/utils/SlotDerivation.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

/// An implementation whose slot is not that of ERC-1967.
contract OtherSlot is IERC1822Proxiable {
    function proxiableUUID() external pure returns (bytes32) {
        return keccak256("another slot");
    }
}

/// Tests upgrades of the four contracts behind proxies.
contract UpgradeToAndCallTest is DelegateTest {
    using SlotDerivation for bytes32;

    /// The slot of ERC-1967: the keccak256 of "eip1967.proxy.implementation", less one.
    bytes32 private constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    address[4] private proxies;
    address[4] private implementations;

    function setUp() public override {
        super.setUp();
        proxies = [address(core), address(treasury), address(delegate), address(usdc.delegate)];
        implementations = [
            address(new CoreSwap()),
            address(new Treasury()),
            address(new TreasuryDelegate()),
            address(new BalanceSheetDelegate())
        ];
    }

    /// forge-config: default.fuzz.runs = 500
    function testFuzz_RevertWhen_TheCallerIsNotTheDefaultAdmin(address caller) public {
        vm.assume(caller != admin);
        address[8] memory callers =
            [caller, operator, pauser, issuer, usdc.issuerAdmin, poster, corrector, address(core)];
        for (uint256 i = 0; i < proxies.length; ++i) {
            for (uint256 c = 0; c < callers.length; ++c) {
                bytes memory reason = _unauthorized(callers[c], 0x00);
                _assertRevert(callers[c], proxies[i], _upgrade(implementations[i], ""), reason);
            }
        }
    }

    function test_RevertWhen_TheImplementationItselfIsCalled() public {
        bytes4 reason = UUPSUpgradeable.UUPSUnauthorizedCallContext.selector;
        for (uint256 i = 0; i < proxies.length; ++i) {
            _assertRevert(admin, implementations[i], _upgrade(implementations[i], ""), reason);
        }
    }

    function test_RevertWhen_TheNewImplementationIsNone() public {
        address other = address(new OtherSlot());
        address[2] memory none = [stranger, address(cash.token)];
        for (uint256 i = 0; i < proxies.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(
                UUPSUpgradeable.UUPSUnsupportedProxiableUUID.selector, keccak256("another slot")
            );
            _assertRevert(admin, proxies[i], _upgrade(other, ""), reason);
            // Solidity itself reverts, without a reason, on a call to an account without code.
            _assertRevert(admin, proxies[i], _upgrade(none[0], ""), bytes(""));
            reason = abi.encodeWithSelector(ERC1967Utils.ERC1967InvalidImplementation.selector, none[1]);
            _assertRevert(admin, proxies[i], _upgrade(none[1], ""), reason);
        }
    }

    function test_RevertWhen_TheCallFailsWithoutAReasonOrValueComesWithoutACall() public {
        vm.deal(admin, 1);
        for (uint256 i = 0; i < proxies.length; ++i) {
            _assertRevert(admin, proxies[i], _upgrade(implementations[i], hex"ffffffff"), Errors.FailedCall.selector);
            vm.prank(admin);
            (bool success, bytes memory reason) = proxies[i].call{value: 1}(_upgrade(implementations[i], ""));
            assertFalse(success);
            assertEq(reason, abi.encodePacked(ERC1967Utils.ERC1967NonPayable.selector));
        }
    }

    function test_RevertWhen_AnUpgradeOfTheTreasuryTokenUpgradesItAgain() public {
        bytes memory again = _upgrade(implementations[1], "");
        bytes4 reason = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
        _assertRevert(admin, address(treasury), _upgrade(implementations[1], again), reason);
    }

    function test_WhenTheAdminUpgrades() public {
        for (uint256 i = 0; i < proxies.length; ++i) {
            _watch(proxies[i], abi.encodeCall(core.paused, ()));
            _watch(proxies[i], abi.encodeCall(core.getRoleMembers, (bytes32(0))));
            // No view reads it.
            _expectHiddenSlots(1);
            _expectEvent(proxies[i]);
            emit Upgraded(implementations[i]);
            _assertEffects(admin, proxies[i], _upgrade(implementations[i], ""));
            assertEq(vm.load(proxies[i], IMPLEMENTATION_SLOT), bytes32(uint256(uint160(implementations[i]))));
        }
    }

    function test_WhenTheAdminUpgradesCoreSwap() public {
        ICoreSwap.SwapInputs memory leg = _leg(5, 1_000e18, false);
        bytes32 before = keccak256(abi.encode(core.quoteSwap(user, leg)));
        address implementation = address(new CoreSwap());
        vm.prank(admin);
        core.upgradeToAndCall(implementation, "");
        assertEq(keccak256(abi.encode(core.quoteSwap(user, leg))), before);
        assertEq(core.coreVault(), vault);
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        core.initialize(admin, operator, vault);
    }

    function test_WhenTheAdminUpgradesABalanceSheetDelegate() public {
        delegate = TreasuryDelegate(address(usdc.delegate));
        address implementation = address(new BalanceSheetDelegate());
        vm.prank(admin);
        delegate.upgradeToAndCall(implementation, "");
        assertEq(delegate.stablecoinID(), usdc.id);
        assertEq(delegate.stablecoinCustodyAddress(), usdc.custody);
        _swap(_leg(1, 1_000e18, false));
    }

    function test_WhenTheAdminUpgradesTheTreasuryDelegate() public {
        address implementation = implementations[2];
        _deposit(alice, 1_000e18);
        _goToDayAndPost(DAY_ZERO + 3);
        _depositRWA(alice, 500e18);
        Stored memory before = _stored(alice);
        vm.prank(admin);
        delegate.upgradeToAndCall(address(implementation), "");
        _assertStored(alice, before);
        assertEq(delegate.lastRatePostingDay(), DAY_ZERO + 2);
        _redeem(alice, 1_500e18);
    }

    /// A new implementation reads the bits that the one before has stored, so flags keep their places.
    function test_WhenFlagsAreStored() public {
        vm.startPrank(issuer);
        delegate.setBlacklist(bob, true);
        delegate.pause();
        vm.stopPrank();
        vm.prank(admin);
        treasury.addToBlacklist(alice);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setAutoLiquidityStablecoinID(trsy);
        vm.startPrank(operator);
        core.configureStablecoinGuardrail(trsy, address(bill.adapter), 0.01e18, true);
        core.setRWAAcceptance(bill.id, address(bill.adapter), address(bill.token), true);
        core.setRwaWhitelistAdapter(bond.id, address(bond.adapter));
        vm.stopPrank();

        bytes32 slot = SlotDerivation.erc7201Slot("coreswap.storage.CoreSwap");
        assertEq(_bits(address(core), slot.offset(1).deriveMapping(trsy), 176, 8), 0x47, "treasury token");
        assertEq(_bits(address(core), slot.offset(1).deriveMapping(usdc.id), 176, 8), 0x48, "auto-liquidity");
        assertEq(_bits(address(core), slot.offset(2).deriveMapping(bill.id), 176, 8), 0x50, "risk delegate");
        assertEq(_bits(address(core), slot.offset(2).deriveMapping(bond.id), 176, 8), 0x60, "whitelist adapter");
        slot = SlotDerivation.erc7201Slot("coreswap.storage.StablecoinDelegate");
        assertEq(_bits(address(delegate), slot, 160, 8), 1 << 1, "pause of the issuer");
        slot = slot.offset(5);
        assertEq(_bits(address(delegate), slot.deriveMapping(bob), 0, 8), 1, "blacklist");
        assertEq(_bits(address(delegate), slot.deriveMapping(rwaCustody), 0, 8), 0x36, "RWA custody");
        assertEq(_bits(address(delegate), slot.deriveMapping(stablecoinCustody), 0, 8), 0x3a, "stablecoin custody");
        slot = SlotDerivation.erc7201Slot("coreswap.storage.Treasury");
        assertEq(_bits(address(treasury), slot.deriveMapping(alice), 240, 16), 3, "lists of the token");
        uint256 filter = 1 << (uint160(alice) % 248);
        assertEq(_bits(address(treasury), slot.offset(2), 8, 248), filter, "filter of the blacklist");
    }

    function _bits(address account, bytes32 slot, uint256 first, uint256 count) private view returns (uint256) {
        return (uint256(vm.load(account, slot)) >> first) & ((1 << count) - 1);
    }

    /// The event of ERC-1967.
    event Upgraded(address indexed implementation);

    function _upgrade(address to, bytes memory data) private pure returns (bytes memory) {
        return abi.encodeCall(UUPSUpgradeable.upgradeToAndCall, (to, data));
    }
}
