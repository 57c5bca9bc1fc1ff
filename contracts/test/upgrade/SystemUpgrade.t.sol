// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AutoLiquidityFixture} from "../helpers/AutoLiquidityFixture.sol";
import {SettableWhitelistAdapter} from "../mocks/SettableWhitelistAdapter.sol";
import {NextBalanceSheetDelegate, NextCoreSwap, NextTreasuryDelegate, NextVersion} from "./versions/NextVersions.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC1967} from "@openzeppelin/contracts/interfaces/IERC1967.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {StablecoinDelegate} from "src/StablecoinDelegate.sol";

/// @notice Tests upgrades of CoreSwap and both kinds of delegates. With every member of their storage filled, an
/// upgrade changes only the implementation slot, and the next version reads the same values. {TreasuryUpgradeTest} does
/// the same for the token.
contract SystemUpgradeTest is AutoLiquidityFixture {
    /// The state of a contract before its upgrade.
    struct Before {
        bytes32[] slots;
        bytes32[] words;
        bytes[] answers;
    }

    address private immutable LISTED = makeAddr("listed");

    function setUp() public override {
        vm.record();
        vm.startMappingRecording();
        super.setUp();
        _fillCoreSwap();
        _fillDelegate(usdc.delegate, usdc.issuerAdmin);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(usdc.custody);
        _deposit(usdc.custody, 5e18);
        _fillDelegate(delegate, issuer);
    }

    function test_X3_Upgrade_CoreSwap_ChangesTheImplementationSlotOnly() public {
        _assertFilled("coreSwap", "coreswap.storage.CoreSwap", address(core), 17);
        _assertFilled("coreSwap", "openzeppelin.storage.AccessControl", address(core), 1);
        bytes[] memory views = new bytes[](14);
        views[0] = abi.encodeCall(core.paused, ());
        views[1] = abi.encodeCall(core.maxSwapLegs, ());
        views[2] = abi.encodeCall(core.spreadProtocolTakeRate, ());
        views[3] = abi.encodeCall(core.coreVault, ());
        views[4] = abi.encodeCall(core.stablecoinInfo, (usdc.id));
        views[5] = abi.encodeCall(core.rwaInfo, (bill.id));
        views[6] = abi.encodeCall(core.rwaWhitelistAdapters, (bond.id));
        views[7] = abi.encodeCall(core.stablecoinGuardrailBands, (usdx.id));
        views[8] = abi.encodeCall(core.discountRates, (usdc.id, bill.id));
        views[9] = abi.encodeCall(core.redemptionFees, (trsy, bond.id));
        views[10] = abi.encodeCall(core.stablecoinAcceptanceFees, (trsy, address(usdc.token)));
        views[11] = abi.encodeCall(core.stablecoinRedemptionFees, (trsy, address(usdx.token)));
        views[12] = abi.encodeCall(core.blacklisted, (LISTED));
        views[13] = abi.encodeCall(core.swapInputAllowances, (usdc.custody, address(core), trsy));
        _assertUpgrades(address(core), address(new NextCoreSwap()), views);
    }

    function test_X3_Upgrade_TreasuryDelegate_ChangesTheImplementationSlotOnly() public {
        address target = address(delegate);
        _assertFilled("treasuryDelegate", "coreswap.storage.StablecoinDelegate", target, 12);
        _assertFilled("treasuryDelegate", "coreswap.storage.TreasuryDelegate", target, 9);
        bytes[] memory views = new bytes[](12);
        views[0] = abi.encodeCall(delegate.credits, (usdc.custody));
        views[1] = abi.encodeCall(delegate.totalWithheldCredits, (usdc.custody));
        views[2] = abi.encodeCall(delegate.getWithheldCredits, (usdc.custody));
        views[3] = abi.encodeCall(delegate.yieldMultiplier, (usdc.custody));
        views[4] = abi.encodeCall(delegate.lastAccrualDay, (usdc.custody));
        views[5] = abi.encodeCall(delegate.getDailyRate, (DAY_ZERO + 1));
        views[6] = abi.encodeCall(delegate.firstRateDay, ());
        views[7] = abi.encodeCall(delegate.lastRatePostingDay, ());
        views[8] = abi.encodeCall(delegate.managementFee, ());
        views[9] = abi.encodeCall(delegate.maxDailyRate, ());
        views[10] = abi.encodeCall(delegate.maxFallbackRateSeconds, ());
        views[11] = abi.encodeCall(delegate.getYieldAmount, (usdc.custody, 10_000e18, true));
        _assertUpgrades(target, address(new NextTreasuryDelegate()), views);
    }

    function test_X3_Upgrade_BalanceSheetDelegate_ChangesTheImplementationSlotOnly() public {
        StablecoinDelegate target = usdc.delegate;
        _assertFilled("balanceSheetDelegate", "coreswap.storage.StablecoinDelegate", address(target), 12);
        bytes[] memory views = new bytes[](16);
        views[0] = abi.encodeCall(target.coreSwap, ());
        views[1] = abi.encodeCall(target.stablecoinID, ());
        views[2] = abi.encodeCall(target.stablecoinAddress, ());
        views[3] = abi.encodeCall(target.balanceSheetCustodyAddress, ());
        views[4] = abi.encodeCall(target.stablecoinCustodyAddress, ());
        views[5] = abi.encodeCall(target.custodyAccepted, (usdc.custody));
        views[6] = abi.encodeCall(target.issuerAdmins, (usdc.issuerAdmin));
        views[7] = abi.encodeCall(target.blacklist, (LISTED));
        views[8] = abi.encodeCall(target.rwaWhitelist, (address(bill.token)));
        views[9] = abi.encodeCall(target.stablecoinWhitelist, (address(usdx.token)));
        views[10] = abi.encodeCall(target.getRWAColdStorageAddresses, ());
        views[11] = abi.encodeCall(target.getStablecoinColdStorageAddresses, ());
        views[12] = abi.encodeCall(target.emergencyPaused, ());
        views[13] = abi.encodeCall(target.issuerPaused, ());
        views[14] = abi.encodeCall(target.custodyListing, (usdc.custody));
        views[15] = abi.encodeCall(target.intakeCap, (address(bill.token)));
        _assertUpgrades(address(target), address(new NextBalanceSheetDelegate()), views);
    }

    function testFuzz_X3_Upgrade_ByAnyoneElse_Reverts(address caller) public {
        vm.assume(caller != admin);
        address[3] memory proxies = [address(core), address(delegate), address(usdc.delegate)];
        address[3] memory next =
            [address(new NextCoreSwap()), address(new NextTreasuryDelegate()), address(new NextBalanceSheetDelegate())];
        for (uint256 i; i < proxies.length; ++i) {
            vm.prank(caller);
            vm.expectRevert(
                abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, caller, bytes32(0))
            );
            UUPSUpgradeable(proxies[i]).upgradeToAndCall(next[i], "");
        }
    }

    function test_X3_Upgrade_ThenSwap_Continues() public {
        vm.startPrank(admin);
        core.upgradeToAndCall(address(new NextCoreSwap()), "");
        delegate.upgradeToAndCall(address(new NextTreasuryDelegate()), "");
        usdc.delegate.upgradeToAndCall(address(new NextBalanceSheetDelegate()), "");
        delegate.unpause();
        usdc.delegate.unpause();
        vm.stopPrank();
        vm.prank(issuer);
        delegate.unpauseCore();
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.unpauseCore();
        vm.prank(operator);
        core.unpause();
        uint256 credits = delegate.credits(usdc.custody) + delegate.totalWithheldCredits(usdc.custody);
        _deposit(usdc.custody, 1e18);
        assertEq(delegate.credits(usdc.custody) + delegate.totalWithheldCredits(usdc.custody), credits + 1e18);
    }

    /// @dev Fills every member of CoreSwap's storage that the fixture leaves empty.
    function _fillCoreSwap() private {
        SettableWhitelistAdapter register = new SettableWhitelistAdapter();
        vm.startPrank(operator);
        core.setSpreadProtocolTakeRate(0.1e18);
        core.setRWAAcceptance(bond.id, address(register), address(bond.token), true);
        core.setRwaWhitelistAdapter(bond.id, address(register));
        core.configureStablecoinGuardrail(usdx.id, address(bill.adapter), 0.01e18, false);
        core.setProtocolFeeExempt(usdx.id, true);
        vm.stopPrank();
        vm.prank(blacklister);
        core.setBlacklisted(LISTED, true);
    }

    /// @dev Fills every member of a delegate's storage that the fixture leaves empty. It pauses last.
    function _fillDelegate(StablecoinDelegate target, address issuerAdmin) private {
        vm.startPrank(admin);
        target.addRWAColdStorageAddress(LISTED);
        target.addStablecoinColdStorageAddress(LISTED);
        vm.stopPrank();
        vm.prank(issuerAdmin);
        target.setBlacklist(LISTED, true);
        if (address(target) != address(delegate)) return;
        vm.prank(pauser);
        core.pause();
        address[2] memory delegates = [address(usdc.delegate), address(delegate)];
        address[2] memory issuers = [usdc.issuerAdmin, issuer];
        for (uint256 i; i < delegates.length; ++i) {
            vm.prank(admin);
            StablecoinDelegate(delegates[i]).pause();
            vm.prank(issuers[i]);
            StablecoinDelegate(delegates[i]).pauseCore();
        }
    }

    /// @dev Asserts that every member of a namespace in the committed layout has a value: a mapping was written to, and
    /// anything else is not zero.
    function _assertFilled(string memory layout, string memory namespace, address target, uint256 memberCount) private {
        string memory json = vm.readFile(string.concat("contracts/storage-layout/", layout, ".json"));
        string memory list = string.concat("$.namespaces['erc7201:", namespace, "']");
        uint256 base =
            uint256(keccak256(abi.encode(uint256(keccak256(bytes(namespace))) - 1)) & ~bytes32(uint256(0xff)));
        uint256 count;
        for (; vm.keyExistsJson(json, string.concat(list, "[", vm.toString(count), "]")); ++count) {
            string memory member = string.concat(list, "[", vm.toString(count), "]");
            string memory label = vm.parseJsonString(json, string.concat(member, ".label"));
            bytes32 slot = bytes32(base + vm.parseJsonUint(json, string.concat(member, ".slot")));
            bool isMapping = vm.contains(vm.parseJsonString(json, string.concat(member, ".type")), "t_mapping");
            if (isMapping) assertGt(vm.getMappingLength(target, slot), 0, label);
            else assertNotEq(vm.load(target, slot), 0, label);
        }
        assertEq(count, memberCount, "members of the namespace");
    }

    function _assertUpgrades(address proxy, address next, bytes[] memory views) private {
        Before memory held;
        (, held.slots) = vm.accesses(proxy);
        held.words = new bytes32[](held.slots.length);
        for (uint256 i; i < held.slots.length; ++i) {
            held.words[i] = vm.load(proxy, held.slots[i]);
        }
        held.answers = _ask(proxy, views);

        vm.record();
        vm.expectEmit(proxy);
        emit IERC1967.Upgraded(next);
        vm.prank(admin);
        UUPSUpgradeable(proxy).upgradeToAndCall(next, "");
        (, bytes32[] memory writes) = vm.accesses(proxy);
        assertEq(writes.length, 1, "one write");
        assertEq(writes[0], ERC1967Utils.IMPLEMENTATION_SLOT);

        assertEq(NextVersion(proxy).version(), 2);
        NextVersion(proxy).setMark(type(uint256).max);
        for (uint256 i; i < held.slots.length; ++i) {
            if (held.slots[i] == ERC1967Utils.IMPLEMENTATION_SLOT) continue;
            assertEq(vm.load(proxy, held.slots[i]), held.words[i], "slot");
        }
        bytes[] memory answers = _ask(proxy, views);
        for (uint256 i; i < views.length; ++i) {
            assertEq(answers[i], held.answers[i], "view");
        }
    }

    /// @dev Asserts that no view returns only zeros, so that the comparison covers filled values.
    function _ask(address proxy, bytes[] memory views) private view returns (bytes[] memory answers) {
        answers = new bytes[](views.length);
        for (uint256 i; i < views.length; ++i) {
            bool success;
            (success, answers[i]) = proxy.staticcall(views[i]);
            assertTrue(success, "view answers");
            assertNotEq(answers[i], new bytes(answers[i].length), vm.toString(views[i]));
        }
    }
}
